import tempfile
import unittest
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from readable.bank import Entry, view
from readable.mistaken import mistaken, tile


class Sure(nn.Module):
    """Sees one box of each kind, at 64 to 160 by 32 to 64 pixels, in whatever it is shown."""

    def forward(self, pixels: Tensor) -> Tensor:
        maps = torch.full((1, 2, pixels.shape[2] // 4, pixels.shape[3] // 4), -9.0)
        maps[:, :, 8:16, 16:40] = 9
        return maps


def entry(at: str, text: list[np.ndarray]) -> Entry:
    image = np.zeros((640, 1280, 3), np.uint8)
    cv2.rectangle(image, (128, 64), (320, 128), (250, 250, 250), -1)
    cv2.imwrite(f"{at}/a.png", image)
    return Entry(Path(at, "a.png"), "x", ["text", "plate"], {"text": text, "plate": []}, [], [])


class MistakenTest(unittest.TestCase):
    def test_finds_in_pixels_of_the_picture_what_is_known_to_be_absent(self) -> None:
        with tempfile.TemporaryDirectory() as at:
            found = mistaken(Sure(), entry(at, []), 0.5)
            self.assertEqual([kind for kind, _, _ in found], ["text", "plate"])
            for _, quad, score in found:
                np.testing.assert_allclose(quad.mean(0), [224, 96], atol=2)
                self.assertGreater(score, 0.9)
            some = entry(at, [np.zeros((4, 2), np.float32)])
            self.assertEqual([kind for kind, _, _ in mistaken(Sure(), some, 0.5)], ["plate"])
            self.assertEqual(tile(some.image(), *found[0][:2], "a").shape[1], 160)

    def test_views_are_mostly_about_what_was_mistaken(self) -> None:
        with tempfile.TemporaryDirectory() as at:
            one = entry(at, [])
            shares = []
            for quads in ([], [np.array([[128, 64], [320, 64], [320, 128], [128, 128]], np.float32)]):
                one.mistaken = quads
                views = [view(one, 128, np.random.default_rng(seed)) for seed in range(60)]
                self.assertFalse(any(v.wanted.any() for v in views))
                shares.append(np.mean([np.ptp(v.image) > 100 for v in views]))
            self.assertGreater(shares[1], shares[0] + 0.2)
