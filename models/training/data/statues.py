"""Busts of stone, bronze and wood, as height fields under one light.

A grey photograph of a person is a face to the service, and training must not say otherwise. So a bust is of one material
throughout, hair and eyes too, with its grain, cracks and chips; its eyes are blank, and its relief is strong.
"""
import math

import cv2
import numpy as np
from numpy.random import Generator

from data.sketch import SHEET, X, Y, Sketch, mottle, near, pick, scene

STONE = ((214, 204, 184), (196, 168, 126), (150, 146, 132), (186, 112, 82), (168, 158, 136))
BRONZE = ((112, 82, 44), (84, 128, 106), (70, 58, 40))
WOOD = ((134, 86, 48), (92, 58, 34))


def _bump(u: np.ndarray, v: np.ndarray, x: float, y: float, rx: float, ry: float) -> np.ndarray:
    return np.exp(-(((u - x) / rx) ** 2) - ((v - y) / ry) ** 2)


def _dome(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Height of a unit ball above the sheet; below zero outside."""
    square = u * u + v * v
    return np.where(square < 1, np.sqrt(np.clip(1 - square, 0, 1)), -1)


def _relief(rng: Generator) -> np.ndarray:
    """Heights [SHEET, SHEET]; below zero where there is nothing."""
    yaw, rx, ry = rng.normal(0, 0.1), rng.uniform(0.4, 0.47), rng.uniform(0.52, 0.6)
    u, v = X / rx, (Y + 0.3) / ry  # the face's: eyes near v = -0.1, mouth near 0.5
    head = _dome(u, v)
    f = u - yaw * 2 * np.sqrt(np.clip(1 - u * u, 0, 1))
    a = rng.uniform(0.34, 0.42)
    nose = np.clip((v + 0.15) / 0.45, 0, 1) * (v < 0.3) + np.exp(-(((v - 0.3) / 0.07) ** 2)) * (v >= 0.3)
    face = 0.3 * nose * np.exp(-((f / 0.13) ** 2)) + 0.1 * _bump(f, v, 0, 0.28, 0.22, 0.08)
    for side in (-1, 1):
        face += 0.16 * _bump(f, v, side * a, -0.24, 0.28, 0.07) - 0.26 * _bump(f, v, side * a, -0.06, 0.22, 0.13)
        face += 0.17 * _bump(f, v, side * a, -0.05, 0.14, 0.07) + 0.08 * _bump(f, v, side * 0.5, 0.25, 0.2, 0.18)
        face -= 0.05 * _bump(f, v, side * 0.3, 0.4, 0.08, 0.15)
    face += 0.1 * _bump(f, v, 0, 0.47, 0.22, 0.045) + 0.11 * _bump(f, v, 0, 0.58, 0.18, 0.05)
    face -= 0.12 * _bump(f, v, 0, 0.525, 0.26, 0.02) + 0.07 * _bump(f, v, 0, 0.68, 0.2, 0.05)
    face += 0.12 * _bump(f, v, 0, 0.82, 0.2, 0.12)
    curls = (mottle(rng, int(rng.integers(5, 11)), 1.0) - 1) * 0.09 + 0.16
    if rng.random() < 0.5:
        curls = curls + 0.05 * np.sin(np.hypot(u, v - 0.3) * rng.uniform(15, 30) + 4 * np.arctan2(u, v))
    line = rng.uniform(-0.62, -0.4) + 0.55 * f * f
    hair = v < line if rng.random() < 0.85 else v < -2
    if rng.random() < 0.35:
        hair |= (v > 0.66 - 0.5 * np.abs(f)) & (np.abs(f) > 0.3) | (v > 0.72)
    soft = cv2.GaussianBlur(hair.astype(np.float32), (0, 0), 2)
    head = np.where(head > 0, head + face * (1 - soft) * rng.uniform(0.9, 1.4) + curls * soft, head) * 0.9
    ears = [0.35 * _dome((X - side * rx) / 0.08, (Y + 0.28) / 0.15) for side in (-1, 1)]
    neck = 0.45 * _dome(X / 0.25, Y * 0) * np.where((Y > 0) & (Y < 0.62), 1, -1)
    neck = np.where((Y > 0) & (Y < 0.62) & (np.abs(X) < 0.25), np.abs(neck), -1)
    chest = 0.55 * _dome(X / rng.uniform(0.5, 0.8), (Y - 0.92) / 0.46)
    if rng.random() < 0.5:
        chest = chest + np.where(chest > 0, 0.05 * np.sin(X * 14 + Y * 20 * rng.uniform(-1, 1)), 0)
    base = np.where((Y > 0.86) & (np.abs(X) < 0.42) | (Y > 0.94) & (np.abs(X) < 0.55), 0.6, -1)
    return np.maximum.reduce([head, *ears, neck, chest, base]).astype(np.float32)


def _texture(rng: Generator, metal: bool, wood: bool) -> np.ndarray:
    """The material's factors about 1."""
    if wood:
        rings = np.sin((X * 26 + 5 * mottle(rng, 40, 1.0)) * rng.uniform(0.8, 2) + Y * rng.uniform(-6, 6))
        return (1 + 0.16 * rings) * mottle(rng, 2, 0.08)
    if metal:
        return mottle(rng, 24, 0.2) * mottle(rng, 5, 0.1)
    veins = np.abs(mottle(rng, 20, 0.5) - 1) < 0.03 if rng.random() < 0.4 else 0
    return mottle(rng, 30, 0.1) * mottle(rng, 6, 0.1) * mottle(rng, 2, rng.uniform(0.12, 0.22)) * (1 - 0.25 * veins)


def _bust(rng: Generator) -> Sketch:
    height, kind = _relief(rng), rng.random()
    metal, wood = 0.55 < kind < 0.8, kind >= 0.8
    tint = pick(rng, *(BRONZE if metal else WOOD if wood else STONE), spread=7)
    there = (height > 0).astype(np.float32)
    rough = 0.011 * (mottle(rng, 3, 1.0) - 1) + 0.02 * (mottle(rng, 9, 0.6) - 1)
    solid = cv2.GaussianBlur(height.clip(0) + (0 if metal else rough), (0, 0), 1.1)
    slope = [cv2.Sobel(solid, cv2.CV_32F, *axes, scale=SHEET / 16 * 1.2) for axes in ((1, 0), (0, 1))]
    normal = np.dstack([-slope[0], -slope[1], np.ones_like(solid)])
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    angle, tilt = rng.uniform(-math.pi, 0.1), rng.uniform(0.6, 1.2)  # mostly from above, never flat from the front
    light = np.array([math.cos(angle) * math.sin(tilt), math.sin(angle) * math.sin(tilt), math.cos(tilt)])
    direct = (normal @ light).clip(0, 1)
    hollow = (solid - cv2.GaussianBlur(solid, (0, 0), 7)).clip(-0.2, 0.1) * 2.2  # dirt and shade gather there
    shade = (rng.uniform(0.25, 0.45) + 0.95 * direct + hollow) * _texture(rng, metal, wood)
    for _ in range(0 if metal else rng.integers(1, 4)):  # cracks
        path = np.cumsum(np.vstack([rng.uniform(-0.6, 0.4, 2), rng.normal(0, 0.07, (9, 2)) + rng.normal(0, 0.07, 2)]), 0)
        crack = Sketch()
        crack.line(path, (255, 255, 255), rng.uniform(0.004, 0.016))
        shade *= 1 - 0.6 * crack.sheet[..., 0] / 255
    s = Sketch()
    s.sheet[..., 3] = cv2.GaussianBlur(there, (0, 0), 0.6) * 255
    s.sheet[..., :3] = near(rng, tint, 0)
    s.shade(shade)
    if metal:
        shine = (normal @ (light + (0, 0, 1)) / np.linalg.norm(light + (0, 0, 1))).clip(0, 1) ** 24
        s.shade(1 + rng.uniform(0.6, 1.6) * shine)
    return s


def statues(rng: Generator, side: int) -> np.ndarray:
    """Busts, with the light from anywhere above."""
    return scene(rng, side, _bust, least=0.12)
