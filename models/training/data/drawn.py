"""Pictures without faces, drawn by code: what a detector trained on photographs fires at most, and what no one has to label.

What is drawn here has nothing like a face; figures.py has what does. Each drawing takes a numpy
generator and a side, and gives uint8 [side, side, 3], RGB.
"""
import math
import string

import cv2
import numpy as np
from numpy.random import Generator

FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, cv2.FONT_HERSHEY_SCRIPT_COMPLEX,
)  # fmt: skip


def any_colour(rng: Generator) -> np.ndarray:
    return rng.integers(0, 256, 3)


def _mix(rng: Generator, share: np.ndarray) -> np.ndarray:
    """Two colours mixed by `share` [S, S], 0..1."""
    low, high = any_colour(rng), any_colour(rng)
    return (low + (high - low) * share[..., None]).astype(np.uint8)


def grain(rng: Generator, side: int) -> np.ndarray:
    """Noise of 1 to 8 pixels a grain, in colour or grey, of all values or two, with hard or soft edges."""
    grain_side, channels = int(rng.integers(1, 9)), 3 if rng.random() < 0.6 else 1
    count = side // grain_side + 2
    if rng.random() < 0.6:
        values = rng.integers(0, 256, (count, count, channels), np.uint8)
    else:
        values = ((rng.random((count, count, channels)) < rng.uniform(0.2, 0.8)) * 255).astype(np.uint8)
    size = (count * grain_side,) * 2
    how = cv2.INTER_NEAREST if rng.random() < 0.5 else cv2.INTER_LINEAR
    enlarged = cv2.resize(values, size, interpolation=how).reshape(*size, channels)[:side, :side]
    return np.ascontiguousarray(np.broadcast_to(enlarged, (side, side, 3)))


def waves(rng: Generator, side: int) -> np.ndarray:
    """Gratings, checks or rings, soft or hard, at any angle: blinds, tiles, grilles, wood, targets."""
    y, x = np.mgrid[:side, :side].astype(np.float32)
    angle, frequency = rng.uniform(0, math.pi), rng.uniform(0.05, 1.2)
    p, q = x * math.cos(angle) + y * math.sin(angle), y * math.cos(angle) - x * math.sin(angle)
    kind = rng.integers(3)
    if kind == 0:
        value = np.sin(p * frequency)
    elif kind == 1:
        value = np.sin(p * frequency) * np.sin(q * frequency)
    else:
        period = side / rng.integers(1, 7)
        value = np.sin(np.hypot(x % period - period / 2, y % period - period / 2) * frequency)
    return _mix(rng, (np.sign(value) if rng.random() < 0.5 else value) * 0.5 + 0.5)


def clouds(rng: Generator, side: int) -> np.ndarray:
    """Smooth blobs at several scales: skies, skin-like walls, blurred backgrounds."""
    value = np.zeros((side, side), np.float32)
    for octave in range(2, 6):
        coarse = rng.random((2**octave, 2**octave)).astype(np.float32) / 2 ** (octave * rng.uniform(0.3, 1.2))
        value += cv2.resize(coarse, (side, side), interpolation=cv2.INTER_CUBIC)
    span = max(float(value.max() - value.min()), 1e-6)
    return _mix(rng, (value - value.min()) / span)


def balls(rng: Generator, side: int) -> np.ndarray:
    """Shaded balls and eggs, some with two or three spots or a seam, on a mottled ground: what is round but no head."""
    picture = clouds(rng, side).astype(np.float32)
    y, x = np.mgrid[:side, :side].astype(np.float32)
    for _ in range(rng.integers(1, 9)):
        radius = side * math.exp(rng.uniform(math.log(0.03), math.log(0.35)))
        u = (x - rng.uniform(0, side)) / radius
        v = (y - rng.uniform(0, side)) / (radius * rng.uniform(0.8, 1.35))
        inside = u * u + v * v < 1
        depth = np.sqrt(np.clip(1 - u * u - v * v, 0, 1))
        light = rng.normal(size=3)
        light = light / np.linalg.norm(light)
        shade = 0.35 + 0.65 * np.clip(u * light[0] + v * light[1] + depth * abs(light[2]), 0, 1)
        ball = shade[..., None] * any_colour(rng)
        marks = np.zeros_like(inside)
        for _ in range(rng.integers(0, 4)):
            at = rng.uniform(-0.6, 0.6, 2)
            marks |= np.hypot(u - at[0], v - at[1]) < rng.uniform(0.05, 0.25)
        if rng.random() < 0.4:
            marks |= np.abs(np.hypot(u - rng.uniform(-1.5, 1.5), v) - 1) < 0.05
        ball[marks] = any_colour(rng)
        picture[inside] = ball[inside]
    return np.clip(picture, 0, 255).astype(np.uint8)


def scribbles(rng: Generator, side: int) -> np.ndarray:
    """Lines, ellipses and polygons at random: diagrams, logos, graffiti."""
    picture = clouds(rng, side) if rng.random() < 0.3 else np.full((side, side, 3), any_colour(rng), np.uint8)
    for _ in range(rng.integers(3, 40)):
        points = rng.integers(0, side, (int(rng.integers(2, 7)), 2)).astype(np.int32)
        colour, thickness = any_colour(rng).tolist(), int(rng.integers(1, 8))
        kind = rng.integers(4)
        if kind == 0:
            cv2.polylines(picture, [points], bool(rng.random() < 0.5), colour, thickness, cv2.LINE_AA)
        elif kind == 1:
            cv2.fillPoly(picture, [points], colour, cv2.LINE_AA)
        else:
            axes = (rng.integers(3, side // 3, 2)).tolist()
            thickness = -1 if kind == 2 else thickness
            cv2.ellipse(picture, points[0].tolist(), axes, rng.uniform(0, 360), 0, 360, colour, thickness, cv2.LINE_AA)
    return picture


def text(rng: Generator, side: int) -> np.ndarray:
    """A page, a sign or a screen: lines of made-up words in one or more sizes, level or turned, on a flat or mottled ground."""
    picture = clouds(rng, side) if rng.random() < 0.4 else np.full((side, side, 3), any_colour(rng), np.uint8)
    dark = picture.mean() > 128
    letters = list(string.ascii_letters + string.digits + ".,:;!?&%#@()oO08")
    y = 0.0
    while y < side:
        scale = math.exp(rng.uniform(math.log(0.3), math.log(4.0)))
        for _ in range(rng.integers(1, 6)):
            y += 34 * scale
            line = " ".join("".join(rng.choice(letters, rng.integers(1, 11))) for _ in range(rng.integers(1, 12)))
            ink = rng.integers(0, 90, 3) if dark else rng.integers(165, 256, 3)
            at = (int(rng.integers(-side // 4, side // 4)), int(y))
            weight = max(1, round(scale * rng.uniform(0.8, 4)))
            cv2.putText(picture, line, at, int(rng.choice(FONTS)), scale, ink.tolist(), weight, cv2.LINE_AA)
    turn = rng.uniform(-180, 180) if rng.random() < 0.25 else rng.normal(0, 4)
    matrix = cv2.getRotationMatrix2D((side / 2, side / 2), turn, rng.uniform(1, 1.4))
    return cv2.warpAffine(picture, matrix, (side, side), borderMode=cv2.BORDER_REFLECT)
