"""Weights between those of a folder and those that `night.together` ended with, as files again.

usage: python3 -m night.blend OUT/state_end.pt --models models --out NEW [--ours 1 --yunet 1 --verifier 0]
The shares say how far to go: 0 leaves a network as it is.
"""
import argparse
from pathlib import Path

import torch
from torch import Tensor, nn

from night.folded import read_folded, read_verifier, write_folded
from night.yunet import read_yunet, write_yunet
from train.learner import read_checkpoint

OURS, YUNET = "face_detector.onnx", "yunet_n.onnx"


@torch.no_grad()
def towards(model: nn.Module, state: dict[str, Tensor], share: float) -> nn.Module:
    """The model, its weights moved that share of the way, 0..1."""
    for name, value in model.state_dict().items():
        value.lerp_(state[name], share)
    return model


def blend(state: dict[str, dict[str, Tensor]], models: Path, out: Path, shares: dict[str, float]) -> None:
    """Writes both files into `out`."""
    out.mkdir(parents=True, exist_ok=True)
    ours = towards(read_folded(models / OURS), state["ours"], shares["ours"])
    verifier = towards(read_verifier(models / OURS), state["verifier"], shares["verifier"])
    yunet = towards(read_yunet(models / YUNET), state["yunet"], shares["yunet"])
    write_folded(ours, verifier, models / OURS, out / OURS)
    write_yunet(yunet, models / YUNET, out / YUNET)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("state", type=Path)
    parser.add_argument("--models", required=True, type=Path)
    parser.add_argument("--out", required=True, type=Path)
    for name, share in (("ours", 1.0), ("yunet", 1.0), ("verifier", 0.0)):
        parser.add_argument(f"--{name}", type=float, default=share)
    a = parser.parse_args()
    blend(read_checkpoint(a.state), a.models, a.out, dict(ours=a.ours, yunet=a.yunet, verifier=a.verifier))


if __name__ == "__main__":
    main()
