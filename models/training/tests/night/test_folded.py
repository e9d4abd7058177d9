import hashlib
import importlib.util
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch

from evaluate.runtime import Runtime
from night.folded import in_pairs, read_folded, read_verifier, write_folded
from night.yunet import boxes_of, corners, flatten, log_score
from tests.night.test_yunet import HAS_RUNTIME, ROOT

FILE = ROOT / "models" / "face_detector.onnx"


class InPairsTest(unittest.TestCase):
    def test_says_the_same_score_and_the_same_box(self) -> None:
        at, strides = corners(32, 32)
        cells = torch.zeros(1, len(at), 5)
        cells[..., 0] = torch.logit(torch.tensor(0.7))
        pairs = in_pairs(cells)
        torch.testing.assert_close(log_score(pairs).exp(), torch.full((1, len(at)), 0.7))
        torch.testing.assert_close(boxes_of(pairs, at, strides)[0, 0], torch.tensor([0.0, 0, 8, 8]))


@unittest.skipUnless(importlib.util.find_spec("onnx"), "onnx is not installed")
class FileTest(unittest.TestCase):
    def test_writes_what_was_read_and_what_was_changed(self) -> None:
        model, verifier = read_folded(FILE), read_verifier(FILE)
        with TemporaryDirectory() as folder:
            path = f"{folder}/new.onnx"
            write_folded(model, verifier, FILE, path)
            digests = [hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in (FILE, path)]
            self.assertEqual(*digests)
            with torch.no_grad():
                model.stem.bias += 1
                verifier.head.bias += 1
            write_folded(model, verifier, FILE, path)
            torch.testing.assert_close(read_folded(path).stem.bias, model.stem.bias)
            torch.testing.assert_close(read_verifier(path).head.bias, verifier.head.bias)

    @unittest.skipUnless(HAS_RUNTIME, "needs node and node_modules")
    def test_gives_what_the_file_gives(self) -> None:
        image = np.random.default_rng(0).integers(0, 256, (64, 96, 3), np.uint8)
        with Runtime([FILE]) as runtime:
            outputs, _ = runtime.run(0, image)
        with torch.no_grad():
            cells = in_pairs(flatten(read_folded(FILE)(torch.from_numpy(image.copy()).permute(2, 0, 1)[None].float())))
        np.testing.assert_allclose(log_score(cells).exp()[0].numpy(), outputs["scores"][0], atol=1e-4)
        np.testing.assert_allclose(boxes_of(cells, *corners(64, 96))[0].numpy(), outputs["boxes"][0], atol=1e-2)
