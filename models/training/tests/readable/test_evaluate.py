import unittest
from pathlib import Path

import numpy as np

from readable.bank import Entry
from readable.decode import Rule
from readable.evaluate import Seen, best_rule, chosen, measure, share_covered, worth
from readable.kernels import targets
from readable.pages import rectangle


def seen(words: list[np.ndarray], found: list[np.ndarray], source: str = "x") -> Seen:
    entry = Entry(Path("a"), source, ["text"], {"text": words, "plate": []}, [], words)
    maps = np.stack([targets(found, "text", [], 256)[0] / 255.0, np.zeros((64, 64))])
    return Seen(entry, 256, 256, [(maps, 1.0)])


class EvaluateTest(unittest.TestCase):
    def test_a_word_is_hidden_when_nine_tenths_are_covered(self) -> None:
        covered = np.zeros((100, 100), np.uint8)
        covered[:, :60] = 1
        self.assertGreater(share_covered(covered, rectangle(10, 10, 61, 30)), 0.9)
        self.assertLess(share_covered(covered, rectangle(10, 10, 90, 30)), 0.9)

    def test_counts_hidden_words_and_wrong_boxes(self) -> None:
        line = rectangle(20, 100, 200, 130)
        pictures = [seen([line, rectangle(20, 200, 90, 230)], [line]), seen([], [line], "none"), seen([], [], "none")]
        groups = measure(pictures, "text", Rule())
        self.assertEqual((groups["x"].labels, groups["x"].hidden), (2, 1))
        self.assertEqual((groups["none"].without, groups["none"].wrong), (2, 1))
        self.assertEqual(measure(pictures, "plate", Rule()), {})

    def test_too_many_wrong_boxes_cost_more_than_they_hide(self) -> None:
        line = rectangle(20, 100, 200, 130)
        quiet, loud = ([seen([line] * 5, [line]), seen([], found, "none")] for found in ([], [line]))
        self.assertGreater(worth(measure(quiet, "text", Rule()), "text"), worth(measure(loud, "text", Rule()), "text"))

    def test_chooses_a_rule_that_hides_and_leaves_the_rest(self) -> None:
        faint = seen([], [rectangle(20, 100, 200, 130)], "none")
        faint.looks = [(faint.looks[0][0] * 0.6, 1.0)]
        rule = best_rule([seen([rectangle(20, 100, 200, 130)] * 5, [rectangle(20, 100, 200, 130)]), faint], "text")
        self.assertGreater(rule.confidence, 0.4)  # 0.3 and 0.4 let the faint one in
        self.assertEqual(rule.margin, 0)

    def test_takes_so_many_of_each_source(self) -> None:
        entries = [Entry(Path("a"), name, [], {}, [], []) for name in "aaab"]
        self.assertEqual([e.source for e in chosen(entries, 2)], ["a", "a", "b"])
