"""Quadrilaterals of text and plates, and the maps of their kernels that the network learns."""
import cv2
import numpy as np

from readable.network import STRIDE

# Each side of a kernel lies this much of the quadrilateral's short side further in.
SHRINK = 0.2

# Text lower than this is neither text nor background, nor is a plate: nobody reads it.
LEAST_HEIGHT = {"text": 7.0, "plate": 7.0}

# Maps are drawn this much finer, and averaged.
FINER = 2


def short_side(quad: np.ndarray) -> float:
    """Of a quadrilateral [4, 2], its corners one after the other: the lesser of the means of opposite sides."""
    sides = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
    return float(min(sides[0] + sides[2], sides[1] + sides[3]) / 2)


def shrunk(quad: np.ndarray) -> np.ndarray:
    """The kernel [4, 2] of a quadrilateral: corners moved along both of their sides."""
    by = SHRINK * short_side(quad)
    forward = np.roll(quad, -1, 0) - quad
    backward = np.roll(quad, 1, 0) - quad
    unit = [side / np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-6) for side in (forward, backward)]
    return quad + by * (unit[0] + unit[1])


def fill(canvas: np.ndarray, quad: np.ndarray, value: int) -> None:
    """Fills a quadrilateral, in pixels of the picture, on a canvas of FINER cells a STRIDE; cells that its edges touch, too."""
    corners = np.round(quad * (FINER / STRIDE) * 16 - 8).astype(np.int32)
    cv2.fillConvexPoly(canvas, corners, value, lineType=cv2.LINE_8, shift=4)


def targets(
    quads: list[np.ndarray], kind: str, ignored: list[np.ndarray], side: int
) -> tuple[np.ndarray, np.ndarray]:
    """
    The map of one kind for a square picture, and its mask.
    quads, ignored: [4, 2] each, in pixels. -> share of each cell that lies in kernels, uint8 of 0..255, and 1 where the
    loss counts; [side / STRIDE] twice.
    """
    fine = side // STRIDE * FINER
    kernels, mask = np.zeros((fine, fine), np.uint8), np.ones((fine, fine), np.uint8)
    for quad in ignored:
        fill(mask, quad, 0)
    for quad in quads:
        if short_side(quad) < LEAST_HEIGHT[kind]:
            fill(mask, quad, 0)
    for quad in quads:
        if short_side(quad) >= LEAST_HEIGHT[kind]:
            fill(mask, quad, 1)
            fill(kernels, shrunk(quad), 255)
    cells = (side // STRIDE, FINER, side // STRIDE, FINER)
    return kernels.reshape(cells).mean((1, 3)).astype(np.uint8), mask.reshape(cells).min((1, 3))
