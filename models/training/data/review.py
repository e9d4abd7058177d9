"""A second look at doubtful labels: sheets to look at, a letter a box, and the labels that follow.

usage: python3 -m data.review draw --data FOLDER --network file.onnx REVIEW [--processes 2]
       python3 -m data.review again --data FOLDER REVIEW        what was answered u, though the network finds a face there, larger
       python3 -m data.review apply --data FOLDER REVIEW --out AMENDED
`draw` (doubts.py says what) writes REVIEW/000.png with up to 70 numbered cells, a box in the middle of each, and 000.json.
Beside them put your answers, 000.txt: for each cell, row by row, f (a real person's face, and the box lies on it), n (surely
none), b (part of a face, badly boxed), u (cannot tell; drawings, statues). Sheets without answers are left out; of two answers
to a box the later sheet's counts, unless it is u. AMENDED gets a labels.json, and links to the folders of pictures.
"""
import argparse
import json
import random
from dataclasses import asdict
from pathlib import Path

import cv2
import numpy as np

from data.contact_sheet import inscribe, sheet
from evaluate.detectors import overlap
from data.doubts import Doubt, doubts
from data.pack import FACE, read_labels

ACROSS = 10
LETTERS = frozenset("fnbu")
REACH = 1.5  # of a box's longer side, that is shown to each side of its middle
DARK, STRETCHED = 140, 180  # crops whose brightest hundredth is darker than DARK are stretched to STRETCHED
CERTAIN, DOUBTFUL = 0.9, 0.3  # scores that answers become
SAME = 0.55  # overlap of two boxes on one face
LEAST_AGAIN = 0.3


def cell(picture: np.ndarray, box: tuple[float, ...], number: int, side: int) -> np.ndarray:
    """picture BGR -> its part around the box [side, side, 3], grey where there is no picture, with frame and number."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    size = max(box[2] - box[0], box[3] - box[1], 1)
    k = side / 2 / (size * REACH)
    left = k
    if k < 0.5:  # warpAffine takes no means of more than its neighbours: it is left a half
        picture, left = cv2.resize(picture, None, fx=2 * k, fy=2 * k, interpolation=cv2.INTER_AREA), 0.5
    matrix = np.array([[left, 0, side / 2 - x * k], [0, left, side / 2 - y * k]])
    shown = cv2.warpAffine(picture, matrix, (side, side), flags=cv2.INTER_CUBIC, borderValue=(60, 60, 60))
    bright = np.percentile(shown, 99)
    if bright < DARK:
        shown = (shown * (STRETCHED / max(bright, 20.0))).clip(0, 255).astype(np.uint8)
    half = np.array([box[2] - box[0], box[3] - box[1]]) * k / 2
    low, high = (tuple(int(v) for v in (side / 2 + sign * half).round()) for sign in (-1, 1))
    cv2.rectangle(shown, low, high, (0, 255, 255), 1)
    inscribe(shown, str(number))
    return shown


def write_sheets(items: list[Doubt], data: Path, review: Path, first: int, rows: int, side: int) -> int:
    """Sheets of `rows` rows from number `first` on -> how many."""
    review.mkdir(parents=True, exist_ok=True)
    count = ACROSS * rows
    for number, start in enumerate(range(0, len(items), count), first):
        part = items[start : start + count]
        cells = [cell(cv2.imread(str(data / item.f)), item.box, i, side) for i, item in enumerate(part)]
        cv2.imwrite(str(review / f"{number:03}.png"), sheet(cells, ACROSS))
        (review / f"{number:03}.json").write_text(json.dumps([asdict(item) for item in part]))
    return -(-len(items) // count)


def answers(review: Path) -> dict[Doubt, str]:
    """A letter for every box that was answered. ValueError where a file's letters are not its sheet's."""
    said: dict[Doubt, str] = {}
    for file in sorted(review.glob("*.txt")):
        letters = "".join(file.read_text().split()).lower()
        items = [Doubt(**{**item, "box": tuple(item["box"])}) for item in json.loads(file.with_suffix(".json").read_text())]
        if len(letters) != len(items) or not LETTERS.issuperset(letters):
            got = f"{len(letters)}: {sorted(set(letters))}"
            raise ValueError(f"{file.name}: expected {len(items)} letters of f, n, b, u, got {got}")
        for item, letter in zip(items, letters):
            if letter != "u" or item not in said:
                said[item] = letter
    return said


def amended(boxes: list[list[float]], said: dict[Doubt, str]) -> list[list[float]]:
    """One picture's boxes with their scores, after what was said of it."""
    letters = {item.box: letter for item, letter in said.items()}
    rows = []
    for box in boxes:
        letter = letters.get(tuple(float(edge) for edge in box[:4]))
        if letter == "f":
            rows.append([*box[:4], max(box[4], CERTAIN)])
        elif letter in ("b", "u"):
            rows.append([*box[:4], DOUBTFUL if box[4] >= FACE else box[4]])
        elif letter is None:
            rows.append(box)
    rows += [[*item.box, CERTAIN if s == "f" else DOUBTFUL] for item, s in said.items() if item.kind == "found" and s != "n"]
    kept: list[list[float]] = []
    for box in sorted(rows, key=lambda box: -box[4]):
        sure = [other[:4] for other in kept if other[4] >= FACE]
        if not sure or overlap(np.array([box[:4]]), np.array(sure)).max() <= SAME:
            kept.append(box)
    return kept


def apply(data: Path, review: Path, out: Path) -> str:
    """Writes the amended folder -> what changed, in words."""
    by_picture: dict[str, dict[Doubt, str]] = {}
    said = answers(review)
    for item, letter in said.items():
        by_picture.setdefault(item.f, {})[item] = letter
    images = read_labels(data)
    for image in images:
        if image["f"] in by_picture:
            image["boxes"] = amended(image["boxes"], by_picture[image["f"]])
    out.mkdir(parents=True, exist_ok=True)
    (out / "labels.json").write_text(json.dumps({"images": images}))
    for name in {image["f"].split("/")[0] for image in images}:
        if not (out / name).exists():
            (out / name).symlink_to((data / name).resolve())
    kinds = sorted({(item.kind, letter) for item, letter in said.items()})
    return ", ".join(f"{k} {s}: {sum((i.kind, v) == (k, s) for i, v in said.items())}" for k, s in kinds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("draw", "again", "apply"))
    parser.add_argument("review", type=Path)
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--network", help="draw: file.onnx or last.pt@scale,bias")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--out", type=Path, help="apply: the new folder")
    a = parser.parse_args()
    if a.what == "apply":
        if not a.out:
            parser.error("--out is needed")
        print(apply(a.data, a.review, a.out))
        return
    if a.what == "draw":
        if not a.network:
            parser.error("--network is needed")
        items = doubts(a.network, a.data, read_labels(a.data), a.processes)
        random.Random(0).shuffle(items)  # neighbours in one picture are looked at apart
        rows, side = 7, 128
    else:
        items = [item for item, letter in answers(a.review).items() if letter == "u" and item.score >= LEAST_AGAIN]
        items.sort(key=lambda item: -item.score)
        rows, side = 6, 144
    first = len(list(a.review.glob("*.json")))
    print(f"{write_sheets(items, a.data, a.review, first, rows, side)} sheets of {len(items)} boxes")


if __name__ == "__main__":
    main()
