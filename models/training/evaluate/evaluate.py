"""The tables of the card: several detectors on the held-out pictures in one run, by face height.

usage: python3 -m evaluate.evaluate --held FOLDER ours=last.pt@2.2,-0.46 previous=../face_detector.onnx yunet=yunet_n_dynamic.onnx
Heights are in pixels of what the detector is shown: the picture, shrunk to --side at its longer side. One look, no turns: what
the service makes of it by looking several times is measured by scripts/eval_faces/main.mjs.
"""
import argparse
import json

from evaluate.detectors import open_detectors
from evaluate.scoring import HEIGHTS, LEAST_OVERLAP, Outcome, matches_of, read_held

RANGES = [(16, float("inf")), *zip(HEIGHTS, (*HEIGHTS[1:], float("inf")))]
TITLES = ["16 and more", *(f"{low}–{high:g}" if high < 1e9 else f"{low} and more" for low, high in RANGES[1:])]


def row(name: str, outcome: Outcome, least: float) -> dict[str, float | str]:
    """All figures of one detector at one threshold."""
    values: dict[str, float | str] = {
        "detector": name,
        "AP": outcome.average_precision(),
        "threshold": least,
        "recall": outcome.recall(least),
        "precision": outcome.precision(least),
        "wrong a picture": outcome.wrong(least),
    }
    return values | {title: outcome.recall(least, *heights) for title, heights in zip(TITLES, RANGES)}


def print_table(title: str, rows: list[dict[str, float | str]], outcome: Outcome) -> None:
    print(f"\n### {title}: {outcome.pictures} pictures, {len(outcome.face_heights)} faces\n")
    print("| " + " | ".join(rows[0]) + " |")
    print("|---" * len(rows[0]) + "|")
    count = [int(((outcome.face_heights >= low) & (outcome.face_heights < high)).sum()) for low, high in RANGES]
    print("| *faces* |" + " |" * (len(rows[0]) - 1 - len(count)) + " " + " | ".join(map(str, count)) + " |")
    for values in rows:
        cells = [v if isinstance(v, str) else "–" if v != v else f"{v:.3f}" for v in values.values()]
        print("| " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("detectors", nargs="+", help="name=file.onnx or name=last.pt[@scale,bias]")
    parser.add_argument("--held", required=True, help="folder with images/ and labels.json")
    parser.add_argument("--side", type=int, default=640)
    parser.add_argument("--confidence", type=float, default=0.6)
    parser.add_argument("--wrong", type=float, default=0.1, help="wrong detections a picture at which all are compared")
    parser.add_argument("--overlap", type=float, default=LEAST_OVERLAP, help="intersection over union that counts as found")
    parser.add_argument("--every", type=int, default=1, help="use every n-th picture only")
    parser.add_argument("--json", help="file for the figures")
    a = parser.parse_args()
    pictures = read_held(a.held, a.every)
    by_people = [i for i, held in enumerate(pictures) if held.by_people or not len(held.faces) + len(held.ignored)]
    tables: dict[str, list[dict[str, float | str]]] = {}
    with open_detectors(a.detectors) as detectors:
        all_matches = [(detector.name, matches_of(detector, pictures, a.side, a.overlap)) for detector in detectors]
    sets = {"Held-out": range(len(pictures)), "Labelled by people, and without faces": by_people}
    for title, chosen in sets.items():
        outcomes = [(name, Outcome.of([matches[i] for i in chosen])) for name, matches in all_matches]
        for what, threshold in (
            (f"at confidence {a.confidence:g}", lambda outcome: a.confidence),
            (f"at {a.wrong:g} wrong a picture", lambda outcome: outcome.threshold(a.wrong)),
        ):
            rows = [row(name, outcome, threshold(outcome)) for name, outcome in outcomes]
            tables[f"{title}, {what}"] = rows
            print_table(f"{title}, {what}", rows, outcomes[0][1])
    if a.json:
        with open(a.json, "w") as file:
            json.dump(tables, file, indent=1)


if __name__ == "__main__":
    main()
