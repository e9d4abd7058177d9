import contextlib
import importlib.util
import io
import sys
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import torch

from night import together
from night.folded import read_folded
from tests.night.test_yunet import ROOT
from tests.scenes import write_pack


@unittest.skipUnless(importlib.util.find_spec("onnx"), "onnx is not installed")
class TogetherTest(unittest.TestCase):
    def test_trains_all_three_and_saves_their_averages(self) -> None:
        with TemporaryDirectory() as name:
            write_pack(Path(name), [[(120, 60, 190, 150)], [(20, 40, 90, 130)]])
            words = ["together.py", "--data", name, "--models", str(ROOT / "models"), "--out", f"{name}/run",
                     "--device", "cpu", "--minutes", "1", "--steps", "2", "--batch", "2", "--sides", "64", "--store", "128"]  # fmt: skip
            told = io.StringIO()
            with patch.object(sys, "argv", words), contextlib.redirect_stdout(told):
                together.main()
            state = torch.load(f"{name}/run/state_end.pt")
        self.assertIn("finished after 2 steps", told.getvalue())
        self.assertEqual(set(state), {"ours", "yunet", "verifier"})
        before = read_folded(ROOT / "models" / "face_detector.onnx").state_dict()
        self.assertEqual(set(state["ours"]), set(before))
        self.assertFalse(torch.equal(state["ours"]["stem.weight"], before["stem.weight"]))
        torch.testing.assert_close(state["ours"]["stem.weight"], before["stem.weight"], atol=0.01, rtol=0.01)
