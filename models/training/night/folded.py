"""Our detector and its verifier as their file has them: the norms folded, so that what is trained is what is run."""
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from train.model import FaceNet, Sep, fold
from train.restore import PREFIX as GRAPH, initializers, shape_of
from train.verifier import PREFIX, Verifier


class FoldedNet(FaceNet):
    """FaceNet without norms: its convolutions have biases instead."""

    def __init__(self, **cfg) -> None:
        super().__init__(**cfg)
        self.stem, self.stem_bn = fold(self.stem, self.stem_bn), nn.Identity()
        for block in self.modules():
            if isinstance(block, Sep):
                block.pw, block.bn = fold(block.pw, block.bn), nn.Identity()


def in_pairs(cells: Tensor) -> Tensor:
    """Our cells [B, N, 5] as YuNet's [B, N, 6]: the logit twice, boxes from the cell's corner."""
    logit, middle, sides = cells.split((1, 2, 2), -1)
    return torch.cat([logit, logit, middle + 0.5, sides], -1)


@torch.no_grad()
def read_folded(path: str | Path) -> FoldedNet:
    """With the weights of a file, its calibration with them."""
    weights = initializers(path)
    model = FoldedNet(**shape_of(weights))
    model.load_state_dict(weights)
    return model


def read_verifier(path: str | Path) -> Verifier:
    """The verifier in the detector's file."""
    weights = initializers(path, PREFIX)
    model = Verifier()
    model.load_state_dict(weights)
    return model


def write_folded(model: FoldedNet, verifier: Verifier, like: str | Path, path: str | Path) -> None:
    """Writes both networks' weights into a copy of the file `like`."""
    import onnx
    from onnx import numpy_helper

    file = onnx.load(str(like))
    ours = {GRAPH + name: value for name, value in model.state_dict().items()}
    ours |= {PREFIX + name: value for name, value in verifier.state_dict().items()}
    for tensor in file.graph.initializer:
        if tensor.name in ours:
            values = np.ascontiguousarray(ours.pop(tensor.name).detach().cpu().float().numpy())
            tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
    if ours:
        raise KeyError(f"{like} has no {next(iter(ours))}")
    onnx.save(file, str(path))
