"""A figure on a transparent sheet of its own, and scenes of such figures on a ground: what figures.py and statues.py draw with.

Sheets are drawn at one size, then shrunk or enlarged, so that a figure keeps its proportions and its edges are never the same.
"""
import math
from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.random import Generator

from data.drawn import any_colour, balls, clouds, grain, scribbles, waves

SHEET = 224
Y, X = (np.mgrid[:SHEET, :SHEET].astype(np.float32) + 0.5) * (2 / SHEET) - 1  # a sheet's coordinates, -1 to 1
Colour = Sequence[float] | np.ndarray
FRACTION = 4  # binary digits after the point in what OpenCV takes as coordinates


def _fixed(values: float | Sequence) -> np.ndarray:
    return np.rint((np.asarray(values, float) + 1) * (SHEET / 2 * 2**FRACTION)).astype(np.int32)


class Sketch:
    """Colours are premultiplied by the opacity: lines smoothed against nothing stay right however the sheet is resized."""

    def __init__(self) -> None:
        self.sheet = np.zeros((SHEET, SHEET, 4), np.uint8)

    def ellipse(
        self, x: float, y: float, rx: float, ry: float, colour: Colour, line: float = 0,
        turn: float = 0, start: float = 0, end: float = 360,
    ) -> None:  # fmt: skip
        """Filled, or with `line` its outline of that width; angles in degrees, clockwise from the right."""
        axes = (_fixed((rx, ry)) - _fixed(0)).tolist()
        self._draw(cv2.ellipse, (_fixed((x, y)).tolist(), axes, turn, start, end), colour, line or None)

    def polygon(self, points: Sequence, colour: Colour) -> None:
        cv2.fillPoly(self.sheet, [_fixed(points)], (*map(float, colour), 255.0), cv2.LINE_AA, FRACTION)

    def line(self, points: Sequence, colour: Colour, width: float, closed: bool = False) -> None:
        self._draw(cv2.polylines, ([_fixed(points)], closed), colour, width)

    def box(self, x: float, y: float, rx: float, ry: float, colour: Colour, line: float = 0) -> None:
        corners = [(x - rx, y - ry), (x + rx, y - ry), (x + rx, y + ry), (x - rx, y + ry)]
        self.line(corners, colour, line, True) if line else self.polygon(corners, colour)

    def _draw(self, how: Callable, where: tuple, colour: Colour, width: float | None) -> None:
        pixels = -1 if width is None else max(1, round(width * SHEET / 2))
        how(self.sheet, *where, (*map(float, colour), 255.0), pixels, cv2.LINE_AA, FRACTION)

    def shade(self, factor: np.ndarray) -> None:
        """All that is drawn so far, made lighter and darker by `factor` [SHEET, SHEET] or with a last axis of colours."""
        factor = factor if factor.ndim == 3 else factor[..., None]
        shaded = self.sheet[..., :3] * factor
        self.sheet[..., :3] = np.minimum(shaded, self.sheet[..., 3:]).clip(0).astype(np.uint8)

    def gleam(self, x: float, y: float, radius: float, strength: float) -> None:
        """A soft highlight, as on plastic, wet eyes or glaze."""
        light = strength * np.exp(-((X - x) ** 2 + (Y - y) ** 2) / radius**2)[..., None]
        colour, opacity = self.sheet[..., :3].astype(np.float32), self.sheet[..., 3:].astype(np.float32)
        self.sheet[..., :3] = (colour + (opacity - colour) * light.clip(0, 1)).astype(np.uint8)


def near(rng: Generator, colour: Colour, spread: float = 15) -> np.ndarray:
    return np.clip(np.asarray(colour, float) + rng.normal(0, spread, 3), 0, 255)


def pick(rng: Generator, *choices: Colour, spread: float = 12) -> np.ndarray:
    """One of some colours, or nearly."""
    return near(rng, choices[rng.integers(len(choices))], spread)


def mottle(rng: Generator, cell: int, strength: float) -> np.ndarray:
    """Factors about 1, [SHEET, SHEET], smooth over about `cell` pixels."""
    coarse = rng.normal(1, strength, (SHEET // cell + 2,) * 2).astype(np.float32)
    return cv2.resize(coarse, (SHEET, SHEET), interpolation=cv2.INTER_CUBIC)


def strands(rng: Generator, strength: float) -> np.ndarray:
    """Factors about 1, [SHEET, SHEET], that change quickly around the middle and slowly outwards: fur, hair, wool."""
    polar = cv2.resize(rng.normal(1, strength, (260, 14)).astype(np.float32), (140, 260), interpolation=cv2.INTER_LINEAR)
    how = cv2.WARP_POLAR_LINEAR | cv2.WARP_INVERSE_MAP
    rays = cv2.warpPolar(polar, (SHEET, SHEET), (SHEET / 2, SHEET * 0.55), SHEET * 0.9, how)
    return rays * mottle(rng, 4, strength / 3)


def roundness(rng: Generator, x: float, y: float, rx: float, ry: float, ambient: float = 0.45) -> np.ndarray:
    """Lambert's factors for an ellipsoid, lit from the viewer's side; what lies outside is lit as its rim."""
    u, v = (X - x) / rx, (Y - y) / ry
    away = np.maximum(1, np.hypot(u, v))
    u, v = u / away, v / away
    light = rng.normal(size=3) * (1, 1, 0.6)
    light /= np.linalg.norm(light)
    direct = u * light[0] + v * light[1] + np.sqrt(np.clip(1 - u * u - v * v, 0, 1)) * (abs(light[2]) + 0.3)
    return ambient + (1.15 - ambient) * direct.clip(0, 1)


def ground(rng: Generator, side: int) -> np.ndarray:
    """Paper, a coloured wall, a pattern, or what a camera would leave unsharp behind things."""
    kind = rng.random()
    if kind < 0.3:
        paper = pick(rng, (250, 248, 240), (235, 225, 200), (255, 255, 255), any_colour(rng), spread=6)
        return (paper * (0.93 + 0.07 * clouds(rng, side).mean(-1, keepdims=True) / 255)).astype(np.uint8)
    if kind < 0.6:
        return clouds(rng, side)
    how = (balls, scribbles, waves, grain)[rng.integers(4)]
    behind = how(rng, side) * 0.6 + clouds(rng, side) * 0.4
    return cv2.GaussianBlur(behind.astype(np.uint8), (0, 0), side * rng.uniform(0.004, 0.04))


def place(rng: Generator, picture: np.ndarray, sheet: np.ndarray, length: int) -> None:
    """Lays a sheet of `length` pixels on the picture, mostly upright, its middle inside, sometimes with a shadow beside it."""
    side = len(picture)
    sheet = cv2.resize(sheet, (length, length), interpolation=cv2.INTER_AREA if length < SHEET else cv2.INTER_LINEAR)
    turn = rng.uniform(-180, 180) if rng.random() < 0.15 else rng.normal(0, 11)
    free = max(0.5 * side - 0.4 * length, 0.06 * side)
    matrix = cv2.getRotationMatrix2D((length / 2, length / 2), turn, 1)
    middle = side / 2 + rng.uniform(-free, free, 2)
    low, high = ((middle + reach * length).clip(0, side).astype(int) for reach in (-0.85, 0.85))
    picture, size = picture[low[1] : high[1], low[0] : high[0]], tuple((high - low).tolist())
    matrix[:, 2] += middle - length / 2 - low
    if rng.random() < 0.4:
        shifted = matrix + np.array([[0, 0, 1], [0, 0, 1]]) * rng.uniform(-0.06, 0.06, (2, 1)) * length
        shadow = cv2.warpAffine(sheet[..., 3], shifted, size)
        shadow = cv2.GaussianBlur(shadow, (0, 0), max(0.6, length * 0.02))[..., None] / 255
        picture[:] = picture * (1 - 0.5 * shadow)
    laid = cv2.warpAffine(sheet, matrix, size, flags=cv2.INTER_LINEAR).astype(np.float32)
    picture[:] = np.clip(picture * (1 - laid[..., 3:] / 255) + laid[..., :3], 0, 255)


def worn(rng: Generator, picture: np.ndarray) -> np.ndarray:
    """Unevenly lit, a little blurred and noisy, as a photograph of it would be; one in five stays as drawn."""
    if rng.random() < 0.2:
        return picture
    side = len(picture)
    slope = np.linspace(-1, 1, side, dtype=np.float32) * rng.uniform(0, 0.3)
    lit = picture.astype(np.float32) * (1 + (slope if rng.random() < 0.5 else slope[:, None]))[..., None]
    lit = cv2.GaussianBlur(lit, (0, 0), rng.uniform(0.3, 1.6)) if rng.random() < 0.7 else lit
    noise = rng.standard_normal((side, side, 3 if rng.random() < 0.5 else 1), np.float32) * rng.uniform(0, 10)
    return np.clip(lit + noise, 0, 255).astype(np.uint8)


def scene(rng: Generator, side: int, paint: Callable[[Generator], Sketch], least: float = 0.06) -> np.ndarray:
    """
    One to eight figures, the largest first so that none is hidden whole. None is smaller than `least` of the side: of a dozen
    pixels, what looks like a person cannot be told from one, and must not count as none.
    """
    picture = ground(rng, side).copy()
    count = int(math.exp(rng.uniform(0, math.log(9))))
    sizes = side * np.exp(rng.uniform(math.log(least), math.log(0.95), count))
    sizes[0] = max(sizes[0], 0.15 * side)
    for size in sorted(sizes, reverse=True):
        place(rng, picture, paint(rng).sheet, max(8, round(size)))
    return worn(rng, picture)
