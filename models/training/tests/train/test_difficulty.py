import contextlib
import io
import json
import sys
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import torch

from train import difficulty
from train.learner import Learner, Settings
from train.model import FaceNet
from evaluate.scoring import Match
from tests.scenes import write_pack


class DifficultyTest(unittest.TestCase):
    def test_what_is_missing_and_what_is_wrong_count_up_to_a_cap(self) -> None:
        known = Match([(1.0, 1, 40.0)], [40.0])
        self.assertAlmostEqual(difficulty.difficulty(known), difficulty.LEAST)
        doubted = Match([(0.25, 1, 40.0)], [40.0])
        self.assertAlmostEqual(difficulty.difficulty(doubted), difficulty.LEAST + 0.75)
        missed_and_wrong = Match([(0.5, 0, 0.0)], [40.0])
        self.assertAlmostEqual(difficulty.difficulty(missed_and_wrong), difficulty.LEAST + 1.5)
        self.assertAlmostEqual(difficulty.difficulty(Match([], [20.0] * 30)), difficulty.MOST)
        self.assertAlmostEqual(difficulty.difficulty(Match([], [])), difficulty.LEAST)

    def test_perhaps_counts_neither_way(self) -> None:
        image = dict(f="a.png", boxes=[[0, 0, 9, 9, 0.9], [20, 0, 29, 9, 0.3], [40, 0, 49, 9, 0.1]])
        held = difficulty.labelled(Path("data"), image)
        self.assertEqual((held.faces.tolist(), held.ignored.tolist()), ([[0, 0, 9, 9]], [[20, 0, 29, 9]]))
        self.assertEqual(difficulty.labelled(Path("data"), dict(f="b.png", boxes=[])).faces.shape, (0, 4))

    def test_names_every_picture_of_a_folder(self) -> None:

        with TemporaryDirectory() as name:
            folder = Path(name)
            write_pack(folder, [[(120, 60, 190, 150)], [(10, 10, 60, 80), (200, 60, 260, 150)]])
            network = FaceNet(c=(4, 8, 8, 8, 8), n=(0, 0, 0, 0), neck=8)
            Learner(network, Settings(1e-3, 0, 0.9, 1), torch.device("cpu")).save(folder / "last.pt")
            arguments = ["difficulty.py", str(folder / "last.pt"), "--data", name, "--out", str(folder / "d.json"), "--processes", "2"]
            with patch.object(sys, "argv", arguments), contextlib.redirect_stdout(io.StringIO()) as said:
                difficulty.main()
            found = json.loads((folder / "d.json").read_text())
            self.assertEqual(set(found), {"0.png", "1.png", "2.png", "3.png"})
            # Untrained, it finds nothing: one face, two faces, none.
            self.assertGreater(found["1.png"], found["0.png"] + 0.8)
            self.assertGreater(found["0.png"], found["2.png"] + 0.8)
            self.assertIn("4 pictures, 2 of them", said.getvalue())
