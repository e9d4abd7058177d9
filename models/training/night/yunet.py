"""YuNet-n as a network that can be trained on: its weights out of the ONNX file, and back into a copy of it.

The file's norms are folded into its convolutions, and there are none here either: what is trained is what is run.
"""
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from train.model import STRIDES

CHANNELS = 64
# Channels of the first units, as (in, out), up to stride 4; all others have CHANNELS.
FIRST = {"backbone.model0.conv2": (16, 16), "backbone.model1.conv1": (16, 16), "backbone.model1.conv2": (16, CHANNELS)}
STAGES = (
    ("backbone.model0.conv2",),
    ("backbone.model1.conv1", "backbone.model1.conv2", "backbone.model2.conv1", "backbone.model2.conv2"),
    *((f"backbone.model{i}.conv1", f"backbone.model{i}.conv2") for i in (3, 4, 5)),
)
LEVELS = range(len(STRIDES))
LATERALS = tuple(f"neck.lateral_convs.{level}" for level in reversed(LEVELS))
TOWERS = tuple(f"bbox_head.multi_level_share_convs.{level}.0" for level in LEVELS)
# What the heads say of a cell, in the order of the output.
HEADS = (("cls", 1), ("obj", 1), ("bbox", 4))
STEM = ("459", "460")
# The file numbers the tensors of the depthwise convolutions, each three after the one before, in this order.
NUMBERED = (*(name for stage in STAGES for name in stage), *LATERALS, *TOWERS)
FIRST_NUMBER, NUMBERS_APART = 462, 3


class Unit(nn.Module):
    """A pointwise convolution, then a depthwise one."""

    def __init__(self, inputs: int, outputs: int):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 1)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, groups=outputs)

    def forward(self, x: Tensor) -> Tensor:
        return self.conv2(self.conv1(x))


def _key(name: str) -> str:
    """Names of modules have no dots."""
    return name.replace(".", "/")


class YuNet(nn.Module):
    """forward: images [B, 3, S, S], RGB, 0..255, sides multiples of 32 -> for each stride [B, 6, S/stride, S/stride]: logits
    of cls and obj, then the box as dx, dy of its middle from the cell's corner and log sides, in strides."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 16, 3, stride=2, padding=1)
        self.units = nn.ModuleDict({_key(name): Unit(*FIRST.get(name, (CHANNELS, CHANNELS))) for name in NUMBERED})
        self.heads = nn.ModuleList(nn.ModuleDict({kind: Unit(CHANNELS, n) for kind, n in HEADS}) for _ in LEVELS)

    def _unit(self, name: str, x: Tensor) -> Tensor:
        return F.relu(self.units[_key(name)](x))

    def forward(self, images: Tensor) -> list[Tensor]:
        x = F.relu(self.stem(images.flip(1)))  # it sees blue first
        maps = []
        for index, stage in enumerate(STAGES):
            if index > 0:
                x = F.max_pool2d(x, 2)
            for name in stage:
                x = self._unit(name, x)
            maps.append(x)
        maps = maps[-len(STRIDES) :]
        fused: dict[int, Tensor] = {}
        for level, name in zip(reversed(LEVELS), LATERALS):
            coarser = fused.get(level + 1)
            of_both = maps[level] if coarser is None else maps[level] + F.interpolate(coarser, scale_factor=2.0)
            fused[level] = self._unit(name, of_both)
        towers = [self._unit(name, fused[level]) for level, name in enumerate(TOWERS)]
        return [torch.cat([head[kind](x) for kind, _ in HEADS], 1) for head, x in zip(self.heads, towers)]

    def tensors(self) -> dict[str, nn.Parameter]:
        """Every weight by its name in the file. The file's heads for landmarks are left out."""
        named = {STEM[0]: self.stem.weight, STEM[1]: self.stem.bias}
        for index, name in enumerate(NUMBERED):
            unit, number = self.units[_key(name)], FIRST_NUMBER + NUMBERS_APART * index
            named |= {f"{name}.conv1.weight": unit.conv1.weight, f"{name}.conv1.bias": unit.conv1.bias}
            named |= {str(number): unit.conv2.weight, str(number + 1): unit.conv2.bias}
        for level, head in enumerate(self.heads):
            for kind, _ in HEADS:
                for conv in ("conv1", "conv2"):
                    names = f"bbox_head.multi_level_{kind}.{level}.{conv}"
                    part = getattr(head[kind], conv)
                    named |= {f"{names}.weight": part.weight, f"{names}.bias": part.bias}
        return named


@torch.no_grad()
def read_yunet(path: str | Path) -> YuNet:
    """The network with the weights of a file. Raises KeyError where one is missing."""
    import onnx  # needed here and below alone
    from onnx import numpy_helper

    stored = {t.name: t for t in onnx.load(str(path)).graph.initializer}
    model = YuNet()
    for name, parameter in model.tensors().items():
        parameter.copy_(torch.from_numpy(np.array(numpy_helper.to_array(stored[name]))))
    return model


def write_yunet(model: YuNet, like: str | Path, path: str | Path) -> None:
    """Writes the weights into a copy of the file `like`; what is not trained stays as it is there."""
    import onnx
    from onnx import numpy_helper

    file = onnx.load(str(like))
    ours = model.tensors()
    for tensor in file.graph.initializer:
        if tensor.name in ours:
            values = ours[tensor.name].detach().float().numpy()
            tensor.CopyFrom(numpy_helper.from_array(np.ascontiguousarray(values), tensor.name))
    onnx.save(file, str(path))


def flatten(outputs: list[Tensor]) -> Tensor:
    """Maps of all strides -> [B, N, 6], the finest stride first, row by row."""
    return torch.cat([o.flatten(2) for o in outputs], 2).transpose(1, 2)


def corners(height: int, width: int, device: torch.device | str = "cpu") -> tuple[Tensor, Tensor]:
    """Left upper corners [N, 2] (x, y) of the cells in pixels, and their strides [N]; the order of `flatten`."""
    at, strides = [], []
    for stride in STRIDES:
        rows, columns = height // stride, width // stride
        y, x = torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij")
        at.append(torch.stack([x, y], -1).reshape(-1, 2).float() * stride)
        strides.append(torch.full((rows * columns,), float(stride)))
    return torch.cat(at).to(device), torch.cat(strides).to(device)


def log_score(cells: Tensor) -> Tensor:
    """Logarithm [B, N] of the score: the geometric mean of both probabilities."""
    return (F.logsigmoid(cells[..., 0]) + F.logsigmoid(cells[..., 1])) / 2


def boxes_of(cells: Tensor, at: Tensor, strides: Tensor) -> Tensor:
    """[B, N, 4]: left, top, right, bottom in pixels."""
    middle = at + cells[..., 2:4] * strides[:, None]
    half = cells[..., 4:6].clamp(-6, 6).exp() * strides[:, None] / 2
    return torch.cat([middle - half, middle + half], -1)
