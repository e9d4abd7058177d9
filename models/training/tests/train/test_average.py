import sys
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import torch

from train import average
from train.learner import Learner, Settings, averaged_network, read_checkpoint
from train.model import FaceNet

SMALL = dict(c=(4, 8, 8, 8, 8), n=(0, 0, 0, 0), neck=8)


class AverageTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def checkpoint(self, name: str, seed: int, **cfg: object) -> str:
        torch.manual_seed(seed)
        path = self.folder / name
        Learner(FaceNet(**{**SMALL, **cfg}), Settings(1e-3, 0, 0.9, 1), torch.device("cpu")).save(path)
        return str(path)

    def test_is_the_mean_of_both_and_else_the_last(self) -> None:
        paths = [self.checkpoint("a.pt", 1), self.checkpoint("b.pt", 2)]
        out = self.folder / "averaged.pt"
        with patch.object(sys, "argv", ["average.py", *paths, "--out", str(out)]):
            average.main()
        a, b, both = (read_checkpoint(path) for path in (*paths, out))
        torch.testing.assert_close(both["ema"]["stem.weight"], (a["ema"]["stem.weight"] + b["ema"]["stem.weight"]) / 2)
        self.assertTrue(torch.equal(both["model"]["stem.weight"], b["model"]["stem.weight"]))
        self.assertEqual(both["ema"]["stem_bn.num_batches_tracked"].dtype, torch.int64)
        self.assertFalse(averaged_network(out).training)

    def test_refuses_different_networks(self) -> None:
        different = [read_checkpoint(self.checkpoint("a.pt", 1)), read_checkpoint(self.checkpoint("b.pt", 1, neck=16))]
        with self.assertRaisesRegex(ValueError, "one network"):
            average.averaged(different)
