"""
Folders of labelled pictures, and the views of them that the network is shown.

A folder holds pictures and files labels_*.jsonl, one picture a line: f, its file; src, its source; knows, of which kinds all
are labelled ("text", "plate"); lines, words, plates, ignored, mistaken: quadrilaterals [[x, y] × 4] in pixels, the last of what
the network took for one of them (mistaken.py); dev: kept for development.
Words are for evaluation: lines are what is learnt, for the gaps between words of a line tell of them.
"""
import json
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from readable.kernels import short_side, targets
from readable.network import KINDS, STRIDE

# Heights of text and plates that views are chosen for, in pixels.
LEAST, MOST = 8.0, {"text": 64.0, "plate": 80.0}
QUADS = {"text": "lines", "plate": "plates"}

REDUCED = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8}


@dataclass
class Entry:
    file: Path
    source: str
    knows: list[str]
    quads: dict[str, list[np.ndarray]]
    ignored: list[np.ndarray]
    words: list[np.ndarray]
    mistaken: list[np.ndarray] = field(default_factory=list)

    def image(self, reduced: int = 1) -> np.ndarray:
        """[h, w, 3], RGB; reduced: 1, 2, 4 or 8 times, which is quicker to decode."""
        return cv2.cvtColor(cv2.imread(str(self.file), REDUCED[reduced]), cv2.COLOR_BGR2RGB)


def read(folder: Path, development: bool = False) -> list[Entry]:
    """The pictures of a folder that are kept for development, or the others. A line that is being written is left out."""
    entries = []
    for labels in sorted(folder.glob("labels_*.jsonl")):
        for line in labels.read_text().splitlines():
            try:
                one = json.loads(line)
            except json.JSONDecodeError:
                continue
            if one.get("dev", False) != development:
                continue
            arrays = {k: [np.array(q, np.float32) for q in one.get(k, [])] for k in ("lines", "plates", "words", "ignored", "mistaken")}
            quads = {kind: arrays[key] for kind, key in QUADS.items()}
            words = arrays["words"] or arrays["lines"]
            others = (arrays["ignored"], words, arrays["mistaken"])
            entries.append(Entry(folder / one["f"], one["src"], one["knows"], quads, *others))
    return entries


@dataclass
class View:
    """What the network is shown: [side, side, 3] uint8 RGB, and [2, side / 4, side / 4]: maps of 0..255, masks of 0 and 1."""

    image: np.ndarray
    wanted: np.ndarray
    mask: np.ndarray


def view(entry: Entry, side: int, random: np.random.Generator) -> View:
    """A part of a picture, enlarged or reduced and turned a little, mostly about something that can be read."""
    with Image.open(entry.file) as header:
        w, h = header.size
    known = [(q, MOST[kind]) for kind in entry.knows for q in entry.quads[kind]] + [(q, MOST["text"]) for q in entry.mistaken]
    centre = np.array([random.uniform(0, w), random.uniform(0, h)])
    scale = float(np.clip(2 ** random.uniform(-1.2, 0.5), side / max(w, h) / 1.5, 2))
    if known and random.random() < 0.85:
        quad, most = known[random.integers(len(known))]
        wanted = LEAST * (most / LEAST) ** random.random()
        scale = float(np.clip(wanted / max(short_side(quad), 2), 0.15, 2.2))
        along = random.random()
        centre = quad[0] * along + quad[2] * (1 - along) + random.uniform(-0.4, 0.4, 2) * side / scale
    # Little of what is shown lies beyond the picture.
    reach = np.minimum(0.42 * side / scale, np.array([w, h]) / 2)
    centre = np.clip(centre, reach, np.array([w, h]) - reach)
    image = entry.image(max(by for by in REDUCED if by * scale <= 1 or by == 1))
    scaled = scale * w / image.shape[1]
    if scaled < 0.75:
        image = cv2.resize(image, None, fx=scaled, fy=scaled, interpolation=cv2.INTER_AREA)
    ratio = np.array([image.shape[1] / w, image.shape[0] / h])
    angle = 0.0
    chance = random.random()
    if chance < 0.3:
        angle = random.normal(0, 6)
    elif chance < 0.36:
        angle = random.choice([90.0, -90.0, 180.0])
    elif chance < 0.42:
        angle = random.uniform(-45, 45)
    transform = cv2.getRotationMatrix2D((0, 0), angle, scale / float(ratio.mean()))
    if random.random() < 0.2:  # seen from the side
        transform[:, :2] = transform[:, :2] @ np.array([[1, random.normal(0, 0.12)], [random.normal(0, 0.15), 1]])
    transform[:, 2] = side / 2 - transform[:, :2] @ (centre * ratio)
    shown = cv2.warpAffine(image, transform, (side, side), flags=cv2.INTER_LINEAR)

    def moved(quads: list[np.ndarray]) -> list[np.ndarray]:
        found = [(q * ratio) @ transform[:, :2].T + transform[:, 2] for q in quads]
        return [q for q in found if (q.max(0) > 0).all() and (q.min(0) < side).all()]

    cells = side // STRIDE
    maps, masks = np.zeros((2, cells, cells), np.uint8), np.zeros((2, cells, cells), np.uint8)
    ignored = moved(entry.ignored)
    plates = moved(entry.quads["plate"])
    for index, kind in enumerate(KINDS):
        if kind in entry.knows:
            # The letters of a plate are text, or part of a plate: both are right.
            neither = ignored + (plates if kind == "text" else [])
            maps[index], masks[index] = targets(moved(entry.quads[kind]), kind, neither, side)
    return View(degraded(shown, random), maps, masks)


def night(image: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Little light, of few colours, or the glare of a flash."""
    tint = np.array([random.uniform(0.5, 1), random.uniform(0.7, 1), random.uniform(0.7, 1)])
    if random.random() < 0.3:
        return np.clip((image * random.uniform(1.2, 2.2)) * tint**0.3, 0, 255).astype(np.uint8)
    grey = image.mean(2, keepdims=True)
    faded = image * (share := random.uniform(0.3, 1)) + grey * (1 - share)
    return np.clip(faded * tint * random.uniform(0.12, 0.5) + random.uniform(0, 60) * tint, 0, 255).astype(np.uint8)


def degraded(image: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Other light and colours, noise, blur and compression, each now and then."""
    if random.random() < 0.6:
        curve = np.linspace(0, 1, 256) ** (2 ** random.uniform(-0.8, 0.8))
        gain, lift = random.uniform(0.6, 1.15), random.uniform(0, 0.15)
        channels = [np.clip(255 * (curve * gain * random.uniform(0.9, 1.1) + lift), 0, 255).astype(np.uint8) for _ in range(3)]
        image = cv2.LUT(image, np.stack(channels, -1)[None])
    chance = random.random()
    if chance < 0.1:
        image = night(image, random)
    elif chance < 0.14:
        image = 255 - image
    if random.random() < 0.15:
        image = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    if random.random() < 0.12:  # out of a smaller picture
        small = cv2.resize(image, None, fx=1 / (by := random.uniform(1.3, 3)), fy=1 / by, interpolation=cv2.INTER_AREA)
        image = cv2.resize(small, image.shape[1::-1], interpolation=cv2.INTER_CUBIC if random.random() < 0.5 else cv2.INTER_LINEAR)
    chance = random.random()
    if chance < 0.15:
        image = cv2.GaussianBlur(image, (0, 0), random.uniform(0.4, 1.5))
    elif chance < 0.22:
        length = int(random.integers(3, 8))
        kernel = np.zeros((length, length), np.float32)
        kernel[length // 2] = 1 / length
        image = cv2.filter2D(image, -1, kernel if random.random() < 0.5 else kernel.T)
    if random.random() < 0.25:
        noise = random.normal(0, random.uniform(2, 14), image.shape[:2] + (1 if random.random() < 0.5 else 3,))
        image = np.clip(image + noise, 0, 255).astype(np.uint8)
    if random.random() < 0.35:
        packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(20, 90))])[1]
        image = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    return image
