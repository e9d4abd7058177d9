"""What looks like writing and is none: bricks, windows, fences, leaves, gravel, keys, lights."""
from collections.abc import Callable

import cv2
import numpy as np

Colours = np.ndarray


def _shade(random: np.random.Generator, ground: Colours, by: float) -> tuple[int, int, int]:
    return tuple(int(v) for v in np.clip(ground + random.normal(0, by), 0, 255))


def cells(random: np.random.Generator, side: int) -> np.ndarray:
    """Bricks, tiles, windows or the keys of a keyboard: rectangles in rows."""
    image = np.zeros((side, side, 3), np.uint8) + random.integers(0, 256, 3).astype(np.uint8)
    ground = random.integers(0, 256, 3)
    high, gap = int(2 ** random.uniform(3, 6.5)), int(random.integers(1, 8))
    wide = int(high * random.uniform(0.4, 4))
    shifted, varied, missing = random.random() < 0.5, random.uniform(3, 40), random.choice([0, 0, 0.2])
    for row, y in enumerate(range(0, side, high + gap)):
        for x in range(-(wide // 2) * (row % 2) * shifted, side, wide + gap):
            if random.random() < missing:
                continue
            cv2.rectangle(image, (x, y), (x + wide - 1, y + high - 1), _shade(random, ground, varied), -1)
            if random.random() < 0.15:  # a pane, a light, a curtain
                cv2.rectangle(image, (x + wide // 4, y + high // 4), (x + wide // 2, y + high // 2), _shade(random, ground, 80), -1)
    return image


def bars(random: np.random.Generator, side: int) -> np.ndarray:
    """A fence, a grille, blinds, a zebra crossing: strips one beside the other, some crossed."""
    image = np.zeros((side, side, 3), np.uint8) + random.integers(0, 256, 3).astype(np.uint8)
    ground, step = random.integers(0, 256, 3), 2 ** random.uniform(2, 5.5)
    thick = max(1, int(step * random.uniform(0.15, 0.7)))
    for x in np.arange(0, side, step):
        cv2.line(image, (int(x + random.normal(0, step * 0.06)), 0), (int(x), side), _shade(random, ground, 12), thick)
    for y in random.integers(0, side, int(random.integers(0, 5))):
        cv2.line(image, (0, int(y)), (side, int(y)), _shade(random, ground, 12), thick * 2)
    return image if random.random() < 0.5 else np.ascontiguousarray(image.transpose(1, 0, 2))


def leaves(random: np.random.Generator, side: int) -> np.ndarray:
    """Leaves, grass, gravel or rubble: many small shapes that point anywhere."""
    image = np.zeros((side, side, 3), np.uint8) + random.integers(0, 90, 3).astype(np.uint8)
    ground = np.array([random.integers(20, 160), random.integers(50, 200), random.integers(0, 110)])
    size, narrow, angular = 2 ** random.uniform(1, 4), random.uniform(0.15, 0.9), random.random() < 0.3
    main, spread = random.uniform(0, 180), random.choice([12, 40, 180])
    for x, y in random.integers(0, side, (int(min(3000, 2 * side * side / size**2)), 2)):
        long = size * random.uniform(0.5, 1.6)
        shape = ((float(x), float(y)), (2 * long, 2 * long * narrow), float(main + random.normal(0, spread)))
        ink = _shade(random, ground * random.uniform(0.4, 1.4), 15)
        if angular:
            cv2.fillConvexPoly(image, cv2.boxPoints(shape).astype(np.int32), ink)
        else:
            cv2.ellipse(image, shape, ink, -1)
    return image


def clouds(random: np.random.Generator, side: int) -> np.ndarray:
    """Spots of many sizes, hard at their edges or soft: bark, stone, fur, rust."""
    field = np.zeros((side, side), np.float32)
    for octave in range(2, 8):
        small = random.normal(0, 1, (2**octave, 2**octave)).astype(np.float32)
        field += cv2.resize(small, (side, side), interpolation=cv2.INTER_CUBIC) * random.uniform(0.1, 1)
    share = 1 / (1 + np.exp(-field * 2 ** random.uniform(0, 4)))[..., None]
    return (random.integers(0, 256, 3) * share + random.integers(0, 256, 3) * (1 - share)).astype(np.uint8)


def lights(random: np.random.Generator, side: int) -> np.ndarray:
    """Lamps and their reflections in the dark."""
    image = np.zeros((side, side, 3), np.uint8) + random.integers(0, 50, 3).astype(np.uint8)
    for x, y in random.integers(0, side, (int(random.integers(5, 60)), 2)):
        wide, high = 2 ** random.uniform(0.5, 5), 2 ** random.uniform(0.5, 4)
        ink = _shade(random, np.array([240, random.integers(60, 250), random.integers(30, 240)]), 10)
        cv2.ellipse(image, ((float(x), float(y)), (wide, high), float(random.normal(0, 15))), ink, -1)
    return cv2.GaussianBlur(image, (0, 0), random.uniform(0.5, 3))


TEXTURES: tuple[Callable[[np.random.Generator, int], np.ndarray], ...] = (cells, bars, leaves, clouds, lights)


def texture(random: np.random.Generator, side: int) -> np.ndarray:
    """[side, side, 3] of one of them."""
    return TEXTURES[random.integers(len(TEXTURES))](random, side)
