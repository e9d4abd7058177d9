import json
import math
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import cv2
import numpy as np
import torch

from readable.train import batches


def folder(at: str) -> Path:
    """Twelve pages with a dark line each."""
    random = np.random.default_rng(4)
    with Path(at, "labels_1.jsonl").open("w") as labels:
        for number in range(12):
            image = np.full((128, 160, 3), 220, np.uint8)
            x, y = (int(v) for v in random.integers(5, 60, 2))
            image[y : y + 20, x : x + 90 : 3] = 20
            cv2.imwrite(f"{at}/{number}.png", image)
            quad = [[x, y], [x + 90, y], [x + 90, y + 20], [x, y + 20]]
            one = {"f": f"{number}.png", "src": "drawn", "knows": ["text", "plate"], "lines": [quad]}
            labels.write(json.dumps(one) + "\n")
    return Path(at)


class TrainTest(unittest.TestCase):
    def test_the_same_seed_gives_the_same_batches(self) -> None:
        with tempfile.TemporaryDirectory() as at:
            one, two = (next(batches([(folder(at), 1.0)], 64, 3, 7)) for _ in range(2))
            for first, second in zip(one, two):
                torch.testing.assert_close(first, second)
            self.assertEqual((one[0].shape, one[1].shape), ((3, 3, 64, 64), (3, 2, 16, 16)))

    def test_a_source_is_shown_by_its_share(self) -> None:
        with tempfile.TemporaryDirectory() as at:
            labels = folder(at) / "labels_1.jsonl"
            lines = [json.loads(line) for line in labels.read_text().splitlines()]
            for line in lines[6:]:
                line |= {"src": "unknown", "knows": []}
            labels.write_text("".join(json.dumps(line) + "\n" for line in lines))
            masks = {share: next(batches([(Path(at), 1.0)], 64, 24, 7, {"unknown": share}))[2] for share in (0, 1)}
            self.assertTrue((masks[0].amax((1, 2, 3)) == 1).all())
            self.assertFalse((masks[1].amax((1, 2, 3)) == 1).all())

    def test_two_processes_learn_together_and_go_on_from_a_checkpoint(self) -> None:
        with tempfile.TemporaryDirectory() as at:
            data, out = folder(at), Path(at, "out")
            command = [
                sys.executable, "-m", "readable.train", "--out", str(out), "--data", f"{data}:1", "--side", "64", "--batch", "2",
                "--together", "2",
            ]  # fmt: skip
            environment = {**os.environ, "OMP_WAIT_POLICY": "PASSIVE"}
            root = Path(__file__).parents[2]
            subprocess.run([*command, "--processes", "2", "--steps", "4"], check=True, cwd=root, env=environment)
            kept = torch.load(out / "last.pt", weights_only=True)
            self.assertEqual(kept["views"], 4 * 2 * 2)
            subprocess.run([*command, "--steps", "2", "--resume", str(out / "last.pt")], check=True, cwd=root, env=environment)
            further = torch.load(out / "last.pt", weights_only=True)
            self.assertEqual(further["views"], 16 + 4)
            self.assertTrue(all(math.isfinite(v.float().sum().item()) for v in further["ema"].values()))
