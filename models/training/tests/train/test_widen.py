import sys
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import torch

from train import widen
from train.learner import Learner, Settings, averaged_network
from train.loss import losses
from train.model import FaceNet, cells, flatten

SMALL = dict(c=(4, 6, 8, 8, 10), n=(1, 0, 1, 1), neck=8)
LARGE = dict(c=(6, 8, 8, 12, 16), n=(1, 1, 3, 2), neck=12)


def trained(cfg: dict) -> FaceNet:
    """A network whose statistics and scales are none of the defaults."""
    torch.manual_seed(3)
    model = FaceNet(**cfg)
    for key, value in model.state_dict().items():
        if "bn" in key and value.is_floating_point():
            value.copy_(torch.rand_like(value) + 0.5)
    return model.eval()


class WidenTest(unittest.TestCase):
    def test_gives_what_the_smaller_network_gave(self) -> None:
        small, image = trained(SMALL), torch.rand(2, 3, 64, 96) * 255
        with TemporaryDirectory() as folder:
            old, new = Path(folder) / "last.pt", Path(folder) / "larger.pt"
            Learner(small, Settings(1e-3, 0, 0.9, 1), torch.device("cpu")).save(old)
            cfg = '{"c":[6,8,8,12,16],"n":[1,1,3,2],"neck":12}'
            with patch.object(sys, "argv", ["widen.py", str(old), "--out", str(new), "--cfg", cfg]):
                widen.main()
            large = averaged_network(new)
        self.assertEqual(large.cfg, LARGE)
        with torch.no_grad():
            for a, b in zip(small.eval()(image), large(image)):
                torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-4)

    def test_every_new_weight_learns(self) -> None:
        torch.manual_seed(0)
        large = FaceNet(**LARGE)
        large.load_state_dict(widen.widened(trained(SMALL).state_dict(), LARGE))
        before = {key: value.clone() for key, value in large.named_parameters()}
        optimiser = torch.optim.Adam(large.parameters(), lr=0.01)
        truth, labels = torch.tensor([[[8.0, 8.0, 40.0, 50.0]]]).expand(4, -1, -1), torch.ones(4, 1, dtype=torch.long)
        for _ in range(6):
            optimiser.zero_grad()
            sum(losses(flatten(large(torch.rand(4, 3, 64, 64) * 255)), truth, labels, *cells(64, 64))).backward()
            optimiser.step()
        still = [key for key, value in large.named_parameters() if torch.equal(value, before[key])]
        self.assertEqual(still, [])

    def test_refuses_a_smaller_network(self) -> None:
        state = trained(SMALL).state_dict()
        for smaller in (dict(neck=4), dict(n=(0, 0, 1, 1)), dict(c=(4, 6, 8, 8, 8))):
            with self.assertRaisesRegex(ValueError, "expected"):
                widen.widened(state, {**SMALL, **smaller})
