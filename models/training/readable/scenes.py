"""
Scenes with text and plates, drawn on photographs or alone, as pictures and labels to train on.

usage: python3 -m readable.scenes OUT --photos TRAINSET --count 3000 --seed 1 [--kind signs --kind nothing]
Writes OUT/<seed>_<number>.jpg and adds lines to OUT/labels_<seed>.jsonl (bank.py tells their form).
"""
import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw

from readable import pages
from readable.lettering import font, pick_font, pick_script, word
from readable.pages import Drawing, colour, ink_for, rectangle
from readable.plates import plate
from readable.textures import texture

SIDE = 512

# Seeds from here on give scenes for development, on photographs that no others show.
DEVELOPMENT = 1000

# Sources of the face detector's training set whose pictures hold next to no text of their own.
WITHOUT_TEXT = ("pets", "hseg", "flk", "house", "maskc", "obs")


def warped(quads: list[np.ndarray], transform: np.ndarray) -> list[np.ndarray]:
    return [cv2.perspectiveTransform(q[None].astype(np.float32), transform)[0] for q in quads]


def place(random: np.random.Generator, width: int, height: int, target: float, tilt: float) -> np.ndarray:
    """Where a flat thing of so many pixels lies in a scene: its transform. target: its height there."""
    scale = target / height
    half = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) * scale / 2
    angle = np.deg2rad(random.normal(0, tilt))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    squeeze = random.uniform(0.6, 1) if random.random() < 0.5 else 1
    corners = (half * [squeeze, 1] * (1 + random.uniform(-0.07, 0.07, (4, 1)))) @ turn.T
    spread = np.ptp(corners, axis=0)
    centre = [random.uniform(min(s / 2, SIDE - s / 2) - 4, max(s / 2, SIDE - s / 2) + 4) for s in spread]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return cv2.getPerspectiveTransform(source, (corners + centre).astype(np.float32))


def paste(scene: np.ndarray, thing: np.ndarray, alpha: np.ndarray, transform: np.ndarray, scale: float) -> None:
    """Lays a picture over a scene. scale: by which it gets smaller, to be blurred beforehand."""
    if scale < 0.7:
        sigma = 0.4 / scale
        thing, alpha = cv2.GaussianBlur(thing, (0, 0), sigma), cv2.GaussianBlur(alpha, (0, 0), sigma)
    over = cv2.warpPerspective(thing, transform, (SIDE, SIDE), flags=cv2.INTER_LINEAR)
    share = cv2.warpPerspective(alpha, transform, (SIDE, SIDE), flags=cv2.INTER_LINEAR)[..., None].astype(np.float32) / 255
    scene[:] = (scene * (1 - share) + over * share).astype(np.uint8)


def free(quad: np.ndarray, others: list[np.ndarray]) -> bool:
    low, high = quad.min(0) - 3, quad.max(0) + 3
    return all((other.max(0) < low).any() or (other.min(0) > high).any() for other in others)


def lighting(random: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """A slope of light over the picture, as of a lamp."""
    h, w = image.shape[:2]
    corners = random.uniform(0.55, 1.1, (2, 2)).astype(np.float32)
    return np.clip(image * cv2.resize(corners, (w, h))[..., None], 0, 255).astype(np.uint8)


def signs(random: np.random.Generator, photo: np.ndarray) -> Drawing:
    """Lines of text upon a photograph, on boards or straight on it."""
    out = Drawing(photo.copy())
    for _ in range(int(random.integers(1, 12))):
        script = pick_script(random)
        file, size = pick_font(random, script), 48
        rows = int(random.choice([1, 1, 1, 2, 3]))
        width, height = 1400, int(size * 1.5 * rows + 40)
        board = random.random() < 0.55
        ground = colour(random)
        sheet = pages.Sheet(random, width, height, ground)
        mask = Image.new("L", (width, height), 0)
        masked = ImageDraw.Draw(mask)
        for row in range(rows):
            x, face = 20.0, font(file, size)
            count = int(random.choice([1, 1, 2, 3]))
            bounds = []
            for text in (word(random, script) for _ in range(count)):
                at = (x, 14 + row * size * 1.45)
                box = masked.textbbox(at, text, font=face)
                if box[2] > width - 20 or box[3] > height:
                    break
                masked.text(at, text, font=face, fill=255)
                bounds.append(box)
                x = box[2] + size * 0.3
            if bounds:
                sheet.words += [rectangle(*b) for b in bounds]
                low, high = np.min(bounds, 0), np.max(bounds, 0)
                sheet.lines.append(rectangle(low[0], low[1], high[2], high[3]))
        if not sheet.lines:
            continue
        right, bottom = (int(max(q[:, axis].max() for q in sheet.lines)) + 20 for axis in (0, 1))
        ink_mask = np.array(mask)[:bottom, :right]
        target = 8 * (64 / 8) ** random.random() / size * 1.3 * bottom
        if target / bottom * right > SIDE * 1.1:
            continue
        transform = place(random, right, bottom, target, 8)
        quads = warped([rectangle(0, 0, right, bottom)], transform)
        if not free(quads[0], out.lines):
            continue
        if board:
            under, alpha = ground, np.full_like(ink_mask, 255)
        else:
            # The ink against what is there.
            low, high = np.clip(quads[0].min(0), 0, SIDE - 2).astype(int), np.clip(quads[0].max(0), 2, SIDE).astype(int)
            patch = photo[low[1] : high[1], low[0] : high[0]]
            under = tuple(int(v) for v in patch.reshape(-1, 3).mean(0)) if patch.size else (127,) * 3
            alpha = ink_mask
        ink = np.array(ink_for(random, under), np.float32)
        share = ink_mask[..., None] / 255.0 if board else 1.0
        thing = (np.array(under) * (1 - share) + ink * share) * np.ones((*ink_mask.shape, 1))
        if not board and random.random() < 0.3:  # an outline
            alpha = cv2.dilate(alpha, np.ones((5, 5), np.uint8))
            thing = thing * (ink_mask[..., None] / 255.0) + (255 - ink) * (1 - ink_mask[..., None] / 255.0)
        paste(out.image, thing.astype(np.uint8), alpha, transform, target / bottom)
        out.lines += warped(sheet.lines, transform)
        out.words += warped(sheet.words, transform)
    return out


def street(random: np.random.Generator, photo: np.ndarray) -> Drawing:
    """Plates upon a photograph, some on a dark or coloured part of a car, with lights and grilles that look alike."""
    out = signs(random, photo) if random.random() < 0.35 else Drawing(photo.copy())
    taken = list(out.lines)
    for _ in range(int(random.choice([1, 1, 2, 3, 4]))):
        image = plate(random)
        if random.random() < 0.5:
            image[..., :3] = (image[..., :3] * random.uniform(0.35, 1)).astype(np.uint8)
        height, width = image.shape[:2]
        target = 9 * (90 / 9) ** random.random()
        transform = place(random, width, height, target, 7)
        quad = warped([rectangle(0, 0, width, height)], transform)[0]
        if not free(quad, taken):
            continue
        if random.random() < 0.6:  # bodywork about it
            body = np.zeros((height * 3, width * 2, 3), np.uint8) + np.array(colour(random), np.uint8)
            for _ in range(int(random.integers(1, 7))):
                x, y = random.integers(width * 2), random.integers(height * 3)
                w, h = 2 ** random.uniform(3, 9), 2 ** random.uniform(2, 6)
                cv2.rectangle(body, (int(x), int(y)), (int(x + w), int(y + h)), colour(random), -1)
            shift = np.array([[1, 0, -width / 2], [0, 1, -height], [0, 0, 1]])
            paste(out.image, body, np.full(body.shape[:2], 255, np.uint8), transform @ shift, target / height)
            around = warped([rectangle(-width / 2, -height, width * 1.5, height * 2)], transform)[0]
            if not free(around, taken):
                out.ignored += [q for q in out.lines + out.plates if not free(around, [q])]
            taken.append(around)
        paste(out.image, np.ascontiguousarray(image[..., :3]), np.ascontiguousarray(image[..., 3]), transform, target / height)
        out.plates.append(quad)
        taken.append(quad)
    return out


def photographed(random: np.random.Generator, photo: np.ndarray) -> Drawing:
    """A page as it lies on something, seen from an angle."""
    flat = page(random, int(random.integers(300, 640)), int(random.integers(300, 640)))
    height, width = flat.image.shape[:2]
    target = height * random.uniform(0.6, 1.3)
    transform = place(random, width, height, target, 10)
    out = Drawing(photo.copy())
    image = lighting(random, flat.image)
    paste(out.image, image, np.full((height, width), 255, np.uint8), transform, target / height)
    out.lines, out.words = warped(flat.lines, transform), warped(flat.words, transform)
    return out


def nothing(random: np.random.Generator, photo: np.ndarray) -> Drawing:
    """A photograph as it is, with what looks like writing upon it, or a page's boxes and rules without text."""
    chance = random.random()
    if chance < 0.25:
        return Drawing(photo.copy())
    if chance < 0.8:
        out = Drawing(photo.copy())
        for _ in range(int(random.integers(1, 5))):
            made = texture(random, SIDE)
            transform = place(random, SIDE, SIDE, SIDE * random.uniform(0.2, 1.4), 20)
            paste(out.image, lighting(random, made), np.full((SIDE, SIDE), 255, np.uint8), transform, 1)
        return out
    sheet = pages.Sheet(random, SIDE, SIDE, colour(random))
    pages.clutter(sheet, int(random.integers(3, 30)))
    return sheet.drawing()


def page(random: np.random.Generator, width: int = SIDE, height: int = SIDE) -> Drawing:
    kinds = list(pages.KINDS.values())
    return kinds[random.choice(len(kinds), p=[0.3, 0.35, 0.15, 0.2])](random, width, height)


# Kinds of scenes, and the share of each.
KINDS = {"page": 0.31, "photographed": 0.14, "signs": 0.26, "street": 0.22, "nothing": 0.07}


def scene(random: np.random.Generator, photo: np.ndarray, kinds: Sequence[str] = tuple(KINDS)) -> tuple[str, Drawing]:
    """One scene of SIDE pixels and its kind; a page may hold part of the photograph."""
    shares = np.array([KINDS[kind] for kind in kinds])
    kind = kinds[random.choice(len(kinds), p=shares / shares.sum())]
    if kind == "page":
        return kind, page(random)
    makers = {"photographed": photographed, "signs": signs, "street": street, "nothing": nothing}
    return kind, makers[kind](random, photo)


def photos(trainset: Path, seed: int) -> list[Path]:
    """The pictures without text; every tenth of them is kept for development."""
    listed = json.loads((trainset / "labels.json").read_text())["images"]
    files = sorted(i["f"] for i in listed if i["src"] in WITHOUT_TEXT)
    return [trainset / f for n, f in enumerate(files) if (n % 10 == 0) == (seed >= DEVELOPMENT)]


def square(image: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """A random part of a photograph, SIDE pixels each way."""
    h, w = image.shape[:2]
    scale = SIDE / min(h, w) * random.uniform(1, 1.5)
    image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    h, w = image.shape[:2]
    y, x = random.integers(0, h - SIDE + 1), random.integers(0, w - SIDE + 1)
    return image[y : y + SIDE, x : x + SIDE]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append", choices=list(KINDS), help="of scenes; without, by their shares")
    a = parser.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    files = photos(a.photos, a.seed)
    cv2.setNumThreads(1)
    with (a.out / f"labels_{a.seed}.jsonl").open("w") as labels:
        for number in range(a.count):
            random = np.random.default_rng([a.seed, number])
            photo = cv2.cvtColor(cv2.imread(str(files[random.integers(len(files))])), cv2.COLOR_BGR2RGB)
            kind, made = scene(random, square(photo, random), a.kind or tuple(KINDS))
            name = f"{a.seed}_{number:05}.jpg"
            quality = int(random.integers(60, 98))
            cv2.imwrite(str(a.out / name), made.image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
            quads = {k: [np.round(q, 1).tolist() for q in getattr(made, k)] for k in ("lines", "words", "plates", "ignored")}
            one = {"f": name, "src": f"synthetic {kind}", "knows": ["text", "plate"], "dev": a.seed >= DEVELOPMENT, **quads}
            labels.write(json.dumps(one) + "\n")
            labels.flush()


if __name__ == "__main__":
    main()
