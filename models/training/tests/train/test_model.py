import unittest

import torch

from train.model import FaceNet, cells, decode, flatten, fold


class ModelTest(unittest.TestCase):
    def test_has_one_cell_for_every_output(self) -> None:
        outputs = flatten(FaceNet().eval()(torch.zeros(2, 3, 64, 96)))
        centres, strides = cells(64, 96)
        self.assertEqual(outputs.shape, (2, 64 * 96 // 64 + 64 * 96 // 256 + 64 * 96 // 1024, 5))
        self.assertEqual((len(centres), len(strides)), (outputs.shape[1],) * 2)
        self.assertEqual(centres[1].tolist(), [12, 4])
        self.assertEqual(centres[-1].tolist(), [80, 48])

    def test_keeps_the_names_and_the_size_of_the_first_weights(self) -> None:
        state = FaceNet().state_dict()
        for key in ("stem.weight", "stem_bn.running_var", "s4.0.dw.weight", "s16.3.bn.bias", "lat.2.bias", "fuse.0.pw.weight",
                    "tower.1.bn.weight", "head.2.bias"):  # fmt: skip
            self.assertIn(key, state)
        # The figure on the first weights' card.
        self.assertEqual(sum(p.numel() for p in FaceNet().parameters()), 149_743)

    def test_decodes_offsets_in_strides(self) -> None:
        box = decode(torch.tensor([[0.5, -0.5, 0.0, 0.6931472]]), torch.tensor([[12.0, 4.0]]), torch.tensor([8.0]))
        torch.testing.assert_close(box, torch.tensor([[12.0, -8.0, 20.0, 8.0]]))

    def test_folds_the_norm_into_the_convolution(self) -> None:
        torch.manual_seed(1)
        conv, norm = torch.nn.Conv2d(4, 6, 3, padding=1, bias=False), torch.nn.BatchNorm2d(6).eval()
        for value in (norm.weight, norm.bias, norm.running_mean):
            torch.nn.init.normal_(value)
        torch.nn.init.uniform_(norm.running_var, 0.5, 2)
        x = torch.randn(2, 4, 8, 8)
        torch.testing.assert_close(fold(conv, norm)(x), norm(conv(x)), atol=1e-5, rtol=1e-5)
