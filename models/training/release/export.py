"""Checkpoint -> the ONNX file of ../README.md's contract: batch norm folded, boxes decoded in the graph, scores calibrated.

usage: python3 -m release.export last.pt face_detector.onnx [--scale 1 --bias 0]
Confidence = sigmoid(scale * logit + bias): two scalars that calibrate.py proposes, folded into the heads.
"""
import argparse
import copy
import hashlib
import inspect
import warnings
from pathlib import Path

import torch
from torch import Tensor, nn

from train.learner import averaged_network
from train.model import LEAST_LOG_SIDE, MOST_LOG_SIDE, STRIDES, FaceNet, Sep, fold

OPSET = 13


class Exported(nn.Module):
    """
    The graph as shipped. forward: image [1, 3, H, W], RGB, 0..255 -> boxes [1, N, 4] (left, top, right, bottom in pixels of the
    image, not clipped), scores [1, N], N = HW/64 + HW/256 + HW/1024.
    """

    def __init__(self, model: FaceNet, scale: float = 1.0, bias: float = 0.0):
        super().__init__()
        model = copy.deepcopy(model).eval()
        model.stem, model.stem_bn = fold(model.stem, model.stem_bn), nn.Identity()
        for block in model.modules():
            if isinstance(block, Sep):
                block.pw, block.bn = fold(block.pw, block.bn), nn.Identity()
        for head in model.head:
            head.weight.data[0] *= scale
            head.bias.data[0] = head.bias.data[0] * scale + bias
        self.model = model.requires_grad_(False)

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor]:
        boxes, logits = [], []
        for output, stride in zip(self.model(image), STRIDES):
            # Cell positions by running sums of ones: they follow H and W, which a constant in the graph would not.
            ones = torch.ones_like(output[:, :1])
            centre = torch.cat([torch.cumsum(ones, 3), torch.cumsum(ones, 2)], 1) - 0.5 + output[:, 1:3]
            half = output[:, 3:5].clamp(LEAST_LOG_SIDE, MOST_LOG_SIDE).exp() * 0.5
            boxes.append((torch.cat([centre - half, centre + half], 1) * float(stride)).flatten(2))
            logits.append(output[:, 0].flatten(1))
        return torch.cat(boxes, 2).transpose(1, 2), torch.cat(logits, 1).sigmoid()


def export(model: FaceNet, path: str | Path, scale: float = 1.0, bias: float = 0.0) -> None:
    """Writes the file and has it checked against the ONNX specification."""
    import onnx  # needed here alone

    # Since 2.5 PyTorch has a second exporter, by another way of tracing; this one's graphs are the ones measured.
    traced = {"dynamo": False} if "dynamo" in inspect.signature(torch.onnx.export).parameters else {}
    axes = {"image": {2: "h", 3: "w"}, "boxes": {1: "n"}, "scores": {1: "n"}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # shapes of constants that nothing here depends on
        torch.onnx.export(
            Exported(model, scale, bias), torch.zeros(1, 3, 320, 256), str(path), opset_version=OPSET,
            input_names=["image"], output_names=["boxes", "scores"], dynamic_axes=axes, **traced,
        )  # fmt: skip
    onnx.checker.check_model(onnx.load(str(path)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint")
    parser.add_argument("onnx", type=Path)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--bias", type=float, default=0.0)
    a = parser.parse_args()
    model = averaged_network(a.checkpoint)
    export(model, a.onnx, a.scale, a.bias)
    data = a.onnx.read_bytes()
    parameters = sum(p.numel() for p in model.parameters())
    digest = hashlib.sha256(data).hexdigest()
    print(f"{a.onnx}: {len(data):,} bytes, {parameters:,} parameters, opset {OPSET}, SHA-256 {digest}")


if __name__ == "__main__":
    main()
