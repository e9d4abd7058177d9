import math
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

from data.banks import CompressedBank, DecodedBank
from data.pack import read_pack
from tests.scenes import red_box, write_pack

FACE = (120, 60, 190, 150)


def affine(scale: float, turn: float, target: tuple[float, float]) -> torch.Tensor:
    """Brings the face's middle to `target`."""
    cos, sin = math.cos(turn) * scale, math.sin(turn) * scale
    linear = torch.tensor([[cos, -sin], [sin, cos]])
    shift = torch.tensor(target) - linear @ torch.tensor([155.0, 105.0])
    return torch.cat([linear, shift[:, None]], 1)[None]


class BanksTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        write_pack(Path(folder.name), [[FACE]])
        pack = read_pack(folder.name)
        self.banks = (CompressedBank(pack), DecodedBank(pack, torch.device("cpu"), 320),
                      DecodedBank(pack, torch.device("cpu"), 256))  # fmt: skip

    def test_show_a_point_where_the_map_says(self) -> None:
        for bank in self.banks:
            for scale in (2.0, 1.0, 0.7, 0.4, 0.2):
                image = bank.render(torch.tensor([0]), affine(scale, 0, (80.0, 90.0)), 192)[0]
                box = red_box(image)
                expected = torch.tensor([80 - 35 * scale, 90 - 45 * scale, 80 + 35 * scale, 90 + 45 * scale]).clamp(0, 192)
                self.assertLess(float((box - expected).abs().max()), 1.6, f"{type(bank).__name__} at {scale}")

    def test_agree(self) -> None:
        for scale, turn in ((1.5, 0.3), (0.9, 2.0), (0.45, -1.0), (0.22, 3.0)):
            images = [bank.render(torch.tensor([0]), affine(scale, turn, (64.0, 64.0)), 128) for bank in self.banks]
            # Only edges may differ: by the filter, and by the picture stored smaller.
            for image in images[1:]:
                self.assertLess(float((images[0] - image).abs().mean()), 5, f"at {scale}")
