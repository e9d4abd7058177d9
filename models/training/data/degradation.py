"""What lenses, hands and codecs do. All take images [n, 3, S, S] (RGB, 0..255) and give new ones."""
import math

import torch
import torch.nn.functional as F
from torch import Tensor

from data.dice import Dice

REACH = 7  # of the blur kernels, in pixels from their middle

# ITU-T T.81, Annex K: tables K.1 (luminance) and K.2 (chrominance).
LUMINANCE = (
    (16, 11, 10, 16, 24, 40, 51, 61), (12, 12, 14, 19, 26, 58, 60, 55), (14, 13, 16, 24, 40, 57, 69, 56),
    (14, 17, 22, 29, 51, 87, 80, 62), (18, 22, 37, 56, 68, 109, 103, 77), (24, 35, 55, 64, 81, 104, 113, 92),
    (49, 64, 78, 87, 103, 121, 120, 101), (72, 92, 95, 98, 112, 100, 103, 99),
)  # fmt: skip
CHROMINANCE = (
    (17, 18, 24, 47, 99, 99, 99, 99), (18, 21, 26, 66, 99, 99, 99, 99), (24, 26, 56, 99, 99, 99, 99, 99),
    (47, 66, 99, 99, 99, 99, 99, 99), *((99,) * 8,) * 4,
)  # fmt: skip


def _convolve(images: Tensor, kernels: Tensor) -> Tensor:
    """Each image with its own kernel [n, k, k], edges mirrored."""
    n, channels, side, _ = images.shape
    kernels = (kernels / kernels.sum((1, 2), keepdim=True))[:, None].repeat_interleave(channels, 0)
    padded = F.pad(images, (kernels.shape[-1] // 2,) * 4, mode="reflect")
    flat = padded.reshape(1, n * channels, *padded.shape[2:])
    return F.conv2d(flat, kernels, groups=n * channels).view(n, channels, side, side)


def gaussian_blur(images: Tensor, dice: Dice) -> Tensor:
    """Out of focus: deviation 0.5 to 2.4 pixels."""
    t = torch.arange(-REACH, REACH + 1, device=images.device)
    sigma = dice.uniform(0.5, 2.4, len(images), 1)
    line = torch.exp(-t.square() / (2 * sigma.square()))
    return _convolve(images, line[:, :, None] * line[:, None, :])


def motion_blur(images: Tensor, dice: Dice) -> Tensor:
    """A straight movement of 3 to 11 pixels in any direction."""
    t = torch.arange(-REACH, REACH + 1, device=images.device)
    angle, length = dice.uniform(0, math.pi, len(images), 1, 1), dice.uniform(3, 11, len(images), 1, 1)
    along = t[None, None, :] * angle.cos() + t[None, :, None] * angle.sin()
    beside = t[None, :, None] * angle.cos() - t[None, None, :] * angle.sin()
    # One pixel wide, its borders soft, so that every direction keeps the same amount of light.
    kernel = (length / 2 + 0.5 - along.abs()).clamp(0, 1) * (1 - beside.abs()).clamp(min=0)
    return _convolve(images, kernel)


def low_resolution(images: Tensor, dice: Dice) -> Tensor:
    """Made small and enlarged again, by one factor of 0.35 to 0.8 for all of them."""
    side = images.shape[-1]
    small = max(8, round(side * dice.uniform(0.35, 0.8, 1).item()))
    reduced = F.interpolate(images, size=(small, small), mode="bilinear", align_corners=False, antialias=True)
    return F.interpolate(reduced, size=(side, side), mode="bilinear", align_corners=False)


def jpeg(images: Tensor, dice: Dice) -> Tensor:
    """Compressed at a quality of 8 to 70, low ones often; half of them with halved colour. Sides: multiples of 16."""
    quality = dice.log_uniform(8, 70, len(images))
    halved = dice.chance(0.5, len(images))
    out = torch.empty_like(images)
    for subsample in (False, True):
        part = (halved == subsample).nonzero().flatten()
        if len(part):
            out[part] = quantise(images[part], quality[part], subsample)
    return out


def quantise(images: Tensor, quality: Tensor, subsample: bool) -> Tensor:
    """
    The lossy part of baseline JPEG: YCbCr (JFIF 1.02), 8 x 8 DCT, quantisation by Annex K's tables scaled for `quality` [n]
    as the Independent JPEG Group's library does, and back; with `subsample`, colour at half the resolution (4:2:0).
    """
    y, cb, cr = _to_ycbcr(images)
    if subsample:
        cb, cr = F.avg_pool2d(cb, 2), F.avg_pool2d(cr, 2)
    y = _quantise_plane(y, LUMINANCE, quality)
    cb, cr = (_quantise_plane(plane, CHROMINANCE, quality) for plane in (cb, cr))
    if subsample:
        cb, cr = (F.interpolate(p, scale_factor=2.0, mode="bilinear", align_corners=False) for p in (cb, cr))
    rgb = torch.cat([y + 1.402 * cr, y - 0.344136 * cb - 0.714136 * cr, y + 1.772 * cb], 1)
    return (rgb + 128).clamp(0, 255)


def _to_ycbcr(images: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Planes [n, 1, S, S], all about zero."""
    r, g, b = images.split(1, 1)
    y = 0.299 * r + 0.587 * g + 0.114 * b
    return y - 128, (b - y) / 1.772, (r - y) / 1.402


def _quantise_plane(plane: Tensor, table: tuple[tuple[int, ...], ...], quality: Tensor) -> Tensor:
    n, _, height, width = plane.shape
    i = torch.arange(8, device=plane.device)
    transform = torch.cos(math.pi * (2 * i[None] + 1) * i[:, None] / 16) * 0.5
    transform[0] *= math.sqrt(0.5)
    scale = torch.where(quality < 50, 5000 / quality, 200 - 2 * quality)
    steps = torch.tensor(table, device=plane.device)[None] * scale[:, None, None]
    steps = ((steps + 50) / 100).floor().clamp(1, 255)[:, None, None]
    blocks = plane.view(n, height // 8, 8, width // 8, 8).transpose(2, 3)
    blocks = transform.T @ ((transform @ blocks @ transform.T / steps).round() * steps) @ transform
    return blocks.transpose(2, 3).reshape(n, 1, height, width)
