"""Detections against labels: which are right, and what follows for recall, precision and average precision."""
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from evaluate.detectors import Detections, Detector, overlap
from data.pack import read_labels

# Face heights, in pixels of what the detector was shown, that recall is split by: lower bounds.
HEIGHTS = (0, 16, 32, 96)
LEAST_OVERLAP = 0.5


@dataclass
class Held:
    """A held-out picture. Boxes [N, 4] in its pixels; what is found in `ignored` counts neither way."""

    file: Path
    faces: np.ndarray
    ignored: np.ndarray
    by_people: bool

    def open(self) -> np.ndarray:
        """uint8 [H, W, 3], RGB."""
        return cv2.imread(str(self.file))[..., ::-1]


def boxes_array(values: list, columns: int = 4) -> np.ndarray:
    """[N, columns] of a list of rows, which may be empty."""
    return np.array(values, float).reshape(-1, columns)


def read_held(folder: str | Path, every: int = 1) -> list[Held]:
    """Pictures of FOLDER/images labelled in FOLDER/labels.json (README.md), every n-th of them."""
    folder = Path(folder)
    images = read_labels(folder)[::every]

    return [
        Held(folder / "images" / i["f"], boxes_array(i["faces"]), boxes_array(i["ignore"]), i.get("label") == "human")
        for i in images
    ]


@dataclass
class Outcome:
    """What one detector made of a set of pictures; arrays after `of`."""

    scores: np.ndarray  # [D] of the detections, highest first
    right: np.ndarray  # [D] bool
    heights: np.ndarray  # [D] working height of the face found; 0 where wrong
    face_heights: np.ndarray  # [F] working height of every labelled face
    pictures: int

    @classmethod
    def of(cls, matches: list["Match"]) -> "Outcome":
        rows = [row for match in matches for row in match.detections]
        table = np.array(rows, float).reshape(-1, 3)
        table = table[np.argsort(-table[:, 0], kind="stable")]
        faces = np.array([h for match in matches for h in match.face_heights])
        return cls(table[:, 0], table[:, 1] > 0, table[:, 2], faces, len(matches))

    def recall(self, least: float, low: float = 0, high: float = np.inf) -> float:
        """Found with at least that score, of the faces of `low` to `high` pixels; NaN where there are none."""
        all_faces = ((self.face_heights >= low) & (self.face_heights < high)).sum()
        found = (self.right & (self.scores >= least) & (self.heights >= low) & (self.heights < high)).sum()
        return float(found / all_faces) if all_faces else float("nan")

    def precision(self, least: float) -> float:
        chosen = self.right[self.scores >= least]
        return float(chosen.mean()) if len(chosen) else float("nan")

    def wrong(self, least: float) -> float:
        """Wrong detections a picture."""
        return float((~self.right[self.scores >= least]).sum() / max(1, self.pictures))

    def threshold(self, wrong: float) -> float:
        """The lowest score at which no more than `wrong` wrong detections a picture come."""
        count = np.cumsum(~self.right)
        allowed = self.scores[count <= wrong * self.pictures]
        return float(allowed[-1]) if len(allowed) else 1.0

    def average_precision(self) -> float:
        """Area under the precision-recall curve, precision made monotonous (Everingham et al., IJCV 88, 2010; all points)."""
        if not len(self.scores) or not len(self.face_heights):
            return float("nan")
        found = np.cumsum(self.right)
        precision = found / np.arange(1, len(found) + 1)
        envelope = np.maximum.accumulate(precision[::-1])[::-1]
        return float((np.diff(found, prepend=0) / len(self.face_heights) * envelope).sum())


@dataclass
class Match:
    """One picture: (score, 1 right or 0 wrong, working height of the face found) a detection; every face's working height."""

    detections: list[tuple[float, int, float]] = field(default_factory=list)
    face_heights: list[float] = field(default_factory=list)


def match(found: Detections, held: Held, least_overlap: float = LEAST_OVERLAP) -> Match:
    """
    A detection finds the face it overlaps most, if by enough and none better found it; else it is wrong, unless it lies where
    labels say that nothing counts.
    """
    heights = (held.faces[:, 3] - held.faces[:, 1]) * found.scale
    result = Match(face_heights=heights.tolist())
    free = np.ones(len(held.faces), bool)
    with_faces, with_ignored = overlap(found.boxes, held.faces), overlap(found.boxes, held.ignored)
    for i, (box, score) in enumerate(zip(found.boxes, found.scores)):
        shared = with_faces[i] * free
        if len(shared) and shared.max() >= least_overlap:
            face = int(shared.argmax())
            free[face] = False
            result.detections.append((float(score), 1, float(heights[face])))
            continue
        middle = (box[:2] + box[2:]) / 2
        within = ((held.ignored[:, :2] < middle) & (middle < held.ignored[:, 2:])).all(1)
        if not (within | (with_ignored[i] > 0.3)).any():
            result.detections.append((float(score), 0, 0.0))
    return result


def matches_of(
    detector: Detector, pictures: list[Held], side: int, least_overlap: float = LEAST_OVERLAP
) -> list[Match]:
    return [match(detector.detect(held.open(), side), held, least_overlap) for held in pictures]
