"""Drawings of faces: emoji, comics, portraits by children, stick figures. To the eye a face, to the service none."""
import numpy as np
from numpy.random import Generator

from data.drawn import any_colour
from data.sketch import X, Y, Colour, Sketch, near, pick, roundness, scene

WHITE, BLACK, MOUTH = (250, 248, 245), (20, 17, 16), (150, 40, 45)
HAIR = ((25, 20, 18), (80, 50, 30), (150, 95, 45), (225, 190, 110), (160, 160, 160), (170, 60, 30))


def skin(rng: Generator) -> np.ndarray:
    share = rng.random()
    return near(rng, (252 - 170 * share, 218 - 165 * share, 190 - 155 * share), 8)


def eye(s: Sketch, x: float, y: float, r: float, iris: Colour, tall: float, slit: float = 1) -> None:
    """White, iris, pupil of `slit` the iris's width, gleam."""
    s.ellipse(x, y, r, r * tall, WHITE)
    s.ellipse(x, y, r * 0.75, min(r * 0.8, r * tall), iris)
    s.ellipse(x, y, r * 0.42 * slit, r * 0.45 * min(1.5, tall), BLACK)
    s.ellipse(x - r * 0.2, y - r * 0.25, r * 0.16, r * 0.16, WHITE)


def _mouth(s: Sketch, rng: Generator, y: float, width: float, ink: Colour, line: float) -> None:
    """A smile, a line, a frown, an open mouth with teeth, or lips."""
    kind = rng.integers(5)
    if kind == 0:
        s.ellipse(0, y - width * 0.4, width, width * 0.7, ink, line, 0, 25, 155)
    elif kind == 1:
        s.line([(-width, y), (width, y + rng.uniform(-0.05, 0.05))], ink, line)
    elif kind == 2:
        s.ellipse(0, y + width * 0.5, width * 0.8, width * 0.6, ink, line, 0, 205, 335)
    elif kind == 3:
        s.ellipse(0, y - width * 0.3, width, width * rng.uniform(0.6, 1), MOUTH, 0, 0, 0, 180)
        s.box(0, y - width * 0.24, width * 0.8, width * 0.07, WHITE)
    else:
        s.ellipse(0, y, width * 0.6, width * 0.22, pick(rng, (190, 60, 70), (150, 70, 65)))
        s.line([(-width * 0.6, y), (0, y + 0.015), (width * 0.6, y)], MOUTH, 0.015)


def _person(s: Sketch, rng: Generator, fill: Colour | None, ink: Colour, line: float) -> None:
    """A face as comics and children draw it, filled or in outline."""
    rx, ry, hair = rng.uniform(0.44, 0.6), rng.uniform(0.55, 0.68), pick(rng, *HAIR, any_colour(rng))
    eyes, apart, r = rng.uniform(-0.2, 0), rng.uniform(0.18, 0.26), rng.uniform(0.05, 0.14)
    inside = WHITE if fill is None and rng.random() < 0.7 else fill
    if inside is not None:
        if rng.random() < 0.6:
            long = rng.uniform(0, 0.35)
            s.ellipse(0, -0.12 + long / 2, rx + rng.uniform(0.08, 0.2), ry + 0.05 + long / 2, hair)
        if rng.random() < 0.6:
            s.box(0, 0.7, 0.16, 0.2, np.asarray(inside) * 0.85)
            s.ellipse(0, 1.08, 0.75, 0.3, any_colour(rng))
        for side in (-1, 1):
            s.ellipse(side * rx, 0, 0.1, 0.15, np.asarray(inside) * 0.92)
        s.ellipse(0, 0, rx, ry, inside)
    if line and (fill is None or rng.random() < 0.7):
        s.ellipse(0, 0, rx, ry, ink, line)
        for side in (-1, 1):
            s.ellipse(side * (rx + 0.04), 0, 0.08, 0.14, ink, line, 0, -100 if side > 0 else 80, 100 if side > 0 else 280)
    if fill is not None and rng.random() < 0.6:  # painted rather than flat: shaded, with soft cheeks
        s.shade(roundness(rng, 0, 0, rx * 1.4, ry * 1.4, rng.uniform(0.3, 0.8)))
        for side in (-1, 1):
            red = np.exp(-(((X - side * 0.3) / 0.16) ** 2) - ((Y - 0.2) / 0.12) ** 2)[..., None]
            s.shade(1 - red * np.array((0, 0.22, 0.2), np.float32) * rng.uniform(0, 1))
    if rng.random() < 0.75:  # a fringe or a parting
        top = [(rx * 1.08 * np.cos(a), -ry * 0.05 + ry * 1.12 * np.sin(a)) for a in np.linspace(np.pi * 1.02, np.pi * 1.98, 14)]
        low = [(x, -ry * rng.uniform(0.35, 0.7)) for x in np.linspace(rx * 0.9, -rx * 0.9, int(rng.integers(3, 9)))]
        s.polygon(top + low, hair) if fill is not None or rng.random() < 0.5 else s.line(top + low, ink, line, True)
    kind, tall, brows = rng.integers(3), rng.uniform(0.55, 1.4), rng.random() < 0.8
    iris, tilt = pick(rng, (70, 110, 160), (90, 60, 35), (70, 130, 70)), rng.uniform(-0.06, 0.08)
    for side in (-1, 1):
        x = side * apart
        if kind == 0:
            eye(s, x, eyes, r, iris, tall)
            s.ellipse(x, eyes, r, r, ink, max(line * 0.7, 0.012), 0, 190, 350)
        elif kind == 1:
            s.ellipse(x, eyes, r * 0.6, r * tall * 0.8, ink)
        else:
            s.ellipse(x, eyes, r, r * 0.6, ink, line, 0, 0, 360)
            s.ellipse(x, eyes, r * 0.35, r * 0.4, ink)
        if brows:
            s.line([(x - side * r, eyes - r - 0.06), (x + side * r * 1.2, eyes - r - 0.06 + tilt)], ink, max(line, 0.025))
    if rng.random() < 0.2:
        for side in (-1, 1):
            s.ellipse(side * apart, eyes, apart * 0.8, apart * 0.7, ink, 0.03)
        s.line([(-apart * 0.2, eyes), (apart * 0.2, eyes)], ink, 0.03)
    tip, dark = eyes + rng.uniform(0.2, 0.3), np.asarray(ink if fill is None else np.asarray(fill) * 0.7)
    nose = rng.integers(4)
    if nose == 0:
        s.line([(0.02, eyes + 0.05), (-0.07, tip), (0.04, tip + 0.01)], dark, max(0.02, line * 0.7))
    elif nose == 1:
        s.ellipse(0, tip, 0.08, 0.06, dark, max(0.02, line * 0.7), 0, 0, 180)
    elif nose == 2:
        for side in (-1, 1):
            s.ellipse(side * 0.045, tip, 0.022, 0.016, dark)
    _mouth(s, rng, tip + rng.uniform(0.12, 0.2), rng.uniform(0.12, 0.28), ink, max(line, 0.02))


def _cartoon(rng: Generator) -> Sketch:
    s, ink = Sketch(), pick(rng, BLACK, BLACK, (60, 60, 120), (90, 45, 30), any_colour(rng))
    line, kind = rng.choice((0.014, 0.025, 0.04, 0.06)), rng.random()
    if kind < 0.5:
        _person(s, rng, skin(rng) if rng.random() < 0.7 else any_colour(rng), ink, line)
    elif kind < 0.7:
        _person(s, rng, None, ink, line)
    elif kind < 0.88:
        fill = pick(rng, (255, 210, 60), (255, 200, 40), (255, 225, 120), any_colour(rng))
        s.ellipse(0, 0, 0.85, 0.85, fill)
        if rng.random() < 0.5:
            s.shade(1.1 - 0.3 * ((X * 0.3 + Y + 1) / 2))
        s.ellipse(0, 0, 0.85, 0.85, ink if rng.random() < 0.5 else fill * 0.75, line)
        wide, high, white = rng.uniform(0.07, 0.14), rng.uniform(0.1, 0.2), WHITE if rng.random() < 0.4 else ink
        for side in (-1, 1):
            s.ellipse(side * 0.3, -0.22, wide, high, white)
            s.ellipse(side * 0.3, -0.2, 0.05, 0.06, BLACK)
        _mouth(s, rng, 0.38, rng.uniform(0.25, 0.5), ink, max(line, 0.04))
    else:
        s.ellipse(0, -0.6, 0.27, 0.3, WHITE if rng.random() < 0.5 else any_colour(rng))
        s.ellipse(0, -0.6, 0.27, 0.3, ink, line)
        for side in (-1, 1):
            s.ellipse(side * 0.1, -0.66, 0.03, 0.04, ink)
            s.line([(0, 0.25), (side * rng.uniform(0.15, 0.4), 0.95)], ink, line)
            s.line([(0, -0.15), (side * 0.45, rng.uniform(-0.5, 0.2))], ink, line)
        s.line([(0, -0.3), (0, 0.25)], ink, line)
        s.ellipse(0, -0.55, 0.12, 0.12, ink, line * 0.8, 0, 20, 160)
    return s


def cartoons(rng: Generator, side: int) -> np.ndarray:
    """Faces drawn in outline or filled, on paper, walls or photographs' backgrounds."""
    return scene(rng, side, _cartoon, least=0.1)
