import tempfile
import unittest
from pathlib import Path

import cv2
import numpy as np

from readable import pages
from readable.bank import degraded, read, view
from readable.lettering import fonts, number, word
from readable.plates import LAYOUTS, plate
from readable.replated import replaced
from readable.scenes import SIDE, place, scene
from readable.textures import TEXTURES


def photo() -> np.ndarray:
    slope = np.linspace(40, 200, SIDE, dtype=np.float32)
    return np.stack([np.tile(slope, (SIDE, 1))] * 3, -1).astype(np.uint8)


@unittest.skipUnless(fonts("en"), "needs fonts")
class ScenesTest(unittest.TestCase):
    def test_the_same_seed_gives_the_same_scene(self) -> None:
        for seed in range(4):
            (kind, one), (_, two) = (scene(np.random.default_rng(seed), photo()) for _ in range(2))
            np.testing.assert_array_equal(one.image, two.image, err_msg=kind)
            self.assertEqual(len(one.lines), len(two.lines))

    def test_every_kind_of_page_has_text_where_it_says(self) -> None:
        for name, draw in pages.KINDS.items():
            made = draw(np.random.default_rng(5), 320, 320)
            self.assertGreater(len(made.lines), 2, name)
            self.assertGreaterEqual(len(made.words), len(made.lines))
            for quad in made.lines:
                (left, top), (right, bottom) = quad.min(0).astype(int), quad.max(0).astype(int)
                inside = made.image[max(top, 0) : bottom + 1, max(left, 0) : right + 1]
                self.assertGreater(int(np.ptp(inside)), 20, name)

    def test_plates_have_the_shape_of_their_layout_and_ink(self) -> None:
        self.assertGreaterEqual(len(LAYOUTS), 20)
        for seed in range(len(LAYOUTS)):
            image = plate(np.random.default_rng(seed))
            self.assertEqual((image.shape[0], image.shape[2]), (96, 4))
            self.assertGreater(np.ptp(image[20:76, 60:-20, :3]), 60)

    def test_numbers_and_words_are_not_empty(self) -> None:
        random = np.random.default_rng(0)
        self.assertTrue(all(number(random) for _ in range(60)))
        self.assertTrue(all(word(random, script) for script in ("latin", "arabic", "han") for _ in range(20)))

    def test_a_plate_drawn_anew_is_where_the_old_one_was(self) -> None:
        street = photo()
        quad = pages.rectangle(200, 300, 340, 340)
        cv2.rectangle(street, (200, 300), (339, 339), (200, 200, 200), -1)
        image = street.copy()
        replaced(np.random.default_rng(1), image, quad)
        changed = np.argwhere((image != street).any(2))
        self.assertGreater(len(changed), 1000)
        self.assertTrue((changed.min(0) >= [290, 190]).all() and (changed.max(0) <= [350, 350]).all())

    def test_things_lie_within_the_scene(self) -> None:
        for seed in range(20):
            transform = place(np.random.default_rng(seed), 200, 50, 60, 5)
            corners = cv2.perspectiveTransform(pages.rectangle(0, 0, 200, 50)[None], transform)[0]
            self.assertTrue((corners > -8).all() and (corners < SIDE + 8).all())


class TextureTest(unittest.TestCase):
    def test_every_texture_has_something_in_it(self) -> None:
        for draw in TEXTURES:
            made = draw(np.random.default_rng(2), 128)
            self.assertEqual(made.shape, (128, 128, 3))
            self.assertGreater(int(np.ptp(made)), 20, draw.__name__)


class BankTest(unittest.TestCase):
    def folder(self, at: str) -> Path:
        image = np.full((200, 300, 3), 230, np.uint8)
        cv2.rectangle(image, (100, 80), (199, 119), (20, 20, 20), -1)
        cv2.imwrite(f"{at}/a.png", image)
        quad = "[[100, 80], [200, 80], [200, 120], [100, 120]]"
        rest = '"lines": [' + quad + '], "ignored": [[[0, 0], [50, 0], [50, 50], [0, 50]]]}'
        lines = [f'{{"f": "a.png", "src": "x", "knows": ["text"], "dev": {dev}, {rest}' for dev in ("false", "true")]
        Path(at, "labels_x.jsonl").write_text("\n".join(lines) + '\n{"f": "hal')
        return Path(at)

    def test_a_view_shows_the_map_over_its_text(self) -> None:
        with tempfile.TemporaryDirectory() as at:
            (entry,) = read(self.folder(at))
            seen = 0
            for seed in range(12):
                made = view(entry, 128, np.random.default_rng(seed))
                self.assertEqual(made.wanted.shape, (2, 32, 32))
                self.assertEqual(made.mask[1].max(), 0)  # plates are not labelled here
                self.assertEqual(made.wanted[1].max(), 0)
                seen += made.wanted[0].max() > 200
            self.assertGreater(seen, 6)

    def test_development_is_kept_apart_and_half_lines_are_left_out(self) -> None:
        with tempfile.TemporaryDirectory() as at:
            self.assertEqual(len(read(self.folder(at))), 1)
            self.assertEqual(len(read(self.folder(at), development=True)), 1)

    def test_degradation_keeps_size_and_range(self) -> None:
        image = np.random.default_rng(1).integers(0, 256, (64, 64, 3), dtype=np.uint8)
        for seed in range(20):
            made = degraded(image, np.random.default_rng(seed))
            self.assertEqual((made.shape, made.dtype), (image.shape, image.dtype))
