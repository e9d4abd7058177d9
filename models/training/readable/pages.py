"""Pages, screens, chats, receipts, cards and forms: pictures drawn with text, and quadrilaterals about its lines and words."""
from dataclasses import dataclass, field

import numpy as np
from PIL import Image, ImageDraw

from readable.lettering import UNSPACED, font, pick_font, pick_script, word

Colour = tuple[int, int, int]


@dataclass
class Drawing:
    """A picture [h, w, 3], RGB, and what can be read in it: [4, 2] each, in pixels."""

    image: np.ndarray
    lines: list[np.ndarray] = field(default_factory=list)
    words: list[np.ndarray] = field(default_factory=list)
    plates: list[np.ndarray] = field(default_factory=list)
    ignored: list[np.ndarray] = field(default_factory=list)


def rectangle(x0: float, y0: float, x1: float, y1: float) -> np.ndarray:
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)


def colour(random: np.random.Generator, low: int = 0, high: int = 256) -> Colour:
    return tuple(int(v) for v in random.integers(low, high, 3))


def ink_for(random: np.random.Generator, ground: Colour) -> Colour:
    """A colour that can be read on another."""
    light = 0.3 * ground[0] + 0.6 * ground[1] + 0.1 * ground[2]
    for _ in range(20):
        if random.random() < 0.5:
            ink = colour(random)
        else:
            grey = int(random.integers(0, 90) if light > 110 else random.integers(165, 256))
            ink = (grey, grey, grey)
        if abs(0.3 * ink[0] + 0.6 * ink[1] + 0.1 * ink[2] - light) > random.uniform(50, 110):
            return ink
    return (0, 0, 0) if light > 127 else (255, 255, 255)


class Sheet:
    """Draws text on a picture and remembers where."""

    def __init__(self, random: np.random.Generator, width: int, height: int, ground: Colour):
        self.random, self.width, self.height, self.ground = random, width, height, ground
        self.picture = Image.new("RGB", (width, height), ground)
        self.draw = ImageDraw.Draw(self.picture)
        self.lines: list[np.ndarray] = []
        self.words: list[np.ndarray] = []

    def line(
        self, x: float, y: float, size: int, width: float, ink: Colour, file: str, script: str, most: int = 99
    ) -> float:
        """Words from x on, as many as fit into a width, at most so many; -> where they end."""
        face = font(file, size)
        gap = 0 if script in UNSPACED else size * self.random.uniform(0.22, 0.34)
        bounds: list[tuple[float, float, float, float]] = []
        end = x
        for _ in range(most):
            text = word(self.random, script)
            x0, y0, x1, y1 = self.draw.textbbox((end, y), text, font=face)
            if x1 > min(x + width, self.width - 1) or y1 > self.height - 1:
                break
            self.draw.text((end, y), text, font=face, fill=ink)
            if y1 - y0 >= size * 0.25:
                bounds.append((x0, y0, x1, y1))
            end = x1 + gap
        if bounds:
            self.words += [rectangle(*b) for b in bounds]
            left, top, right, bottom = np.array(bounds).T
            self.lines.append(rectangle(left.min(), top.min(), right.max(), bottom.max()))
        return end

    def drawing(self) -> Drawing:
        return Drawing(np.array(self.picture), self.lines, self.words)


def clutter(sheet: Sheet, count: int) -> None:
    """Pictures, icons, rules and boxes, which say nothing."""
    random, draw = sheet.random, sheet.draw
    for _ in range(count):
        x, y = random.integers(sheet.width), random.integers(sheet.height)
        w, h = int(2 ** random.uniform(3, 7)), int(2 ** random.uniform(3, 7))
        kind = random.integers(6)
        ink = colour(random)
        if kind == 0:
            draw.line([x, y, x + w * 3, y], ink, int(random.integers(1, 4)))
        elif kind == 1:
            draw.rectangle([x, y, x + w, y + h], outline=ink, width=int(random.integers(1, 4)))
        elif kind == 2:
            draw.ellipse([x, y, x + w, y + w], fill=ink)
        elif kind == 3:
            for k in range(int(random.integers(3, 6))):  # a list's or a menu's bars, a bar code
                draw.rectangle([x + k * 6, y, x + k * 6 + random.integers(1, 5), y + h], fill=ink)
        elif kind == 4:
            draw.polygon([(int(x + dx), int(y + dy)) for dx, dy in random.integers(-w // 2, w // 2 + 1, (4, 2))], fill=ink)
        else:
            draw.arc([x, y, x + w, y + w], 0, int(random.integers(90, 360)), fill=ink, width=3)


def document(random: np.random.Generator, width: int, height: int) -> Drawing:
    """Paragraphs in one to three columns, headings, two scripts at most."""
    dark = random.random() < 0.2
    ground = colour(random, 0, 60) if dark else colour(random, 215, 256)
    sheet = Sheet(random, width, height, ground)
    clutter(sheet, int(random.integers(0, 5)))
    columns = int(random.choice([1, 1, 1, 2, 3]))
    size = int(random.integers(10, 25))
    script = pick_script(random)
    file, ink = pick_font(random, script), ink_for(random, ground)
    step = width / columns
    for column in range(columns):
        x, y = column * step + random.uniform(4, 24), random.uniform(2, 30)
        leading = random.uniform(1.15, 1.9)
        while y < height - size * 1.5:
            heading = random.random() < 0.1
            big = int(size * random.uniform(1.3, 2.4)) if heading else size
            if heading and random.random() < 0.5:
                script = pick_script(random)
                file, ink = pick_font(random, script), ink_for(random, ground)
            wide = step - 30 if random.random() < 0.75 else (step - 30) * random.uniform(0.2, 1)
            sheet.line(x, y, big, wide, ink, file, script, 2 if heading else 99)
            y += big * leading * (1 if random.random() < 0.88 else random.uniform(1.4, 3))
    return sheet.drawing()


def scattered(random: np.random.Generator, width: int, height: int) -> Drawing:
    """A screen, a form or a card: short pieces of text at many places, on panels of other colours."""
    ground = colour(random, 0, 70) if random.random() < 0.35 else colour(random, 190, 256)
    sheet = Sheet(random, width, height, ground)
    clutter(sheet, int(random.integers(2, 14)))
    taken = np.zeros((height, width), bool)
    base = int(random.integers(9, 22))
    looks = [(script, pick_font(random, script)) for script in (pick_script(random) for _ in range(3))]
    for _ in range(int(random.integers(12, 60))):
        script, file = looks[random.integers(3)]
        size = int(base * 2 ** random.uniform(-0.2, 1.3 if random.random() < 0.3 else 0.3))
        x, y = int(random.integers(0, max(1, width - 60))), int(random.integers(0, max(1, height - 2 * size)))
        wide = int(min(width - x, size * random.uniform(3, 16)))
        if taken[y : y + int(1.9 * size), x : x + wide].any():
            continue
        taken[y : y + int(1.9 * size), x : x + wide] = True
        under = sheet.ground
        if random.random() < 0.35:
            under = colour(random)
            sheet.draw.rounded_rectangle([x, y, x + wide - 1, y + int(1.8 * size)], min(wide, size) // 3, fill=under)
        else:
            sheet.draw.rectangle([x, y, x + wide - 1, y + int(1.8 * size)], fill=under)
        sheet.line(x + 3, y + size * 0.2, size, wide - 6, ink_for(random, under), file, script, int(random.integers(1, 6)))
    return sheet.drawing()


def chat(random: np.random.Generator, width: int, height: int) -> Drawing:
    """Bubbles left and right, names and times."""
    ground = colour(random, 0, 50) if random.random() < 0.4 else colour(random, 205, 256)
    sheet = Sheet(random, width, height, ground)
    script = pick_script(random)
    file = pick_font(random, script)
    size, y = int(random.integers(11, 26)), 6.0
    sides = [colour(random), colour(random, 180, 256) if random.random() < 0.6 else colour(random, 20, 90)]
    while y < height - 3 * size:
        mine = int(random.random() < 0.5)
        rows = int(random.integers(1, 4))
        wide = width * random.uniform(0.3, 0.75)
        x = width - wide - 8 if mine else random.uniform(6, 50)
        under = sides[mine]
        if not mine and x > 36:
            sheet.draw.ellipse([4, y, 32, y + 28], fill=colour(random))
        if random.random() < 0.4:
            sheet.line(x, y, max(9, int(size * 0.8)), wide, ink_for(random, ground), file, script, 2)
            y += size * 1.3
        bottom = y + rows * size * 1.35 + 10
        sheet.draw.rounded_rectangle([x, y, x + wide, bottom], min(10, int(wide) // 3), fill=under)
        ink = ink_for(random, under)
        for row in range(rows):
            sheet.line(x + 8, y + 5 + row * size * 1.35, size, wide - 16, ink, file, script)
        y = bottom + random.uniform(4, 20)
    return sheet.drawing()


def receipt(random: np.random.Generator, width: int, height: int) -> Drawing:
    """Centred headings, then items at the left and prices at the right; thin or faint ink."""
    paper = int(random.integers(205, 256))
    ground = (paper, max(0, paper - int(random.integers(0, 12))), max(0, paper - int(random.integers(0, 30))))
    sheet = Sheet(random, width, height, ground)
    script = "latin" if random.random() < 0.85 else pick_script(random)
    file, size = pick_font(random, script), int(random.integers(10, 23))
    grey = int(random.integers(0, 130))
    y = random.uniform(2, 30)
    left, right = random.uniform(6, 40), width - random.uniform(6, 40)
    while y < height - 2 * size:
        kind = random.random()
        if kind < 0.25:
            x = random.uniform(left, width * 0.4)
            sheet.line(x, y, int(size * random.uniform(1, 1.5)), right - x, (grey,) * 3, file, script, 4)
        elif kind < 0.33:
            sheet.draw.line([left, y + size / 2, right, y + size / 2], (grey,) * 3)
        else:
            sheet.line(left, y, size, (right - left) * 0.65, (grey,) * 3, file, script, int(random.integers(1, 5)))
            sheet.line(right - size * 4, y, size, size * 4, (grey,) * 3, file, script, 1)
        y += size * random.uniform(1.15, 1.7)
    return sheet.drawing()


KINDS = {"document": document, "scattered": scattered, "chat": chat, "receipt": receipt}
