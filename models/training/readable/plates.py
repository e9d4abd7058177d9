"""Number plates drawn by the layouts of twenty-odd countries."""
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from readable.lettering import font, fonts

WHITE, BLACK, YELLOW, BLUE = (245, 245, 245), (15, 15, 15), (245, 200, 40), (20, 50, 150)
RED, GREEN = (190, 20, 30), (20, 110, 60)


@dataclass(frozen=True)
class Layout:
    """pattern: A letter, 9 digit, a letter of the country's script, | the next row."""

    pattern: str
    ground: tuple = WHITE
    ink: tuple = BLACK
    shape: float = 4.6  # width by height
    band: str = ""  # "left", "both", "top"
    letters: str = "ABCDEFGHJKLMNPRSTUVWXYZ"
    language: str = "en"


ARABIC, DEVANAGARI = "ابحدرسصطعفقلمنهوى", "कखगचजटतदनपबमरलवस"
LAYOUTS = {
    "Germany": Layout("AA AA 999", band="left"), "France": Layout("AA-999-AA", band="both"),
    "Italy": Layout("AA 999AA", band="both"), "Spain": Layout("9999 AAA", band="left"),
    "United Kingdom": Layout("AA99 AAA", YELLOW), "Netherlands": Layout("AA-999-A", YELLOW, band="left"),
    "Belgium": Layout("9-AAA-999", ink=RED, band="left"), "Poland": Layout("AA 99999", band="left"),
    "Portugal": Layout("AA-99-AA", band="left"), "Romania": Layout("A 99 AAA", band="left"),
    "Sweden": Layout("AAA 999", band="left"), "Switzerland": Layout("AA 999999", shape=4.5),
    "Russia": Layout("A999AA 99", letters="ABEKMHOPCTYX"), "Turkey": Layout("99 AAA 999", band="left"),
    "United States": Layout("AAA 9999", (225, 235, 245), BLUE, 2.0, "top"), "Canada": Layout("AAAA 999", ink=BLUE, shape=2.0),
    "California": Layout("9AAA999", ink=BLUE, shape=2.0, band="top"), "Mexico": Layout("AAA-999-A", shape=2.0, band="top"),
    "Brazil": Layout("AAA9A99", shape=3.1, band="top"), "Argentina": Layout("AA 999 AA", shape=3.1, band="top"),
    "Japan": Layout("AA 999|99-99", ink=GREEN, shape=2.0), "China": Layout("AA·99999", BLUE, WHITE, 3.1),
    "Korea": Layout("999A 9999", shape=4.7), "India": Layout("AA 99 AA 9999", shape=4.2),
    "India, two rows": Layout("AA 99|AA 9999", shape=1.7), "Malaysia": Layout("AAA 9999", BLACK, WHITE, 3.6),
    "Egypt": Layout("999 aaa", shape=2.1, band="top", letters=ARABIC, language="ar"),
    "Iran": Layout("99 a 999 99", shape=4.7, band="left", letters=ARABIC, language="ar"),
    "Saudi Arabia": Layout("9999 AAA|9999 aaa", shape=2.0, letters="ABDEGHJKLNRSTUVXZ", language="ar"),
    "Nepal": Layout("aa 99|a 9999", RED, WHITE, 1.6, letters=DEVANAGARI, language="hi"),
    "Australia": Layout("AAA 99A", WHITE, BLUE, 2.8), "South Africa": Layout("AA 99 AA AA", shape=4.4),
    "Motorcycle": Layout("AA 99|9999", shape=1.2), "Commercial": Layout("A 9999 AA", BLACK, YELLOW, 4.4),
}  # fmt: skip


def _text(layout: Layout, row: str, random: np.random.Generator) -> str:
    def sign(kind: str) -> str:
        if kind == "9":
            return str(random.integers(10))
        native = {"ar": ARABIC, "hi": DEVANAGARI}.get(layout.language, layout.letters)
        return str(random.choice(list({"A": layout.letters, "a": native}[kind]))) if kind in "Aa" else kind

    return "".join(sign(kind) for kind in row)


def plate(random: np.random.Generator, height: int = 96) -> np.ndarray:
    """One plate [height, w, 4], RGBA, as seen from the front, with its rim."""
    names = list(LAYOUTS)
    layout = LAYOUTS[names[random.integers(len(names))]]
    width = int(height * layout.shape * random.uniform(0.9, 1.1))
    ground = tuple(int(np.clip(v + random.integers(-25, 10), 0, 255)) for v in layout.ground)
    picture = Image.new("RGBA", (width, height), (0, 0, 0, 0))
    draw = ImageDraw.Draw(picture)
    radius = int(height * random.uniform(0, 0.12))
    rim = layout.ink if random.random() < 0.6 else ground
    whole, wide = [0, 0, width - 1, height - 1], int(random.integers(1, 5))
    draw.rounded_rectangle(whole, radius, fill=(*ground, 255), outline=(*rim, 255), width=wide)
    left, right, top = height * 0.1, width - height * 0.1, height * 0.08
    band = (*(BLUE if random.random() < 0.8 else GREEN), 255)
    if layout.band in ("left", "both"):
        draw.rectangle([3, 3, height * 0.32, height - 4], fill=band)
        left = height * 0.38
    if layout.band == "both":
        draw.rectangle([width - height * 0.32, 3, width - 4, height - 4], fill=band)
        right = width - height * 0.38
    files = fonts(layout.language)
    bold = [file for file in files if any(word in file.lower() for word in ("bold", "heavy", "black"))] or list(files)
    file = bold[random.integers(len(bold))]
    if layout.band == "top":
        if random.random() < 0.5:
            draw.rectangle([3, 3, width - 4, height * 0.22], fill=band)
        small = font(file, int(height * 0.16))
        name = _text(layout, "AAAAAAA"[: random.integers(4, 8)], random)
        draw.text((width / 2, height * 0.13), name, font=small, fill=(*layout.ink, 255), anchor="mm")
        top = height * 0.25
    rows = layout.pattern.split("|")
    each = (height * 0.94 - top) / len(rows)
    for index, row in enumerate(rows):
        text = _text(layout, row, random)
        mask = Image.new("L", (height * 12, int(height * 1.6)))
        ImageDraw.Draw(mask).text((height // 4, height // 4), text, font=font(file, height), fill=255)
        ink = mask.crop(mask.getbbox() or (0, 0, 9, 9))
        size = (max(8, int((right - left) * random.uniform(0.85, 0.98))), max(4, int(each * random.uniform(0.72, 0.88))))
        scaled = ink.resize(size, Image.Resampling.BILINEAR)
        at = (int((left + right - size[0]) / 2), int(top + each * index + (each - size[1]) / 2))
        picture.paste(Image.new("RGBA", size, (*layout.ink, 255)), at, scaled)
    return np.array(picture)
