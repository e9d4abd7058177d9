import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
import torch

from evaluate import identify
from data.dice import Dice


def drawn(count: int, pictures: int = 3, seed: int = 0) -> list[torch.Tensor]:
    """People who differ in coarse light and dark; their pictures differ by noise."""
    rng = np.random.default_rng(seed)
    people = []
    for _ in range(count):
        coarse = cv2.resize(rng.random((4, 4)).astype(np.float32), (identify.SIDE, identify.SIDE), interpolation=cv2.INTER_CUBIC)
        noisy = coarse + rng.normal(0, 0.1, (pictures, identify.SIDE, identify.SIDE))
        people.append(torch.from_numpy(noisy.clip(0, 1)).float()[:, None])
    return people


class IdentifyTest(unittest.TestCase):
    def test_reads_people_of_whom_there_are_two(self) -> None:
        with TemporaryDirectory() as name:
            for file in ("A_B_0001", "A_B_0002", "C_0001", "D_0001", "D_0002", "D_0003", "E"):
                cv2.imwrite(f"{name}/{file}.jpg", np.full((90, 80), 51, np.uint8))
            people = identify.read_people(Path(name), most=2)
        self.assertEqual({person: tuple(all_.shape) for person, all_ in people.items()},
                         {"A_B": (2, 1, 64, 64), "D": (2, 1, 64, 64)})  # fmt: skip
        self.assertAlmostEqual(float(people["D"].mean()), 0.2, places=2)

    def test_a_mosaic_is_means_of_its_blocks(self) -> None:
        portraits = torch.rand(6, 1, 64, 64)
        for blocks in (2, 5, 7):
            shown = identify.mosaic(portraits, torch.full((6,), blocks), Dice(1))
            edge = identify.FACE * 64 / blocks
            for one, before in zip(shown[:, 0], portraits[:, 0]):
                rows = 1 + int((one.diff(dim=0).abs().amax(1) > 1e-6).sum())
                self.assertLessEqual(rows, 64 / edge + 2)  # first and last may be cut
                self.assertGreaterEqual(rows, 64 // edge)
                self.assertAlmostEqual(float(one.mean()), float(before.mean()), places=4)

    def test_pixels_find_the_person_where_there_is_something_to_find(self) -> None:
        probes, gallery = identify.two_each(drawn(40), 40, Dice(2))

        def found(blocks: int) -> float:
            shown = identify.mosaic(probes, torch.full((40,), blocks), Dice(3))
            return float((identify.ranks(identify.by_pixels(shown, gallery, blocks)) == 0).float().mean())

        self.assertGreater(found(12), 0.9)
        self.assertLess(found(1), 0.6)

    def test_the_network_learns_people_it_has_not_seen(self) -> None:
        people = drawn(140)
        model = identify.learn(people[40:], 0, Dice(4), steps=30)
        probes, gallery = identify.two_each(people[:40], 40, Dice(5))
        with torch.no_grad():
            shown = identify.mosaic(probes, torch.full((40,), 12), Dice(6))
            places = identify.ranks(model(shown, True) @ model(gallery, False).T)
        self.assertGreater(float((places == 0).float().mean()), 0.2)  # by chance 1 in 40

    def test_rank_counts_those_more_alike(self) -> None:
        likeness = torch.tensor([[0.9, 0.1, 0.2], [0.5, 0.4, 0.6], [0.1, 0.7, 0.3]])
        self.assertEqual(identify.ranks(likeness).tolist(), [0, 2, 1])


if __name__ == "__main__":
    unittest.main()
