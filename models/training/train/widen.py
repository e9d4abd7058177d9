"""A larger network that gives what a trained smaller one gives, to be trained on: more channels, more residual blocks.

usage: python3 -m train.widen last.pt --out larger.pt --cfg '{"c":[16,40,96,128,160],"n":[1,3,4,3],"neck":96}'
The idea is Net2Net's (Chen et al., arXiv:1511.05641). Here new channels start with random filters of their own, so that they
need not be told apart first, and weigh 0 in what was there; new blocks end in a batch norm of weight 0, and so add nothing to
their input. All of it learns from the first step. The optimiser begins anew.
"""
import argparse
import json
import re
from pathlib import Path

import torch
from torch import Tensor

from train.learner import Learner, Settings, read_checkpoint
from train.model import FaceNet

# Scale and offset that a residual block ends in.
BLOCK_END = re.compile(r"s(?:4|8|16|32)\.\d+\.bn\.(?:weight|bias)$")


def _placed(key: str, old: Tensor, fresh: Tensor) -> Tensor:
    """`fresh` with `old` in its first rows and columns; what old outputs take of new inputs is 0."""
    if old.dim() != fresh.dim() or any(was > now for was, now in zip(old.shape, fresh.shape)):
        raise ValueError(f"{key}: expected a network that is nowhere smaller, but {tuple(old.shape)} became {tuple(fresh.shape)}")
    if old.dim() == 0:
        return old.clone()
    placed = fresh.clone()
    rows = slice(0, old.shape[0])
    if old.dim() == 4:
        placed[rows] = 0
        placed[rows, : old.shape[1]] = old
    else:
        placed[rows] = old
    return placed


def widened(state: dict[str, Tensor], cfg: dict, seed: int = 0) -> dict[str, Tensor]:
    """
    The weights of a network of `cfg` that gives what `state` gives;
    the same for the same seed. ValueError where `cfg` is smaller.
    """
    torch.manual_seed(seed)
    larger = {}
    for key, fresh in FaceNet(**cfg).state_dict().items():
        if key in state:
            larger[key] = _placed(key, state[key], fresh)
        elif BLOCK_END.match(key):
            larger[key] = torch.zeros_like(fresh)
        else:
            larger[key] = fresh
    if lost := state.keys() - larger.keys():
        raise ValueError(f"expected no fewer blocks, but {min(lost)} has no place")
    return larger


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", help="last.pt; its averaged weights are what grows")
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--cfg", required=True, type=json.loads)
    parser.add_argument("--seed", type=int, default=0)
    a = parser.parse_args()
    checkpoint = read_checkpoint(a.checkpoint)
    model = FaceNet(**a.cfg)
    model.load_state_dict(widened(checkpoint["ema"], a.cfg, a.seed))
    learner = Learner(model, Settings(1e-3, 0.0, 0.9, 1), torch.device("cpu"))
    learner.steps = checkpoint["it"]
    learner.save(a.out)


if __name__ == "__main__":
    main()
