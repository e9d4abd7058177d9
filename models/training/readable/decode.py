"""Maps -> rotated rectangles: the rule that the service applies."""
from dataclasses import dataclass

import cv2
import numpy as np

from readable.kernels import SHRINK
from readable.network import STRIDE


@dataclass(frozen=True)
class Rule:
    """Of one kind. Lengths in pixels of the network's input."""

    binarise: float = 0.3
    confidence: float = 0.5
    least_cells: int = 2
    least_side: float = 6.0
    margin: float = 1.0
    grow: float = SHRINK / (1 - 2 * SHRINK)


# What the weights' card says.
RULES = {
    "text": Rule(binarise=0.2, confidence=0.5, margin=1.0),
    "plate": Rule(binarise=0.1, confidence=0.27, margin=1.0),
}


def boxes(probabilities: np.ndarray, rule: Rule) -> list[tuple[np.ndarray, float]]:
    """
    Connected cells, each group's smallest rectangle, grown on every side.
    probabilities: [h, w], of one kind. -> corners [4, 2] in pixels of the input, not clipped, and the mean probability.
    """
    cells = (probabilities >= rule.binarise).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cells, connectivity=4)
    found = []
    for label in range(1, count):
        x, y, width, height, area = stats[label]
        if area < rule.least_cells:
            continue
        inside = labels[y : y + height, x : x + width] == label
        score = float(probabilities[y : y + height, x : x + width][inside].mean())
        if score < rule.confidence:
            continue
        rows, columns = np.nonzero(inside)
        # Corners of the first and last cell of each row: the others lie within.
        points = np.concatenate([np.stack([columns + dx + x, rows + dy + y], 1) for dx in (0, 1) for dy in (0, 1)])
        centre, (a, b), angle = cv2.minAreaRect((points * STRIDE).astype(np.float32))
        by = rule.grow * min(a, b) + rule.margin
        if min(a, b) + 2 * by >= rule.least_side:
            found.append((cv2.boxPoints((centre, (a + 2 * by, b + 2 * by), angle)), score))
    return found
