"""Whether a mosaic tells who is under it: how often does the mosaic of one picture of a person pick another picture of that
person out of one each of many people, better than chance?

usage: python3 -m evaluate.identify FOLDER [--persons 400] [--minutes 10] [--seed 0]
FOLDER holds portraits that one face fills, named person_0001.jpg and so on; people with two or more pictures take part. Two
attackers know where the face is, but not how the grid lies:
- pixels: block means of the mosaic against those of every portrait, moved and resized a little, by correlation;
- learnt: a small network, trained here on the portraits of other people, that brings a mosaic and a clear portrait of one
  person close together (contrastive learning: van den Oord et al., arXiv:1807.03748).
No identity, picture or weight is kept.
"""
import argparse
import re
import time
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from data.dice import Dice

cv2.setNumThreads(1)

# Blocks across the face: 7 is the finest that the service uses; 24 is no mosaic worth the name, to see that attackers work.
BLOCKS = (24, 12, 7, 5, 4, 3, 2)
SIDE = 64  # pixels of a portrait
FACE = 0.96  # of its side is the height of the face
BATCH = 96  # people
WARMTH = 0.1  # temperature of the contrast


def read_people(folder: Path, most: int = 10) -> dict[str, Tensor]:
    """Grey portraits [n, 1, SIDE, SIDE], 0..1, of everybody of whom there are two or more; at most `most` of each."""
    files = defaultdict(list)
    for path in sorted(folder.glob("*.jpg")):
        if name := re.fullmatch(r"(.+)_\d+", path.stem):
            files[name[1]].append(path)
    people = {}
    for person, paths in files.items():
        read = [cv2.imread(str(path), cv2.IMREAD_GRAYSCALE) for path in paths[:most]]
        grey = [cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA) for picture in read if picture is not None]
        if len(grey) > 1:
            people[person] = torch.from_numpy(np.stack(grey))[:, None].float() / 255
    return people


def mosaic(portraits: Tensor, blocks: Tensor, dice: Dice) -> Tensor:
    """
    Every portrait [n, 1, S, S] as a mosaic with its number of `blocks` [n] across the face, the grid anywhere: each pixel shows
    the mean of its block.
    """
    n, side = len(portraits), portraits.shape[-1]
    axis = torch.arange(side) + 0.5
    edge = FACE * side / blocks.float()
    phase = dice.uniform(0, 1, n, 2)
    shown = []
    for way in (0, 1):
        cell = ((axis[None] / edge[:, None]) + phase[:, way, None]).floor().long()
        same = (cell[:, :, None] == cell[:, None, :]).float()
        shown.append(same / same.sum(2, keepdim=True))  # the mean over all rows, or columns, of the same block
    return shown[0][:, None] @ portraits @ shown[1][:, None].transpose(2, 3)


def normal(values: Tensor) -> Tensor:
    """[..., k] less their mean and of length 1, so that products are correlations."""
    return F.normalize(values - values.mean(-1, keepdim=True), dim=-1)


def by_pixels(probes: Tensor, gallery: Tensor, blocks: int) -> Tensor:
    """
    Likeness [p, g] of mosaics to portraits: the best correlation over shifts and sizes of the portrait, coarsened as much. Means
    of blocks are a projection: a mosaic's product with a portrait is that with the portrait's own mosaic, so that only the
    length of the latter is to be known, and that hardly depends on where its grid lies.
    """
    half, best = SIDE // 2, None
    seen = normal(F.adaptive_avg_pool2d(probes, half).flatten(1))
    for size in (0.92, 1.0, 1.08):
        for x in (-0.1, 0.0, 0.1):
            for y in (-0.1, 0.0, 0.1):
                matrix = torch.tensor([[size, 0, x], [0, size, y]])[None].expand(len(gallery), -1, -1)
                grid = F.affine_grid(matrix, list(gallery.shape), align_corners=False)
                moved = F.grid_sample(gallery, grid, padding_mode="border", align_corners=False)
                coarse = mosaic(moved, torch.full((len(moved),), blocks), Dice(0))
                level, length = (F.adaptive_avg_pool2d(part, half).flatten(1) for part in (moved, coarse))
                level = level - level.mean(1, keepdim=True)
                length = (length - length.mean(1, keepdim=True)).norm(dim=1)
                likeness = seen @ level.T / length.clamp(min=1e-6)
                best = likeness if best is None else torch.maximum(best, likeness)
    return best


class Embedding(nn.Module):
    """[n, 1, SIDE, SIDE] -> [n, 96], of length 1; mosaics and clear portraits have their own first layers."""

    def __init__(self) -> None:
        super().__init__()

        def layer(i: int, o: int, stride: int) -> list[nn.Module]:
            return [nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True)]

        self.first = nn.ModuleList(nn.Sequential(*layer(1, 16, 2), *layer(16, 32, 2)) for _ in range(2))
        self.rest = nn.Sequential(*layer(32, 64, 1), *layer(64, 96, 2), *layer(96, 96, 1), *layer(96, 160, 2), nn.Flatten())
        self.last = nn.Linear(160 * (SIDE // 16) ** 2, 96)

    def forward(self, portraits: Tensor, coarse: bool) -> Tensor:
        level = portraits - portraits.mean((2, 3), keepdim=True)
        evened = level / level.std((2, 3), keepdim=True).clamp(min=0.02)
        return F.normalize(self.last(self.rest(self.first[int(coarse)](evened))), dim=1)


def jittered(portraits: Tensor, dice: Dice) -> Tensor:
    """Mirrored, moved, turned, resized and lit a little otherwise."""
    n = len(portraits)
    turn, size = dice.uniform(-0.12, 0.12, n), dice.uniform(0.88, 1.08, n)
    mirror = torch.where(dice.chance(0.5, n), -1.0, 1.0)
    x, y = dice.uniform(-0.06, 0.06, n), dice.uniform(-0.06, 0.06, n)
    rows = [torch.stack([turn.cos() * size * mirror, -turn.sin() * size, x], 1)]
    rows.append(torch.stack([turn.sin() * size * mirror, turn.cos() * size, y], 1))
    grid = F.affine_grid(torch.stack(rows, 1), list(portraits.shape), align_corners=False)
    moved = F.grid_sample(portraits, grid, padding_mode="border", align_corners=False)
    return moved.clamp(min=1e-3) ** dice.uniform(-0.4, 0.4, n, 1, 1, 1).exp()


def two_each(people: list[Tensor], count: int, dice: Dice) -> tuple[Tensor, Tensor]:
    """Two different pictures of `count` different people."""
    chosen = torch.randperm(len(people), generator=dice.generator)[:count]
    pairs = [people[i][torch.randperm(len(people[i]), generator=dice.generator)[:2]] for i in chosen]
    both = torch.stack(pairs)
    return both[:, 0], both[:, 1]


def learn(people: list[Tensor], minutes: float, dice: Dice, steps: int | None = None) -> Embedding:
    """The schedule goes by the processor's clock, or by `steps`."""
    torch.manual_seed(0)
    model, begun, done, step = Embedding().train(), time.process_time(), 0.0, 0
    optimiser = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.02)
    while done < 1:
        for group in optimiser.param_groups:
            group["lr"] = 2e-3 * (1 - done) + 2e-5
        hidden, clear = two_each(people, min(BATCH, len(people)), dice)
        blocks = dice.log_uniform(2, 26, len(hidden))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            coarse = model(mosaic(jittered(hidden, dice), blocks, dice), True)
            fine = model(jittered(clear, dice), False)
        likeness = coarse.float() @ fine.float().T / WARMTH
        aim = torch.arange(len(hidden))
        loss = F.cross_entropy(likeness, aim) + F.cross_entropy(likeness.T, aim)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        step += 1
        done = step / steps if steps else (time.process_time() - begun) / (60 * minutes)
        if step % 100 == 0:
            print(f"step {step} done {done:.2f} loss {loss.item() / 2:.3f}", flush=True)
    return model.eval()


def ranks(likeness: Tensor) -> Tensor:
    """[n, n], the right ones on the diagonal -> how many are more alike than the right one [n]."""
    return (likeness > likeness.diagonal()[:, None]).sum(1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--persons", type=int, default=400, help="to tell apart; all others are for training")
    parser.add_argument("--minutes", type=float, default=10, help="of training")
    parser.add_argument("--seed", type=int, default=0)
    a = parser.parse_args()
    torch.set_num_threads(1)
    dice = Dice(a.seed)
    people = list(read_people(a.folder).values())
    order = torch.randperm(len(people), generator=dice.generator).tolist()
    told, others = [people[i] for i in order[: a.persons]], [people[i] for i in order[a.persons :]]
    print(f"{len(people)} people with {sum(map(len, people))} portraits, {len(told)} of them to tell apart")
    model = learn(others, a.minutes, dice)
    probes, gallery = two_each(told, len(told), dice)
    n = len(told)
    print("| blocks across the face | pixels: first | among ten | learnt: first | among ten | chance: first | among ten |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    with torch.no_grad():
        known = model(gallery, False)
        for blocks in BLOCKS:
            shown = mosaic(probes, torch.full((n,), blocks), dice)
            places = [ranks(by_pixels(shown, gallery, blocks)), ranks(model(shown, True) @ known.T)]
            cells = [f"{(place < most).float().mean():.3f}" for place in places for most in (1, 10)]
            print(f"| {blocks} | {' | '.join(cells)} | {1 / n:.4f} | {10 / n:.3f} |")


if __name__ == "__main__":
    main()
