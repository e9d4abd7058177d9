import unittest

import cv2
import numpy as np
import torch

from data import degradation
from data.dice import Dice
from data.drawn import balls, text


def drawing(side: int = 128) -> torch.Tensor:
    """[1, 3, S, S]"""
    return torch.from_numpy(balls(np.random.default_rng(2), side)).permute(2, 0, 1)[None].float()


def sharpness(images: torch.Tensor, axis: int) -> torch.Tensor:
    return images.diff(dim=axis).abs().flatten(1).mean(1)


class DegradationTest(unittest.TestCase):
    def test_blurs_keep_plain_images_and_the_light(self) -> None:
        plain, drawn = torch.full((6, 3, 64, 64), 77.0), drawing(64).repeat(6, 1, 1, 1)
        for blur in (degradation.gaussian_blur, degradation.motion_blur):
            torch.testing.assert_close(blur(plain, Dice(0)), plain, atol=1e-2, rtol=0)
            after = blur(drawn, Dice(0))
            self.assertLess(float((after.mean((1, 2, 3)) - drawn.mean((1, 2, 3))).abs().max()), 3)
            self.assertTrue((sharpness(after, 2) < sharpness(drawn, 2)).all())

    def test_gaussian_blur_is_opencvs(self) -> None:
        drawn = drawing()
        fixed = Dice(0)
        fixed.uniform = lambda low, high, *shape: torch.full(shape, 1.7)
        after = degradation.gaussian_blur(drawn, fixed)[0].permute(1, 2, 0).numpy()
        expected = cv2.GaussianBlur(drawn[0].permute(1, 2, 0).numpy(), (15, 15), 1.7, borderType=cv2.BORDER_REFLECT_101)
        self.assertLess(float(np.abs(after - expected).max()), 0.1)

    def test_motion_blur_has_a_direction(self) -> None:
        line = torch.zeros(40, 3, 65, 65)
        line[:, :, 32, 32] = 255
        after = degradation.motion_blur(line, Dice(0))[:, 0]
        y, x = torch.meshgrid(torch.arange(65.0) - 32, torch.arange(65.0) - 32, indexing="ij")
        total = after.sum((1, 2))
        xx, yy, xy = ((after * p).sum((1, 2)) / total for p in (x * x, y * y, x * y))
        root = ((xx - yy).square() / 4 + xy.square()).sqrt()
        along, across = (xx + yy) / 2 + root, (xx + yy) / 2 - root
        self.assertLess(float(across.max()), 0.45)  # about a pixel wide
        self.assertTrue(0.5 < float(along.min()) and 6 < float(along.max()) < 12)  # 11 pixels long: variance 10
        angles = torch.atan2(2 * xy, xx - yy) / 2
        self.assertGreater(float(angles.max() - angles.min()), 2)

    def test_low_resolution_loses_detail_only(self) -> None:
        drawn = drawing()
        after = degradation.low_resolution(drawn, Dice(0))
        self.assertEqual(after.shape, drawn.shape)
        self.assertLess(float(sharpness(after, 2)), 0.95 * float(sharpness(drawn, 2)))
        self.assertLess(float((after - drawn).abs().mean()), 12)

    def test_jpeg_is_a_real_encoders(self) -> None:
        rgb = text(np.random.default_rng(4), 128)
        rgb[:64] = balls(np.random.default_rng(1), 128)[:64]
        for quality in (10, 30, 50, 80):
            # Grey: what an encoder does to colour is a choice of its own.
            grey = np.repeat(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)[..., None], 3, 2)
            _, encoded = cv2.imencode(".jpg", grey[..., 0], [cv2.IMWRITE_JPEG_QUALITY, quality])
            expected = cv2.imdecode(encoded, cv2.IMREAD_GRAYSCALE).astype(float)
            image = torch.from_numpy(grey).permute(2, 0, 1)[None].float()
            for halved in (False, True):
                ours = degradation.quantise(image, torch.tensor([float(quality)]), halved)[0, 0].numpy()
                self.assertLess(np.abs(ours - expected).mean(), 1, f"quality {quality}")

    def test_jpeg_in_colour(self) -> None:
        rgb = balls(np.random.default_rng(1), 128)
        for quality in (15, 60):
            encoded = cv2.imencode(".jpg", rgb[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
            expected = cv2.imdecode(encoded, cv2.IMREAD_COLOR)[..., ::-1].astype(float)
            image = torch.from_numpy(rgb.copy()).permute(2, 0, 1)[None].float()
            ours = degradation.quantise(image, torch.tensor([float(quality)]), True)[0].permute(1, 2, 0).numpy()
            self.assertLess(np.abs(ours - expected).mean(), 2, f"quality {quality}")

    def test_jpeg_harms_more_at_lower_quality(self) -> None:
        drawn = drawing().repeat(2, 1, 1, 1)
        after = degradation.quantise(drawn, torch.tensor([8.0, 70.0]), True)
        low, high = (after - drawn).abs().flatten(1).mean(1).tolist()
        self.assertGreater(low, 1.5 * high)
        mixed = degradation.jpeg(drawn.repeat(4, 1, 1, 1), Dice(0))
        self.assertTrue(((mixed - drawn[0]).abs().flatten(1).mean(1) > 0.2).all())
