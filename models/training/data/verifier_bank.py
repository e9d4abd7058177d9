"""Crops to train the verifier on: what the detector takes for a face in the training pictures, right or wrong, and labelled faces.

usage: python3 -m data.verifier_bank BANK --data DATA [--network models/face_detector.onnx] [--share 1]
A bank is a folder with crops.npy, uint8 [N, BANK_SIDE, BANK_SIDE, 3], and labels.npz.
"""
import argparse
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from evaluate.detectors import Detector, open_detectors, overlap
from data.pack import FACE, PERHAPS, read_labels

cv2.setNumThreads(1)

SIDE, CONTEXT = 96, 2.5  # src/faces/verifier.ts: side of the input, and of what it shows in sides of the face
BANK_SIDE = 144  # as much around it as turning, moving and resizing ask for, at the same scale
RIGHT, WRONG = 0.4, 0.2  # overlap with a label
MOST = 10  # right ones, and wrong ones, of a view
SMALLEST = 8  # pixels

# Share of the pictures that is looked at, and by how many views.
SOURCES = {
    "pets": (1, 10), "flk": (1, 2), "hseg": (1, 2), "ilc": (1, 2), "work": (1, 2), "house": (0.6, 1), "groc": (0.8, 1),
    "cloth": (0.6, 1), "maskc": (0.3, 1), "maskn": (0.4, 1), "obs": (0.4, 1), "mux": (0.3, 1),
}  # fmt: skip


@dataclass
class Bank:
    """Crops [N, BANK_SIDE, BANK_SIDE, 3] RGB; whether a face; the detector's score, 0 of a label; source and picture by number."""

    crops: list[np.ndarray] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    sides: list[float] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    pictures: list[int] = field(default_factory=list)

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        np.save(folder / "crops.npy", np.stack(self.crops))
        np.savez(
            folder / "labels.npz", right=np.array(self.right), scores=np.array(self.scores, np.float32),
            sides=np.array(self.sides, np.float32), sources=np.array(self.sources), pictures=np.array(self.pictures),
        )  # fmt: skip


def cut(picture: np.ndarray, box: np.ndarray) -> np.ndarray:
    """The square around a box at its middle, BANK_SIDE wide; black beyond the picture."""
    middle = (box[:2] + box[2:]) / 2
    reach = (box[2:] - box[:2]).max() * CONTEXT * BANK_SIDE / SIDE / 2
    left, top = np.floor(middle - reach).astype(int)
    side = max(1, int(np.ceil(2 * reach)))
    height, width = picture.shape[:2]
    x0, y0, x1, y1 = max(0, left), max(0, top), min(width, left + side), min(height, top + side)
    square = np.zeros((side, side, 3), np.uint8)
    if x1 > x0 and y1 > y0:
        square[y0 - top : y1 - top, x0 - left : x1 - left] = picture[y0:y1, x0:x1]
    way = cv2.INTER_AREA if side > BANK_SIDE else cv2.INTER_LINEAR
    return cv2.resize(square, (BANK_SIDE, BANK_SIDE), interpolation=way)


def turned(picture: np.ndarray, boxes: np.ndarray, turns: int) -> tuple[np.ndarray, np.ndarray]:
    """By quarter turns clockwise; boxes [N, 4]."""
    for _ in range(turns):
        height = picture.shape[0]
        picture = np.ascontiguousarray(np.rot90(picture, -1))
        boxes = np.stack([height - boxes[:, 3], boxes[:, 0], height - boxes[:, 1], boxes[:, 2]], 1)
    return picture, boxes


def jittered(boxes: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """Moved and resized as detections are."""
    size = (boxes[:, 2:] - boxes[:, :2]) * np.exp(chance.normal(0, 0.08, (len(boxes), 2)))
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2 + chance.normal(0, 0.05, (len(boxes), 2)) * size
    return np.concatenate([middle - size / 2, middle + size / 2], 1)


def sort_out(boxes: np.ndarray, labels: np.ndarray, sure: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which boxes [N, 4] are right, and which wrong, by labels [M, 4] of which some are `sure` faces; the others are neither."""
    if not len(labels):
        return np.zeros(len(boxes), bool), np.ones(len(boxes), bool)
    shared = overlap(boxes, labels)
    middle = (boxes[:, None, :2] + boxes[:, None, 2:]) / 2
    inside = ((middle > labels[None, :, :2]) & (middle < labels[None, :, 2:])).all(2)
    return (shared * sure[None]).max(1) >= RIGHT, (shared.max(1) < WRONG) & ~inside.any(1)


def look(
    bank: Bank, detector: Detector, number: int, source: str, picture: np.ndarray, labels: np.ndarray, sure: np.ndarray,
    scale: float, chance: np.random.Generator,
) -> None:
    """Adds what the detector sees in one view, enlarged or shrunk, and the labelled faces once more."""
    shown = picture
    if scale != 1:
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        shown = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=way)
    found = detector.detect(shown, 640)
    boxes = found.boxes * np.array([picture.shape[1] / shown.shape[1], picture.shape[0] / shown.shape[0]] * 2)
    right, wrong = sort_out(boxes, labels, sure)
    chosen = [(boxes[i], found.scores[i], True) for i in np.flatnonzero(right)[:MOST]]
    # The surest, and some of the others.
    others = np.flatnonzero(wrong)
    others = np.concatenate([others[: MOST // 2], chance.permutation(others[MOST // 2 :])[: MOST // 2]])
    chosen += [(boxes[i], found.scores[i], False) for i in others]
    faces = labels[sure]
    faces = jittered(faces[chance.permutation(len(faces))[:MOST]], chance) if len(faces) else faces
    chosen += [(box, 0.0, True) for box in faces]
    for box, score, is_right in chosen:
        side = float((box[2:] - box[:2]).max())
        if side < SMALLEST:
            continue
        bank.crops.append(cut(picture, box))
        bank.right.append(is_right)
        bank.scores.append(float(score))
        bank.sides.append(side)
        bank.sources.append(source)
        bank.pictures.append(number)


def scale_of(view: int, source: str, chance: np.random.Generator) -> float:
    """Of a picture as it is, then enlarged and shrunk by a few factors, then by any."""
    factor = 1.0 if view == 0 and chance.random() < 0.7 else float(chance.choice([0.5, 0.75, 1.2, 1.5]))
    return float(chance.uniform(0.4, 1.5)) if view > 2 or (view > 0 and source != "pets") else factor


def collect(folder: Path, detector: Detector, share: float) -> Bank:
    bank = Bank()
    for number, image in enumerate(read_labels(folder)):
        source = image["src"]
        part, views = SOURCES.get(source, (1, 1))
        chance = np.random.default_rng(zlib.crc32(image["f"].encode()))
        if chance.random() >= part * share:
            continue
        picture = cv2.imread(str(folder / image["f"]))[..., ::-1]
        scored = np.array(image["boxes"], float).reshape(-1, 5)
        scored = scored[scored[:, 4] >= PERHAPS]
        for view in range(views):
            scale = scale_of(view, source, chance)
            turns = int(chance.integers(1, 4)) if view == 2 else 0
            seen, labels = turned(picture, scored[:, :4], turns)
            look(bank, detector, number, source, seen, labels, scored[:, 4] >= FACE, scale, chance)
        if number % 500 == 0:
            print(f"{number} pictures, {len(bank.crops)} crops", flush=True)
    return bank


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bank", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--network", default="models/face_detector.onnx")
    parser.add_argument("--share", type=float, default=1, help="of the pictures")
    a = parser.parse_args()
    with open_detectors([f"ours={a.network}"]) as (detector,):
        collect(a.data, detector, a.share).save(a.bank)


if __name__ == "__main__":
    main()
