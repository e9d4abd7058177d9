import math
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

from train.learner import BOTTOM, Learner, Settings, averaged_network, learning_rate, read_checkpoint
from train.model import FaceNet

SMALL = dict(c=(4, 8, 8, 8, 8), n=(0, 0, 0, 0), neck=8)
CPU = torch.device("cpu")


def scene() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Two images with a bright square each, labelled as faces."""
    images, boxes = torch.full((2, 3, 64, 64), 40.0), torch.tensor([[[8.0, 8, 32, 32]], [[30.0, 24, 54, 48]]])
    images[0, :, 8:32, 8:32] = images[1, :, 24:48, 30:54] = 220
    return images, boxes, torch.ones(2, 1, dtype=torch.long)


class LearnerTest(unittest.TestCase):
    def learner(self, checkpoint: dict | None = None, bf16: bool = False) -> Learner:
        torch.manual_seed(3)
        return Learner(FaceNet(**SMALL), Settings(5e-3, 0.02, 0.9, 1, bf16), CPU, checkpoint)

    def test_learns(self) -> None:
        learner = self.learner()
        first = learner.step(*scene(), done=0.0).sum()
        for _ in range(60):
            last = learner.step(*scene(), done=0.0).sum()
        self.assertLess(float(last), 0.5 * float(first))

    def test_learns_in_bfloat16_with_weights_of_full_precision(self) -> None:
        learner, exact = self.learner(bf16=True), self.learner()
        first, first_exact = learner.step(*scene(), done=0.0), exact.step(*scene(), done=0.0)
        torch.testing.assert_close(first, first_exact, rtol=0.02, atol=0.02)
        self.assertFalse(torch.equal(first, first_exact))
        for _ in range(60):
            last = learner.step(*scene(), done=0.0).sum()
        self.assertLess(float(last), 0.5 * float(first.sum()))
        self.assertTrue(all(p.dtype == torch.float32 for p in learner.model.parameters()))

    def test_a_short_run_changes_only_the_top(self) -> None:
        before = self.learner()
        before.step(*scene(), done=0.0)
        with TemporaryDirectory() as folder:
            before.save(Path(folder) / "last.pt")
            checkpoint = read_checkpoint(Path(folder) / "last.pt")
        learner = Learner(FaceNet(**SMALL), Settings(5e-3, 0.02, 0.9, 1, top=True), CPU, checkpoint)
        for _ in range(30):
            learner.step(*scene(), done=0.0)
        after = learner.model.state_dict()
        changed = {key for key, value in checkpoint["model"].items() if not torch.equal(value, after[key])}
        self.assertFalse({key for key in changed if key.startswith(BOTTOM) or "running" in key})
        top = {key for key, _ in learner.model.named_parameters() if not key.startswith(BOTTOM)}
        self.assertEqual(top - changed, set())
        self.assertEqual(learner.steps, 31)

    def test_rate_warms_up_and_decays(self) -> None:
        self.assertAlmostEqual(learning_rate(1.0, 0.0, 0, 10), 0.1)
        self.assertAlmostEqual(learning_rate(1.0, 0.0, 99, 10), 1.0)
        self.assertAlmostEqual(learning_rate(1.0, 0.5, 99, 10), 0.51)
        self.assertAlmostEqual(learning_rate(1.0, 1.0, 99, 10), 0.02)
        self.assertAlmostEqual(learning_rate(1.0, 1.1, 99, 10), 0.02)

    def test_averages_the_weights(self) -> None:
        learner = self.learner()
        key = "stem.weight"
        before = learner.average[key].clone()
        learner.step(*scene(), done=0.0)
        keep = min(0.9, 2 / 21)
        expected = before * keep + learner.model.state_dict()[key] * (1 - keep)
        torch.testing.assert_close(learner.average[key], expected)
        self.assertEqual(int(learner.average["stem_bn.num_batches_tracked"]), 1)

    def test_goes_on_where_it_stopped(self) -> None:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "last.pt"
            learner = self.learner()
            for _ in range(3):
                learner.step(*scene(), done=0.0)
            learner.save(path)
            self.assertEqual([p.name for p in Path(folder).iterdir()], ["last.pt"])
            checkpoint = read_checkpoint(path)
            self.assertEqual(set(checkpoint), {"cfg", "model", "ema", "opt", "it"})
            other = self.learner(checkpoint)
            self.assertEqual(other.steps, 3)
            torch.testing.assert_close(other.step(*scene(), done=0.2), learner.step(*scene(), done=0.2))
            torch.testing.assert_close(other.average["stem.weight"], learner.average["stem.weight"])
            self.assertEqual(averaged_network(path).cfg, learner.model.cfg)
            self.assertFalse(averaged_network(path).training)

    def test_shapes_without_faces_are_fine(self) -> None:
        images, boxes, labels = scene()
        parts = self.learner().step(images, boxes, labels * 0 - 1, done=0.0)
        self.assertTrue(math.isfinite(float(parts.sum())))
        self.assertEqual(parts[1:].tolist(), [0, 0])
