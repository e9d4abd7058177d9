"""Proposes the two scalars that make 0.6 the default: the lowest threshold with few enough wrong detections becomes 0.6.

usage: python3 -m release.calibrate last.pt --held FOLDER [--wrong 0.09] [--side 640] [--overlap 0.5]
The slope is a logistic regression of "is this detection right" on the logit (Platt, Probabilistic Outputs for Support Vector
Machines, 1999); the offset then puts the threshold at 0.6. Each half of the pictures is also tried with the other half's
threshold: figures on the pictures that the scalars come from flatter a little.
"""
import argparse
import json
import math

import numpy as np

from evaluate.detectors import open_detectors
from evaluate.scoring import LEAST_OVERLAP, Match, Outcome, matches_of, read_held

DEFAULT_CONFIDENCE = 0.6
# Slopes outside these would leave callers no useful range of confidences above or below the default.
LEAST_SLOPE, MOST_SLOPE = 0.7, 2.2


def logit(score: np.ndarray | float) -> np.ndarray:
    score = np.clip(score, 1e-6, 1 - 1e-6)
    return np.log(score / (1 - score))


def slope(logits: np.ndarray, right: np.ndarray) -> float:
    """Of the logistic regression, by damped Newton steps, within LEAST_SLOPE and MOST_SLOPE."""
    a, b = 1.0, 0.0
    for _ in range(200):
        p = 1 / (1 + np.exp(-np.clip(a * logits + b, -50, 50)))
        wrong, weight = p - right, p * (1 - p) + 1e-6
        gradient = np.array([(wrong * logits).sum(), wrong.sum()])
        mixed = (weight * logits).sum()
        curvature = np.array([[(weight * logits**2).sum(), mixed], [mixed, weight.sum()]])
        a, b = np.array([a, b]) - 0.5 * np.linalg.solve(curvature + 1e-9 * np.eye(2), gradient)
    return float(np.clip(a, LEAST_SLOPE, MOST_SLOPE))


def scalars(matches: list[Match], wrong: float) -> dict[str, float]:
    """From the matches of an uncalibrated detector: scale and bias for export.py, and what is reached with them."""
    outcome = Outcome.of(matches)
    threshold = outcome.threshold(wrong)
    scale = slope(logit(outcome.scores), outcome.right)
    return dict(
        scale=scale,
        bias=math.log(DEFAULT_CONFIDENCE / (1 - DEFAULT_CONFIDENCE)) - scale * float(logit(threshold)),
        threshold=threshold,
        recall=outcome.recall(threshold),
        recall_from_16=outcome.recall(threshold, 16),
        precision=outcome.precision(threshold),
        wrong_a_picture=outcome.wrong(threshold),
    )


def crossed(matches: list[Match], wrong: float) -> list[dict[str, float]]:
    """Each half at the other half's threshold."""
    halves = [matches[0::2], matches[1::2]]
    results = []
    for own, other in (halves, halves[::-1]):
        threshold, outcome = Outcome.of(other).threshold(wrong), Outcome.of(own)
        results.append(dict(recall_from_16=outcome.recall(threshold, 16), wrong_a_picture=outcome.wrong(threshold)))
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint")
    parser.add_argument("--held", required=True)
    parser.add_argument("--wrong", type=float, default=0.09, help="wrong detections a picture at 0.6")
    parser.add_argument("--side", type=int, default=640)
    parser.add_argument("--overlap", type=float, default=LEAST_OVERLAP, help="intersection over union that counts as right")
    parser.add_argument("--every", type=int, default=1, help="use every n-th picture only")
    a = parser.parse_args()
    with open_detectors([f"raw={a.checkpoint}"]) as (detector,):
        matches = matches_of(detector, read_held(a.held, a.every), a.side, a.overlap)

    def rounded(values: dict[str, float]) -> dict[str, float]:
        return {key: round(value, 4) for key, value in values.items()}

    print(json.dumps(rounded(scalars(matches, a.wrong)), indent=1))
    print("each half at the other's threshold:", json.dumps([rounded(half) for half in crossed(matches, a.wrong)]))


if __name__ == "__main__":
    main()
