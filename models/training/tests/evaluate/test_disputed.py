import unittest
from pathlib import Path

import numpy as np

from data.contact_sheet import ACROSS, sheet
from evaluate.detectors import Detections
from evaluate.disputed import SIDE, cell, disputed
from evaluate.scoring import Held


def found(boxes: list[list[float]], scores: list[float], scale: float = 1) -> Detections:
    return Detections(np.array(boxes, float).reshape(-1, 4), np.array(scores), scale)


class DisputedTest(unittest.TestCase):
    held = Held(Path("none"), np.array([[0, 0, 40, 40], [100, 0, 140, 40], [200, 0, 240, 40]], float), np.zeros((0, 4)), True)

    def test_finds_faces_with_a_box_beside_their_label_only(self) -> None:
        # The first is moved by 16 of 40: 24 / 56 is shared; the second lies well; the third is somewhere else.
        boxes = [[102, 0, 142, 40], [16, 0, 56, 40], [230, 0, 270, 40]]
        self.assertEqual(disputed(found(boxes, [0.9, 0.8, 0.7]), self.held, 0.6), [(0, 1)])

    def test_leaves_out_what_is_doubtful_small_or_found_by_another_box(self) -> None:
        boxes = [[16, 0, 56, 40]]
        self.assertEqual(disputed(found(boxes, [0.5]), self.held, 0.6), [])
        self.assertEqual(disputed(found(boxes, [0.9], 0.3), self.held, 0.6), [])
        self.assertEqual(disputed(found([*boxes, [2, 0, 42, 40]], [0.9, 0.7]), self.held, 0.6), [])
        self.assertEqual(disputed(found([], []), self.held, 0.6), [])

    def test_draws_both_and_fills_rows(self) -> None:
        picture = np.zeros((120, 300, 3), np.uint8)
        drawn = cell(picture, np.array([100.0, 20, 140, 60]), np.array([110.0, 30, 150, 70]))
        self.assertEqual(drawn.shape, (SIDE, SIDE, 3))
        self.assertTrue((drawn[..., 1] > 100).any() and (drawn[..., 2] > 100).any())
        self.assertEqual(sheet([drawn] * (ACROSS + 1)).shape, (2 * SIDE, ACROSS * SIDE, 3))


if __name__ == "__main__":
    unittest.main()
