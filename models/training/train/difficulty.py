"""How hard each training picture still is for a network; train.py --difficulty shows the hard ones more often.

usage: python3 -m train.difficulty last.pt@2.2,-0.44 --data FOLDER --out difficulty.json [--processes 2]
A picture, looked at once as it is, gets LEAST, plus what its faces' scores lack of 1, plus the scores of what is wrong in it,
at most MOST: hard example mining (Shrivastava et al., arXiv:1604.03540), by picture. The cap keeps wrong labels and crowds
from ruling, LEAST keeps what is known from being forgotten.
"""
import argparse
import json
import multiprocessing
from pathlib import Path

from evaluate.detectors import open_detectors
from data.pack import FACE, PERHAPS, read_labels
from evaluate.scoring import Held, Match, boxes_array, matches_of

LEAST, MOST = 0.3, 3.0
SIDE = 640


def labelled(folder: Path, image: dict) -> Held:
    """A training picture as a held-out one: what is perhaps a face counts neither way."""
    scored = boxes_array(image["boxes"], 5)
    faces, perhaps = scored[:, 4] >= FACE, (scored[:, 4] >= PERHAPS) & (scored[:, 4] < FACE)
    return Held(folder / image["f"], scored[faces, :4], scored[perhaps, :4], False)


def difficulty(match: Match) -> float:
    """LEAST to MOST."""
    found = sum(score for score, right, _ in match.detections if right)
    wrong = sum(score for score, right, _ in match.detections if not right)
    return min(MOST, LEAST + len(match.face_heights) - found + wrong)


def difficulties(network: str, folder: Path, images: list[dict]) -> dict[str, float]:
    """By the pictures' names in labels.json."""
    with open_detectors([f"network={network}"]) as (detector,):
        matches = matches_of(detector, [labelled(folder, image) for image in images], SIDE)
    return {image["f"]: round(difficulty(match), 3) for image, match in zip(images, matches)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", help="file.onnx or last.pt@scale,bias: calibrated, since scores are compared with 1 and 0")
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--processes", type=int, default=1)
    a = parser.parse_args()
    images = read_labels(a.data)
    parts = [(a.network, a.data, images[i :: a.processes]) for i in range(a.processes)]
    with multiprocessing.Pool(a.processes) as pool:
        found = {name: value for part in pool.starmap(difficulties, parts) for name, value in part.items()}
    a.out.write_text(json.dumps(found, indent=0, sort_keys=True))
    hard = sum(value > LEAST + 0.5 for value in found.values())
    print(f"{len(found)} pictures, {hard} of them with half a face or more missing or wrong")


if __name__ == "__main__":
    main()
