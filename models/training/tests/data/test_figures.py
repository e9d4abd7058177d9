import unittest

import cv2
import numpy as np

from data.drawings import DRAWINGS
from data.figures import FIGURES
from data.sketch import SHEET, Sketch, place
from data.statues import _bust


def spread_of_hue(sheet: np.ndarray) -> float:
    """How far the colours of what is opaque and neither dark nor burnt out lie from one tint: 0 for a single one."""
    colours = sheet[sheet[..., 3] == 255][:, :3].astype(float)
    colours = colours[(colours.max(1) < 250) & (colours.min(1) > 15)]
    return float((colours / colours.sum(1, keepdims=True)).std(0).max())


class FiguresTest(unittest.TestCase):
    def test_every_kind_draws_what_its_seed_says(self) -> None:
        for draw in FIGURES:
            drawn = [draw(np.random.default_rng(seed), 96) for seed in range(8)]
            for picture in drawn:
                self.assertEqual((picture.shape, picture.dtype), ((96, 96, 3), np.uint8))
            np.testing.assert_array_equal(draw(np.random.default_rng(3), 96), drawn[3])
            self.assertEqual(len({picture.tobytes() for picture in drawn}), 8, draw.__name__)
            self.assertGreater(np.median([picture.std() for picture in drawn]), 10, draw.__name__)

    def test_they_are_among_the_drawings(self) -> None:
        self.assertLessEqual(set(FIGURES), set(DRAWINGS))

    def test_a_statue_is_of_one_tint_with_strong_relief(self) -> None:
        for seed in range(12):
            sheet = _bust(np.random.default_rng(seed)).sheet
            self.assertLess(spread_of_hue(sheet), 0.03)
            self.assertGreater(sheet[sheet[..., 3] == 255][:, :3].max(1).std(), 18)

    def test_stone_keeps_a_visible_grain(self) -> None:
        """What tells a bust from a grey photograph of a person: rough everywhere, its cheeks and forehead too."""
        for seed in range(12):
            sheet = _bust(np.random.default_rng(seed)).sheet
            grey = sheet[..., :3].astype(np.float32).mean(-1)
            rough = np.abs(grey - cv2.GaussianBlur(grey, (0, 0), 3))
            middle = slice(int(0.25 * SHEET), int(0.5 * SHEET)), slice(int(0.4 * SHEET), int(0.6 * SHEET))
            self.assertGreater(rough[middle].mean(), 2)


class SketchTest(unittest.TestCase):
    def test_shade_never_exceeds_the_opacity(self) -> None:
        sketch = Sketch()
        sketch.ellipse(0, 0, 0.5, 0.5, (200, 100, 50))
        sketch.shade(np.full((SHEET, SHEET), 5.0))
        self.assertTrue((sketch.sheet[..., :3] <= sketch.sheet[..., 3:]).all())
        self.assertEqual(sketch.sheet[0, 0].tolist(), [0, 0, 0, 0])

    def test_a_placed_sheet_covers_what_it_is_opaque_over_and_leaves_the_rest(self) -> None:
        sketch = Sketch()
        sketch.ellipse(0, 0, 0.6, 0.6, (255, 0, 0))
        for seed in range(6):
            picture = np.full((128, 128, 3), 200, np.uint8)
            place(np.random.default_rng(seed), picture, sketch.sheet, 40)
            red = (picture == (255, 0, 0)).all(-1)
            self.assertAlmostEqual(red.sum(), np.pi * 12**2, delta=90)
            self.assertGreater((picture == 200).all(-1).mean(), 0.75)


if __name__ == "__main__":
    unittest.main()
