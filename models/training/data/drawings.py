"""All kinds of drawings without a person's face, as a pack of training pictures."""
from collections.abc import Callable

import cv2
import numpy as np
from numpy.random import Generator

from data.drawn import balls, clouds, grain, scribbles, text, waves
from data.figures import FIGURES
from data.pack import Pack, without_faces

DRAWINGS: tuple[Callable[[Generator, int], np.ndarray], ...] = (
    grain, waves, clouds, balls, scribbles, text, text, *FIGURES,
)  # fmt: skip


def drawn_pack(count: int, seed: int, weight: float, side: int = 384, difficulty: float = 1.0) -> Pack:
    """`count` drawings of all kinds in turn, as compressed as photographs come."""
    rng = np.random.default_rng(seed)
    files = []
    for i in range(count):
        picture = DRAWINGS[i % len(DRAWINGS)](rng, side)
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 96))]
        files.append(cv2.imencode(".jpg", picture[..., ::-1], quality)[1].tobytes())
    return without_faces(files, [(side, side)] * count, weight, difficulty)
