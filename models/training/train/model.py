"""The face detector's network: anchor-free, one class, three strides; about 0.15 million parameters as configured by default.

Separable blocks (depthwise 3x3, then pointwise: MobileNets, Howard et al., arXiv:1704.04861) down to strides 8, 16 and 32, a
top-down additive neck (feature pyramids, Lin et al., arXiv:1612.03144) and one head a stride. Every cell gives a face logit
and dx, dy, log w, log h in units of its stride, from its centre (FCOS, Tian et al., arXiv:1904.01355, has the idea).

Input: float32 [B, 3, H, W], RGB, 0..255 (normalised inside), H and W multiples of 32. The names of the parts are the keys of
the checkpoints: renaming one makes old checkpoints unreadable.
"""
import torch
import torch.nn.functional as F
from torch import Tensor, nn

STRIDES = (8, 16, 32)

# exp() of the clamped log sides spans boxes of 1/55 to 148 strides: far beyond any face, and finite in the exported graph.
LEAST_LOG_SIDE, MOST_LOG_SIDE = -4.0, 5.0


class Sep(nn.Module):
    """Depthwise 3x3, pointwise, batch norm, ReLU; with `res` the input is added back where the shape allows."""

    def __init__(self, i: int, o: int, s: int = 1, res: bool = False):
        super().__init__()
        self.dw = nn.Conv2d(i, i, 3, s, 1, groups=i, bias=False)
        self.pw = nn.Conv2d(i, o, 1, bias=False)
        self.bn = nn.BatchNorm2d(o, momentum=0.03)
        self.res = res and s == 1 and i == o

    def forward(self, x: Tensor) -> Tensor:
        y = self.bn(self.pw(self.dw(x)))
        return F.relu(y + x if self.res else y, inplace=True)


def stage(i: int, o: int, extra: int) -> nn.Sequential:
    """Halves the resolution, then `extra` residual blocks."""
    return nn.Sequential(Sep(i, o, 2), *[Sep(o, o, res=True) for _ in range(extra)])


class FaceNet(nn.Module):
    """
    c: channels of the stem and at strides 4, 8, 16, 32; n: residual blocks at strides 4, 8, 16, 32; neck: channels there.
    forward: [B, 3, H, W] -> for each stride [B, 5, H/stride, W/stride], channels logit, dx, dy, log w, log h.
    """

    def __init__(self, c: tuple[int, ...] = (16, 32, 64, 96, 128), n: tuple[int, ...] = (1, 2, 3, 2), neck: int = 64):
        super().__init__()
        self.cfg = dict(c=tuple(c), n=tuple(n), neck=neck)
        self.stem = nn.Conv2d(3, c[0], 3, 2, 1, bias=False)
        self.stem_bn = nn.BatchNorm2d(c[0], momentum=0.03)
        self.s4, self.s8 = stage(c[0], c[1], n[0]), stage(c[1], c[2], n[1])
        self.s16, self.s32 = stage(c[2], c[3], n[2]), stage(c[3], c[4], n[3])
        self.lat = nn.ModuleList(nn.Conv2d(k, neck, 1) for k in c[2:5])
        self.fuse = nn.ModuleList(Sep(neck, neck) for _ in STRIDES)
        self.tower = nn.ModuleList(Sep(neck, neck) for _ in STRIDES)
        self.head = nn.ModuleList(nn.Conv2d(neck, 5, 1) for _ in STRIDES)
        self._initialise()

    def _initialise(self) -> None:
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                if m.groups > 1:
                    nn.init.normal_(m.weight, std=1 / 3)  # nine inputs a sum: the variance stays 1
                else:
                    nn.init.kaiming_normal_(m.weight, nonlinearity="relu")
                if m.bias is not None:
                    nn.init.zeros_(m.bias)
        for h in self.head:
            nn.init.normal_(h.weight, std=0.01)
            # A prior of 1 % faces (focal loss, arXiv:1708.02002, section 4.1) and a typical box of 2 x 2.5 strides.
            h.bias.data.copy_(torch.tensor([-4.6, 0.0, 0.0, 0.7, 0.9]))

    def forward(self, x: Tensor) -> list[Tensor]:
        x = (x - 127.5) * (1 / 58.0)  # about the mean and deviation of photographs' values
        x = F.relu(self.stem_bn(self.stem(x)), inplace=True)
        p8 = self.s8(self.s4(x))
        p16 = self.s16(p8)
        p32 = self.s32(p16)
        a32 = self.fuse[2](self.lat[2](p32))
        a16 = self.fuse[1](self.lat[1](p16) + F.interpolate(a32, scale_factor=2.0, mode="nearest"))
        a8 = self.fuse[0](self.lat[0](p8) + F.interpolate(a16, scale_factor=2.0, mode="nearest"))
        return [h(t(a)) for h, t, a in zip(self.head, self.tower, (a8, a16, a32))]


def flatten(outputs: list[Tensor]) -> Tensor:
    """[B, 5, h, w] for each stride -> [B, N, 5], finest stride first, row by row."""
    return torch.cat([o.flatten(2) for o in outputs], 2).transpose(1, 2)


def cells(height: int, width: int, device: torch.device | None = None) -> tuple[Tensor, Tensor]:
    """Centres [N, 2] in pixels and strides [N] of the cells, in the order of `flatten`."""
    centres, strides = [], []
    for s in STRIDES:
        y, x = torch.meshgrid(
            torch.arange(height // s, device=device), torch.arange(width // s, device=device), indexing="ij"
        )
        centres.append(((torch.stack([x, y], -1) + 0.5) * s).reshape(-1, 2))
        strides.append(torch.full((x.numel(),), float(s), device=device))
    return torch.cat(centres), torch.cat(strides)


def decode(regression: Tensor, centres: Tensor, strides: Tensor) -> Tensor:
    """dx, dy, log w, log h [..., N, 4] -> left, top, right, bottom in pixels."""
    c = centres + regression[..., :2] * strides[:, None]
    half = regression[..., 2:].clamp(LEAST_LOG_SIDE, MOST_LOG_SIDE).exp() * strides[:, None] * 0.5
    return torch.cat([c - half, c + half], -1)


def fold(conv: nn.Conv2d, norm: nn.BatchNorm2d) -> nn.Conv2d:
    """One convolution that gives what `conv` and then `norm` (with its running statistics) give."""
    k = norm.weight / (norm.running_var + norm.eps).sqrt()
    folded = nn.Conv2d(
        conv.in_channels, conv.out_channels, conv.kernel_size, conv.stride, conv.padding, groups=conv.groups
    )
    bias = 0 if conv.bias is None else conv.bias * k
    folded.weight.data = (conv.weight * k.reshape(-1, 1, 1, 1)).detach()
    folded.bias.data = (norm.bias - norm.running_mean * k + bias).detach()
    return folded
