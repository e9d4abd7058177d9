import importlib.util
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch

from train import verifier
from data.dice import Dice
from release.export import export as export_detector
from train.model import FaceNet
from tests.scenes import picture
from tests.train.test_widen import trained
from data.verifier_bank import Bank, cut, jittered, sort_out, turned

SMALL = dict(c=(4, 8, 8, 8), n=(1, 0, 0), last=4)


def bank_of_faces(count: int) -> Bank:
    """Drawn faces, and places without, of many pictures."""
    bank, chance = Bank(), np.random.default_rng(0)
    for number in range(count):
        box = np.array([100.0, 80, 140, 130]) + chance.integers(0, 60)
        image = picture([tuple(box.astype(int))])[..., ::-1]
        for place, right, source in ((box, True, "ilc"), (box - 70, False, "ilc"), (box - 60, False, "pets")):
            bank.crops.append(cut(image, place))
            bank.right.append(right)
            bank.scores.append(0.3)
            bank.sides.append(50.0)
            bank.sources.append(source)
            bank.pictures.append(number)
    return bank


def fresh() -> verifier.Verifier:
    """Nothing is handed down to it, so it needs larger weights than PyTorch's own to learn in a few steps."""
    model = verifier.Verifier(**SMALL)
    for part in model.modules():
        if isinstance(part, torch.nn.Conv2d):
            torch.nn.init.kaiming_normal_(part.weight, nonlinearity="relu")
    return model


class BankTest(unittest.TestCase):
    def test_cuts_a_square_with_the_face_in_its_middle(self) -> None:
        for left in (0, 100, 279):
            box = np.array([left, 60, left + 40, 110])
            crop = cut(picture([tuple(box)])[..., ::-1], box.astype(float))
            self.assertEqual(crop.shape, (144, 144, 3))
            y, x = np.nonzero((crop[..., 0] > 120) & (crop[..., 2] < 70))
            self.assertAlmostEqual(y.mean(), 71.5, delta=1)
            self.assertAlmostEqual(y.max() - y.min(), 96 / 2.5, delta=2.5)
            if left == 100:
                self.assertAlmostEqual(x.mean(), 71.5, delta=1)
            else:
                self.assertTrue((crop[:, 0 if left == 0 else -1] == 0).all())

    def test_turns_boxes_with_the_picture(self) -> None:
        box = np.array([[30.0, 40, 70, 100]])
        for turns in range(4):
            seen, boxes = turned(picture([(30, 40, 70, 100)]), box, turns)
            y, x = np.nonzero(seen[..., 2] > 200)
            np.testing.assert_allclose(boxes[0], [x.min(), y.min(), x.max() + 1, y.max() + 1], atol=1.5)

    def test_sorts_detections_by_labels(self) -> None:
        labels, sure = np.array([[0.0, 0, 100, 100], [200, 0, 300, 100]]), np.array([True, False])
        boxes = np.array([[0.0, 0, 100, 90], [60, 0, 160, 100], [40, 40, 60, 60], [200, 0, 300, 90], [400, 0, 500, 90]])
        right, wrong = sort_out(boxes, labels, sure)
        self.assertEqual(right.tolist(), [True, False, False, False, False])
        self.assertEqual(wrong.tolist(), [False, False, False, False, True])
        self.assertTrue(sort_out(boxes, labels[:0], sure[:0])[1].all())

    def test_moves_boxes_a_little(self) -> None:
        boxes = np.tile([[100.0, 100, 200, 300]], (200, 1))
        moved = jittered(boxes, np.random.default_rng(1))
        self.assertLess(np.abs(moved.mean(0) - boxes[0]).max(), 5)
        self.assertGreater(moved.std(0).min(), 4)


class VerifierTest(unittest.TestCase):
    def test_begins_as_the_detector(self) -> None:
        if not importlib.util.find_spec("onnx"):
            self.skipTest("onnx is not installed")
        detector: FaceNet = trained(dict(c=(4, 8, 12, 16, 8), n=(1, 2, 1, 1), neck=8))
        image = torch.rand(1, 3, 64, 64) * 255
        with TemporaryDirectory() as folder:
            export_detector(detector, Path(folder) / "a.onnx")
            model = verifier.begun_as(Path(folder) / "a.onnx", c=(4, 8, 12, 16), n=(1, 2, 1), last=4)
        normal = (image - 127.5) / 58
        with torch.no_grad():
            theirs = detector.s16(detector.s8(detector.s4(torch.relu(detector.stem_bn(detector.stem(normal))))))
            ours = model.s16(model.s8(model.s4(torch.relu(model.stem(normal)))))
        torch.testing.assert_close(ours, theirs, atol=1e-3, rtol=1e-3)

    def test_begins_as_a_smaller_one(self) -> None:
        earlier, image = fresh(), torch.rand(2, 3, 96, 96) * 255
        model = verifier.begun_as("", earlier, c=(8, 12, 16, 8), n=(2, 0, 1), last=8)
        for name, known in earlier.state_dict().items():
            part = model.state_dict()[name][tuple(slice(0, length) for length in known.shape)]
            self.assertEqual(torch.equal(part, known), not name.startswith("head"), name)
        with torch.no_grad():
            begun = [part.s4(torch.relu(part.stem((image - 127.5) / 58)))[:, :8] for part in (earlier, model)]
        self.assertLess(float((begun[0] - begun[1]).abs().mean()), 0.3 * float(begun[0].abs().mean()))

    def test_views_keep_the_face_in_place_and_colours_in_range(self) -> None:
        crops = torch.from_numpy(np.stack(bank_of_faces(40).crops[::3])).permute(0, 3, 1, 2).float()
        seen = verifier.views(crops, Dice(0))
        self.assertEqual(tuple(seen.shape), (40, 3, 96, 96))
        self.assertGreaterEqual(float(seen.min()), 0)
        self.assertLessEqual(float(seen.max()), 255)
        middle, border = seen[:, :, 36:60, 36:60], seen[:, :, :12]
        warm = [(part[:, 0] - part[:, 2]).mean((1, 2)) for part in (middle, border)]
        self.assertGreater(float((warm[0] > warm[1] + 5).float().mean()), 0.7)

    def test_learns_what_a_bank_holds_and_is_embedded(self) -> None:
        torch.manual_seed(0)
        with TemporaryDirectory() as name:
            folder = Path(name)
            bank_of_faces(60).save(folder)
            bank = verifier.read_bank(folder)
            self.assertEqual(bank.held.sum(), 18)
            for kind, share in enumerate(verifier.SHARES):
                self.assertAlmostEqual(bank.weights[bank.kinds == kind].sum(), share)
            self.assertEqual(bank.weights[bank.held].sum(), 0)
            model = verifier.train(fresh(), bank, 0, Dice(0), rate=0.02, steps=60)
            values, face = verifier.log_odds(model, bank, np.arange(len(bank.kinds))), bank.kinds == verifier.FACE
            self.assertGreater(values[face].mean() - values[~face].mean(), 1)
            self.assertIn("animals", verifier.judge(model, bank))
            before = bank.weights.copy()
            verifier.weigh_by_errors(model, bank, before)
            animals = (bank.kinds == verifier.ANIMAL) & ~bank.held
            self.assertAlmostEqual(bank.weights.sum(), before.sum())
            rates, order = bank.weights[animals] / before[animals], values[animals].argsort()
            self.assertTrue((np.diff(rates[order]) >= -1e-9).all())
            if importlib.util.find_spec("onnx"):
                import onnx

                export_detector(trained(dict(c=(4, 8, 12, 16, 8), n=(1, 2, 1, 1), neck=8)), folder / "d.onnx")
                before = onnx.load(str(folder / "d.onnx"))
                for _ in range(2):
                    verifier.embed(model, folder / "d.onnx")
                after = onnx.load(str(folder / "d.onnx"))
                self.assertEqual(after.graph.node, before.graph.node)
                names = [tensor.name for tensor in after.graph.initializer]
                self.assertEqual(names[: len(before.graph.initializer)], [t.name for t in before.graph.initializer])
                self.assertEqual(names[len(before.graph.initializer) :], ["verifier." + n for n in model.state_dict()])

    def test_log_odds_are_those_of_the_softmax(self) -> None:
        logits = torch.randn(50, 3) * 4
        face = logits.softmax(1)[:, verifier.FACE]
        torch.testing.assert_close(verifier.against_all(logits), (face / (1 - face)).log(), atol=1e-3, rtol=1e-3)


if __name__ == "__main__":
    unittest.main()
