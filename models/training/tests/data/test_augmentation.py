import unittest

import torch

from data.augmentation import augment
from data.batches import Batch
from data.dice import Dice


def batch(labelled: bool, count: int = 120, side: int = 64) -> Batch:
    frames = torch.tensor([[32.0, 32.0, 30.0, 40.0, 0.0]]).repeat(count, 1, 1)
    return Batch(
        torch.full((count, 3, side, side), 128.0),
        torch.tensor([[17.0, 12.0, 47.0, 52.0]]).repeat(count, 1, 1),
        torch.full((count, 1), 1 if labelled else -1),
        frames,
    )


def textured(images: torch.Tensor) -> torch.Tensor:
    """Whether an image has an edge: of what plain grey goes through, only what covers, shadow and noise leave one."""
    return images.diff(dim=-1).abs().flatten(1).amax(1) > 25


class AugmentationTest(unittest.TestCase):
    def test_keeps_range_and_shape_and_is_repeatable(self) -> None:
        images = [augment(batch(True), Dice(seed)) for seed in (1, 1, 2)]
        self.assertEqual(images[0].shape, (120, 3, 64, 64))
        self.assertTrue(0 <= float(images[0].min()) and float(images[0].max()) <= 255)
        self.assertTrue(torch.equal(images[0], images[1]))
        self.assertFalse(torch.equal(images[0], images[2]))

    def test_covers_faces_only(self) -> None:
        with_faces, without = (int(textured(augment(batch(labelled), Dice(3))).sum()) for labelled in (True, False))
        self.assertGreater(with_faces, without + 12)

    def test_does_as_little_as_asked(self) -> None:
        def alone(share: float) -> int:
            return int((augment(batch(True), Dice(4), share) == 128).flatten(1).all(1).sum())

        self.assertEqual(alone(0.0), 120)
        self.assertGreater(alone(0.3), alone(1.0) + 20)

    def test_leaves_some_alone(self) -> None:
        alone = (augment(batch(True), Dice(4)) == 128).flatten(1).all(1)
        self.assertTrue(0 < int(alone.sum()) < 40)
