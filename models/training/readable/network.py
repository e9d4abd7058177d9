"""The network that finds what can be read: a map of text and one of number plates at a quarter of the picture's sides.

Layers are those of the face detector (train/model.py: separable blocks, a top-down additive neck), so that the image core runs
both; the neck goes up to stride 4, where the maps are. Maps are of kernels, words shrunk about their middle (kernels.py), so
that neighbours stay apart (Liao et al., Real-time Scene Text Detection with Differentiable Binarization, arXiv:1911.08947).

Input: float32 [B, 3, H, W], RGB, 0..255 (normalised inside), H and W multiples of 32. The names of the parts are the keys of
the checkpoints and of the exported file.
"""
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from train.model import Sep, stage

KINDS = ("text", "plate")
STRIDE = 4


class ReadableNet(nn.Module):
    """
    c: channels of the stem and at strides 4, 8, 16, 32; n: residual blocks at strides 4, 8, 16, 32; neck: channels there.
    forward: [B, 3, H, W] -> logits [B, 2, H/4, W/4] of KINDS.
    """

    def __init__(self, c: tuple[int, ...] = (16, 24, 48, 80, 112), n: tuple[int, ...] = (1, 2, 3, 2), neck: int = 32):
        super().__init__()
        self.cfg = dict(c=tuple(c), n=tuple(n), neck=neck)
        self.stem = nn.Conv2d(3, c[0], 3, 2, 1, bias=False)
        self.stem_bn = nn.BatchNorm2d(c[0], momentum=0.03)
        self.s4, self.s8 = stage(c[0], c[1], n[0]), stage(c[1], c[2], n[1])
        self.s16, self.s32 = stage(c[2], c[3], n[2]), stage(c[3], c[4], n[3])
        self.lat = nn.ModuleList(nn.Conv2d(k, neck, 1) for k in c[1:])
        self.fuse = nn.ModuleList(Sep(neck, neck) for _ in c[1:])
        self.head = nn.Conv2d(neck, len(KINDS), 1)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out" if m.groups == 1 else "fan_in", nonlinearity="relu")
        nn.init.normal_(self.head.weight, std=0.01)
        # A prior of 5 % text and 1 % plates.
        self.head.bias.data.copy_(torch.tensor([-2.9, -4.6]))

    def forward(self, x: Tensor) -> Tensor:
        x = (x - 127.5) * (1 / 58.0)  # about the mean and deviation of photographs' values
        x = F.relu(self.stem_bn(self.stem(x)), inplace=True)
        maps = []
        for blocks in (self.s4, self.s8, self.s16, self.s32):
            x = blocks(x)
            maps.append(x)
        merged = self.fuse[3](self.lat[3](maps[3]))
        for level in (2, 1, 0):
            wider = F.interpolate(merged, scale_factor=2.0, mode="nearest")
            merged = self.fuse[level](self.lat[level](maps[level]) + wider)
        return self.head(merged)
