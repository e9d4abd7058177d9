"""Pictures for the tests, made by code: a "face" is a red ellipse with a green upper half, on blue, so that a test can see
where it went and which way is up."""
import json
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor

from data.pack import Pack, read_pack

WIDTH, HEIGHT = 320, 240


def picture(faces: list[tuple[int, int, int, int]], width: int = WIDTH, height: int = HEIGHT) -> np.ndarray:
    """BGR; faces: left, top, right, bottom."""
    image = np.full((height, width, 3), (120, 20, 20), np.uint8)
    y, x = np.mgrid[:height, :width] + 0.5
    for left, top, right, bottom in faces:
        u, v = (x - (left + right) / 2) / (right - left) * 2, (y - (top + bottom) / 2) / (bottom - top) * 2
        image[u * u + v * v < 1] = (20, 20, 220)
        image[(u * u + v * v < 1) & (v < 0)] = (20, 220, 220)  # red with green: still red
    return image


def write_pack(folder: Path, faces: list[list[tuple[int, int, int, int]]]) -> None:
    """A data folder: one picture a list of faces, and two without any."""
    images = []
    for i, boxes in enumerate([*faces, [], []]):
        cv2.imwrite(str(folder / f"{i}.png"), picture(boxes))
        images.append(dict(f=f"{i}.png", w=WIDTH, h=HEIGHT, src="test", boxes=[[*box, 1.0] for box in boxes]))
    (folder / "labels.json").write_text(json.dumps(dict(images=images)))


def one_face_pack(folder: Path) -> Pack:
    write_pack(folder, [[(120, 60, 190, 150)]])
    return read_pack(folder)


def red_box(image: Tensor) -> Tensor | None:
    """Box [4] around everything red in an image [3, S, S]."""
    y, x = ((image[0] > 120) & (image[2] < 70)).nonzero(as_tuple=True)
    if not len(x):
        return None
    return torch.stack([x.min(), y.min(), x.max() + 1, y.max() + 1]).float()
