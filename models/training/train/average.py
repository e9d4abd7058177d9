"""Averages the averaged weights of checkpoints of one run: flatter minima, fewer errors than its last checkpoint alone.

usage: python3 -m train.average --out averaged.pt first.pt second.pt [...]
Stochastic weight averaging (Izmailov et al., arXiv:1803.05407), of few checkpoints far apart: the end of a phase at a high
rate and the end of the decay after it. The result is for calibrate.py and export.py; a run resumed from it goes on with the
last one's optimiser.
"""
import argparse
from pathlib import Path

import torch

from train.learner import read_checkpoint


def averaged(checkpoints: list[dict]) -> dict:
    """The last checkpoint with the mean of all their averages. ValueError when they are of different networks."""
    last = checkpoints[-1]
    if any(checkpoint["cfg"] != last["cfg"] for checkpoint in checkpoints):
        raise ValueError("expected checkpoints of one network, but their cfg differ")

    def mean(key: str) -> torch.Tensor:
        values = [checkpoint["ema"][key] for checkpoint in checkpoints]
        return torch.stack(values).mean(0) if values[0].is_floating_point() else values[-1]

    return {**last, "ema": {key: mean(key) for key in last["ema"]}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoints", nargs="+", help="in the order of the run")
    parser.add_argument("--out", required=True, type=Path)
    a = parser.parse_args()
    torch.save(averaged([read_checkpoint(path) for path in a.checkpoints]), a.out)


if __name__ == "__main__":
    main()
