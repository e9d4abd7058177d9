import unittest

import cv2
import numpy as np

from readable.decode import Rule, boxes
from readable.kernels import targets
from readable.pages import rectangle


def maps_of(*quads: np.ndarray) -> np.ndarray:
    return targets(list(quads), "text", [], 256)[0] / 255.0


class DecodeTest(unittest.TestCase):
    def test_finds_what_was_drawn(self) -> None:
        for angle in (0, 20, 75):
            turn = cv2.getRotationMatrix2D((128, 128), angle, 1)
            quad = cv2.transform(rectangle(40, 110, 216, 146)[None], turn)[0]
            (box, score), = boxes(maps_of(quad), Rule())
            canvas = [np.zeros((256, 256), np.uint8) for _ in range(2)]
            for one, shape in zip(canvas, (quad, box)):
                cv2.fillConvexPoly(one, np.round(shape).astype(np.int32), 1)
            covered = (canvas[0] & canvas[1]).sum() / canvas[0].sum()
            self.assertGreater(covered, 0.95)
            self.assertLess(canvas[1].sum(), 1.6 * canvas[0].sum())
            self.assertGreater(score, 0.7)

    def test_lines_are_boxes_of_their_own(self) -> None:
        lines = [rectangle(20, y, 200, y + 20) for y in (20, 46, 72)]
        self.assertEqual(len(boxes(maps_of(*lines), Rule())), 3)

    def test_what_is_unsure_or_tiny_is_left_out(self) -> None:
        probabilities = np.zeros((64, 64))
        probabilities[10:14, 10:30] = 0.4
        probabilities[30, 30] = 1
        self.assertEqual(boxes(probabilities, Rule(confidence=0.5)), [])
        self.assertEqual(len(boxes(probabilities, Rule(confidence=0.35))), 1)

    def test_cells_that_touch_at_corners_alone_are_two(self) -> None:
        probabilities = np.zeros((64, 64))
        probabilities[10:14, 10:14] = probabilities[14:18, 14:18] = 1
        self.assertEqual(len(boxes(probabilities, Rule())), 2)
