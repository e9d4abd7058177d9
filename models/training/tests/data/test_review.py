import contextlib
import io
import json
import sys
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import cv2
import numpy as np

from data import review
from data.doubts import Doubt
from tests.scenes import picture, write_pack

PERHAPS, LOST, FOUND = (
    Doubt("set/0.png", "perhaps", (120.0, 60.0, 190.0, 150.0), 0.4),
    Doubt("set/1.png", "lost", (10.0, 10.0, 60.0, 80.0), 0.1),
    Doubt("set/1.png", "found", (200.0, 60.0, 260.0, 150.0), 0.7),
)


class ReviewTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data, self.review, self.out = (Path(folder.name) / name for name in ("data", "review", "out"))
        (self.data / "set").mkdir(parents=True)
        write_pack(self.data / "set", [[(120, 60, 190, 150)], [(10, 10, 60, 80), (200, 60, 260, 150)]])
        labels = json.loads((self.data / "set" / "labels.json").read_text())
        for image in labels["images"]:
            image["f"] = "set/" + image["f"]
        labels["images"][0]["boxes"][0][4] = 0.3
        labels["images"][1]["boxes"].pop()
        (self.data / "labels.json").write_text(json.dumps(labels))

    def run_main(self, *arguments: str) -> str:
        with patch.object(sys, "argv", ["review.py", *arguments]), contextlib.redirect_stdout(io.StringIO()) as said:
            review.main()
        return said.getvalue()

    def boxes(self) -> list[list[list[float]]]:
        return [image["boxes"] for image in json.loads((self.out / "labels.json").read_text())["images"]]

    def test_draws_then_draws_again_then_applies(self) -> None:
        data, name = ["--data", str(self.data)], str(self.review)
        with patch.object(review, "doubts", lambda *_: [PERHAPS, LOST, FOUND]):
            self.assertEqual(self.run_main("draw", *data, "--network", "n.onnx", name), "1 sheets of 3 boxes\n")
        self.assertEqual(cv2.imread(str(self.review / "000.png")).shape, (128, 1280, 3))
        order = [item["kind"] for item in json.loads((self.review / "000.json").read_text())]
        letters = dict(perhaps="u", lost="n", found="u")
        (self.review / "000.txt").write_text("".join(letters[kind] for kind in order) + "\n")
        # The surest first; what was said to be none is not asked again.
        self.assertEqual(self.run_main("again", *data, name), "1 sheets of 2 boxes\n")
        self.assertEqual([item["kind"] for item in json.loads((self.review / "001.json").read_text())], ["found", "perhaps"])
        (self.review / "001.txt").write_text("f\nu\n")
        self.assertEqual(self.run_main("apply", *data, name, "--out", str(self.out)), "found f: 1, lost n: 1, perhaps u: 1\n")
        self.assertEqual(self.boxes()[:2], [[[120, 60, 190, 150, 0.3]], [[*FOUND.box, review.CERTAIN]]])
        self.assertEqual(cv2.imread(str(self.out / "set" / "0.png")).shape, (240, 320, 3))

    def test_every_letter_does_what_it_says(self) -> None:
        perhaps, lost = [[*PERHAPS.box, 0.3]], [[*LOST.box, 1.0]]
        for letter, wanted in dict(f=0.9, b=0.3, u=0.3).items():
            self.assertEqual(review.amended(perhaps, {PERHAPS: letter}), [[*PERHAPS.box, wanted]], letter)
        for letter, wanted in dict(f=1.0, b=0.3, u=0.3).items():
            self.assertEqual(review.amended(lost, {LOST: letter}), [[*LOST.box, wanted]], letter)
        for item, boxes in ((PERHAPS, perhaps), (LOST, lost), (FOUND, [])):
            self.assertEqual(review.amended(boxes, {item: "n"}), [], item.kind)
        for letter, wanted in dict(f=0.9, b=0.3, u=0.3).items():
            self.assertEqual(review.amended([], {FOUND: letter}), [[*FOUND.box, wanted]], letter)

    def test_one_face_is_one_box(self) -> None:
        sure = [[118, 60, 190, 150, 1.0], [*PERHAPS.box, 0.3]]
        self.assertEqual(review.amended(sure, {PERHAPS: "f"}), sure[:1])
        self.assertEqual(len(review.amended([sure[1], [500, 0, 540, 40, 0.9]], {PERHAPS: "f"})), 2)

    def test_refuses_answers_to_another_sheet(self) -> None:
        review.write_sheets([PERHAPS, LOST], self.data, self.review, 0, 7, 64)
        for letters in ("f", "fnb", "fx"):
            (self.review / "000.txt").write_text(letters)
            with self.assertRaisesRegex(ValueError, "000.txt: expected 2 letters"):
                review.answers(self.review)

    def test_box_lies_in_the_middle_of_its_cell_at_any_size(self) -> None:
        for box in ((120.0, 60.0, 190.0, 150.0), (0.0, 0.0, 320.0, 240.0), (300.0, 100.0, 308.0, 110.0)):
            shown = review.cell(picture([tuple(int(v) for v in box)]), box, 7, 120)
            self.assertEqual(shown.shape, (120, 120, 3))
            y, x = ((shown[..., 2] > 120) & (shown[..., 0] < 70) & (shown[..., 1] < 200)).nonzero()
            y, x = y[x > 20], x[x > 20]  # the number is in the corner
            np.testing.assert_allclose(((x.min() + x.max()) / 2, (y.min() + y.max()) / 2), 59.5, atol=6 if box[0] == 300 else 2.5)
