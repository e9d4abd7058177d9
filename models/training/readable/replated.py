"""
Street pictures whose plates are drawn anew, by the layouts of twenty-odd countries, where real ones hang.

usage: python3 -m readable.replated OUT --streets PUBLIC --count 1500 --seed 1
PUBLIC is a folder of sources.py; pictures that are kept for development are left alone.
"""
import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from readable.bank import Entry, read
from readable.kernels import short_side
from readable.plates import plate

# Plates lower than this stay as they are, and so do those that no layout's shape comes near to.
LEAST = 8.0
TRIES, MOST_STRETCHED = 14, 1.35

SOURCES = ("lp", "cars", "video", "egypt")


def fitting(random: np.random.Generator, shape: float) -> np.ndarray | None:
    """A plate [h, w, 4] about so many times as wide as high."""
    for _ in range(TRIES):
        made = plate(random)
        stretched = shape / (made.shape[1] / made.shape[0])
        if 1 / MOST_STRETCHED < stretched < MOST_STRETCHED:
            return made
    return None


def replaced(random: np.random.Generator, image: np.ndarray, quad: np.ndarray) -> None:
    """Lays a plate over another, in its light and as sharp as it."""
    high = short_side(quad)
    low, end = np.maximum(quad.min(0), 0).astype(int), np.ceil(quad.max(0)).astype(int)
    old = image[low[1] : end[1], low[0] : end[0]]
    made = fitting(random, float(np.ptp(quad[:, 0]) / max(1, np.ptp(quad[:, 1]))))
    if made is None or high < LEAST or old.size == 0:
        return
    height, width = made.shape[:2]
    # Brightness of the ground of both: their light parts.
    bright = np.percentile(old, 85) / max(40.0, float(np.percentile(made[..., :3], 85)))
    ink = np.clip(made[..., :3] * np.clip(bright * random.uniform(0.85, 1.2), 0.15, 1.15), 0, 255)
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    corners = quad + random.uniform(-0.05, 0.05, (4, 2)) * high + np.sign(quad - quad.mean(0)) * 0.03 * high
    transform = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    sigma = max(0.3, 0.4 * height / high) + random.uniform(0, 0.05) * height
    size = image.shape[1::-1]
    over, alpha = (
        cv2.warpPerspective(cv2.GaussianBlur(layer, (0, 0), sigma), transform, size, flags=cv2.INTER_LINEAR)
        for layer in (ink.astype(np.uint8), np.ascontiguousarray(made[..., 3]))
    )
    share = alpha[..., None].astype(np.float32) / 255
    image[:] = (image * (1 - share) + over * share).astype(np.uint8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--streets", type=Path, required=True)
    parser.add_argument("--count", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    a = parser.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    streets: list[Entry] = [
        entry for entry in read(a.streets)
        if entry.source in SOURCES and any(short_side(quad) >= LEAST for quad in entry.quads["plate"])
    ]  # fmt: skip
    with (a.out / f"labels_replated_{a.seed}.jsonl").open("w") as labels:
        for number in range(a.count):
            random = np.random.default_rng([a.seed, number])
            entry = streets[random.integers(len(streets))]
            image = entry.image()
            for quad in entry.quads["plate"]:
                replaced(random, image, quad)
            name = f"replated_{a.seed}_{number:05}.jpg"
            cv2.imwrite(str(a.out / name), image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 90])
            plates = [np.round(quad, 1).tolist() for quad in entry.quads["plate"]]
            labels.write(json.dumps({"f": name, "src": "replated", "knows": ["plate"], "plates": plates}) + "\n")
            labels.flush()


if __name__ == "__main__":
    main()
