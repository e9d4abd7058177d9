"""How often detectors take drawings for faces: cats, dogs, dolls, statues, cartoons, food, as drawings.py makes them.

usage: python3 -m evaluate.fooled ours=last.pt@2.2,-0.14 previous=../face_detector.onnx yunet=yunet_n_dynamic.onnx [--count 60] [--seed 1000]
Of each kind `count` drawings, with a seed that no training used (train.py's are small): boxes a drawing at the confidence. What it does not say is
how often photographs of real cats and statues fool them: there are none at hand.
"""
import argparse
from collections.abc import Callable

import numpy as np
from numpy.random import Generator

from evaluate.detectors import Detector, open_detectors
from data.figures import FIGURES

SIDE = 384


def boxes_a_drawing(
    detector: Detector, draw: Callable[[Generator, int], np.ndarray], count: int, seed: int, confidence: float
) -> float:
    """The same drawings for every detector; all boxes on them are wrong."""
    rng = np.random.default_rng(seed)
    found = (detector.detect(draw(rng, SIDE), SIDE).scores >= confidence for _ in range(count))
    return float(sum(scores.sum() for scores in found) / count)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("detectors", nargs="+", help="name=file.onnx or name=last.pt[@scale,bias]")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--confidence", type=float, default=0.6)
    a = parser.parse_args()
    print(f"\n### Boxes a drawing, at confidence {a.confidence:g}: {a.count} drawings of each kind\n")
    print("| detector | " + " | ".join(draw.__name__ for draw in FIGURES) + " |")
    print("|---" * (len(FIGURES) + 1) + "|")
    with open_detectors(a.detectors) as detectors:
        for detector in detectors:
            rates = (boxes_a_drawing(detector, draw, a.count, a.seed, a.confidence) for draw in FIGURES)
            print(f"| {detector.name} | " + " | ".join(f"{rate:.2f}" for rate in rates) + " |", flush=True)


if __name__ == "__main__":
    main()
