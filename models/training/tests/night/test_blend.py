import importlib.util
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

from night.blend import OURS, YUNET, blend
from night.folded import read_folded, read_verifier
from night.yunet import read_yunet
from tests.night.test_yunet import ROOT

MODELS = ROOT / "models"


@unittest.skipUnless(importlib.util.find_spec("onnx"), "onnx is not installed")
class BlendTest(unittest.TestCase):
    def test_goes_each_share_of_the_way(self) -> None:
        begun = dict(ours=read_folded(MODELS / OURS), yunet=read_yunet(MODELS / YUNET), verifier=read_verifier(MODELS / OURS))
        state = {name: {key: value + 1 for key, value in model.state_dict().items()} for name, model in begun.items()}
        with TemporaryDirectory() as folder:
            out = Path(folder)
            blend(state, MODELS, out, dict(ours=1.0, yunet=0.5, verifier=0.0))
            ended = dict(ours=read_folded(out / OURS), yunet=read_yunet(out / YUNET), verifier=read_verifier(out / OURS))
        for name, share in (("ours", 1.0), ("yunet", 0.5), ("verifier", 0.0)):
            first = next(iter(begun[name].parameters())).detach()
            torch.testing.assert_close(next(iter(ended[name].parameters())).detach(), first + share)
