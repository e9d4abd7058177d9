"""The training pictures: folders with a labels.json beside compressed pictures (the format is in README.md).

What a box's score says: a teacher's confidence, 1 for a person's label. From FACE it is a face, from PERHAPS neither face nor
background, below that it is dropped.
"""
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

FACE, PERHAPS = 0.55, 0.22
MOST_BOXES = 48

# How often a source is seen against its number of pictures. Groups, crowds and streets often; tight portraits seldom.
SOURCE_WEIGHTS = {
    "ilc": 2.2, "work": 2.2, "flk": 2.0, "hseg": 1.6, "maskc": 0.6, "maskn": 0.6, "obs": 0.5, "mux": 0.25,
    "house": 0.8, "groc": 0.8, "cloth": 0.8, "drawn": 0.9, "pets": 3.0,
}  # fmt: skip


@dataclass
class Pack:
    """N pictures. Boxes are left, top, right, bottom in pixels of the picture; labels 1 face, 0 perhaps, -1 padding."""

    files: list[bytes]
    sizes: np.ndarray  # [N, 2] float32: width, height
    boxes: np.ndarray  # [N, MOST_BOXES, 4] float32
    labels: np.ndarray  # [N, MOST_BOXES] int64
    weights: np.ndarray  # [N] float64: how often seen, by source
    difficulty: np.ndarray  # [N] float64: and by how hard it still is (difficulty.py); 1 where not known

    @property
    def faces(self) -> np.ndarray:
        """Number of faces in each picture."""
        return (self.labels == 1).sum(1)

    @property
    def empty(self) -> np.ndarray:
        """Pictures without anything like a face."""
        return (self.labels == -1).all(1)


def read_labels(folder: str | Path) -> list[dict]:
    """The pictures of a folder with their boxes, as its labels.json has them."""
    return json.loads((Path(folder) / "labels.json").read_text())["images"]


def read_pack(
    folder: str | Path,
    weights: dict[str, float] | None = None,
    limit: int | None = None,
    difficulty: dict[str, float] | None = None,
) -> Pack:
    """
    Reads a folder; with `limit`, about that many pictures spread over all of it. Unknown sources weigh 1; pictures that
    `difficulty` does not name are as difficult as any.
    """
    folder = Path(folder)
    images = read_labels(folder)
    if limit:
        images = images[:: max(1, len(images) // limit)]
    weights = SOURCE_WEIGHTS if weights is None else weights
    boxes = np.zeros((len(images), MOST_BOXES, 4), np.float32)
    labels = np.full((len(images), MOST_BOXES), -1, np.int64)
    for i, image in enumerate(images):
        scored = np.array(image["boxes"], np.float32).reshape(-1, 5)
        scored = scored[scored[:, 4] >= PERHAPS]
        scored = scored[np.argsort(-scored[:, 4], kind="stable")][:MOST_BOXES]
        boxes[i, : len(scored)] = scored[:, :4]
        labels[i, : len(scored)] = scored[:, 4] >= FACE
    return Pack(
        files=[(folder / image["f"]).read_bytes() for image in images],
        sizes=np.array([(image["w"], image["h"]) for image in images], np.float32).reshape(-1, 2),
        boxes=boxes,
        labels=labels,
        weights=np.array([weights.get(image["src"], 1.0) for image in images]),
        difficulty=np.array([(difficulty or {}).get(image["f"], 1.0) for image in images]),
    )


def without_faces(files: list[bytes], sizes: list[tuple[int, int]], weight: float, difficulty: float = 1.0) -> Pack:
    """A pack of pictures known to show no face."""
    count = len(files)
    return Pack(
        files=files,
        sizes=np.array(sizes, np.float32).reshape(-1, 2),
        boxes=np.zeros((count, MOST_BOXES, 4), np.float32),
        labels=np.full((count, MOST_BOXES), -1, np.int64),
        weights=np.full(count, weight),
        difficulty=np.full(count, difficulty),
    )


def join(packs: list[Pack]) -> Pack:
    """All pictures of all packs."""
    return Pack(
        files=[file for pack in packs for file in pack.files],
        sizes=np.concatenate([pack.sizes for pack in packs]),
        boxes=np.concatenate([pack.boxes for pack in packs]),
        labels=np.concatenate([pack.labels for pack in packs]),
        weights=np.concatenate([pack.weights for pack in packs]),
        difficulty=np.concatenate([pack.difficulty for pack in packs]),
    )
