import contextlib
import io
import unittest

from evaluate.evaluate import TITLES, print_table, row
from evaluate.scoring import Match, Outcome


class EvaluateTest(unittest.TestCase):
    def test_rows_say_what_the_outcome_says(self) -> None:
        outcome = Outcome.of([Match([(0.9, 1, 40.0), (0.7, 0, 0.0), (0.65, 1, 12.0)], [40.0, 12.0, 20.0])])
        values = row("a", outcome, 0.6)
        self.assertEqual(TITLES, ["16 and more", "0–16", "16–32", "32–96", "96 and more"])
        self.assertEqual([values[t] for t in TITLES[:4]], [0.5, 1.0, 0.0, 1.0])
        self.assertEqual((values["recall"], values["precision"], values["wrong a picture"]), (2 / 3, 2 / 3, 1.0))
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            print_table("T", [values], outcome)
        lines = out.getvalue().strip().split("\n")
        self.assertEqual(lines[0], "### T: 1 pictures, 3 faces")
        self.assertTrue(lines[4].endswith("| 2 | 1 | 1 | 1 | 0 |"))
        self.assertTrue(lines[5].endswith("| 0.500 | 1.000 | 0.000 | 1.000 | – |"))
        self.assertEqual({line.count("|") for line in lines[2:]}, {len(values) + 1})
