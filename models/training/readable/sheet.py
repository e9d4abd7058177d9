"""
Pictures with what the network finds in them drawn over, each beside itself hidden, to look at.

usage: python3 -m readable.sheet last.pt sheet.png --data FOLDER [--source signs] [--count 20]
"""
import argparse
from pathlib import Path

import cv2
import numpy as np
import torch

from readable.bank import read
from readable.decode import RULES
from readable.evaluate import found, see
from readable.export import network_of
from readable.network import KINDS

COLOURS = {"text": (230, 40, 40), "plate": (40, 200, 60)}
TILE = 300


def drawn(image: np.ndarray, boxes: dict[str, list[np.ndarray]]) -> np.ndarray:
    """[TILE, 2 TILE, 3]: outlines at the left, solid fills at the right."""
    sides = [image.copy(), image.copy()]
    thick = max(2, max(image.shape[:2]) // 300)
    for kind, quads in boxes.items():
        for quad in quads:
            cv2.polylines(sides[0], [np.round(quad).astype(np.int32)], True, COLOURS[kind], thick)
            cv2.fillConvexPoly(sides[1], np.round(quad).astype(np.int32), (0, 0, 0))
    scale = TILE / max(image.shape[:2])
    out = np.full((TILE, 2 * TILE, 3), 128, np.uint8)
    for index, side in enumerate(sides):
        small = cv2.resize(side, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)[:TILE, :TILE]
        out[: small.shape[0], index * TILE : index * TILE + small.shape[1]] = small
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("sheet", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--source", action="append")
    parser.add_argument("--count", type=int, default=20)
    a = parser.parse_args()
    torch.set_num_threads(1)
    model = network_of(a.checkpoint).to(memory_format=torch.channels_last)
    entries = [e for e in read(a.data, development=True) if not a.source or e.source in a.source][: a.count]
    tiles = []
    for entry in entries:
        seen = see(model, entry)
        boxes = {kind: found(seen, kind, RULES[kind]) for kind in KINDS}
        tiles.append(drawn(entry.image(), boxes))
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % 3)
    rows = [np.hstack(tiles[at : at + 3]) for at in range(0, len(tiles), 3)]
    cv2.imwrite(str(a.sheet), np.vstack(rows)[..., ::-1])


if __name__ == "__main__":
    main()
