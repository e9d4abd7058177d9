"""Drawings of what has a face but is no person: animals, dolls and toys; and the tuple of all kinds of figures.

As drawn.py's: each takes a numpy generator and a side, and gives uint8 [side, side, 3], RGB. A detector trained on people's
photographs fires at these, and photographs of them need someone who may publish them.
"""
import numpy as np
from numpy.random import Generator

from data.cartoons import BLACK, HAIR, WHITE, cartoons, eye, skin
from data.drawn import any_colour
from data.food import food
from data.sketch import X, Y, Sketch, mottle, near, pick, roundness, scene, strands
from data.statues import statues

FUR = ((40, 36, 34), (105, 75, 50), (170, 120, 70), (205, 165, 115), (150, 145, 140), (235, 230, 222), (190, 110, 50))


def _animal(rng: Generator, plush: bool = False) -> Sketch:
    """A head from the front: a cat, a dog, a rabbit or a bear by its ears; `plush` as a toy with buttons for eyes."""
    s, fur = Sketch(), pick(rng, *FUR)
    kind = "bear" if plush else ("cat", "cat", "dog", "dog", "dog", "rabbit", "bear")[rng.integers(7)]
    inner, light, patch = near(rng, (215, 160, 150)), fur * 0.45 + 138, pick(rng, *FUR)
    rx, ry = rng.uniform(0.46, 0.6), rng.uniform(0.46, 0.58)
    if rng.random() < 0.6:
        s.ellipse(rng.uniform(-0.2, 0.2), 1.0, rng.uniform(0.5, 0.8), 0.6, fur * 0.85)
    pricked = kind == "cat" or kind == "dog" and rng.random() < 0.35
    height = rng.uniform(0.8, 1)
    for side in (-1, 1):
        ear = patch if rng.random() < 0.2 else fur
        if pricked:
            s.polygon([(side * rx * 0.98, 0.0), (side * rx * 0.95, -height), (side * 0.1, -ry * 0.9)], ear)
            s.polygon([(side * rx * 0.85, -0.15), (side * rx * 0.88, -height * 0.85), (side * 0.24, -ry * 0.85)], inner * 0.85)
        elif kind == "rabbit":
            s.ellipse(side * 0.24, -0.65, 0.14, 0.38, ear, turn=side * 10)
            s.ellipse(side * 0.24, -0.63, 0.07, 0.3, inner, turn=side * 10)
        elif kind == "bear":
            s.ellipse(side * rx * 0.8, -ry * 0.75, 0.2, 0.2, ear)
            s.ellipse(side * rx * 0.8, -ry * 0.72, 0.12, 0.12, light if plush else ear * 0.6)
    s.ellipse(0, 0, rx, ry, fur)
    if kind == "dog":
        s.ellipse(0, 0.3, rx * 0.75, 0.42, fur)
    if rng.random() < 0.4 and not plush:  # a patch over an eye, or a blaze
        s.ellipse(rng.choice((-1, 1)) * 0.24, -0.15, 0.24, 0.28, patch)
        s.ellipse(0, -0.2, 0.1, 0.4, light)
    if kind == "cat" and rng.random() < 0.5:
        for x in (-0.16, 0, 0.16):
            s.line([(x, -0.25), (x * 1.6, -0.5)], fur * 0.5, 0.05)
    muzzle = 0.22 if kind == "cat" else rng.uniform(0.26, 0.34)
    for x in (-0.11, 0.11) if kind in ("cat", "rabbit") else (0,):
        s.ellipse(x, 0.24, rng.uniform(0.15, 0.2) + (0.1 if not x else 0), muzzle * 0.8, light)
    if kind == "dog" and not pricked:
        for side in (-1, 1):
            s.ellipse(side * (rx + 0.02), 0.02, 0.17, rng.uniform(0.38, 0.55), fur * rng.uniform(0.55, 0.9), turn=-side * 12)
    for side in (-1, 1):  # the hollows of the eyes
        s.shade(1 - 0.35 * np.exp(-(((X - side * 0.22) / 0.13) ** 2) - ((Y + 0.12) / 0.1) ** 2))
    s.shade(roundness(rng, 0, 0, rx * 1.2, 0.7) * strands(rng, 0.1 if plush else rng.uniform(0.08, 0.3)))
    iris = pick(rng, *(((200, 180, 60), (120, 170, 80), (110, 160, 200)) if kind == "cat" else ((120, 80, 35), (60, 40, 25))))
    r, apart, eyes = rng.uniform(0.08, 0.13), rng.uniform(0.2, 0.27), rng.uniform(-0.16, -0.06)
    whites = kind == "dog" and rng.random() < 0.5
    slit = rng.uniform(0.25, 1) if kind == "cat" else 1.3
    for side in (-1, 1):
        s.ellipse(side * apart, eyes, r * 1.15, r, fur * 0.35, turn=side * -15)
        if whites:
            s.ellipse(side * apart, eyes, r * 1.1, r * 0.75, WHITE)
        if plush or kind != "cat":
            s.ellipse(side * apart, eyes, r * 0.85, r * 0.85, iris)
            s.ellipse(side * apart, eyes, r * 0.5, r * 0.5, BLACK)
        else:
            s.ellipse(side * apart, eyes, r, r * 0.85, iris)
            s.ellipse(side * apart, eyes, r * 0.5 * slit, r * 0.75, BLACK)
        s.gleam(side * apart - r * 0.25, eyes - r * 0.3, r * 0.3, 1)
    nose = near(rng, (210, 130, 125) if kind == "cat" and rng.random() < 0.5 else (30, 26, 26), 8)
    wide, whisker = rng.uniform(0.07, 0.13), light if fur.mean() < 120 else BLACK
    s.polygon([(-wide, 0.12), (wide, 0.12), (wide * 0.3, 0.24), (-wide * 0.3, 0.24)], nose)
    s.ellipse(0, 0.13, wide, 0.04, nose)
    s.gleam(-wide * 0.3, 0.13, 0.04, 0.6)
    if rng.random() < 0.3:
        s.ellipse(0, 0.44, 0.09, 0.14, near(rng, (225, 110, 120)))
    if kind == "dog" and rng.random() < 0.5:
        s.ellipse(0, 0.4, 0.2, 0.08, near(rng, (120, 50, 50)))
    s.line([(0, 0.22), (0, 0.33)], BLACK, 0.018)
    for side in (-1, 1):
        s.ellipse(side * 0.1, 0.32, 0.1, 0.07, BLACK, 0.018, 0, 0, 180)
        if not plush and kind != "bear":
            for fan in (-0.12, 0, 0.1):
                s.line([(side * 0.2, 0.26), (side * 0.75, 0.24 + fan * rng.uniform(0.6, 1.6))], whisker, 0.008)
    return s


def _doll(rng: Generator) -> Sketch:
    """A porcelain or rag doll's head."""
    s, tone = Sketch(), skin(rng) if rng.random() < 0.7 else near(rng, (245, 232, 225), 6)
    rx, ry, hair = rng.uniform(0.5, 0.6), rng.uniform(0.52, 0.68), pick(rng, *HAIR, any_colour(rng))
    rag = rng.random() < 0.4
    s.ellipse(0, 1.05, 0.55, 0.4, any_colour(rng))
    long = rng.uniform(0, 0.3)
    s.ellipse(0, -0.08 + long, rx + 0.16, ry + 0.1 + long * 0.6, hair)
    s.shade(strands(rng, 0.35))
    head = Sketch()
    head.ellipse(0, 0, rx, ry, tone)
    for side in (-1, 1):
        head.ellipse(side * 0.3, 0.2, 0.12, 0.1, tone * 0.6 + np.array((235, 80, 80)) * 0.4)
    head.shade(roundness(rng, 0, 0, rx, ry, 0.6) * (mottle(rng, 3, 0.08) if rag else 1))
    s.sheet = np.where(head.sheet[..., 3:] > 127, head.sheet, s.sheet)
    fringe = [(rx * x, -ry * (0.55 + 0.2 * rng.random())) for x in np.linspace(0.85, -0.85, 9)]
    crown = [(rx * 1.1 * np.cos(a), ry * 1.08 * np.sin(a)) for a in np.linspace(np.pi * 1.1, np.pi * 1.9, 12)]
    s.polygon(crown + fringe, hair * 0.9)
    iris, r = pick(rng, (50, 110, 180), (70, 50, 30), (60, 140, 90)), rng.uniform(0.1, 0.17)
    button = BLACK if rng.random() < 0.5 else any_colour(rng)
    for side in (-1, 1):
        if rag:
            s.ellipse(side * 0.24, -0.05, r * 0.7, r * 0.7, button)
            s.line([(side * 0.24 - 0.03, -0.08), (side * 0.24 + 0.03, -0.02)], WHITE, 0.015)
        else:
            eye(s, side * 0.24, -0.03, r, iris, rng.uniform(0.8, 1.1), 1.2)
            s.ellipse(side * 0.24, -0.03, r * 1.05, r, BLACK, 0.025, 0, 185, 355)
        s.ellipse(side * 0.24, -0.1 - r * 0.8, r, 0.08, hair * 0.7, 0.02, 0, 200, 340)
    s.ellipse(0, 0.16, 0.035, 0.025, tone * 0.75)
    s.ellipse(0, 0.34, rng.uniform(0.07, 0.14), 0.05, near(rng, (200, 40, 60)))
    if not rag:
        s.gleam(rng.uniform(-0.3, 0.3), -0.25, 0.14, rng.uniform(0.4, 0.9))
    return s


def _brick(rng: Generator) -> Sketch:
    """A toy figure with a cylinder for a head."""
    s, plastic = Sketch(), pick(rng, (250, 205, 40), (250, 205, 40), skin(rng))
    shirt, wide, high = any_colour(rng), rng.uniform(0.34, 0.42), rng.uniform(0.3, 0.38)
    s.polygon([(-0.4, 0.2), (0.4, 0.2), (0.55, 1), (-0.55, 1)], shirt)
    s.box(0, 0.12, 0.22, 0.1, plastic * 0.8)
    s.box(0, -0.3 - high, 0.2, 0.12, plastic)
    for dy in (-1, 1):
        s.ellipse(0, -0.25 + dy * high, wide, 0.08, plastic)
    s.box(0, -0.25, wide, high, plastic)
    across = (X / wide).clip(-1, 1)
    s.shade(0.6 + 0.5 * np.sqrt(1 - (across * 0.9 + rng.uniform(-0.1, 0.1)).clip(-1, 1) ** 2))
    if rng.random() < 0.5:
        hair = pick(rng, *HAIR)
        s.ellipse(0, -0.3 - high * 0.7, wide + 0.08, 0.25, hair, 0, 0, 180, 360)
        for side in (-1, 1):
            s.box(side * (wide + 0.02), -0.4, 0.07, 0.22, hair)
    for side in (-1, 1):
        s.ellipse(side * 0.15, -0.3, 0.045, 0.055, BLACK)
        s.ellipse(side * 0.15 - 0.012, -0.32, 0.014, 0.014, WHITE)
        s.line([(side * 0.08, -0.42), (side * 0.22, -0.42 + rng.uniform(-0.05, 0.05))], BLACK, 0.025)
    s.ellipse(0, -0.16, 0.15, 0.1, BLACK, 0.025, 0, 20, 160)
    s.gleam(rng.uniform(-0.25, 0.25), -0.4, 0.08, 0.7)
    return s


def _snowman(rng: Generator) -> Sketch:
    s, snow = Sketch(), near(rng, (238, 242, 248), 5)
    s.ellipse(0, 0.85, 0.75, 0.55, snow * 0.93)
    s.ellipse(0, -0.1, 0.5, 0.48, snow)
    s.shade(roundness(rng, 0, -0.1, 0.6, 0.6, 0.6) * mottle(rng, 4, 0.04))
    for side in (-1, 1):
        s.ellipse(side * 0.17, -0.2, 0.06, 0.065, BLACK)
    for angle in np.linspace(0.5, np.pi - 0.5, 6):
        s.ellipse(0.27 * np.cos(angle), 0.27 * np.sin(angle) - 0.02, 0.03, 0.03, BLACK)
    s.polygon([(0, -0.12), (0.02, 0.02), (rng.uniform(-0.3, 0.3), 0.05)], near(rng, (240, 120, 30)))
    if rng.random() < 0.6:
        hat = any_colour(rng)
        s.box(0, -0.5, 0.5, 0.04, hat)
        s.box(0, -0.74, 0.3, 0.22, hat)
    if rng.random() < 0.6:
        s.ellipse(0, 0.33, 0.42, 0.1, any_colour(rng))
    return s


def _lantern(rng: Generator) -> Sketch:
    """A pumpkin with a face cut out, lit from within or not."""
    s, rind = Sketch(), near(rng, (230, 120, 25))
    glow = near(rng, (255, 215, 90)) if rng.random() < 0.6 else near(rng, (50, 25, 8), 6)
    s.box(0, -0.72, 0.07, 0.15, (90, 100, 40))
    s.ellipse(0, 0, 0.85, 0.68, rind)
    s.shade(roundness(rng, 0, 0, 0.85, 0.68) * (0.85 + 0.15 * np.abs(np.cos(6 * np.arcsin((X / 0.86).clip(-1, 1))))))
    for side in (-1, 1):
        s.polygon([(side * 0.15, -0.05), (side * 0.5, -0.05 - rng.uniform(0, 0.15)), (side * 0.32, -0.35)], glow)
    s.polygon([(0, -0.05), (0.09, 0.1), (-0.09, 0.1)], glow)
    edge = np.linspace(-0.5, 0.5, 9)
    top = [(x, 0.2 - 0.15 * x * x + 0.06 * (i % 2)) for i, x in enumerate(edge)]
    low = [(x, 0.48 - 0.9 * x * x - 0.08 * (i % 2)) for i, x in enumerate(edge[::-1])]
    s.polygon(top + low, glow)
    return s


def _robot(rng: Generator) -> Sketch:
    s, metal, lamp = Sketch(), pick(rng, (150, 155, 165), any_colour(rng)), any_colour(rng)
    wide, high = rng.uniform(0.5, 0.7), rng.uniform(0.45, 0.65)
    s.line([(0, -high), (0, -0.95)], metal * 0.6, 0.04)
    s.ellipse(0, -0.92, 0.07, 0.07, lamp)
    for side in (-1, 1):
        s.box(side * wide, 0, 0.1, 0.16, metal * 0.7)
    s.box(0, 0, wide, high, metal)
    s.shade(0.8 + 0.25 * np.sin(2 * X + Y + rng.uniform(0, 6)) * mottle(rng, 5, 0.05))
    s.box(0, 0, wide, high, metal * 0.5, 0.03)
    for side in (-1, 1):
        s.ellipse(side * 0.26, -0.14, 0.16, 0.16, metal * 0.45)
        s.ellipse(side * 0.26, -0.14, 0.12, 0.12, lamp)
        s.gleam(side * 0.26 - 0.03, -0.18, 0.05, 0.9)
    s.box(0, 0.28, 0.3, 0.1, metal * 0.35)
    for x in np.linspace(-0.24, 0.24, 5):
        s.line([(x, 0.2), (x, 0.36)], metal, 0.03)
    return s


def _teddy(rng: Generator) -> Sketch:
    return _animal(rng, plush=True)


def animals(rng: Generator, side: int) -> np.ndarray:
    """Cats and dogs, some rabbits and bears."""
    return scene(rng, side, _animal, least=0.09)


def dolls(rng: Generator, side: int) -> np.ndarray:
    """Dolls of porcelain and cloth, brick figures, teddies, snowmen, pumpkins, robots."""
    kinds = (_doll, _doll, _doll, _brick, _teddy, _snowman, _lantern, _robot)
    return scene(rng, side, lambda rng: kinds[rng.integers(len(kinds))](rng), least=0.1)


FIGURES = (cartoons, animals, dolls, statues, food)
