"""A PNG of the faces that are counted as missed, though a box lies on them: it overlaps their label, but by less than is asked.

usage: python3 -m evaluate.disputed ours=last.pt@2.2,-0.46 --held FOLDER out.png     labels green, boxes red
Each such face counts twice against a detector, as a miss and as a wrong box. Look who is right before you lower a threshold.
"""
import argparse

import cv2
import numpy as np

from data.contact_sheet import sheet
from evaluate.detectors import Detections, open_detectors, overlap
from evaluate.scoring import LEAST_OVERLAP, Held, read_held

SIDE = 220
# A box that shares less than this with a label is somewhere else.
LEAST_SHARED = 0.3
MARGIN = 0.8  # of the face's longer side, around it


def disputed(found: Detections, held: Held, least_score: float, least_height: float = 16) -> list[tuple[int, int]]:
    """(number of the face, number of the box nearest to it) for every face with a box near it and none on it."""
    sure = found.scores >= least_score
    pairs = []
    for face, shared in enumerate(overlap(held.faces, found.boxes[sure])):
        height = (held.faces[face, 3] - held.faces[face, 1]) * found.scale
        if height >= least_height and len(shared) and LEAST_SHARED <= shared.max() < LEAST_OVERLAP:
            pairs.append((face, int(np.flatnonzero(sure)[shared.argmax()])))
    return pairs


def cell(picture: np.ndarray, label: np.ndarray, box: np.ndarray) -> np.ndarray:
    """The surroundings of a face, BGR."""
    drawn = np.ascontiguousarray(picture[..., ::-1])
    size = max(label[2] - label[0], label[3] - label[1])
    for (left, top, right, bottom), colour in ((label.astype(int), (0, 255, 0)), (box.astype(int), (0, 0, 255))):
        cv2.rectangle(drawn, (int(left), int(top)), (int(right), int(bottom)), colour, max(1, int(size / 40)))
    reach = size * (0.5 + MARGIN)
    x, y = (label[:2] + label[2:]) / 2
    left, top = int(max(0, x - reach)), int(max(0, y - reach))
    return cv2.resize(drawn[top : int(y + reach), left : int(x + reach)], (SIDE, SIDE))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("detector", help="name=file.onnx or name=last.pt[@scale,bias]")
    parser.add_argument("--held", required=True)
    parser.add_argument("--side", type=int, default=640)
    parser.add_argument("--confidence", type=float, default=0.6)
    parser.add_argument("out")
    a = parser.parse_args()
    cells = []
    with open_detectors([a.detector]) as (detector,):
        for held in read_held(a.held):
            picture = held.open()
            found = detector.detect(picture, a.side)
            for face, box in disputed(found, held, a.confidence):
                cells.append(cell(picture, held.faces[face], found.boxes[box]))
    print(f"{len(cells)} faces with a box that overlaps their label by {LEAST_SHARED} to {LEAST_OVERLAP}")
    if cells:
        cv2.imwrite(a.out, sheet(cells))


if __name__ == "__main__":
    main()
