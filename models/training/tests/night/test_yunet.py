import importlib.util
import shutil
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch

from evaluate.detectors import yunet_boxes
from evaluate.runtime import Runtime
from night.yunet import YuNet, boxes_of, corners, flatten, log_score, read_yunet, write_yunet

ROOT = Path(__file__).parents[4]
FILE = ROOT / "models" / "yunet_n.onnx"
HAS_RUNTIME = shutil.which("node") and (ROOT / "node_modules" / "onnxruntime-web").exists()


class CellsTest(unittest.TestCase):
    def test_a_cell_says_a_box_from_its_corner(self) -> None:
        at, strides = corners(32, 64)
        self.assertEqual(at.shape, (32 + 8 + 2, 2))
        cells = torch.zeros(1, len(at), 6)
        cells[0, 11, 2:] = torch.tensor([0.5, 0.25, np.log(2), np.log(3)])
        box = boxes_of(cells, at, strides)[0, 11]  # column 3, row 1 of stride 8
        torch.testing.assert_close(box, torch.tensor([28.0 - 8, 10 - 12, 28 + 8, 10 + 12]), atol=1e-4, rtol=0)

    def test_a_score_is_the_geometric_mean(self) -> None:
        cells = torch.logit(torch.tensor([[[0.81, 0.64, 0.5, 0.5, 0.5, 0.5]]]))
        self.assertAlmostEqual(float(log_score(cells).exp()), 0.72, places=5)


@unittest.skipUnless(importlib.util.find_spec("onnx"), "onnx is not installed")
class FileTest(unittest.TestCase):
    def test_all_that_is_trained_is_in_the_file(self) -> None:
        model = read_yunet(FILE)
        named = {id(parameter) for parameter in model.tensors().values()}
        self.assertEqual(named, {id(parameter) for parameter in model.parameters()})

    def test_writes_what_was_read_and_what_was_changed(self) -> None:
        model = read_yunet(FILE)
        with TemporaryDirectory() as folder:
            write_yunet(model, FILE, f"{folder}/same.onnx")
            self.assertEqual(len(Path(folder, "same.onnx").read_bytes()), len(FILE.read_bytes()))
            with torch.no_grad():
                model.stem.bias += 1
            write_yunet(model, FILE, f"{folder}/other.onnx")
            same, other = read_yunet(f"{folder}/same.onnx"), read_yunet(f"{folder}/other.onnx")
        torch.testing.assert_close(other.stem.bias, same.stem.bias + 1)
        torch.testing.assert_close(other.stem.weight, same.stem.weight)

    def test_refuses_another_network(self) -> None:
        with self.assertRaises(KeyError):
            read_yunet(ROOT / "models" / "face_detector.onnx")

    @unittest.skipUnless(HAS_RUNTIME, "needs node and node_modules")
    def test_gives_what_the_file_gives(self) -> None:
        image = np.random.default_rng(0).integers(0, 256, (64, 96, 3), np.uint8)
        with Runtime([FILE]) as runtime:
            outputs, _ = runtime.run(0, image[..., ::-1])
        expected_boxes, expected_scores = yunet_boxes(outputs, 96)
        with torch.no_grad():
            cells = flatten(read_yunet(FILE)(torch.from_numpy(image.copy()).permute(2, 0, 1)[None].float()))
        boxes = boxes_of(cells, *corners(64, 96))[0].numpy()
        np.testing.assert_allclose(log_score(cells).exp()[0].numpy(), expected_scores, atol=1e-4)
        np.testing.assert_allclose(boxes, expected_boxes, atol=1e-2)


class YuNetTest(unittest.TestCase):
    def test_shapes(self) -> None:
        shapes = [tuple(output.shape) for output in YuNet()(torch.zeros(2, 3, 64, 96))]
        self.assertEqual(shapes, [(2, 6, 8, 12), (2, 6, 4, 6), (2, 6, 2, 3)])
