"""The verifier: whether a crop around something that the detector takes for a face shows one, an animal or something else.

It begins as the detector's own first layers, down to stride 16, with their norms folded, or as an earlier, smaller verifier, and
learns from a bank of crops (verifier_bank.py), of which pictures are kept apart to judge it by. What it gets wrong on the way it
sees more often afterwards.

usage: python3 -m train.verifier train BANK --network models/face_detector.onnx --minutes 20 --out verifier.pt
       python3 -m train.verifier train BANK --begin smaller.pt --minutes 55 --out verifier.pt
       python3 -m train.verifier embed verifier.pt models/face_detector.onnx
"""
import argparse
import hashlib
import math
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from data.augmentation import DEGRADATION, LIGHTING
from data.degradation import low_resolution
from data.dice import Dice
from train.restore import initializers
from data.verifier_bank import BANK_SIDE, SIDE

BATCH = 96
LEARNING_RATE = 1.2e-3
KEEP = 0.999  # of the running average at each step
PREFIX = "verifier."

FACE, ANIMAL, OTHER = range(3)
ANIMALS = ("pets",)
# How often each is seen.
SHARES = (0.42, 0.36, 0.22)
# And which sources' crops of it, whatever their number; the rest 0.02 each.
FACES = {"ilc": 0.34, "flk": 0.14, "work": 0.14, "hseg": 0.1, "maskc": 0.1, "maskn": 0.06, "obs": 0.06, "mux": 0.03}
OTHERS = {"house": 0.08, "groc": 0.08, "cloth": 0.08, "ilc": 0.18, "flk": 0.12, "hseg": 0.05, "work": 0.05}
# Teachers miss faces: what the detector is so sure of where only they looked is neither right nor wrong.
DOUBTED = 0.45
BY_TEACHERS = ("flk", "hseg", "work", "maskc", "maskn", "obs", "mux", "cloth")
# Of animals' pictures, what the detector scores less shows mostly something else.
LEAST_ANIMAL = 0.04
# Parts of the schedule after which crops that it gets wrong are seen more often.
MINED_AT = (0.3, 0.5, 0.7)
# Of fresh weights: those of new inputs to known outputs, and those of new blocks.
FRESH_INPUTS, FRESH_BLOCKS = 0.1, 0.3
SMOOTHING = 0.03  # of the labels, which err
HELD_BACK = 10  # every so many pictures


class Block(nn.Module):
    """Depthwise 3 x 3, pointwise, ReLU: `Sep` of model.py with its norm folded."""

    def __init__(self, i: int, o: int, s: int, res: bool):
        super().__init__()
        self.dw = nn.Conv2d(i, i, 3, s, 1, groups=i, bias=False)
        self.pw = nn.Conv2d(i, o, 1)
        self.res = res

    def forward(self, x: Tensor) -> Tensor:
        y = self.pw(self.dw(x))
        return F.relu(y + x if self.res else y)


def stage(i: int, o: int, extra: int) -> nn.Sequential:
    return nn.Sequential(Block(i, o, 2, False), *[Block(o, o, 1, True) for _ in range(extra)])


class Verifier(nn.Module):
    """
    [n, 3, SIDE, SIDE], RGB, 0..255 -> logits [n, 3] of face, animal and other. `c`: channels of the stem and at strides 4, 8, 16;
    `n`: residual blocks at strides 4, 8, 16.
    """

    def __init__(self, c: tuple[int, ...] = (16, 48, 96, 144), n: tuple[int, ...] = (1, 2, 4), last: int = 32):
        super().__init__()
        self.cfg = dict(c=tuple(c), n=tuple(n), last=last)
        self.stem = nn.Conv2d(3, c[0], 3, 2, 1)
        self.s4, self.s8, self.s16 = (stage(c[k], c[k + 1], n[k]) for k in range(3))
        self.narrow = nn.Conv2d(c[3], last, 1)
        self.head = nn.Linear(last * (SIDE // 16) ** 2, len(SHARES))

    def forward(self, x: Tensor) -> Tensor:
        x = F.relu(self.stem((x - 127.5) * (1 / 58.0)))
        x = F.relu(self.narrow(self.s16(self.s8(self.s4(x)))))
        return self.head(x.flatten(1))


def against_all(logits: Tensor) -> Tensor:
    """Log-odds [n] of a face, of logits [n, 3]."""
    return -(logits[:, 1:] - logits[:, :1]).exp().sum(1).log()


def begun_as(path: str | Path, earlier: Verifier | None = None, **cfg) -> Verifier:
    """
    Begins as the detector's first layers, or as an earlier verifier, where it has these weights. Channels and blocks that
    they lack, and the head, are fresh, and change little at first.
    """
    weights = earlier.state_dict() if earlier else initializers(path)
    model = Verifier(**cfg)
    own = model.state_dict()
    for name, value in own.items():
        known = weights.get(name)
        if name.startswith("head"):
            continue
        if known is not None:
            if value.ndim == 4:
                value[: known.shape[0], known.shape[1] :] *= FRESH_INPUTS
            value[tuple(slice(0, length) for length in known.shape)] = torch.as_tensor(known)
        elif name.endswith("pw.weight"):
            value *= FRESH_BLOCKS
    model.load_state_dict(own)
    return model


@dataclass
class Crops:
    """Of a bank, [N] each: crops [N, BANK_SIDE, BANK_SIDE, 3] uint8, what they show, how often seen, whether held back."""

    crops: np.ndarray
    kinds: np.ndarray
    weights: np.ndarray
    held: np.ndarray
    sources: np.ndarray
    scores: np.ndarray

    def images(self, rows: np.ndarray) -> Tensor:
        """[n, 3, BANK_SIDE, BANK_SIDE], 0..255."""
        return torch.from_numpy(self.crops[np.asarray(rows)]).permute(0, 3, 1, 2).float()

    def weigh(self, kind: int, weights: np.ndarray) -> None:
        """How often the crops of a kind that are not held back are seen, among each other."""
        those = (self.kinds == kind) & ~self.held
        if weights[those].any():
            self.weights[those] = SHARES[kind] * weights[those] / weights[those].sum()


def read_bank(folder: Path) -> Crops:
    table = dict(np.load(folder / "labels.npz"))
    right, scores, sources = table["right"], table["scores"], table["sources"]
    kinds = np.where(right, FACE, np.where(np.isin(sources, ANIMALS), ANIMAL, OTHER))
    bank = Crops(
        np.load(folder / "crops.npy"), kinds, np.zeros(len(kinds)), table["pictures"] % HELD_BACK == 0, sources, scores
    )
    surer = 0.25 + np.sqrt(scores)
    doubted = ~right & (scores > DOUBTED) & np.isin(sources, BY_TEACHERS)
    for kind, shares in ((FACE, FACES), (OTHER, OTHERS)):
        weights = np.zeros(len(kinds))
        for source in np.unique(sources):
            some = (kinds == kind) & ~bank.held & ~doubted & (sources == source)
            each = surer[some] if kind == OTHER else np.ones(some.sum())
            if some.any():
                weights[some] = shares.get(source, 0.02) * each / each.sum()
        bank.weigh(kind, weights)
    bank.weigh(ANIMAL, np.where(scores > LEAST_ANIMAL, surer, LEAST_ANIMAL))
    return bank


@torch.no_grad()
def log_odds(model: Verifier, bank: Crops, rows: np.ndarray) -> np.ndarray:
    """Of a face, [n]."""
    parts = np.array_split(rows, max(1, len(rows) // 256))
    return np.concatenate([against_all(model(upright(bank.images(part)))).numpy() for part in parts])


def weigh_by_errors(model: Verifier, bank: Crops, weights: np.ndarray) -> None:
    """Animals that it takes for faces are seen up to eight times as often as others, other things three times."""
    bank.weights[:] = weights
    for kind, score, least, more in ((ANIMAL, LEAST_ANIMAL, 0.3, 2), (OTHER, 0, 0.5, 1)):
        rows = np.flatnonzero((bank.kinds == kind) & (bank.weights > 0) & (bank.scores > score))
        often = np.full(len(bank.kinds), least)
        often[rows] += more / (1 + np.exp(-1 - log_odds(model, bank, rows)))
        bank.weigh(kind, bank.weights * often)


def views(images: Tensor, dice: Dice) -> Tensor:
    """Bank crops as the network is to see them, [n, 3, SIDE, SIDE]: turned, moved, resized, mirrored, lit and degraded."""
    n = len(images)
    angle = torch.where(dice.chance(0.35, n), dice.uniform(-50, 50, n), 10 * dice.normal(n)) * (math.pi / 180)
    size = SIDE / BANK_SIDE * (0.12 * dice.normal(n)).exp()
    mirror = torch.where(dice.chance(0.5, n), -1.0, 1.0)
    x, y = (0.04 * dice.normal(2, n)).unbind()
    rows = [torch.stack([angle.cos() * size * mirror, -angle.sin() * size, x], 1)]
    rows.append(torch.stack([angle.sin() * size * mirror, angle.cos() * size, y], 1))
    grid = F.affine_grid(torch.stack(rows, 1), [n, 3, SIDE, SIDE], align_corners=False)
    seen = F.grid_sample(images, grid, align_corners=False)
    for change, often in (*LIGHTING, (low_resolution, 0.2), *DEGRADATION):
        chosen = dice.chance(often, n).nonzero().flatten()
        if len(chosen):
            seen[chosen] = change(seen[chosen], dice).clamp(0, 255)
    return seen


def upright(images: Tensor) -> Tensor:
    """The middle of bank crops, as the service cuts them."""
    edge = (BANK_SIDE - SIDE) // 2
    return images[:, :, edge : edge + SIDE, edge : edge + SIDE]


def judge(model: Verifier, bank: Crops) -> str:
    """What of the crops held back it knows: how many wrong ones pass where 2 and 5 % of the faces are lost."""
    rows = np.flatnonzero(bank.held & ((bank.kinds == FACE) | (bank.scores > 0.1)))
    values, kinds = log_odds(model, bank, rows), bank.kinds[rows]
    bars = np.quantile(values[kinds == FACE], (0.02, 0.05))
    passed = {name: [np.mean(values[kinds == kind] > bar) for bar in bars] for name, kind in (("animals", ANIMAL), ("others", OTHER))}
    return ", ".join(f"{name} {first:.3f} {second:.3f}" for name, (first, second) in passed.items())


def train(
    model: Verifier, bank: Crops, minutes: float, dice: Dice, rate: float = LEARNING_RATE, steps: int | None = None
) -> Verifier:
    """-> its running average. The schedule goes by the CPU's clock, or by `steps`."""
    average = {k: v.detach().clone() for k, v in model.state_dict().items()}
    unmined, mined = bank.weights.copy(), 0
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.02, betas=(0.9, 0.99))
    weights = torch.from_numpy(bank.weights)
    begun, done, step = time.process_time(), 0.0, 0

    def averaged() -> Verifier:
        now = Verifier(**model.cfg)
        now.load_state_dict(average)
        return now.eval()

    while done < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1, (step + 1) / 300) * (0.01 + 0.495 * (1 + math.cos(math.pi * done)))
        if mined < len(MINED_AT) and done > MINED_AT[mined]:
            weigh_by_errors(averaged(), bank, unmined)
            mined += 1
        rows = dice.pick(weights, BATCH).numpy()
        aim = torch.from_numpy(bank.kinds[rows])
        images = views(bank.images(rows), dice).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = model(images)
        loss = F.cross_entropy(logits.float(), aim, label_smoothing=SMOOTHING)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        step += 1
        keep = min(KEEP, step / (step + 20))
        for key, value in model.state_dict().items():
            average[key].lerp_(value, 1 - keep)
        done = step / steps if steps else (time.process_time() - begun) / (60 * minutes)
        if step % 500 == 0:
            print(f"step {step} done {done:.2f} loss {loss.item():.3f}: {judge(averaged(), bank)}", flush=True)
    model.load_state_dict(average)
    return model.eval()


def read(path: Path) -> Verifier:
    stored = torch.load(path, map_location="cpu")
    model = Verifier(**stored["cfg"])
    model.load_state_dict(stored["model"])
    return model.eval()


def embed(model: Verifier, path: Path) -> None:
    """Puts the weights into the detector's file, where there may be older ones, as tensors that its graph does not use."""
    import onnx  # needed here alone
    from onnx import numpy_helper

    stored = onnx.load(str(path))
    others = [tensor for tensor in stored.graph.initializer if not tensor.name.startswith(PREFIX)]
    own = [numpy_helper.from_array(value.numpy(), PREFIX + name) for name, value in model.state_dict().items()]
    del stored.graph.initializer[:]
    stored.graph.initializer.extend([*others, *own])
    onnx.checker.check_model(stored)
    onnx.save(stored, str(path))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ways = parser.add_subparsers(dest="way", required=True)
    teach = ways.add_parser("train")
    teach.add_argument("bank", type=Path)
    teach.add_argument("--network", default="models/face_detector.onnx")
    teach.add_argument("--begin", type=Path, help="an earlier one, perhaps smaller, instead of the detector")
    teach.add_argument("--rate", type=float, default=LEARNING_RATE)
    teach.add_argument("--minutes", type=float, default=55)
    teach.add_argument("--seed", type=int, default=0)
    teach.add_argument("--out", type=Path, required=True)
    write = ways.add_parser("embed")
    write.add_argument("checkpoint", type=Path)
    write.add_argument("onnx", type=Path)
    a = parser.parse_args()
    torch.set_num_threads(1)
    if a.way == "embed":
        embed(read(a.checkpoint), a.onnx)
        data = a.onnx.read_bytes()
        print(f"{a.onnx}: {len(data):,} bytes, SHA-256 {hashlib.sha256(data).hexdigest()}")
        return
    torch.manual_seed(a.seed)
    bank = read_bank(a.bank)
    model = begun_as(a.network, read(a.begin) if a.begin else None)
    model = train(model, bank, a.minutes, Dice(a.seed), a.rate)
    torch.save(dict(cfg=model.cfg, model=model.state_dict()), a.out)


if __name__ == "__main__":
    main()
