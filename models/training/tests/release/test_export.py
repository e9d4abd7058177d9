import importlib.util
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

from release.export import Exported, export
from train.model import FaceNet, cells, decode, flatten

SMALL = dict(c=(4, 8, 8, 8, 8), n=(1, 0, 0, 1), neck=8)


def trained() -> FaceNet:
    """Random weights, and norms that are not as they begin."""
    torch.manual_seed(0)
    model = FaceNet(**SMALL).train()
    with torch.no_grad():
        for _ in range(5):
            model(torch.rand(2, 3, 64, 64) * 255)
        for head in model.head:
            head.weight.normal_(std=0.3)
    return model.eval()


class ExportTest(unittest.TestCase):
    def test_gives_decoded_boxes_and_calibrated_scores(self) -> None:
        model, image = trained(), torch.rand(1, 3, 64, 96) * 255
        with torch.no_grad():
            boxes, scores = Exported(model, 2.0, -0.5)(image)
            plain = flatten(model(image))
        torch.testing.assert_close(boxes, decode(plain[..., 1:], *cells(64, 96)), atol=1e-3, rtol=1e-4)
        torch.testing.assert_close(scores, torch.sigmoid(2 * plain[..., 0] - 0.5), atol=1e-4, rtol=1e-4)

    def test_leaves_the_model_as_it_was(self) -> None:
        model = trained()
        before = {key: value.clone() for key, value in model.state_dict().items()}
        Exported(model, 2.0, -0.5)
        self.assertTrue(all(torch.equal(value, before[key]) for key, value in model.state_dict().items()))

    @unittest.skipUnless(importlib.util.find_spec("onnx"), "onnx is not installed")
    def test_writes_the_contract(self) -> None:
        import onnx

        with TemporaryDirectory() as folder:
            path = Path(folder) / "a.onnx"
            export(trained(), path)
            model = onnx.load(str(path))
        self.assertEqual(model.opset_import[0].version, 13)
        self.assertEqual([i.name for i in model.graph.input], ["image"])
        self.assertEqual([o.name for o in model.graph.output], ["boxes", "scores"])
        dims = model.graph.input[0].type.tensor_type.shape.dim
        self.assertEqual([d.dim_param or d.dim_value for d in dims], [1, 3, "h", "w"])
        self.assertNotIn("BatchNormalization", {node.op_type for node in model.graph.node})
