import math
import unittest

import numpy as np

from release.calibrate import LEAST_SLOPE, MOST_SLOPE, crossed, logit, scalars, slope
from evaluate.scoring import Match, Outcome


def pictures(count: int, seed: int) -> list[Match]:
    """A detector whose scores mean too little: right ones about 0.45, wrong ones about 0.25."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        rows = [(float(1 / (1 + math.exp(-rng.normal(-0.2, 0.5)))), 1, 30.0) for _ in range(3)]
        rows += [(float(1 / (1 + math.exp(-rng.normal(-1.2, 0.5)))), 0, 0.0)]
        made.append(Match(sorted(rows, reverse=True), [30.0] * 4))
    return made


class CalibrateTest(unittest.TestCase):
    def test_puts_the_threshold_at_the_default(self) -> None:
        matches = pictures(200, 0)
        result = scalars(matches, 0.1)
        calibrated = 1 / (1 + math.exp(-(result["scale"] * float(logit(result["threshold"])) + result["bias"])))
        self.assertAlmostEqual(calibrated, 0.6)
        self.assertLessEqual(result["wrong_a_picture"], 0.1)
        self.assertGreater(result["wrong_a_picture"], 0.08)
        self.assertTrue(0.5 < result["recall_from_16"] <= 0.75)

    def test_slope_is_a_logistic_regressions(self) -> None:
        rng = np.random.default_rng(1)
        logits = rng.normal(0, 2, 20_000)
        right = rng.random(20_000) < 1 / (1 + np.exp(-(1.4 * logits + 0.3)))
        self.assertAlmostEqual(slope(logits, right), 1.4, delta=0.06)
        self.assertEqual(slope(logits, logits > 0), MOST_SLOPE)
        self.assertEqual(slope(logits, logits < 0), LEAST_SLOPE)

    def test_halves_are_tried_crosswise(self) -> None:
        matches = pictures(200, 2)
        halves = crossed(matches, 0.1)
        first, second = Outcome.of(matches[0::2]), Outcome.of(matches[1::2])
        self.assertEqual(halves[0]["wrong_a_picture"], first.wrong(second.threshold(0.1)))
        self.assertEqual(halves[1]["recall_from_16"], second.recall(first.threshold(0.1), 16))
        for half in halves:
            self.assertTrue(0.02 < half["wrong_a_picture"] < 0.3)
