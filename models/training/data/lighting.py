"""Light and colour. All take images [n, 3, S, S] (RGB, 0..255) and give new ones; the caller clamps what leaves 0..255."""
import math

import torch
import torch.nn.functional as F
from torch import Tensor

from data.dice import Dice


def luma(images: Tensor) -> Tensor:
    """[n, 1, S, S], by the weights of ITU-R BT.601."""
    weights = torch.tensor([0.299, 0.587, 0.114], device=images.device).view(1, 3, 1, 1)
    return (images * weights).sum(1, keepdim=True)


def exposure(images: Tensor, dice: Dice) -> Tensor:
    """Brightness by a factor of 0.58 to 1.5, contrast about the mean by 0.6 to 1.35."""
    n = len(images)
    mean = images.mean((1, 2, 3), keepdim=True)
    return (images - mean) * dice.uniform(0.6, 1.35, n, 1, 1, 1) + mean * dice.uniform(-0.55, 0.4, n, 1, 1, 1).exp()


def tint(images: Tensor, dice: Dice) -> Tensor:
    """A cast: each channel by its own factor of 0.88 to 1.14; and saturation from 0.3 to 1.5."""
    n = len(images)
    grey = luma(images)
    saturated = grey + (images - grey) * dice.uniform(0.3, 1.5, n, 1, 1, 1)
    return saturated * dice.uniform(-0.13, 0.13, n, 3, 1, 1).exp()


# How much of red, green and blue codes melanin takes, against green: the logarithms of what dark skin has of light skin's
# (90, 60, 45 of 220, 175, 150, picked by eye). What it absorbs grows towards blue (Jacques, "Optical properties of biological
# tissues: a review", Physics in Medicine and Biology 58, 2013).
MELANIN = (0.83, 1.0, 1.12)


def complexion(images: Tensor, dice: Dice) -> Tensor:
    """Darker skin, down to a third of its light; what has another hue, and eyes, teeth and masks, stays."""
    n = len(images)
    red, green, blue = images.unbind(1)
    warm = torch.sigmoid((red - blue - 18) / 6) * torch.sigmoid((red - green - 6) / 4) * torch.sigmoid((130 - red + blue) / 10)
    skin = F.avg_pool2d(warm[:, None], 3, 1, 1, count_include_pad=False)
    taken = torch.tensor(MELANIN, device=images.device).view(1, 3, 1, 1) * dice.uniform(0.3, 1.1, n, 1, 1, 1)
    return images * (1 - skin * (1 - (-taken).exp()))


def monochrome(images: Tensor, dice: Dice) -> Tensor:
    """Grey; one in three toned: sepia, night vision, a tinted print."""
    n = len(images)
    tone = dice.uniform(0.75, 1.15, n, 3, 1, 1)
    return luma(images) * torch.where(dice.chance(0.33, n, 1, 1, 1), tone, torch.ones_like(tone))


def gamma(images: Tensor, dice: Dice) -> Tensor:
    """An exponent of 0.5 to 2."""
    power = dice.uniform(-0.7, 0.7, len(images), 1, 1, 1).exp()
    return 255 * (images / 255).clamp(1e-4, 1) ** power


def darkness(images: Tensor, dice: Dice) -> Tensor:
    """Too little light: down to a tenth of it, and the noise that then shows (deviation 1 to 6)."""
    n, side = len(images), images.shape[-1]
    lit = dice.log_uniform(0.1, 0.5, n, 1, 1, 1)
    return images * lit + dice.uniform(1, 6, n, 1, 1, 1) * dice.normal(n, 3, side, side)


def noise(images: Tensor, dice: Dice) -> Tensor:
    """A sensor's: deviation 2 to 14, half of it grey, half of it in colour."""
    n, side = len(images), images.shape[-1]
    strength = dice.uniform(2, 14, n, 1, 1, 1)
    channels = torch.where(dice.chance(0.5, n, 1, 1, 1), dice.normal(n, 3, side, side), dice.normal(n, 1, side, side))
    return images + strength * channels


def shadow(images: Tensor, at: Tensor, dice: Dice) -> Tensor:
    """
    A half plane in shadow, down to a seventh of the light, its edge sharp or soft, passing near the point `at` [n, 2] (x, y):
    through a face if there is one.
    """
    n, side = len(images), images.shape[-1]
    axis = torch.arange(side, device=images.device) + 0.5
    angle = dice.uniform(0, 2 * math.pi, n, 1, 1)
    across = (axis[None, None, :] - at[:, 0, None, None]) * angle.cos()
    down = (axis[None, :, None] - at[:, 1, None, None]) * angle.sin()
    softness = dice.log_uniform(1, side / 8, n, 1, 1)
    lit = torch.sigmoid((across + down + dice.uniform(-0.1, 0.1, n, 1, 1) * side) / softness)[:, None]
    left = dice.uniform(0.14, 0.5, n, 1, 1, 1)
    return images * (left + (1 - left) * lit)
