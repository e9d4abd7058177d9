"""Things that look like faces without meaning to: plates with round food on them, buttons, sockets, the fronts of cars."""
import math

import numpy as np
from numpy.random import Generator

from data.drawn import any_colour
from data.sketch import X, Y, Sketch, mottle, near, pick, roundness, scene

LOOKS = ((225, 70, 50), (120, 160, 60), (60, 45, 35), (240, 225, 190), (170, 40, 45), (250, 200, 60))


def _plate(s: Sketch, rng: Generator) -> None:
    colour = pick(rng, (245, 243, 238), (50, 50, 55), any_colour(rng), spread=5)
    s.ellipse(0, 0, 0.95, 0.95, colour)
    s.shade(roundness(rng, 0, 0, 1.6, 1.6, 0.7))
    s.ellipse(0, 0, 0.72, 0.72, colour * 0.9)
    s.ellipse(0, 0, 0.7, 0.7, colour * 0.97)


def _spots(rng: Generator, count: int) -> list[np.ndarray]:
    """Places for things: half of the time two above and one or more below, as eyes and a mouth lie."""
    if rng.random() < 0.5:
        apart, above = rng.uniform(0.2, 0.34), rng.uniform(0.1, 0.3)
        pair = [np.array((-apart, -above)), np.array((apart, -above))]
        return pair + [np.array((0, rng.uniform(0.2, 0.42))), np.array((0, 0.05))][: max(0, count - 2)]
    return [rng.uniform(0.05, 0.55) * np.array((math.cos(a), math.sin(a))) for a in rng.uniform(0, 2 * math.pi, count)]


def _breakfast(rng: Generator) -> Sketch:
    """Fried eggs, with bacon, a sausage or beans below."""
    s = Sketch()
    _plate(s, rng)
    apart, above = rng.uniform(0.24, 0.33), rng.uniform(0.05, 0.3)
    for side in (-1, 1):
        at = np.array((side * apart, -above)) + rng.normal(0, 0.03, 2)
        for _ in range(6):
            off = at + rng.normal(0, 0.06, 2)
            s.ellipse(*off, rng.uniform(0.14, 0.22), rng.uniform(0.14, 0.22), near(rng, (252, 250, 240), 2))
        s.ellipse(*at, 0.12, 0.12, near(rng, (248, 180, 40)))
        s.gleam(at[0] - 0.03, at[1] - 0.04, 0.04, 0.8)
    bend = rng.uniform(-0.2, 0.3)
    curve = [(x, 0.38 - bend * x * x * 4) for x in np.linspace(-0.36, 0.36, 12)]
    meat = near(rng, (165, 70, 45))
    s.line(curve, meat, rng.uniform(0.1, 0.2))
    s.line([(x, y - 0.03) for x, y in curve], meat * 0.5 + 110, 0.03)
    s.shade(mottle(rng, 4, 0.05))
    return s


def _round(rng: Generator) -> Sketch:
    """Pizza, a cookie, a pancake, a bun, a loaf: a disc with things on it."""
    s = Sketch()
    if rng.random() < 0.4:
        _plate(s, rng)
    r, crust = rng.uniform(0.6, 0.85), pick(rng, (205, 150, 90), (150, 95, 55), (230, 190, 130), (90, 55, 40))
    oval = r * rng.uniform(0.85, 1.15)
    s.ellipse(0, 0, r, oval, crust)
    if rng.random() < 0.4:
        s.ellipse(0, 0, r * 0.87, r * 0.87, pick(rng, (235, 190, 90), (210, 90, 50), (240, 215, 150)))
    s.shade(roundness(rng, 0, 0, r * 1.05, oval * 1.05, 0.4) * mottle(rng, 9, 0.08) * mottle(rng, 3, 0.04))
    topping, size = pick(rng, *LOOKS, (40, 30, 28), (40, 30, 28)), rng.uniform(0.06, 0.17)
    for at in _spots(rng, int(rng.integers(3, 14))):
        s.ellipse(*(at + 0.015), size * 1.05, size, crust * 0.5)
        s.ellipse(*at, size, size * rng.uniform(0.7, 1), topping, turn=rng.uniform(0, 180))
        if rng.random() < 0.3:
            s.ellipse(*at, size * 0.4, size * 0.4, topping * 0.4)
        s.gleam(at[0] - size * 0.3, at[1] - size * 0.3, size * 0.4, 0.5)
    if rng.random() < 0.5:
        sauce = pick(rng, (170, 40, 45), *LOOKS)
        if rng.random() < 0.5:
            s.ellipse(0, 0.15, 0.3, 0.25, sauce, rng.uniform(0.03, 0.08), 0, 20, 160)
        else:
            s.ellipse(0, 0.4, 0.24, 0.09, sauce)
        s.line([(0.03, -0.1), (-0.06, 0.16), (0.05, 0.17)], crust * 0.6, 0.04)
    return s


def _slice(rng: Generator) -> Sketch:
    """Citrus, kiwi, melon or tomato, cut across."""
    s = Sketch()
    flesh = pick(rng, (245, 165, 50), (150, 190, 70), (225, 70, 60), (245, 225, 110), (240, 130, 120))
    s.ellipse(0, 0, 0.85, 0.85, flesh * 0.8)
    s.ellipse(0, 0, 0.76, 0.76, flesh * 0.4 + 150)
    s.ellipse(0, 0, 0.7, 0.7, flesh)
    parts = int(rng.integers(2, 12))
    for a in np.arange(parts) * 2 * math.pi / parts + rng.uniform(0, 1):
        direction = np.array((math.cos(a), math.sin(a)))
        s.line([direction * 0.08, direction * 0.7], flesh * 0.4 + 150, 0.03)
        seed = direction * rng.uniform(0.25, 0.45)
        s.ellipse(*seed, 0.06, 0.035, pick(rng, (40, 30, 25), (240, 225, 180)), turn=math.degrees(a))
    s.shade(mottle(rng, 5, 0.1) * roundness(rng, 0, 0, 1.3, 1.3, 0.7))
    return s


def _fitting(rng: Generator) -> Sketch:
    """A button with two or four holes, or a socket."""
    s, body = Sketch(), pick(rng, (240, 238, 230), any_colour(rng))
    if rng.random() < 0.5:
        s.ellipse(0, 0, 0.8, 0.8, body)
        s.ellipse(0, 0, 0.66, 0.66, body * 0.8, 0.05)
    else:
        s.box(0, 0, 0.75, 0.85, body)
        s.box(0, 0, 0.75, 0.85, body * 0.75, 0.04)
        s.ellipse(0, 0, 0.58, 0.58, body * 0.85)
    s.shade(roundness(rng, 0, 0, 1.1, 1.1, 0.6))
    apart, hole, tall = rng.uniform(0.16, 0.28), rng.uniform(0.06, 0.11), rng.choice((1.0, 1.8))
    for side in (-1, 1):
        s.ellipse(side * apart, -0.12, hole, hole * tall, body * 0.15)
    if rng.random() < 0.7:
        s.ellipse(0, 0.24, hole * 1.2, hole * rng.uniform(0.6, 1.2), body * 0.15)
    else:
        for side in (-1, 1):
            s.ellipse(side * apart, 0.22, hole, hole, body * 0.15)
    return s


def _car(rng: Generator) -> Sketch:
    """A car from the front: windscreen, two headlights, grille, bumper."""
    s, paint = Sketch(), any_colour(rng)
    s.polygon([(-0.42, -0.65), (0.42, -0.65), (0.66, -0.1), (-0.66, -0.1)], paint * 0.85)
    s.polygon([(-0.37, -0.57), (0.37, -0.57), (0.55, -0.14), (-0.55, -0.14)], near(rng, (70, 85, 100)))
    for side in (-1, 1):
        s.box(side * 0.6, 0.62, 0.13, 0.15, (25, 25, 26))
    s.polygon([(-0.7, -0.1), (0.7, -0.1), (0.82, 0.1), (0.8, 0.6), (-0.8, 0.6), (-0.82, 0.1)], paint)
    s.shade(1.15 - 0.3 * (Y + 0.6) + 0.1 * np.sin(3 * X))
    r, square = rng.uniform(0.11, 0.17), rng.uniform(0.6, 1)
    for side in (-1, 1):
        s.ellipse(side * 0.54, 0.13, r * 1.15, r * square * 1.15, (60, 60, 64))
        s.ellipse(side * 0.54, 0.13, r, r * square, near(rng, (225, 228, 220), 8))
        s.gleam(side * 0.54, 0.09, r * 0.5, 0.9)
    s.ellipse(0, 0.22, rng.uniform(0.2, 0.32), rng.uniform(0.07, 0.15), (30, 30, 32))
    for y in (0.17, 0.22, 0.27):
        s.line([(-0.2, y), (0.2, y)], (150, 150, 155), 0.015)
    s.box(0, 0.48, 0.76, 0.06, paint * 0.55)
    s.box(0, 0.48, 0.18, 0.05, (235, 235, 225))
    return s


def food(rng: Generator, side: int) -> np.ndarray:
    """Food and things with two round parts and a bar below, or nearly so."""
    kinds = (_breakfast, _round, _round, _slice, _fitting, _car)
    return scene(rng, side, lambda rng: kinds[rng.integers(len(kinds))](rng))
