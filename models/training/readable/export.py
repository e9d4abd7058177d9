"""Checkpoint -> models/readable_detector.onnx: batch norm folded, weights rounded, maps after the sigmoid.

usage: python3 -m readable.export last.pt readable_detector.onnx [--bits 7]
"""
import argparse
import copy
import hashlib
import inspect
import warnings
from pathlib import Path

import torch
from torch import Tensor, nn

from readable.network import ReadableNet
from release.round_weights import SMALL, rounded
from train.model import Sep, fold

OPSET = 13


def network_of(path: str | Path) -> ReadableNet:
    """The network of a checkpoint with its averaged weights, for use."""
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    model = ReadableNet(**checkpoint["cfg"])
    model.load_state_dict(checkpoint["ema"])
    return model.eval()


class Exported(nn.Module):
    """The graph as shipped. forward: image [1, 3, H, W], RGB, 0..255 -> maps [1, 2, H/4, W/4], probabilities."""

    def __init__(self, model: ReadableNet, bits: int):
        super().__init__()
        model = copy.deepcopy(model).eval()
        model.stem, model.stem_bn = fold(model.stem, model.stem_bn), nn.Identity()
        for block in model.modules():
            if isinstance(block, Sep):
                block.pw, block.bn = fold(block.pw, block.bn), nn.Identity()
        for weights in model.parameters():
            if weights.numel() > SMALL:
                weights.data = torch.from_numpy(rounded(weights.detach().numpy(), bits).copy())
        self.model = model.requires_grad_(False)

    def forward(self, image: Tensor) -> Tensor:
        return self.model(image).sigmoid()


def export(model: ReadableNet, path: str | Path, bits: int = 7) -> None:
    """Writes the file and has it checked against the ONNX specification. bits: of mantissa that weights keep."""
    import onnx  # needed here alone

    # Since 2.5 PyTorch has a second exporter, by another way of tracing; this one's graphs are the ones measured.
    traced = {"dynamo": False} if "dynamo" in inspect.signature(torch.onnx.export).parameters else {}
    axes = {"image": {2: "h", 3: "w"}, "maps": {2: "h4", 3: "w4"}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # shapes of constants that nothing here depends on
        torch.onnx.export(
            Exported(model, bits), torch.zeros(1, 3, 320, 256), str(path), opset_version=OPSET,
            input_names=["image"], output_names=["maps"], dynamic_axes=axes, **traced,
        )  # fmt: skip
    onnx.checker.check_model(onnx.load(str(path)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint")
    parser.add_argument("onnx", type=Path)
    parser.add_argument("--bits", type=int, default=7)
    a = parser.parse_args()
    model = network_of(a.checkpoint)
    export(model, a.onnx, a.bits)
    data = a.onnx.read_bytes()
    parameters = sum(p.numel() for p in model.parameters())
    digest = hashlib.sha256(data).hexdigest()
    print(f"{a.onnx}: {len(data):,} bytes, {parameters:,} parameters, opset {OPSET}, SHA-256 {digest}")


if __name__ == "__main__":
    main()
