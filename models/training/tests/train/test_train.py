import contextlib
import io
import sys
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from train import train
from train.learner import read_checkpoint
from tests.scenes import write_pack


class TrainTest(unittest.TestCase):
    def run_with(self, *arguments: str) -> str:
        out = io.StringIO()
        with patch.object(sys, "argv", ["train.py", *arguments]), contextlib.redirect_stdout(out):
            train.main()
        return out.getvalue()

    def test_trains_saves_and_resumes(self) -> None:
        with TemporaryDirectory() as folder:
            write_pack(Path(folder), [[(120, 60, 190, 150)]])
            base = ["--data", folder, "--out", f"{folder}/run", "--minutes", "1", "--batch", "2", "--least", "2", "--sides", "64",
                    "--drawn", "7", "--cfg", '{"c":[4,8,8,8,8],"n":[0,0,0,0],"neck":8}']  # fmt: skip
            said = self.run_with(*base, "--steps", "2", "--constant")
            self.assertIn("10 pictures: 1 with 1 faces", said)
            checkpoint = read_checkpoint(f"{folder}/run/last.pt")
            self.assertEqual((checkpoint["it"], checkpoint["cfg"]["neck"]), (2, 8))
            Path(folder, "hard.json").write_text('{"0.png": 2.0, "1.png": 0.3}')
            self.run_with(*base[:-2], "--steps", "1", "--start", "0.5", "--resume", f"{folder}/run/last.pt",
                          "--hard", "0.4", "--difficulty", f"{folder}/hard.json")  # fmt: skip
            self.assertEqual(read_checkpoint(f"{folder}/run/last.pt")["it"], 3)

    def test_a_short_run_starts_from_any_checkpoint(self) -> None:
        with TemporaryDirectory() as folder:
            write_pack(Path(folder), [[(120, 60, 190, 150)]])
            base = ["--data", folder, "--out", f"{folder}/run", "--minutes", "1", "--batch", "2", "--least", "2", "--sides", "64",
                    "--drawn", "0", "--steps", "1"]  # fmt: skip
            self.run_with(*base, "--cfg", '{"c":[4,8,8,8,8],"n":[0,0,0,0],"neck":8}')
            self.run_with(*base, "--empty", "0.4", "--top", "--resume", f"{folder}/run/last.pt")
            self.assertEqual(read_checkpoint(f"{folder}/run/last.pt")["it"], 2)

    def test_ends_by_the_clock(self) -> None:
        with TemporaryDirectory() as folder:
            write_pack(Path(folder), [[(120, 60, 190, 150)]])
            self.run_with("--data", folder, "--out", f"{folder}/run", "--minutes", "0.002", "--batch", "2", "--least", "2", "--sides", "64",
                          "--drawn", "0", "--cfg", '{"c":[4,8,8,8,8],"n":[0,0,0,0],"neck":8}')  # fmt: skip
            self.assertGreaterEqual(read_checkpoint(f"{folder}/run/last.pt")["it"], 1)

    def test_refuses_odd_sides(self) -> None:
        with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()):
            self.run_with("--data", "x", "--out", "y", "--minutes", "1", "--sides", "100")
