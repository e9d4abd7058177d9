import importlib.util
import sys
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import torch

from train import restore
from release.export import export
from train.learner import averaged_network
from train.model import FaceNet
from tests.scenes import write_pack
from tests.train.test_widen import SMALL, trained


def network() -> FaceNet:
    """Trained: the exporter stores equal weights once, and fresh ones are equal."""
    model = trained(SMALL)
    for part in (*model.lat, *model.head):
        part.bias.data += torch.rand_like(part.bias)
    return model


@unittest.skipUnless(importlib.util.find_spec("onnx"), "onnx is not installed")
class RestoreTest(unittest.TestCase):
    def test_gives_what_was_exported_and_trains_from_there(self) -> None:
        before, image = network(), torch.rand(2, 3, 64, 96) * 255
        with TemporaryDirectory() as name:
            folder = Path(name)
            export(before, folder / "a.onnx", 2.0, -0.5)
            write_pack(folder, [[(120, 60, 190, 150)]])
            words = f"restore.py {folder}/a.onnx --scale 2 --bias -0.5 --data {folder} --out {folder}/r.pt --batches 3"
            with patch.object(sys, "argv", words.split()):
                restore.main()
            after = averaged_network(folder / "r.pt")
        self.assertEqual(after.cfg, SMALL)
        with torch.no_grad():
            for a, b in zip(before(image), after(image)):
                torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-3)

    def test_norms_have_the_statistics_of_what_they_were_shown(self) -> None:
        with TemporaryDirectory() as name:
            export(network(), Path(name) / "a.onnx")
            weights = restore.initializers(Path(name) / "a.onnx")
        torch.manual_seed(1)
        images = torch.rand(8, 3, 64, 64) * 255
        model = restore.restored(weights, 1.0, 0.0, [images])
        with torch.no_grad():
            known = model(images)
            fresh = model.train()(images)  # by the batch's own statistics
        for a, b in zip(known, fresh):
            torch.testing.assert_close(a, b, rtol=2e-2, atol=2e-2)
        for _, conv, _ in restore.normed(model):
            lengths = conv.weight.square().sum((1, 2, 3))
            torch.testing.assert_close(lengths, torch.full_like(lengths, restore.FRESH))

    def test_refuses_a_file_that_lacks_weights(self) -> None:
        with TemporaryDirectory() as name:
            export(network(), Path(name) / "a.onnx")
            weights = restore.initializers(Path(name) / "a.onnx")
        del weights["head.1.bias"]
        with self.assertRaisesRegex(ValueError, "head.1.bias"):
            restore.restored(weights, 1.0, 0.0, [torch.zeros(1, 3, 64, 64)])


if __name__ == "__main__":
    unittest.main()
