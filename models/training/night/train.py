"""Trains YuNet further for pictures at night alone: what it says of a clean view, it is to say of the same view in the dark.

usage: python3 -m night.train --data FOLDER --yunet models/yunet_n.onnx --out FOLDER --minutes 80 [--resume FOLDER/last.pt]
Every --every minutes FOLDER/night_MINUTES.onnx gets the running average of the weights. README.md has the recipe.
"""
import argparse
import os
import time
from pathlib import Path

import torch
from torch import Tensor

from data.augmentation import apply_to
from data.banks import CompressedBank
from data.dice import Dice
from data.lighting import complexion, exposure, monochrome, tint
from data.pack import join, read_pack
from data.views import Mixture, Sampler
from night.dark import night_view
from night.distil import DISTANCE_WEIGHT, GIOU_WEIGHT, aim, losses
from night.yunet import YuNet, corners, flatten, read_yunet, write_yunet
from train.learner import learning_rate, read_checkpoint

MOST_GRADIENT = 5.0
REPORT_EVERY = 50
# What happens to the clean views, before the teacher sees them.
BY_DAY = ((complexion, 0.35), (exposure, 0.5), (tint, 0.3), (monochrome, 0.06))
# Faces seldom lie on their side here, and the night view is not turned; those that lean are found by it.
MIXTURE = Mixture(empty=0.22, turned=0.02, tilted=0.05, leaning=0.3)


class NightLearner:
    """The weights in training, their running average and the teacher."""

    def __init__(self, path: Path, rate: float, average: float, warmup: int, bf16: bool):
        self.teacher = read_yunet(path).to(memory_format=torch.channels_last).requires_grad_(False)
        self.model = read_yunet(path).to(memory_format=torch.channels_last)
        self.averaged = read_yunet(path).requires_grad_(False)
        self.optimiser = torch.optim.AdamW(self.model.parameters(), lr=rate, betas=(0.9, 0.99), weight_decay=0.0)
        self.rate, self.average, self.warmup, self.bf16, self.steps = rate, average, warmup, bf16, 0
        self._cells: dict[int, tuple[Tensor, Tensor]] = {}

    def _see(self, network: YuNet, images: Tensor) -> Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.bf16):
            outputs = network(images.contiguous(memory_format=torch.channels_last))
        return flatten([output.float() for output in outputs])

    def step(self, clean: Tensor, dark: Tensor, truth: Tensor, labels: Tensor, done: float) -> Tensor:
        """One batch, 0..255; `done` of the schedule, 0..1. -> the three losses."""
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate(self.rate, done, self.steps, self.warmup)
        side = clean.shape[-1]
        if side not in self._cells:
            self._cells[side] = corners(side, side)
        at, strides = self._cells[side]
        with torch.no_grad():
            taught = self._see(self.teacher, clean)
        seen = self._see(self.model, dark)
        parts = losses(seen, aim(taught, seen.detach(), truth, labels, at, strides), at, strides)
        self.optimiser.zero_grad(set_to_none=True)
        (parts[0] + GIOU_WEIGHT * parts[1] + DISTANCE_WEIGHT * parts[2]).backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), MOST_GRADIENT)
        self.optimiser.step()
        self.steps += 1
        with torch.no_grad():
            keep = min(self.average, self.steps / (self.steps + 10))
            for mean, now in zip(self.averaged.parameters(), self.model.parameters()):
                mean.lerp_(now, 1 - keep)
        return torch.stack([part.detach() for part in parts])

    def save(self, path: Path) -> None:
        state = dict(model=self.model.state_dict(), average=self.averaged.state_dict(),
                     optimiser=self.optimiser.state_dict(), steps=self.steps)  # fmt: skip
        torch.save(state, f"{path}.new")
        os.replace(f"{path}.new", path)

    def load(self, path: Path) -> None:
        state = read_checkpoint(path)
        self.model.load_state_dict(state["model"])
        self.averaged.load_state_dict(state["average"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.steps = state["steps"]


def views(sampler: Sampler, count: int, side: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """-> clean and dark views of the same [B, 3, S, S], boxes [B, G, 4], labels [B, G]."""
    batch, dice = sampler.batch(count, side), sampler.dice
    clean = batch.images
    for change, often in BY_DAY:
        apply_to(clean, dice.chance(often, count), lambda part, rows: change(part, dice))
    return clean, night_view(clean, dice), batch.boxes, batch.labels


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--data", action="append", required=True, help="folder with labels.json; may be given several times")
    add("--yunet", required=True, type=Path, help="the weights to begin with, and the teacher's")
    add("--out", required=True, type=Path)
    add("--minutes", type=float, required=True)
    add("--start", type=float, default=0.0, help="where in the schedule this call starts, 0..1")
    add("--resume", type=Path)
    add("--rate", type=float, default=5e-4)
    add("--average", type=float, default=0.998)
    add("--batch", type=int, default=16, help="views a step; fewer take longer each (train/train.py says why)")
    add("--sides", default="192,256,256,320", help="of the views, drawn from")
    add("--every", type=float, default=10.0, help="minutes between files")
    add("--bf16", action="store_true")
    add("--seed", type=int, default=0)
    add("--limit", type=int)
    add("--steps", type=int, help="stop after so many steps")
    return parser.parse_args()


def main() -> None:
    a = arguments()
    torch.manual_seed(a.seed)
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    a.out.mkdir(parents=True, exist_ok=True)
    learner = NightLearner(a.yunet, a.rate, a.average, 100, a.bf16)
    if a.resume:
        learner.load(a.resume)
    pack = join([read_pack(folder, limit=a.limit) for folder in a.data])
    sampler = Sampler(CompressedBank(pack), Dice(a.seed * 1_000_003 + learner.steps), MIXTURE)
    sides = [int(side) for side in a.sides.split(",")]
    shapes = Dice(a.seed + learner.steps)
    begun = reported = time.time()
    written, seen, total, sums, first = 0.0, 0, 0, torch.zeros(3), learner.steps
    minutes = 0.0
    while minutes < a.minutes and (a.steps is None or learner.steps - first < a.steps):
        side = sides[int(shapes.integers(0, len(sides), 1))]
        with torch.no_grad():
            batch = views(sampler, a.batch, side)
        sums += learner.step(*batch, done=a.start + (1 - a.start) * minutes / a.minutes)
        seen, total = seen + a.batch, total + a.batch
        minutes = (time.time() - begun) / 60
        if learner.steps % REPORT_EVERY == 0:
            score, giou, distance = (sums / REPORT_EVERY).tolist()
            if score + giou + distance != score + giou + distance:
                raise FloatingPointError("the loss is no number any more: halve --rate")
            speed = seen / (time.time() - reported)
            print(f"step {learner.steps} minutes {minutes:.1f} views {total} views/s {speed:.1f} "
                  f"score {score:.3f} giou {giou:.3f} distance {distance:.3f}", flush=True)  # fmt: skip
            seen, reported = 0, time.time()
            sums.zero_()
        if minutes - written >= a.every:
            written = minutes
            learner.save(a.out / "last.pt")
            write_yunet(learner.averaged, a.yunet, a.out / f"night_{round(minutes)}.onnx")
    learner.save(a.out / "last.pt")
    write_yunet(learner.averaged, a.yunet, a.out / "night.onnx")
    print(f"finished at step {learner.steps}, {total} views in this call")


if __name__ == "__main__":
    main()
