"""Fonts of the machine, by script, and words that nobody wrote."""
import functools
import subprocess

import numpy as np
from PIL import ImageFont

# Share of lines, language by which fontconfig knows fonts of the script, and its letters (first to last).
SCRIPTS = {
    "latin": (0.66, "en", ()),
    "cyrillic": (0.07, "ru", ((0x410, 0x44F),)),
    "greek": (0.03, "el", ((0x391, 0x3A1), (0x3B1, 0x3C9))),
    "arabic": (0.05, "ar", ((0x627, 0x63A), (0x641, 0x64A))),
    "hebrew": (0.02, "he", ((0x5D0, 0x5EA),)),
    "devanagari": (0.03, "hi", ((0x905, 0x914), (0x915, 0x939))),
    "thai": (0.02, "th", ((0xE01, 0xE2E),)),
    "kana": (0.03, "ja", ((0x3042, 0x3093), (0x30A2, 0x30F3), (0x4E00, 0x5E00))),
    "han": (0.05, "ja", ((0x4E00, 0x6F00),)),
    "hangul": (0.04, "ko", ((0xAC00, 0xC900),)),
}
UNSPACED = ("kana", "han", "thai")

ONSETS = "b c d f g h j k l m n p r s t v w z br ch cl dr fl gr ph pl pr qu sc sh sl sp st str th tr".split()
NUCLEI = "a e i o u a e i o ai au ea ee ie oo ou y é ä ö ü ø á".split()
CODAS = ["", "", "", *"n r s t l m d k ng nd st ck rt x ß".split()]
NOT_FOR_TEXT = ("emoji", "symbol", "dingbat", "awesome", "music", "math", "d050000l", "ocr-b", "opensymbol", "standardsymbols")


@functools.cache
def fonts(language: str) -> tuple[str, ...]:
    """Files of the fonts that fontconfig knows for a language, sorted; at most four of one family."""
    lines = subprocess.run(
        ["fc-list", f":lang={language}:scalable=true", "--format", "%{family[0]}\t%{file}\n"],
        capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    families: dict[str, list[str]] = {}
    for family, file in sorted(line.split("\t") for line in lines if line):
        name = file.rsplit("/", 1)[-1].lower()
        files = families.setdefault(family, [])
        if name.endswith((".ttf", ".otf", ".ttc")) and not any(n in name for n in NOT_FOR_TEXT) and len(files) < 4:
            files.append(file)
    return tuple(file for files in families.values() for file in files)


@functools.lru_cache(600)
def font(file: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(file, size)


def pick_script(random: np.random.Generator) -> str:
    names = [name for name, (_, language, _) in SCRIPTS.items() if fonts(language)]
    shares = np.array([SCRIPTS[name][0] for name in names])
    return names[random.choice(len(names), p=shares / shares.sum())]


def pick_font(random: np.random.Generator, script: str) -> str:
    files = fonts(SCRIPTS[script][1])
    return files[random.integers(len(files))]


def number(random: np.random.Generator) -> str:
    """As prices, dates, times, telephone numbers, and identifiers are written."""
    n = lambda digits: str(random.integers(10 ** (digits - 1), 10**digits))  # noqa: E731
    forms = (
        lambda: n(random.integers(1, 7)), lambda: f"{n(random.integers(1, 4))}.{random.integers(100):02}",
        lambda: f"{random.choice(['$', '€', '£', 'RM ', '¥'])}{n(2)}.{random.integers(100):02}",
        lambda: f"{random.integers(1, 29):02}/{random.integers(1, 13):02}/20{random.integers(10, 30)}",
        lambda: f"{random.integers(24):02}:{random.integers(60):02}", lambda: f"+{n(2)} {n(3)} {n(4)}",
        lambda: f"{n(3)}-{n(4)}", lambda: f"{chr(random.integers(65, 91))}{n(5)}", lambda: f"{n(2)}%", lambda: f"#{n(4)}",
    )  # fmt: skip
    return forms[random.integers(len(forms))]()


def word(random: np.random.Generator, script: str) -> str:
    if random.random() < 0.16:
        return number(random)
    ranges = SCRIPTS[script][2]
    if ranges:
        count = random.integers(2, 12 if script in ("thai",) else 8)
        first = [ranges[i] for i in random.integers(len(ranges), size=count)]
        return "".join(chr(random.integers(low, high + 1)) for low, high in first)
    syllables = random.choice([1, 2, 3, 4], p=[0.35, 0.35, 0.2, 0.1])
    text = "".join(random.choice(ONSETS) + random.choice(NUCLEI) + random.choice(CODAS) for _ in range(syllables))
    style = random.random()
    if style < 0.08:
        return f"{text}@{random.choice(ONSETS)}{random.choice(NUCLEI)}.com"
    text = text.upper() if style < 0.25 else text.capitalize() if style < 0.5 else text
    return text + random.choice(["", "", "", "", "", ".", ",", ":", "!", "?"])
