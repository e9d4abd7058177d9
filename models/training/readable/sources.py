"""
Public pictures with text and plates, out of bare git repositories, as folders of bank.py's form.

usage: python3 -m readable.sources OUT --mirror FOLDER [--only lp --only signs …]
       python3 -m readable.sources OUT --photos TRAINSET
FOLDER/<owner>+<name>/repo is a clone of each repository (any that is missing is passed over). What the project's acceptance
test is made of never gets in: see `kept_back`. The second form lists the photographs without text of the face detector's set.
"""
import argparse
import json
import re
import subprocess
import xml.etree.ElementTree as ElementTree
import zlib
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from readable.scenes import DEVELOPMENT, photos

Quad = list[list[float]]

# Longest side of a stored picture.
MOST = 1280

# Sources of the face detector's set that were looked through for text and plates; what has text after all, by number: watermarks,
# dates, names. The streets of "hseg" have shops' signs in them, and one drive has a car.
LOOKED_THROUGH = ("pets", "hseg", "house")
WITH_TEXT = {
    "house": """
        11 20 25 30 31 33 34 38 40 41 43 47 64 65 76 81 98 103 104 122 125 134 135 142 144 146 162 165 172 194 197 201 204
        213 229 246 251 253 265 268 274 278 308 319 321 330 332 341 342 344 359 364 373 382 389 392 405 411 413 415 428 435
        440 443 450 452 458 479 484 485 499 503 515 517 520 528 530 532 542 546 548 552 555 556 557 567 572 574 582 591 602
        604 606 607 622 626 633 636 647 648 665 668 672 679 687 688 694 704 709 718 736 737 740 750 767 784 785 787 788 789
        801 805 812 816 817 820 828 834 849 850 864 869 874 877 879 885 899 901 904 910 914 960 961 964 972 984 989 995 1017
        1019 1024 1027 1039 1051 1061 1075 1077 1086
    """,
    "pets": """
        45 50 64 68 70 83 90 156 191 194 203 205 238 254 255 260 261 273 292 311 313 335 358 379 385 410 412 416 455 457 491
        522 538 545 555 588 617 620 645 669 693 695 705 714 757 780 796 838 892 934 998 1008 1014 1018 1031 1043 1085
        1092 1098
    """,
}
WITH_PLATE = ("house_01044.jpg",)


class Repository:
    """Reads files of one revision without a work tree."""

    def __init__(self, mirror: Path, name: str, revision: str = "HEAD"):
        found = [mirror / name.replace("/", "+") / "repo" / end for end in (".git", "")]
        self.folder = next((f for f in found if (f / "objects").exists()), None)
        self.revision = revision

    def files(self, under: str) -> list[str]:
        if not self.folder:
            return []
        listed = subprocess.run(
            ["git", "-C", str(self.folder), "ls-tree", "-r", "-z", "--name-only", self.revision, under],
            capture_output=True, text=True,
        )  # fmt: skip
        return sorted(name for name in listed.stdout.split("\0") if name)

    def read(self, file: str) -> bytes:
        return subprocess.run(
            ["git", "-C", str(self.folder), "show", f"{self.revision}:{file}"], capture_output=True
        ).stdout


def upright(x0: float, y0: float, x1: float, y1: float) -> Quad:
    return [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]


def voc(text: bytes) -> list[Quad]:
    boxes = [node.find("bndbox") for node in ElementTree.fromstring(text).iter("object")]
    return [upright(*(float(box.find(k).text) for k in ("xmin", "ymin", "xmax", "ymax"))) for box in boxes if box is not None]


def yolo(text: bytes, width: int, height: int) -> list[Quad]:
    """Centres and sides in shares of the picture; a polygon counts by its bounds."""
    quads = []
    for line in text.decode().splitlines():
        values = [float(v) for v in line.split()[1:]]
        if len(values) == 4:
            x, y, w, h = values
            xs, ys = (x - w / 2, x + w / 2), (y - h / 2, y + h / 2)
        elif len(values) > 4:
            xs, ys = values[0::2], values[1::2]
        else:
            continue
        quads.append(upright(min(xs) * width, min(ys) * height, max(xs) * width, max(ys) * height))
    return quads


# Plates of Iran are labelled without the blue strip at their left, which takes this share of what is labelled.
STRIP = 0.085


def with_strip(quads: list[Quad]) -> list[Quad]:
    return [upright(x0 - STRIP * (x1 - x0), y0, x1, y1) for (x0, y0), _, (x1, y1), _ in quads]


def kept_back(source: str, file: str, valid: set[str]) -> bool:
    """Whether a file belongs to the acceptance test. valid: first 16 letters of the names in LP_Detection/valid."""
    number = re.search(r"(\d+)\.\w+$", file)
    n = int(number.group(1)) if number else 0
    if source == "lp":
        return not file.startswith("LP_Detection/train/") or Path(file).name[:16] in valid
    if source == "signs":
        return not (file.startswith("train/") and 1 <= n <= 900)
    if source == "boards":
        return not 1481 <= n <= 2350 or file.startswith("test/")
    if source == "receipts":
        return n > 549
    if source == "forms":
        return "training_data" not in file
    if source == "egypt":
        return n >= 1900
    if source == "cars":
        return n in (0, 39, 108, 111, 130, 159, 191, 261, 302, 323, 344, 379)
    if source == "iran":
        return not file.startswith("YOLOv3_Dataset/Train/")
    return source == "motorcycles" and not file.startswith("train/")


def is_for_development(source: str, file: str) -> bool:
    """One picture in ten, its copies with it; of a video, none: its pictures are too much alike."""
    return source != "video" and zlib.crc32(Path(file).stem.split(".rf.")[0].encode()) % 10 == 0


def pictures(mirror: Path) -> Iterator[tuple[str, list[str], str, Repository, object]]:
    """Source, what it knows, file, repository, and a function from width and height to {key: quads}."""
    lp = Repository(mirror, "unknowncz/LP_recognition", "dev")
    valid = {Path(f).name[:16] for f in lp.files("LP_Detection/valid/")}
    labels = set(lp.files("LP_Detection/trainlabels/"))

    def usable(source: str, repository: Repository, under: str) -> Iterator[str]:
        for file in repository.files(under):
            if file.lower().endswith((".jpg", ".jpeg", ".png")) and not kept_back(source, file, valid):
                yield file

    for file in usable("lp", lp, "LP_Detection/train/"):
        label = f"LP_Detection/trainlabels/{Path(file).stem}.xml"
        if label in labels:
            yield "lp", ["plate"], file, lp, lambda w, h, label=label: {"plates": voc(lp.read(label))}
    lucian = Repository(mirror, "RobertLucian/license-plate-dataset")
    for file in usable("video", lucian, "dataset/"):
        label = file.replace("/images/", "/annots/").rsplit(".", 1)[0] + ".xml"
        yield "video", ["plate"], file, lucian, lambda w, h, label=label: {"plates": voc(lucian.read(label))}
    riders = Repository(mirror, "telattar/Egyptian-motorcycle-license-plate-dataset")
    for file in usable("motorcycles", riders, "train/images/"):
        label = file.replace("/images/", "/labels/").rsplit(".", 1)[0] + ".txt"
        yield "motorcycles", ["plate"], file, riders, lambda w, h, label=label: {"plates": yolo(riders.read(label), w, h)}
    egypt = Repository(mirror, "ahmedramadan96/EALPR")
    for file in usable("egypt", egypt, "EALPR Vechicles dataset/Vehicles/"):
        label = f"EALPR Vechicles dataset/Vehicles Labeling/{Path(file).stem}.txt"
        yield "egypt", ["plate"], file, egypt, lambda w, h, label=label: {"plates": yolo(egypt.read(label), w, h)}
    cars = Repository(mirror, "AshwinBardhwaj/license-plate-detection")
    for file in usable("cars", cars, "Dataset/images/"):
        label = f"Dataset/annotations/{Path(file).stem}.xml"
        yield "cars", ["plate"], file, cars, lambda w, h, label=label: {"plates": voc(cars.read(label))}
    iran = Repository(mirror, "roozbehrajabi/ALPR_Dataset")
    for file in list(usable("iran", iran, "YOLOv3_Dataset/Train/"))[::3]:
        label = f"YOLOv3_Dataset/Train/1output/YOLO_darknet/{Path(file).stem}.txt"
        yield "iran", ["plate"], file, iran, lambda w, h, label=label: {"plates": with_strip(yolo(iran.read(label), w, h))}
    negatives = Repository(mirror, "openalpr/train-detector")
    for file in list(usable("raw-neg", negatives, "raw-neg/"))[::4]:
        yield "raw-neg", ["plate"], file, negatives, lambda w, h: {}
    signs, quads = Repository(mirror, "ruan1998/text_data"), Repository(mirror, "midoppal/DBNet-Blurred-Text-Detector")
    for file in usable("signs", signs, "train/"):
        label = f"datasets/icdar2015/train_gts/{Path(file).name}.txt"
        yield "signs", ["text"], file, signs, lambda w, h, label=label: street_words(quads.read(label), w, h)
    for folder in ("train", "validation"):
        for file in usable("boards", signs, f"{folder}/"):
            mask = file.replace("/", "_mask/", 1)
            yield "boards", ["text"], file, signs, lambda w, h, mask=mask: {"lines": painted(signs.read(mask))}
    receipts = Repository(mirror, "zzzDavid/ICDAR-2019-SROIE", "master")
    for file in usable("receipts", receipts, "data/img/"):
        label = f"data/box/{Path(file).stem}.csv"
        yield "receipts", ["text", "plate"], file, receipts, lambda w, h, label=label: {"lines": eights(receipts.read(label))}
    forms = Repository(mirror, "zlexandr/funsd-labelstudio")
    for file in usable("forms", forms, "dataset/training_data/images/"):
        label = f"dataset/training_data/annotations/{Path(file).stem}.json"
        yield "forms", ["text", "plate"], file, forms, lambda w, h, label=label: form(forms.read(label))


def eights(text: bytes) -> list[Quad]:
    quads = []
    for line in text.decode("utf-8", "replace").splitlines():
        values = line.split(",")[:8]
        if len(values) == 8 and all(re.fullmatch(r"\s*-?\d+\s*", v) for v in values):
            quads.append([[float(x), float(y)] for x, y in zip(values[0::2], values[1::2])])
    return quads


def street_words(text: bytes, width: int, height: int) -> dict[str, list[Quad]]:
    """Labels are of the pictures at 1280 x 720; what nobody could read is ignored."""
    made: dict[str, list[Quad]] = {"lines": [], "ignored": []}
    for line in text.decode("utf-8-sig").splitlines():
        values = line.split(",")
        if len(values) < 9:
            continue
        corners = [[float(x) * width / 1280, float(y) * height / 720] for x, y in zip(values[0:8:2], values[1:8:2])]
        made["ignored" if ",".join(values[8:]).strip() == "###" else "lines"].append(corners)
    return made


# Words of the masks are painted so much smaller about their centres; and specks are none.
PAINTED = 0.7
LEAST_PAINTED = 12


def painted(mask: bytes) -> list[Quad]:
    """Words out of a picture in which their places are white."""
    white = cv2.imdecode(np.frombuffer(mask, np.uint8), cv2.IMREAD_GRAYSCALE) > 127
    shapes, _ = cv2.findContours(white.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    quads = []
    for shape in shapes:
        centre, (a, b), angle = cv2.minAreaRect(shape)
        if (a + 1) * (b + 1) >= LEAST_PAINTED:
            quads.append(cv2.boxPoints((centre, ((a + 1) / PAINTED, (b + 1) / PAINTED), angle)).tolist())
    return quads


def form(text: bytes) -> dict[str, list[Quad]]:
    words = [w["box"] for field in json.loads(text)["form"] for w in field["words"] if w["text"].strip()]
    return {"lines": lines_of(words), "words": [upright(*box) for box in words]}


def lines_of(boxes: list[list[float]]) -> list[Quad]:
    """Joins boxes (left, top, right, bottom) that stand beside each other on one line."""
    lines: list[list[float]] = []
    for box in sorted(boxes, key=lambda b: b[0]):
        height = box[3] - box[1]
        for line in lines:
            overlap = min(line[3], box[3]) - max(line[1], box[1])
            if overlap > 0.6 * max(height, line[3] - line[1]) and -height < box[0] - line[2] < 0.7 * height:
                line[:] = [line[0], min(line[1], box[1]), max(line[2], box[2]), max(line[3], box[3])]
                break
        else:
            lines.append(list(box))
    return [upright(*line) for line in lines]


def has_text(source: str, name: str) -> bool:
    """Whether a photograph shows text, or may."""
    return source == "hseg" or int(name.rsplit("_", 1)[1].split(".")[0]) in {int(n) for n in WITH_TEXT[source].split()}


def empty(trainset: Path) -> Iterator[dict]:
    """Lines for the photographs without text and plates; those that scenes for development are drawn on are so, too."""
    for seed in (0, DEVELOPMENT):
        for file in photos(trainset, seed):
            source = file.relative_to(trainset).parts[0]
            if source in LOOKED_THROUGH and file.name not in WITH_PLATE:
                knows = ["plate"] if has_text(source, file.name) else ["text", "plate"]
                yield {"f": str(file.resolve()), "src": "photos", "knows": knows, "dev": seed == DEVELOPMENT}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--mirror", type=Path)
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--only", action="append")
    a = parser.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    if a.photos:
        lines = "".join(json.dumps(line) + "\n" for line in empty(a.photos))
        (a.out / "labels_photos.jsonl").write_text(lines)
        return
    cv2.setNumThreads(1)
    written: dict[str, int] = {}
    for source, knows, file, repository, label in pictures(a.mirror):
        if a.only and source not in a.only:
            continue
        image = cv2.imdecode(np.frombuffer(repository.read(file), np.uint8), cv2.IMREAD_COLOR)
        if image is None:
            continue
        h, w = image.shape[:2]
        try:
            quads = label(w, h)
        except (ValueError, AttributeError, ElementTree.ParseError):
            continue
        scale = min(1.0, MOST / max(h, w))
        if scale < 1:
            image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        number = written[source] = written.get(source, -1) + 1
        name = f"{source}_{number:05}.jpg"
        cv2.imwrite(str(a.out / name), image, [cv2.IMWRITE_JPEG_QUALITY, 92])
        scaled = {k: (np.array(q, float).reshape(-1, 4, 2) * scale).round(1).tolist() for k, q in quads.items()}
        with (a.out / f"labels_{source}.jsonl").open("w" if number == 0 else "a") as labels:
            one = {"f": name, "src": source, "knows": knows, "dev": is_for_development(source, file), **scaled}
            labels.write(json.dumps(one) + "\n")
    print({source: last + 1 for source, last in written.items()})


if __name__ == "__main__":
    main()
