"""
What the network takes for text or a plate in pictures without any, to be shown more often.

usage: python3 -m readable.mistaken last.pt OUT --data PHOTOS --data PUBLIC [--least 0.25] [--sheet sheet.png]
Of the pictures for training those with a wrong box are listed anew in OUT, each with its boxes as `mistaken`, about which views
are chosen (bank.py). A picture that shows text or a plate after all does harm there: look at the sheet, and name it by --but.
"""
import argparse
import json
from pathlib import Path

import cv2
import numpy as np
import torch

from readable.bank import Entry, read
from readable.decode import RULES, boxes
from readable.evaluate import WHOLE, look
from readable.export import network_of
from readable.network import KINDS, ReadableNet

# Of a wrong box and what is about it, on the sheet.
TILE = 160


def mistaken(model: ReadableNet, entry: Entry, least: float) -> list[tuple[str, np.ndarray, float]]:
    """Kind, corners [4, 2] in pixels of the picture and confidence of each wrong box, of kinds that are known to be absent."""
    absent = [kind for kind in entry.knows if not entry.quads[kind]]
    image = entry.image()
    scale = min(1.0, WHOLE / max(image.shape[:2]))
    maps = look(model, cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image)
    found = [(kind, box) for kind in absent for box in boxes(maps[KINDS.index(kind)], RULES[kind])]
    return [(kind, quad / scale, score) for kind, (quad, score) in found if score >= least]


def tile(image: np.ndarray, kind: str, quad: np.ndarray, name: str) -> np.ndarray:
    high, wide = image.shape[:2]
    reach = max(24.0, float(np.ptp(quad, 0).max()))
    low = np.clip(quad.mean(0) - reach, 0, None).astype(int)
    end = np.minimum(quad.mean(0) + reach, [wide, high]).astype(int)
    drawn = image.copy()
    cv2.polylines(drawn, [np.round(quad).astype(np.int32)], True, (40, 200, 60) if kind == "plate" else (230, 40, 40), 2)
    part = drawn[low[1] : end[1], low[0] : end[0]]
    scale = TILE / max(part.shape[:2])
    small = cv2.resize(part, None, fx=scale, fy=scale)[:TILE, :TILE]
    out = np.zeros((TILE + 14, TILE, 3), np.uint8)
    out[: small.shape[0], : small.shape[1]] = small
    cv2.putText(out, name[-22:], (1, TILE + 11), cv2.FONT_HERSHEY_SIMPLEX, 0.38, (255, 255, 255))
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--data", type=Path, action="append", required=True)
    parser.add_argument("--least", type=float, default=0.25)
    parser.add_argument("--but", action="append", default=[], help="FILE that is left out")
    parser.add_argument("--sheet", type=Path)
    a = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    model = network_of(a.checkpoint).to(memory_format=torch.channels_last)
    a.out.mkdir(parents=True, exist_ok=True)
    tiles = []
    with (a.out / "labels_mistaken.jsonl").open("w") as labels:
        for entry in (e for folder in a.data for e in read(folder)):
            absent = [kind for kind in entry.knows if not entry.quads[kind]]
            if len(absent) < len(entry.knows) or entry.ignored or entry.file.name in a.but:
                continue
            found = mistaken(model, entry, a.least)
            if not found:
                continue
            quads = [quad.round(1).tolist() for _, quad, _ in found]
            one = {"f": str(entry.file.resolve()), "src": "mistaken", "knows": entry.knows, "mistaken": quads}
            labels.write(json.dumps(one) + "\n")
            labels.flush()
            if a.sheet:
                kind, quad, score = max(found, key=lambda one: one[2])
                tiles.append((score, tile(entry.image(), kind, quad, entry.file.stem)))
    if tiles:
        rows = [one for _, one in sorted(tiles, key=lambda one: -one[0])]
        rows += [np.zeros_like(rows[0])] * (-len(rows) % 12)
        cv2.imwrite(str(a.sheet), np.vstack([np.hstack(rows[n : n + 12]) for n in range(0, len(rows), 12)])[..., ::-1])


if __name__ == "__main__":
    main()
