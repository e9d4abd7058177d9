import math
import unittest

import torch
from torch import Tensor

from data import occlusions
from data.dice import Dice

SIDE = 128
COUNT = 24


def covered(cover, turn: float, seed: int = 0) -> tuple[Tensor, Tensor, Tensor]:
    """Where it painted [n, S, S] on a face of 60 x 72 in the middle of a plain image, and the face's coordinates there."""
    frames = torch.tensor([[64.0, 64.0, 60.0, 72.0, turn]]).repeat(COUNT, 1)
    # Two greys: whatever colour is painted, it differs from one of them.
    plain = [torch.full((COUNT, 3, SIDE, SIDE), grey) for grey in (90.0, 170.0)]
    changed = [(cover(images, frames, Dice(seed)) - images).abs().amax(1) > 3 for images in plain]
    u, v = occlusions.face_coordinates(frames, SIDE)
    return changed[0] | changed[1], u, v


class OcclusionsTest(unittest.TestCase):
    def check(self, cover, low: float, high: float, wide: float, least: float) -> None:
        """Paints within v `low`..`high` and |u| < `wide` of the face, upright or turned, `least` of the face at least."""
        for turn in (0.0, math.pi / 2, math.pi, 0.4):
            painted, u, v = covered(cover, turn)
            self.assertGreater(float(v[painted].min()), low)
            self.assertLess(float(v[painted].max()), high)
            self.assertLess(float(u[painted].abs().max()), wide)
            face = (u.abs() < 0.5) & (v.abs() < 0.5)
            share = (painted & face).flatten(1).sum(1) / face.flatten(1).sum(1)
            self.assertGreater(float(share.min()), least)
            self.assertLess(float(share.max()), 0.75)

    def test_coordinates_turn_with_the_face(self) -> None:
        turn = 0.5
        frames = torch.tensor([[60.5, 50.5, 40.0, 60.0, turn]])
        u, v = (c[0] for c in occlusions.face_coordinates(frames, SIDE))
        # Turned clockwise: the ear that lay to the right lies lower, the chin further left.
        ear, chin = (20 * math.cos(turn), 20 * math.sin(turn)), (-30 * math.sin(turn), 30 * math.cos(turn))
        for (x, y), expected in ((ear, (0.5, 0.0)), (chin, (0.0, 0.5)), ((0, 0), (0.0, 0.0))):
            at = (round(50 + y), round(60 + x))
            self.assertAlmostEqual(float(u[at]), expected[0], delta=0.03)
            self.assertAlmostEqual(float(v[at]), expected[1], delta=0.03)

    def test_mask(self) -> None:
        self.check(occlusions.mask, -0.13, 0.61, 0.51, 0.15)

    def test_sunglasses(self) -> None:
        self.check(occlusions.sunglasses, -0.36, 0.07, 0.51, 0.05)
        painted, u, v = covered(occlusions.sunglasses, 0.0)
        eyes = ((u.abs() - 0.22).abs() < 0.04) & ((v + 0.14).abs() < 0.02)
        self.assertTrue(painted[eyes].float().mean() > 0.95)

    def test_hat(self) -> None:
        self.check(occlusions.hat, -1.1, 0.06, 0.96, 0.02)

    def test_beard(self) -> None:
        self.check(occlusions.beard, -0.15, 0.77, 0.51, 0.08)
        painted, u, v = covered(occlusions.beard, 0.0)
        self.assertFalse(painted[(u.abs() < 0.1) & ((v - 0.26).abs() < 0.03)].any(), "the mouth stays free")

    def test_patch(self) -> None:
        painted, u, v = covered(occlusions.patch, 0.0)
        self.assertGreater(float(painted.flatten(1).float().mean(1).min()), 0.005)
        face = (u.abs() < 0.5) & (v.abs() < 0.5)
        self.assertLess(float((painted & face).flatten(1).sum(1).max() / face[0].sum()), 0.5)

    def test_turn_with_the_face(self) -> None:
        frames = torch.tensor([[64.0, 64.0, 60.0, 60.0, 0.0]]).repeat(COUNT, 1)
        turned = frames + torch.tensor([0, 0, 0, 0, math.pi / 2])
        plain = torch.full((COUNT, 3, SIDE, SIDE), 130.0)
        for cover in (occlusions.mask, occlusions.sunglasses):
            upright, quarter = cover(plain, frames, Dice(1)), cover(plain, turned, Dice(1))
            difference = (upright.rot90(-1, (2, 3)) - quarter).abs().amax(1) > 3
            self.assertLess(float(difference.float().mean()), 0.01)
