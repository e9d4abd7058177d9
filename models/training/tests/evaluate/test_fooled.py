import unittest

import numpy as np

from evaluate.detectors import Detections
from data.figures import cartoons
from evaluate.fooled import SIDE, boxes_a_drawing


class Fake:
    """Finds as many boxes as it was asked before, of confidence 0.7 and 0.5 in turn; keeps what it was shown."""

    def __init__(self) -> None:
        self.shown: list[np.ndarray] = []

    def detect(self, picture: np.ndarray, side: int) -> Detections:
        assert picture.shape == (side, side, 3)
        count = len(self.shown)
        self.shown.append(picture)
        return Detections(np.zeros((count, 4)), np.resize([0.7, 0.5], count), 1.0)


class FooledTest(unittest.TestCase):
    def test_counts_boxes_from_the_confidence_on_and_draws_the_same_for_all(self) -> None:
        first, second = Fake(), Fake()
        # 0, 1, 1, 2 boxes of 0.7 among the 0, 1, 2, 3 found.
        self.assertEqual(boxes_a_drawing(first, cartoons, 4, 3, 0.6), 1.0)
        self.assertEqual(boxes_a_drawing(second, cartoons, 4, 3, 0.4), 1.5)
        for a, b in zip(first.shown, second.shown):
            np.testing.assert_array_equal(a, b)
        self.assertEqual(first.shown[0].shape[0], SIDE)


if __name__ == "__main__":
    unittest.main()
