import shutil
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from evaluate.detectors import open_detectors, overlap, suppress, yunet_boxes
from release.export import export
from evaluate.runtime import Runtime
from tests.release.test_export import trained

NODE_MODULES = Path(__file__).parents[4] / "node_modules" / "onnxruntime-web"


class BoxesTest(unittest.TestCase):
    def test_overlap(self) -> None:
        a, b = np.array([[0.0, 0, 2, 2]]), np.array([[1.0, 0, 3, 2], [5, 5, 6, 6], [0, 0, 2, 2]])
        np.testing.assert_allclose(overlap(a, b), [[1 / 3, 0, 1]], atol=1e-6)

    def test_suppresses_what_a_surer_box_covers(self) -> None:
        boxes = np.array([[0.0, 0, 10, 10], [0, 0, 10, 9], [20, 0, 30, 10], [0, 0, 10, 4.4]])
        kept, scores = suppress(boxes, np.array([0.5, 0.9, 0.7, 0.1]))
        self.assertEqual(scores.tolist(), [0.9, 0.7])
        self.assertEqual(kept[0].tolist(), [0, 0, 10, 9])
        self.assertEqual(len(suppress(np.zeros((0, 4)), np.zeros(0))[0]), 0)

    def test_decodes_the_yardstick(self) -> None:
        outputs = {f"{key}_{s}": np.zeros((1, (64 // s) * (32 // s), n), np.float32)
                   for s in (8, 16, 32) for key, n in (("cls", 1), ("obj", 1), ("bbox", 4))}  # fmt: skip
        outputs["cls_8"][0, 11], outputs["obj_8"][0, 11] = 0.81, 1.0
        outputs["bbox_8"][0, 11] = [0.5, 0.25, np.log(2), np.log(3)]
        boxes, scores = yunet_boxes(outputs, 64)
        self.assertAlmostEqual(float(scores.max()), 0.9, places=5)
        # Cell 11 of 8 a row: column 3, row 1.
        np.testing.assert_allclose(boxes[scores.argmax()], [28 - 8, 10 - 12, 28 + 8, 10 + 12], atol=1e-4)


@unittest.skipUnless(shutil.which("node") and NODE_MODULES.exists(), "needs node and node_modules")
class RuntimeTest(unittest.TestCase):
    def test_runs_what_is_exported(self) -> None:
        import torch

        from release.export import Exported

        model, image = trained(), np.random.default_rng(0).integers(0, 256, (64, 96, 3)).astype(np.uint8)
        with TemporaryDirectory() as folder:
            path = Path(folder) / "a.onnx"
            export(model, path)
            with Runtime([path]) as runtime:
                for picture in (image, image[:32, :64]):
                    outputs, ms = runtime.run(0, picture)
                    with torch.no_grad():
                        boxes, scores = Exported(model)(torch.from_numpy(picture.copy()).permute(2, 0, 1)[None].float())
                    np.testing.assert_allclose(outputs["boxes"], boxes.numpy(), atol=1e-3)
                    np.testing.assert_allclose(outputs["scores"], scores.numpy(), atol=1e-4)
                    self.assertGreater(ms, 0)
            with open_detectors([f"a={path}"]) as (detector,):
                found = detector.detect(np.zeros((100, 200, 3), np.uint8), 96)
                self.assertAlmostEqual(found.scale, 0.48)
                self.assertTrue((np.diff(found.scores) <= 0).all())

    def test_says_when_a_file_is_none(self) -> None:
        with self.assertRaises(ValueError), open_detectors(["nameless.onnx"]):
            pass
