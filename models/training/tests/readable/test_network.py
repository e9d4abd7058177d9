import tempfile
import unittest
from pathlib import Path

import torch

from readable.export import Exported, export, network_of
from readable.loss import loss
from readable.network import ReadableNet


class NetworkTest(unittest.TestCase):
    def test_gives_two_maps_at_a_quarter_of_the_sides(self) -> None:
        self.assertEqual(ReadableNet().eval()(torch.zeros(1, 3, 64, 96)).shape, (1, 2, 16, 24))

    def test_has_the_size_and_names_of_the_file(self) -> None:
        model = ReadableNet()
        self.assertEqual(sum(p.numel() for p in model.parameters()), 86_882)
        for key in ("stem.weight", "s4.1.pw.weight", "s32.2.bn.bias", "lat.3.bias", "fuse.0.dw.weight", "head.bias"):
            self.assertIn(key, model.state_dict())

    def test_the_exported_graph_gives_what_the_network_gives(self) -> None:
        torch.manual_seed(3)
        model = ReadableNet()
        model.train()
        model(torch.rand(4, 3, 64, 64) * 255)
        model.eval()
        picture = torch.rand(1, 3, 64, 64) * 255
        torch.testing.assert_close(Exported(model, 23 - 1)(picture), model(picture).sigmoid(), atol=1e-3, rtol=1e-3)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.onnx"
            export(model, path)
            self.assertLess(path.stat().st_size, 600_000)

    def test_a_checkpoint_gives_its_average(self) -> None:
        model = ReadableNet()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.pt"
            average = {k: v + 1 if v.is_floating_point() else v for k, v in model.state_dict().items()}
            torch.save({"cfg": model.cfg, "ema": average, "views": 5}, path)
            torch.testing.assert_close(network_of(path).head.bias, model.head.bias + 1)


class LossTest(unittest.TestCase):
    def test_right_maps_cost_least(self) -> None:
        wanted = torch.zeros(2, 2, 16, 16)
        wanted[:, :, 4:8, 4:12] = 1
        mask = torch.ones_like(wanted)
        right, blank = (wanted * 2 - 1) * 8, torch.full_like(wanted, -8.0)
        self.assertLess(loss(right, wanted, mask), 0.1)
        self.assertGreater(loss(blank, wanted, mask), 2)

    def test_what_is_masked_costs_nothing(self) -> None:
        wanted, mask = torch.zeros(1, 2, 16, 16), torch.ones(1, 2, 16, 16)
        mask[..., :8] = 0
        wrong = torch.full_like(wanted, -8.0)
        elsewhere = wrong.clone()
        elsewhere[..., :8] = 8
        torch.testing.assert_close(loss(elsewhere, wanted, mask), loss(wrong, wanted, mask))

    def test_pictures_without_anything_cost_what_is_taken_for_it(self) -> None:
        wanted, mask = torch.zeros(1, 2, 16, 16), torch.ones(1, 2, 16, 16)
        quiet = torch.full_like(wanted, -8.0)
        loud = quiet.clone()
        loud[0, 0, 3, 3] = 8
        self.assertGreater(loss(loud, wanted, mask), loss(quiet, wanted, mask) + 0.05)
