"""A PNG to look at: what the network is shown, or every augmentation and drawing by name. Look before you train.

usage: python3 -m data.contact_sheet batch --data FOLDER out.png     faces outlined green, "perhaps" yellow
       python3 -m data.contact_sheet steps --data FOLDER out.png     one row an augmentation: before, then four times after
       python3 -m data.contact_sheet drawn out.png                   one row a kind of drawing
"""
import argparse

import cv2
import numpy as np
import torch
from torch import Tensor

from data.augmentation import DEGRADATION, LIGHTING, OCCLUSIONS, augment
from data.banks import CompressedBank
from data.batches import Batch
from data.dice import Dice
from data.drawings import DRAWINGS, drawn_pack
from data.lighting import shadow
from data.pack import SOURCE_WEIGHTS, join, read_pack
from data.views import Mixture, Sampler

SIDE, ACROSS = 192, 5


def tile(image: Tensor | np.ndarray, boxes: Tensor | None = None, labels: Tensor | None = None, name: str = "") -> np.ndarray:
    """One cell, BGR: an image with its boxes and a name."""
    if isinstance(image, Tensor):
        image = image.clamp(0, 255).byte().permute(1, 2, 0).numpy()
    cell = np.ascontiguousarray(image[..., ::-1])
    if boxes is not None and labels is not None:
        for box, label in zip(boxes.round().int().tolist(), labels.tolist()):
            if label >= 0:
                cv2.rectangle(cell, box[:2], box[2:], (0, 255, 0) if label else (0, 255, 255), 1)
    if name:
        inscribe(cell, name)
    return cell


def inscribe(cell: np.ndarray, words: str) -> None:
    """Writes into the top left corner of a cell, legibly on any ground."""
    for colour, weight in (((0, 0, 0), 3), ((255, 255, 255), 1)):
        cv2.putText(cell, words, (4, 14), cv2.FONT_HERSHEY_SIMPLEX, 0.45, colour, weight, cv2.LINE_AA)


def sheet(cells: list[np.ndarray], across: int = ACROSS) -> np.ndarray:
    """Cells of one size, row by row, `across` in each; the last row is filled up."""
    cells = cells + [np.zeros_like(cells[0])] * (-len(cells) % across)
    return np.concatenate([np.concatenate(cells[i : i + across], 1) for i in range(0, len(cells), across)])


def shown(batch: Batch, images: Tensor) -> list[np.ndarray]:
    return [tile(*item) for item in zip(images, batch.boxes, batch.labels)]


def steps(sampler: Sampler) -> list[np.ndarray]:
    """Each augmentation on one face of 40 to 70 % of the view."""
    dice, cells = sampler.dice, []
    changes = [(f.__name__, lambda x, at, f=f: f(x, at, dice)) for f, _ in OCCLUSIONS]
    changes.append(("shadow", lambda x, at: shadow(x, at[:, :2], dice)))
    changes += [(f.__name__, lambda x, at, f=f: f(x, dice)) for f, _ in (*LIGHTING, *DEGRADATION)]
    for name, change in changes:
        batch = sampler.views(64, SIDE)
        face = (batch.labels == 1).int().argmax(1)
        frame = batch.frames[torch.arange(64), face]
        large = (batch.labels == 1).any(1) & (frame[:, 3] > 0.4 * SIDE) & (frame[:, 3] < 0.7 * SIDE)
        row = int(large.int().argmax())
        image, at = batch.images[row : row + 1], frame[row : row + 1]
        cells.append(tile(image[0], name=name))
        cells += [tile(change(image.clone(), at)[0]) for _ in range(ACROSS - 1)]
    return cells


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("batch", "steps", "drawn"))
    parser.add_argument("png")
    parser.add_argument("--data", help="folder with labels.json")
    parser.add_argument("--limit", type=int, default=600, help="about how many of its pictures are read")
    parser.add_argument("--seed", type=int, default=0)
    a = parser.parse_args()
    torch.set_num_threads(1)
    if a.what == "drawn":
        rng = np.random.default_rng(a.seed)
        kinds = list(dict.fromkeys(DRAWINGS))
        cells = [tile(draw(rng, SIDE), name=draw.__name__) for draw in kinds for _ in range(ACROSS)]
    else:
        if not a.data:
            parser.error("--data is needed")
        pack = join([read_pack(a.data, limit=a.limit), drawn_pack(70, a.seed, SOURCE_WEIGHTS["drawn"])])
        mixture = Mixture(anchored=1, empty=0, tiny=0, huge=0) if a.what == "steps" else Mixture()
        sampler = Sampler(CompressedBank(pack), Dice(a.seed), mixture)
        if a.what == "steps":
            cells = steps(sampler)
        else:
            batch = sampler.batch(8 * ACROSS, SIDE)
            cells = shown(batch, augment(batch, sampler.dice))
    cv2.imwrite(a.png, sheet(cells))


if __name__ == "__main__":
    main()
