import math
import unittest

import torch

from data.dice import Dice
from data.lighting import luma
from night.dark import MOST_LUMA, WANTED_LUMA, dark_views, lifted, night, night_view, sensor_noise


class DarkTest(unittest.TestCase):
    def test_lifts_as_the_service_does(self) -> None:
        # The means of 3 x 3 of one bright pixel; the values were taken from src/faces/dark.ts by hand.
        images = torch.full((1, 3, 32, 32), 20.0)
        images[:, :, 5, 5] = 110
        out = lifted(images, torch.tensor([20.0]))
        gamma = math.log(110 / 255) / math.log(20 / 255)
        self.assertEqual(float(out[0, 0, 20, 20]), 110)
        self.assertEqual(float(out[0, 1, 4, 6]), round(255 * (30 / 255) ** gamma))
        self.assertEqual(float(out[0, 1, 3, 6]), 110)

    def test_lifts_by_a_gamma_of_a_quarter_at_most_and_darkens_nothing(self) -> None:
        images = torch.cat([torch.full((1, 3, 16, 16), 1.0), torch.full((1, 3, 16, 16), 200.0)])
        out = lifted(images, torch.tensor([0.0, 200.0]))
        self.assertEqual(float(out[0].max()), round(255 * (1 / 255) ** 0.25))
        self.assertEqual(float(out[1].max()), 200)

    def test_night_is_dark_whatever_came_before(self) -> None:
        for level in (60.0, 255.0):
            images = night(torch.full((24, 3, 64, 64), level), Dice(3))
            self.assertTrue((images == images.round()).all())
            self.assertTrue((0 <= images.min()) and (images.max() <= 255))
            # Noise that black cuts off adds a little.
            self.assertLess(float(luma(images).mean((1, 2, 3)).max()), MOST_LUMA + 6)

    def test_noise_is_there_in_the_dark_and_grows_with_the_light(self) -> None:
        dice = Dice(4)
        black, grey = torch.zeros(64, 3, 32, 32), torch.full((64, 3, 32, 32), 100.0)
        quiet, loud = sensor_noise(black, dice).std((1, 2, 3)), sensor_noise(grey, dice).std((1, 2, 3))
        self.assertGreater(float(quiet.min()), 0.6)
        self.assertLess(float(quiet.max()), 10)
        self.assertGreater(float(loud.mean()), float(quiet.mean()) + 1)

    def test_views_are_lifted_to_where_the_service_lifts_them(self) -> None:
        dice = Dice(5)
        images = torch.full((16, 3, 96, 96), 128.0)
        means = torch.cat([luma(night_view(images, dice)).mean((1, 2, 3)) for _ in range(4)])
        self.assertEqual(night_view(images, dice).shape, images.shape)
        self.assertLess(abs(float(means.median()) - WANTED_LUMA), 25)

    def test_of_dark_views_some_are_lifted_and_all_come_from_dark_ones(self) -> None:
        images = torch.full((64, 3, 96, 96), 128.0)
        dark, shown = dark_views(images, Dice(6))
        self.assertEqual(dark.shape, shown.shape)
        same = (dark == shown).flatten(1).all(1)
        self.assertTrue(10 < int(same.sum()) < 50)
        self.assertGreater(float(shown[~same].mean()), float(dark[~same].mean()) + 20)

    def test_the_same_seed_gives_the_same_views(self) -> None:
        images = torch.rand(4, 3, 64, 64) * 255
        one, same, other = (night_view(images.clone(), Dice(seed)) for seed in (1, 1, 2))
        self.assertTrue(torch.equal(one, same))
        self.assertFalse(torch.equal(one, other))
