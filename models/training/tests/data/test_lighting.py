import unittest

import torch

from data import lighting
from data.dice import Dice


def images(count: int = 16, side: int = 64) -> torch.Tensor:
    """A ramp from dark to light in three hues."""
    ramp = torch.linspace(20, 220, side)
    square = ramp.expand(side, side)
    return torch.stack([square, square.flip(1), square.mT]).repeat(count, 1, 1, 1)


class LightingTest(unittest.TestCase):
    def test_luma(self) -> None:
        colours = torch.tensor([[255.0, 0, 0], [0, 255, 0], [0, 0, 255], [90, 90, 90]]).view(4, 3, 1, 1)
        expected = torch.tensor([76.245, 149.685, 29.07, 90])
        torch.testing.assert_close(lighting.luma(colours).flatten(), expected, atol=0.01, rtol=0)

    def test_exposure_changes_mean_and_contrast(self) -> None:
        before = images()
        after = lighting.exposure(before, Dice(0))
        factors = after.mean((1, 2, 3)) / before.mean((1, 2, 3))
        self.assertTrue(0.57 < float(factors.min()) < 0.8 and 1.1 < float(factors.max()) < 1.5)
        spread = after.flatten(1).std(1) / before.flatten(1).std(1)
        self.assertTrue(0.59 < float(spread.min()) < 0.85 and 1.1 < float(spread.max()) < 1.36)

    def test_tint_keeps_grey_nearly_grey(self) -> None:
        grey = torch.full((16, 3, 8, 8), 100.0)
        after = lighting.tint(grey, Dice(0))
        self.assertGreater(float((after.amax(1) - after.amin(1)).max()), 5)
        self.assertTrue(87 < float(after.min()) and float(after.max()) < 115)

    def test_complexion_darkens_skin_and_nothing_else(self) -> None:
        light, others = (222.0, 176, 152), [(250.0, 250, 250), (60, 110, 180), (70, 140, 60), (40, 38, 37), (230, 20, 25)]
        colours = torch.tensor([light, *others]).T.reshape(1, 3, 1, 6).repeat_interleave(8, 3).repeat(40, 1, 8, 1)
        left = (lighting.complexion(colours, Dice(0)) / colours)[:, :, 4, 4::8]  # [40, 3, 6]: in the middle of each patch
        self.assertGreater(float(left[..., 1:].min()), 0.93)
        red, green, blue = left[..., 0].unbind(1)
        self.assertTrue(0.3 < float(green.min()) < 0.42 and 0.65 < float(green.max()) < 0.8)
        self.assertTrue(((red > green) & (green > blue)).all())

    def test_monochrome_has_one_hue(self) -> None:
        after = lighting.monochrome(images(), Dice(0))
        ratio = after / after[:, :1]
        self.assertLess(float((ratio - ratio[:, :, :1, :1]).abs().max()), 1e-4)
        grey = (ratio - 1).abs().flatten(1).amax(1) < 1e-5
        self.assertTrue(5 < int(grey.sum()) < 16)

    def test_gamma_keeps_black_white_and_order(self) -> None:
        ramp = torch.linspace(0, 255, 64).view(1, 1, 1, 64).repeat(16, 3, 1, 1)
        after = lighting.gamma(ramp, Dice(0))
        self.assertLess(float(after[..., 0].max()), 3)
        torch.testing.assert_close(after[..., -1], torch.full((16, 3, 1), 255.0))
        self.assertTrue((after.diff(dim=-1) > 0).all())
        self.assertTrue(float(after[..., 32].min()) < 90 < 165 < float(after[..., 32].max()))

    def test_noise_is_as_strong_as_said_and_sometimes_grey(self) -> None:
        plain = torch.full((40, 3, 64, 64), 100.0)
        difference = lighting.noise(plain, Dice(0)) - plain
        deviation = difference.flatten(1).std(1)
        self.assertTrue(1.8 < float(deviation.min()) < 5 and 11 < float(deviation.max()) < 14.5)
        self.assertLess(float(difference.mean().abs()), 0.2)
        grey = (difference[:, 0] == difference[:, 1]).flatten(1).all(1)
        self.assertTrue(8 < int(grey.sum()) < 32)

    def test_darkness_leaves_a_tenth_to_a_half_and_noise(self) -> None:
        plain = torch.full((40, 3, 64, 64), 200.0)
        after = lighting.darkness(plain, Dice(0))
        left, deviation = after.mean((1, 2, 3)) / 200, after.flatten(1).std(1)
        self.assertTrue(0.09 < float(left.min()) < 0.15 and 0.4 < float(left.max()) < 0.51)
        self.assertTrue(0.9 < float(deviation.min()) < 2.5 and 4.5 < float(deviation.max()) < 6.2)

    def test_shadow_darkens_one_side_of_a_line_near_the_point(self) -> None:
        plain = torch.full((40, 3, 128, 128), 200.0)
        after = lighting.shadow(plain, torch.full((40, 2), 64.0), Dice(0))
        self.assertLessEqual(float(after.max()), 200.001)
        light, dark = after.flatten(1).amax(1), after.flatten(1).amin(1)
        self.assertGreater(float(light.min()), 180)
        self.assertTrue(27 < float(dark.min()) < 50 and float(dark.max()) < 125)
        shares = (after[:, 0] < (light + dark)[:, None, None] / 2).flatten(1).float().mean(1)
        self.assertTrue(0.2 < float(shares.min()) and float(shares.max()) < 0.8)
