import unittest
from pathlib import Path

import numpy as np

from evaluate.detectors import Detections
from evaluate.scoring import Held, Match, Outcome, match

NONE = np.zeros((0, 4))


def held(faces: list, ignored: list) -> Held:
    return Held(Path(), np.array(faces, float).reshape(-1, 4), np.array(ignored, float).reshape(-1, 4), True)


def found(rows: list[tuple[list[float], float]], scale: float = 1.0) -> Detections:
    return Detections(np.array([box for box, _ in rows], float).reshape(-1, 4), np.array([score for _, score in rows]), scale)


class MatchTest(unittest.TestCase):
    def test_a_face_is_found_once_by_the_surest(self) -> None:
        result = match(found([([0, 0, 10, 20], 0.9), ([0, 0, 10, 19], 0.8)], 0.5), held([[0, 0, 10, 20]], []))
        self.assertEqual(result.detections, [(0.9, 1, 10.0), (0.8, 0, 0.0)])
        self.assertEqual(result.face_heights, [10.0])

    def test_too_little_overlap_is_wrong(self) -> None:
        result = match(found([([0, 0, 10, 9], 0.9)]), held([[0, 0, 10, 20]], []))
        self.assertEqual(result.detections, [(0.9, 0, 0.0)])

    def test_how_much_overlap_is_enough_can_be_chosen(self) -> None:
        near, truth = found([([0, 0, 10, 9], 0.9)]), held([[0, 0, 10, 20]], [])
        self.assertEqual(match(near, truth, 0.4).detections, [(0.9, 1, 20.0)])
        self.assertEqual(match(near, truth, 0.5).detections, [(0.9, 0, 0.0)])

    def test_nothing_counts_where_labels_say_so(self) -> None:
        rows = [([42, 42, 48, 48], 0.9), ([30, 30, 60, 60], 0.8), ([0, 0, 6, 6], 0.7)]
        self.assertEqual(match(found(rows), held([], [[40, 40, 60, 60]])).detections, [(0.7, 0, 0.0)])

    def test_empty(self) -> None:
        self.assertEqual(match(found([]), held([], [])), Match([], []))


class OutcomeTest(unittest.TestCase):
    def setUp(self) -> None:
        first = Match([(0.9, 1, 40.0), (0.7, 0, 0.0)], [40.0, 10.0])
        second = Match([(0.8, 1, 20.0), (0.3, 0, 0.0)], [20.0, 100.0])
        self.outcome = Outcome.of([first, second])

    def test_figures_by_hand(self) -> None:
        o = self.outcome
        self.assertEqual(o.recall(0.5), 0.5)
        self.assertEqual(o.recall(0.85), 0.25)
        self.assertEqual(o.recall(0.5, 16), 2 / 3)
        self.assertEqual(o.recall(0.5, 16, 32), 1.0)
        self.assertTrue(np.isnan(o.recall(0.5, 200)))
        self.assertEqual(o.precision(0.5), 2 / 3)
        self.assertEqual((o.wrong(0.5), o.wrong(0.1)), (0.5, 1.0))
        self.assertEqual(o.average_precision(), 0.5)

    def test_threshold_is_the_lowest_allowed(self) -> None:
        self.assertEqual(self.outcome.threshold(0.4), 0.8)
        self.assertEqual(self.outcome.threshold(0.5), 0.7)
        self.assertEqual(self.outcome.threshold(9), 0.3)
        self.assertEqual(Outcome.of([Match([(0.9, 0, 0.0)], [])]).threshold(0), 1.0)

    def test_average_precision_counts_order(self) -> None:
        good = Outcome.of([Match([(0.9, 1, 9.0), (0.8, 0, 0.0), (0.7, 1, 9.0)], [9.0, 9.0])])
        self.assertAlmostEqual(good.average_precision(), 0.5 * 1 + 0.5 * 2 / 3)
        bad = Outcome.of([Match([(0.9, 0, 0.0), (0.8, 1, 9.0), (0.7, 1, 9.0)], [9.0, 9.0])])
        self.assertAlmostEqual(bad.average_precision(), 2 / 3)
