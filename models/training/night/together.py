"""Trains both detectors and the verifier further: to see in the dark what their own weights see by day, and forget nothing.

usage: python3 -m night.together --data FOLDER --models models --out FOLDER --minutes 7 [--device cuda]
Half of the views of a step are clean, also turned, tilted, tiny, huge and mosaics: of these the networks are to say what they
said. The others are darkened (`dark.py`), and are to say what the old weights say of the same view by day; faces that those
don't see are taught by their labels. Every --every seconds FOLDER/state_SECONDS.pt gets the running averages.
"""
import argparse
import os
import time
from pathlib import Path

import torch
from torch import Tensor

from data.augmentation import apply_to, augment
from data.banks import DecodedBank
from data.batches import Batch, join
from data.dice import Dice
from data.lighting import complexion, exposure, monochrome, shadow, tint
from data.pack import join as join_packs, read_pack
from data.views import Mixture, Sampler
from night.dark import dark_views
from night.distil import DISTANCE_WEIGHT, GIOU_WEIGHT, aim, kept, losses
from night.folded import in_pairs, read_folded, read_verifier
from night.pupil import Pupil
from night.verdicts import chosen, cut, placed, verdict_loss
from night.yunet import boxes_of, corners, flatten, log_score, read_yunet

REPORT_EVERY = 100
# What happens to half of the views before anyone sees them, as a share of the detector's own augmentations.
AUGMENTED = 0.35
BY_DAY = ((complexion, 0.35), (exposure, 0.5), (tint, 0.3), (monochrome, 0.06))
SHADE = 0.15
CLEAN = Mixture(
    anchored=0.52, empty=0.15, tiny=0.15, huge=0.12, turned=0.2, leaning=0.3, tilted=0.2, mosaics=((3, 0.12), (2, 0.22))
)
DARK = Mixture(empty=0.2, turned=0.06, tilted=0.1, leaning=0.3, mosaics=((3, 0.06), (2, 0.16)))
# What forgetting weighs against learning.
KEEPING = 2.0
CROPS = 2  # an image


class School:
    """The three networks, and the views that they see."""

    def __init__(self, a: argparse.Namespace):
        self.device, self.a = torch.device(a.device), a
        ours, yunet = a.models / "face_detector.onnx", a.models / "yunet_n.onnx"
        self.pupils = {
            "ours": Pupil(read_folded(ours), self.device, a.rate, a.average),
            "yunet": Pupil(read_yunet(yunet), self.device, a.yunet_rate, a.average),
            "verifier": Pupil(read_verifier(ours), self.device, a.verifier_rate, a.average),
        }
        pack = join_packs([read_pack(folder, limit=a.limit) for folder in a.data])
        bank, dice = DecodedBank(pack, self.device, a.store), Dice(a.seed, self.device)
        self.clean, self.dark, self.dice = Sampler(bank, dice, CLEAN), Sampler(bank, dice, DARK), dice
        self._cells: dict[int, tuple[Tensor, Tensor]] = {}
        print(f"{len(pack.files)} pictures, {int(pack.faces.sum())} faces", flush=True)

    def _seen(self, name: str, network: torch.nn.Module, images: Tensor) -> Tensor:
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.a.bf16):
            outputs = network(images.contiguous(memory_format=torch.channels_last) if self.a.channels_last else images)
        cells = flatten([output.float() for output in outputs])
        return in_pairs(cells) if name == "ours" else cells

    @torch.no_grad()
    def views(self, count: int, side: int) -> tuple[Tensor, Tensor, Tensor, Batch]:
        """-> by day, in the dark, as shown, each [2 count, 3, S, S]: the first half the same clean views; and the labels."""
        dice = self.dice
        clean = self.clean.batch(count, side)
        images = augment(clean, dice, AUGMENTED).round()
        batch = self.dark.batch(count, side)
        for change, often in BY_DAY:
            apply_to(batch.images, dice.chance(often, count), lambda part, rows: change(part, dice))
        day = batch.images.round()
        rows = torch.arange(count, device=self.device)
        face = batch.frames[rows, dice.pick_in_rows((batch.labels == 1).float())][:, :2]
        unlit = day.clone()
        apply_to(unlit, dice.chance(SHADE, count), lambda part, some: shadow(part, face[some], dice))
        dark, shown = dark_views(unlit, dice)
        clean.images, batch.images = images, day
        both = join([clean, batch])
        return both.images, torch.cat([images, dark]), torch.cat([images, shown]), both

    def step(self, count: int, side: int, done: float) -> Tensor:
        """`count` clean and as many dark views; `done` of the schedule, 0..1. -> losses: kept and learnt of each, verdicts."""
        day, dark, shown, labels = self.views(count, side)
        if side not in self._cells:
            self._cells[side] = corners(side, side, self.device)
        at, strides = self._cells[side]
        told, said = [], []
        for name in ("ours", "yunet"):
            pupil = self.pupils[name]
            with torch.no_grad():
                taught = self._seen(name, pupil.teacher, day)
            seen = self._seen(name, pupil.model, shown)
            keep = kept(seen[:count], taught[:count], at, strides)
            aimed = aim(taught[count:], seen[count:].detach(), labels.boxes[count:], labels.labels[count:], at, strides)
            learn = losses(seen[count:], aimed, at, strides)
            keep, learn = (x[0] + GIOU_WEIGHT * x[1] + DISTANCE_WEIGHT * x[2] for x in (keep, learn))
            pupil.learn(KEEPING * keep + learn, done)
            told += [keep.detach(), learn.detach()]
            said += [taught, seen.detach()]
        return torch.stack([*told, self._judge(said, day, dark, at, strides, done)])

    def _judge(self, said: list[Tensor], day: Tensor, dark: Tensor, at: Tensor, strides: Tensor, done: float) -> Tensor:
        """A step of the verifier on what anyone took for a face. -> its loss."""
        verifier, side = self.pupils["verifier"], day.shape[-1]
        with torch.no_grad():
            scores = torch.stack([log_score(cells) for cells in said]).exp()
            boxes = torch.stack([boxes_of(cells, at, strides) for cells in said])
            best, which = scores.max(0)
            places = boxes.gather(0, which[None, ..., None].expand(1, -1, -1, 4))[0]
            rows = torch.arange(len(day), device=self.device).repeat_interleave(CROPS)
            maps = placed(chosen(best, places, CROPS, self.dice).flatten(0, 1), side, self.dice)
            verdicts = verifier.teacher(cut(day, rows, maps))
            crops = cut(dark, rows, maps)
        loss = verdict_loss(verifier.model(crops), verdicts)
        verifier.learn(loss, done)
        return loss.detach()

    def save(self, path: Path) -> None:
        torch.save({name: pupil.state() for name, pupil in self.pupils.items()}, f"{path}.new")
        os.replace(f"{path}.new", path)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--data", action="append", required=True, help="folder with labels.json; may be given several times")
    add("--models", required=True, type=Path, help="folder of face_detector.onnx and yunet_n.onnx: beginnings and teachers")
    add("--out", required=True, type=Path)
    add("--minutes", type=float, required=True)
    add("--device", default="cuda")
    add("--bf16", action="store_true", help="convolutions in bfloat16")
    add("--channels-last", action="store_true", help="channels beside each other in memory: faster with --bf16")
    add("--rate", type=float, default=4e-4, help="of our network")
    add("--yunet-rate", type=float, default=6e-4)
    add("--verifier-rate", type=float, default=4e-4)
    add("--average", type=float, default=0.998)
    add("--batch", type=int, default=64, help="clean and as many dark views a step, of 320 pixels")
    add("--sides", default="224,320,320,416", help="of the views, drawn from")
    add("--store", type=int, default=448, help="longest side that pictures are kept at")
    add("--every", type=float, default=60, help="seconds between files")
    add("--seed", type=int, default=1)
    add("--limit", type=int)
    add("--steps", type=int, help="stop after so many steps")
    return parser.parse_args()


def main() -> None:
    a = arguments()
    torch.manual_seed(a.seed)
    torch.backends.cudnn.benchmark = True
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    a.out.mkdir(parents=True, exist_ok=True)
    school = School(a)
    sides, shapes = [int(side) for side in a.sides.split(",")], Dice(a.seed)
    begun = time.time()
    done, seen, steps, written = 0.0, 0, 0, 0.0
    sums, reported, reported_seen = torch.zeros(5, device=school.device), begun, 0
    while done < 1 and (a.steps is None or steps < a.steps):
        side = sides[int(shapes.integers(0, len(sides), 1))]
        count = max(2, round(a.batch * (320 / side) ** 2))
        sums += school.step(count, side, done)
        steps, seen = steps + 1, seen + 2 * count
        passed = time.time() - begun
        done = passed / (60 * a.minutes)
        if steps % REPORT_EVERY == 0 or steps == a.steps:
            told = (sums / min(steps, REPORT_EVERY)).tolist()
            if sum(told) != sum(told):
                raise FloatingPointError("the loss is no number any more: halve the rates")
            speed = (seen - reported_seen) / (time.time() - reported)
            print(f"step {steps} seconds {passed:.0f} views {seen} views/s {speed:.0f} "
                  f"ours kept {told[0]:.3f} learnt {told[1]:.3f} "
                  f"yunet kept {told[2]:.3f} learnt {told[3]:.3f} verdicts {told[4]:.3f}", flush=True)  # fmt: skip
            reported, reported_seen = time.time(), seen
            sums.zero_()
        if passed - written >= a.every:
            written = passed
            school.save(a.out / f"state_{round(passed / a.every) % 4}.pt")
    school.save(a.out / "state_end.pt")
    print(f"finished after {steps} steps, {seen} views", flush=True)


if __name__ == "__main__":
    main()
