import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch

from evaluate.detectors import Detections
from data.doubts import Doubt, both_ways, doubts, doubts_of
from train.learner import Learner, Settings
from train.model import FaceNet
from tests.scenes import write_pack


def image(*boxes: list[float]) -> dict:
    return dict(f="a.png", boxes=list(boxes))


class DoubtsTest(unittest.TestCase):
    def test_perhaps_lost_and_found(self) -> None:
        known, lost, perhaps = [0, 0, 40, 40, 0.9], [100, 0, 140, 40, 1.0], [200, 0, 240, 40, 0.3]
        finds = np.array([[2, 0, 42, 40, 0.8], [100, 0, 140, 40, 0.34], [202, 0, 242, 40, 0.5], [300, 0, 340, 40, 0.6]])
        doubts = doubts_of(image(known, lost, perhaps), finds)
        wanted = [("lost", 100, 0.34), ("perhaps", 200, 0.5), ("found", 300, 0.6)]
        self.assertEqual([(d.kind, d.box[0], d.score) for d in doubts], wanted)

    def test_leaves_out_small_weak_doubled_and_dropped(self) -> None:
        finds = np.array([[0, 0, 9, 9, 0.9], [50, 0, 90, 40, 0.2], [100, 0, 140, 40, 0.9], [101, 0, 141, 40, 0.8]])
        doubts = doubts_of(image([200, 0, 209, 9, 1.0], [300, 0, 340, 40, 0.1]), finds)
        self.assertEqual([d.box for d in doubts], [(100, 0, 140, 40)])
        self.assertEqual(doubts_of(image(), np.zeros((0, 5))), [])

    def test_looks_at_the_mirrored_picture_too_and_turns_its_boxes_back(self) -> None:
        class BrightestColumn:
            def detect(self, picture: np.ndarray, side: int) -> Detections:
                x = float(picture[0, :, 0].argmax())
                return Detections(np.array([[x, 0, x + 1, 20]]), np.array([0.9]), 1.0)

        picture = np.zeros((20, 50, 3), np.uint8)
        picture[:, 7] = 255
        self.assertEqual(both_ways(BrightestColumn(), picture)[:, :4].tolist(), [[7, 0, 8, 20]] * 2)

    def test_goes_through_a_folder(self) -> None:
        with TemporaryDirectory() as name:
            folder = Path(name)
            write_pack(folder, [[(120, 60, 190, 150)], [(10, 10, 60, 80)]])
            network = FaceNet(c=(4, 8, 8, 8, 8), n=(0, 0, 0, 0), neck=8)
            Learner(network, Settings(1e-3, 0, 0.9, 1), torch.device("cpu")).save(folder / "last.pt")
            images = [dict(f="0.png", boxes=[[120, 60, 190, 150, 1.0]]), dict(f="1.png", boxes=[[10, 10, 60, 80, 0.3]])]
            found = doubts(str(folder / "last.pt"), folder, images, 2)
        # Untrained, it finds nothing.
        wanted = {("0.png", "lost", (120, 60, 190, 150)), ("1.png", "perhaps", (10, 10, 60, 80))}
        self.assertEqual({(d.f, d.kind, d.box) for d in found}, wanted)
        self.assertIsInstance(found[0], Doubt)
