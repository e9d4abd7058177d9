import contextlib
import importlib.util
import io
import sys
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import torch

from night import train
from night.yunet import read_yunet
from tests.night.test_yunet import FILE
from tests.scenes import write_pack
from train.learner import read_checkpoint


@unittest.skipUnless(importlib.util.find_spec("onnx"), "onnx is not installed")
class NightTrainTest(unittest.TestCase):
    def test_trains_writes_the_file_and_goes_on(self) -> None:
        with TemporaryDirectory() as name:
            folder = Path(name)
            write_pack(folder, [[(120, 60, 190, 150)]])
            base = ["train.py", "--data", name, "--yunet", str(FILE), "--out", f"{name}/run", "--minutes", "1",
                    "--every", "0", "--batch", "2", "--steps", "2", "--sides", "64"]  # fmt: skip
            for more in ([], ["--resume", f"{name}/run/last.pt", "--start", "0.5"]):
                with patch.object(sys, "argv", base + more), contextlib.redirect_stdout(io.StringIO()):
                    train.main()
            self.assertEqual(read_checkpoint(folder / "run/last.pt")["steps"], 4)
            before, after = read_yunet(FILE), read_yunet(folder / "run/night.onnx")
            self.assertFalse(torch.equal(before.stem.weight, after.stem.weight))
            torch.testing.assert_close(before.stem.weight, after.stem.weight, atol=0.01, rtol=0.01)
