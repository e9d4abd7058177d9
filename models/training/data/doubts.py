"""Which of a training folder's labels deserve a second look: where teachers were unsure, or a trained network disagrees.

Three kinds, all of LEAST_HEIGHT pixels and more:
- perhaps: labelled neither face nor background;
- lost: labelled a face, which the network does not find, upright or mirrored;
- found: what the network finds where no label is.
Labels that a network cannot learn are where most errors of labels are (confident learning, Northcutt et al., arXiv:1911.00068).
"""
import multiprocessing
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from evaluate.detectors import Detector, open_detectors, overlap, suppress
from data.pack import FACE, PERHAPS
from evaluate.scoring import boxes_array

SIDE = 640
LEAST_HEIGHT = 10
# What the network gives less is not found; what it gives more where no label is, is.
LEAST_KNOWN, LEAST_FOUND = 0.35, 0.3
# Overlap from which a find is a label's, and below which it has none.
SAME, NONE_NEAR = 0.35, 0.25


@dataclass(frozen=True)
class Doubt:
    """box: left, top, right, bottom in pixels of the picture; score: what the network gives there, 0..1."""

    f: str
    kind: str
    box: tuple[float, float, float, float]
    score: float


def both_ways(detector: Detector, picture: np.ndarray) -> np.ndarray:
    """Boxes and scores [N, 5] of a picture, looked at as it is and mirrored."""
    rows, width = [], picture.shape[1]
    for mirrored in (False, True):
        seen = detector.detect(np.ascontiguousarray(picture[:, ::-1]) if mirrored else picture, SIDE)
        boxes = seen.boxes.copy()
        if mirrored:
            boxes[:, [0, 2]] = width - boxes[:, [2, 0]]
        rows.append(np.concatenate([boxes, seen.scores[:, None]], 1))
    return np.concatenate(rows)


def doubts_of(image: dict, finds: np.ndarray) -> list[Doubt]:
    """image: as in labels.json; finds [N, 5] of `both_ways`."""
    labels = boxes_array(image["boxes"], 5)
    shared = overlap(labels[:, :4], finds[:, :4])
    given = ((shared > SAME) * finds[:, 4]).max(1, initial=0)

    def row(kind: str, box: np.ndarray, score: float) -> Doubt:
        return Doubt(image["f"], kind, tuple(float(edge) for edge in box[:4]), float(score))

    doubts = []
    for label, score in zip(labels, given):
        if PERHAPS <= label[4] < FACE:
            doubts.append(row("perhaps", label, score))
        elif label[4] >= FACE and score < LEAST_KNOWN:
            doubts.append(row("lost", label, score))
    boxes, scores = suppress(finds[:, :4], finds[:, 4])
    near = overlap(boxes, labels[:, :4]).max(1, initial=0)
    doubts += [row("found", b, s) for b, s, n in zip(boxes, scores, near) if s >= LEAST_FOUND and n < NONE_NEAR]
    return [doubt for doubt in doubts if doubt.box[3] - doubt.box[1] >= LEAST_HEIGHT]


def _doubts(network: str, folder: Path, images: list[dict]) -> list[Doubt]:
    found = []
    with open_detectors([f"network={network}"]) as (detector,):
        for image in images:
            found += doubts_of(image, both_ways(detector, cv2.imread(str(folder / image["f"]))[..., ::-1]))
    return found


def doubts(network: str, folder: Path, images: list[dict], count: int = 1) -> list[Doubt]:
    """Of all `images` of a folder, by `count` processes; network: file.onnx or last.pt@scale,bias."""
    with multiprocessing.Pool(count) as pool:
        parts = pool.starmap(_doubts, [(network, folder, images[i::count]) for i in range(count)])
    return [doubt for part in parts for doubt in part]
