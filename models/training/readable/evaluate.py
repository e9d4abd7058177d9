"""
What share of words and plates is hidden, and how many boxes are wrong, on pictures kept for development.

usage: python3 -m readable.evaluate last.pt --data FOLDER [--data …] [--most 40] [--json figures.json]
A picture is looked at as it is and, if larger, reduced to a long side of 640; boxes of both count. A word or plate is hidden
when nine tenths of its label are covered. The rule chosen is the one that hides most in the mean of the groups with no more
than the wrong boxes allowed on pictures without any.
"""
import argparse
import itertools
import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
import torch

from readable.bank import Entry, read
from readable.decode import Rule, boxes
from readable.export import network_of
from readable.kernels import short_side
from readable.network import KINDS, ReadableNet

COVERED = 0.9
LEAST = {"text": 10.0, "plate": 12.0}
ALLOWED = {"text": 0.15, "plate": 0.1}
WHOLE = 640
# Tried one after the other: which cells, how sure; then how far boxes grow, and the smallest.
SURE = list(itertools.product((0.2, 0.35), (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)))
GROWN = ((0.0, 6.0), (1.0, 6.0), (2.0, 6.0), (3.0, 6.0), (1.0, 10.0))

# What a pixel of margin must bring: it hides more than was asked.
MARGIN_COST = 0.004


@dataclass
class Seen:
    """A picture's maps [2, h, w], each with the scale of its look, and what is labelled."""

    entry: Entry
    height: int
    width: int
    looks: list[tuple[np.ndarray, float]] = field(default_factory=list)


def look(model: ReadableNet, image: np.ndarray) -> np.ndarray:
    """[2, h/4, w/4], of an input filled up to multiples of 32."""
    h, w = image.shape[:2]
    filled = cv2.copyMakeBorder(image, 0, -h % 32, 0, -w % 32, cv2.BORDER_CONSTANT)
    with torch.no_grad():
        pixels = torch.from_numpy(filled).permute(2, 0, 1)[None].float()
        with torch.autocast("cpu", torch.bfloat16):
            maps = model(pixels.contiguous(memory_format=torch.channels_last))
    return maps[0].float().sigmoid().numpy()


def see(model: ReadableNet, entry: Entry) -> Seen:
    image = entry.image()
    h, w = image.shape[:2]
    seen = Seen(entry, h, w, [(look(model, image), 1.0)])
    scale = WHOLE / max(h, w)
    if scale < 0.9:
        reduced = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        seen.looks.append((look(model, reduced), scale))
    return seen


def found(seen: Seen, kind: str, rule: Rule) -> list[np.ndarray]:
    """Boxes of all looks in pixels of the picture, surest first, without those that lie mostly under surer ones."""
    index = KINDS.index(kind)
    every = [(box / scale, score) for maps, scale in seen.looks for box, score in boxes(maps[index], rule)]
    covered = np.zeros((seen.height, seen.width), np.uint8)
    kept = []
    for box, _ in sorted(every, key=lambda one: -one[1]):
        mine = np.zeros_like(covered)
        cv2.fillConvexPoly(mine, np.round(box).astype(np.int32), 1)
        area = int(mine.sum())
        if area and int((mine & covered).sum()) < 0.6 * area:
            kept.append(box)
            covered |= mine
    return kept


def cover(size: tuple[int, int], quads: list[np.ndarray]) -> np.ndarray:
    mask = np.zeros(size, np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 1)
    return mask


def share_covered(covered: np.ndarray, quad: np.ndarray) -> float:
    h, w = covered.shape
    x0, y0 = np.maximum(np.floor(quad.min(0)).astype(int), 0)
    x1, y1 = np.minimum(np.ceil(quad.max(0)).astype(int) + 1, [w, h])
    if x1 <= x0 or y1 <= y0:
        return 1.0
    mine = cover((y1 - y0, x1 - x0), [quad - [x0, y0]])
    return float((covered[y0:y1, x0:x1] & mine).sum() / max(1, mine.sum()))


@dataclass
class Figures:
    labels: int = 0
    hidden: int = 0
    without: int = 0
    wrong: int = 0


def measure(pictures: list[Seen], kind: str, rule: Rule) -> dict[str, Figures]:
    """Figures by source; pictures where a kind is not labelled do not count for it."""
    groups: dict[str, Figures] = {}
    for seen in pictures:
        if kind not in seen.entry.knows:
            continue
        entry = seen.entry
        group = groups.setdefault(entry.source, Figures())
        labels = entry.words if kind == "text" else entry.quads["plate"]
        got = found(seen, kind, rule)
        if not labels and not entry.ignored and not (kind == "text" and entry.quads["plate"]):
            group.without += 1
            group.wrong += len(got)
            continue
        covered = cover((seen.height, seen.width), got)
        for quad in labels:
            if short_side(quad) >= LEAST[kind]:
                group.labels += 1
                group.hidden += share_covered(covered, quad) >= COVERED
    return groups


def worth(groups: dict[str, Figures], kind: str) -> float:
    """Mean share hidden, less what is wrong beyond what is allowed."""
    shares = [g.hidden / g.labels for g in groups.values() if g.labels >= 5]
    without = sum(g.without for g in groups.values())
    wrong = sum(g.wrong for g in groups.values()) / max(1, without)
    return float(np.mean(shares or [0])) - 3 * max(0.0, wrong - ALLOWED[kind])


def best_rule(pictures: list[Seen], kind: str) -> Rule:
    def value(rule: Rule) -> float:
        return worth(measure(pictures, kind, rule), kind) - MARGIN_COST * rule.margin

    sure = max((Rule(binarise=b, confidence=c) for b, c in SURE if c > b), key=value)
    return max((replace(sure, margin=m, least_side=s) for m, s in GROWN), key=value)


def table(groups: dict[str, Figures]) -> str:
    lines = ["| group | labels | hidden | pictures without | wrong a picture |", "|---|---|---|---|---|"]
    for name, g in sorted(groups.items()):
        hidden = f"{g.hidden / g.labels:.3f}" if g.labels else ""
        wrong = f"{g.wrong / g.without:.2f}" if g.without else ""
        lines.append(f"| {name} | {g.labels or ''} | {hidden} | {g.without or ''} | {wrong} |")
    without = sum(g.without for g in groups.values())
    lines.append(f"| all | | | {without} | {sum(g.wrong for g in groups.values()) / max(1, without):.2f} |")
    return "\n".join(lines)


def chosen(entries: list[Entry], most: int) -> list[Entry]:
    """The first so many pictures of each source; of photographs without any, which cost little, four times as many."""
    count: dict[str, int] = {}
    kept = []
    for entry in entries:
        count[entry.source] = count.get(entry.source, 0) + 1
        if count[entry.source] <= (4 * most if entry.source == "photos" else most):
            kept.append(entry)
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--data", type=Path, action="append", required=True)
    parser.add_argument("--most", type=int, default=40)
    parser.add_argument("--json", type=Path)
    for kind in KINDS:
        parser.add_argument(f"--{kind}", help="binarise,confidence,margin: the rule, which is not sought then")
    a = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    model = network_of(a.checkpoint).to(memory_format=torch.channels_last)
    views = torch.load(a.checkpoint, map_location="cpu", weights_only=True)["views"]
    entries = chosen([e for folder in a.data for e in read(folder, development=True)], a.most)
    pictures = [see(model, entry) for entry in entries]
    told: dict = {"views": views, "pictures": len(pictures)}
    for kind in KINDS:
        given = getattr(a, kind)
        values = [float(v) for v in given.split(",")] if given else []
        rule = Rule(binarise=values[0], confidence=values[1], margin=values[2]) if given else best_rule(pictures, kind)
        groups = measure(pictures, kind, rule)
        told[kind] = {"rule": asdict(rule), "groups": {name: asdict(g) for name, g in groups.items()}}
        print(f"\n{kind}, {views} views, {rule}\n{table(groups)}", flush=True)
    if a.json:
        a.json.write_text(json.dumps(told))


if __name__ == "__main__":
    main()
