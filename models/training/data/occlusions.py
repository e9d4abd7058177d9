"""What people wear and hold before their faces, drawn over the right part of it in the face's own coordinates.

All take images [n, 3, S, S] (RGB, 0..255) and one face's frame each [n, 5] (`batches.Batch`), and give new images. In a face's
coordinates u runs from -0.5 (its right ear) to 0.5, v from -0.5 (hairline) to 0.5 (chin); eyes lie near v = -0.13, the mouth
near v = 0.25. The box stays that of the whole face: a covered face is to be found all the same.
"""
import torch
import torch.nn.functional as F
from torch import Tensor

from data.dice import Dice


def face_coordinates(frames: Tensor, side: int) -> tuple[Tensor, Tensor]:
    """u and v [n, S, S] of every pixel's middle."""
    axis = torch.arange(side, device=frames.device) + 0.5
    dx = axis[None, None, :] - frames[:, 0, None, None]
    dy = axis[None, :, None] - frames[:, 1, None, None]
    cos, sin = frames[:, 4].cos()[:, None, None], frames[:, 4].sin()[:, None, None]
    width, height = (frames[:, i].clamp(min=1)[:, None, None] for i in (2, 3))
    return (dx * cos + dy * sin) / width, (dy * cos - dx * sin) / height


def paint(images: Tensor, mask: Tensor, colour: Tensor, opacity: Tensor | float = 1.0) -> Tensor:
    """`colour` [n, 3, 1 or S, 1 or S] where `mask` [n, S, S] is true."""
    return torch.lerp(images, colour.expand_as(images), mask[:, None].to(images.dtype) * opacity)


def _each(dice: Dice, low: float, high: float, count: int) -> Tensor:
    return dice.uniform(low, high, count, 1, 1)


def _cloth(dice: Dice, count: int) -> Tensor:
    """Colours [n, 3, 1, 1] that cloth has: near white, light blue, near black, or any."""
    u = dice.uniform(0, 1, count, 1, 1, 1)
    white = dice.uniform(205, 255, count, 1, 1, 1).expand(-1, 3, 1, 1)
    blue = torch.tensor([150.0, 195.0, 225.0], device=dice.device).view(1, 3, 1, 1) + dice.uniform(-25, 25, count, 3, 1, 1)
    black = dice.uniform(5, 50, count, 1, 1, 1).expand(-1, 3, 1, 1)
    any_colour = dice.uniform(0, 255, count, 3, 1, 1)
    return torch.where(u < 0.3, white, torch.where(u < 0.55, blue, torch.where(u < 0.75, black, any_colour)))


def _grain(dice: Dice, count: int, side: int, strength: float) -> Tensor:
    """Soft noise [n, 1, S, S] about three pixels wide."""
    noise = dice.normal(count, 1, side // 3 + 1, side // 3 + 1) * strength
    return F.interpolate(noise, size=(side, side), mode="bilinear", align_corners=False)


def mask(images: Tensor, frames: Tensor, dice: Dice) -> Tensor:
    """Cloth from the nose (sometimes slipped below it) to under the chin, with folds and shade towards the cheeks."""
    n, side = len(images), images.shape[-1]
    u, v = face_coordinates(frames, side)
    top = _each(dice, -0.12, 0.12, n) + 0.25 * u.square()
    covered = (v > top) & (v < _each(dice, 0.46, 0.6, n)) & (u.abs() < 0.5 - 0.35 * (v - 0.15).clamp(min=0))
    folds = 1 + 0.08 * torch.sin(v * _each(dice, 20, 60, n)) - 0.9 * u.square()
    return paint(images, covered, (_cloth(dice, n) * folds[:, None]).clamp(0, 255))


def sunglasses(images: Tensor, frames: Tensor, dice: Dice) -> Tensor:
    """Two dark lenses, the bridge and the temples."""
    n, side = len(images), images.shape[-1]
    u, v = face_coordinates(frames, side)
    eyes, apart = _each(dice, -0.18, -0.06, n), _each(dice, 0.2, 0.25, n)
    wide, high = _each(dice, 0.14, 0.21, n), _each(dice, 0.08, 0.14, n)
    roundness = torch.where(dice.chance(0.5, n, 1, 1), 2.0, 5.0)  # exponent of the superellipse: round or squarish
    lens = ((u.abs() - apart).abs() / wide) ** roundness + ((v - eyes).abs() / high) ** roundness < 1
    bars = ((v - eyes + 0.04).abs() < 0.02) & ((u.abs() < apart) | (u.abs().sub(0.35).abs() < 0.15))
    shine = (1.4 - 2 * (v - eyes) / high).clamp(0.6, 1.8)  # lighter above: lenses mirror the sky
    colour = dice.uniform(5, 70, n, 1, 1, 1) + dice.uniform(-5, 25, n, 3, 1, 1).clamp(min=0)
    return paint(images, lens | bars, (colour * shine[:, None]).clamp(0, 255), dice.uniform(0.8, 1, n, 1, 1, 1))


def hat(images: Tensor, frames: Tensor, dice: Dice) -> Tensor:
    """A crown from above the head down to the brows, sometimes with a brim; the shade of the brim on the eyes."""
    n, side = len(images), images.shape[-1]
    u, v = face_coordinates(frames, side)
    edge = _each(dice, -0.36, -0.16, n)
    crown = (v < edge) & ((u / _each(dice, 0.5, 0.64, n)).abs() ** 3 + ((v - edge) / _each(dice, 0.35, 0.7, n)).abs() ** 3 < 1)
    brim = ((v - edge).abs() < _each(dice, 0.03, 0.08, n)) & (u.abs() < _each(dice, 0.55, 0.95, n)) & dice.chance(0.5, n, 1, 1)
    shaded = (v >= edge) & (v < edge + 0.2) & (u.abs() < 0.5)
    images = torch.where(shaded[:, None], images * dice.uniform(0.45, 1, n, 1, 1, 1), images)
    light = (1 - 0.8 * u.square()).clamp(min=0.3)[:, None]
    colour = (_cloth(dice, n) * light + _grain(dice, n, side, 8)).clamp(0, 255)
    return paint(images, crown | brim, colour)


def beard(images: Tensor, frames: Tensor, dice: Dice) -> Tensor:
    """Hair around mouth and chin, the mouth left free; black, brown, red, grey or white."""
    n, side = len(images), images.shape[-1]
    u, v = face_coordinates(frames, side)
    below = _each(dice, 0.5, 0.75, n)
    cheeks = (v > 0.12 + _each(dice, 0, 0.1, n) - 0.45 * u.square() * 2) & ((u / 0.5).square() + (v / below).square() < 1)
    mouth = (u / 0.2).square() + ((v - 0.26) / 0.06).square() < 1
    tones = torch.tensor(
        [[25, 22, 20], [70, 48, 32], [120, 75, 45], [125, 122, 118], [215, 212, 208]], dtype=torch.float32, device=dice.device
    )
    tone = tones[dice.integers(0, len(tones), n)][..., None, None] + _grain(dice, n, side, 22)
    return paint(images, cheeks & ~mouth, tone.clamp(0, 255), dice.uniform(0.75, 0.97, n, 1, 1, 1))


def patch(images: Tensor, frames: Tensor, dice: Dice) -> Tensor:
    """A hand, a phone, a microphone, a shoulder: a turned block of one colour, shaded, over up to half of the face."""
    n, side = len(images), images.shape[-1]
    u, v = face_coordinates(frames, side)
    at_u, at_v, turn = _each(dice, -0.5, 0.5, n), _each(dice, -0.3, 0.55, n), _each(dice, 0, 3.14159, n)
    p = (u - at_u) * turn.cos() + (v - at_v) * turn.sin()
    q = (v - at_v) * turn.cos() - (u - at_u) * turn.sin()
    block = (p.abs() < _each(dice, 0.15, 0.5, n)) & (q.abs() < _each(dice, 0.1, 0.24, n))
    colour = dice.uniform(0, 255, n, 3, 1, 1) * (1 + p * _each(dice, -0.8, 0.8, n))[:, None]
    return paint(images, block, (colour + _grain(dice, n, side, 6)).clamp(0, 255))
