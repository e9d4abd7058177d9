import json
import unittest

import cv2
import numpy as np

from readable.kernels import short_side
from readable.sources import (
    eights, form, has_text, is_for_development, kept_back, lines_of, painted, street_words, voc, with_strip, yolo,
)  # fmt: skip


class SourcesTest(unittest.TestCase):
    def test_what_acceptance_is_made_of_never_gets_in(self) -> None:
        valid = {"00192c1070c51ae3"}
        for source, file in (
            ("lp", "LP_Detection/valid/ffff2c1070c51ae3_jpg.rf.1.jpg"),
            ("lp", "LP_Detection/train/00192c1070c51ae3_jpg.rf.2.jpg"),
            ("signs", "train/img_901.jpg"), ("signs", "train/img_1481.jpg"), ("signs", "test/img_5.jpg"),
            ("signs", "validation/img_5.jpg"), ("receipts", "data/img/550.jpg"), ("forms", "dataset/testing_data/images/1.png"),
            ("egypt", "EALPR Vechicles dataset/Vehicles/1900.jpg"), ("cars", "Dataset/images/Cars39.png"),
            ("boards", "train/img_1480.jpg"), ("boards", "validation/img_2351.jpg"), ("boards", "test/img_1500.jpg"),
            ("iran", "YOLOv3_Dataset/Test/input/000001.jpg"),
        ):  # fmt: skip
            self.assertTrue(kept_back(source, file, valid), file)
        for source, file in (
            ("lp", "LP_Detection/train/11192c1070c51ae3_jpg.rf.2.jpg"), ("signs", "train/img_900.jpg"),
            ("receipts", "data/img/549.jpg"), ("forms", "dataset/training_data/images/82200067.png"),
            ("egypt", "EALPR Vechicles dataset/Vehicles/1899.jpg"), ("cars", "Dataset/images/Cars40.png"),
            ("boards", "train/img_1481.jpg"), ("boards", "validation/img_2350.jpg"),
        ):  # fmt: skip
            self.assertFalse(kept_back(source, file, valid), file)

    def test_copies_of_a_picture_are_on_one_side(self) -> None:
        names = [f"{n:016x}_jpg.rf.{copy}.jpg" for n in range(60) for copy in ("a", "b")]
        sides = [is_for_development("lp", name) for name in names]
        self.assertEqual(sides[0::2], sides[1::2])
        self.assertTrue(0 < sum(sides) < 40)
        self.assertFalse(any(is_for_development("video", name) for name in names))

    def test_reads_every_form_of_label(self) -> None:
        box = b"<a><object><bndbox><xmin>1</xmin><xmax>5</xmax><ymin>2</ymin><ymax>4</ymax></bndbox></object></a>"
        corners = [[1, 2], [5, 2], [5, 4], [1, 4]]
        self.assertEqual(voc(box), [corners])
        self.assertEqual(yolo(b"0 0.375 0.375 0.5 0.25\n", 8, 8), [corners])
        self.assertEqual(yolo(b"0 0.125 0.25 0.625 0.375 0.25 0.5\n", 8, 8), [corners])
        self.assertEqual(eights(b"1,2,5,2,5,4,1,4,a,b\nbad\n"), [corners])
        words = street_words("\ufeff4,2,10,2,10,4,4,4,Shop\n4,2,10,2,10,4,4,4,###\n".encode(), 640, 360)
        self.assertEqual((len(words["lines"]), len(words["ignored"]), words["lines"][0][0]), (1, 1, [2, 1]))

    def test_a_photograph_with_a_watermark_is_not_said_to_be_without_text(self) -> None:
        known = {name: has_text(name.split("_")[0], name) for name in ("house_00034.jpg", "house_00035.jpg", "hseg_00001.jpg")}
        self.assertEqual(list(known.values()), [True, False, True])

    def test_a_plate_of_iran_has_its_strip(self) -> None:
        widened = with_strip([[[100, 20], [200, 20], [200, 50], [100, 50]]])[0]
        np.testing.assert_allclose(widened, [[91.5, 20], [200, 20], [200, 50], [91.5, 50]])

    def test_words_of_a_mask_are_as_large_as_they_were(self) -> None:
        mask = np.zeros((120, 300), np.uint8)
        mask[40:61, 50:191] = 255  # seven tenths of 30 x 200 about (120, 50)
        mask[100:102, 10:12] = 255
        quads = painted(cv2.imencode(".png", mask)[1].tobytes())
        self.assertEqual(len(quads), 1)
        quad = np.array(quads[0])
        np.testing.assert_allclose(quad.mean(0), [120, 50], atol=1)
        np.testing.assert_allclose([np.ptp(quad[:, 0]), short_side(quad)], [200, 30], atol=3)

    def test_words_of_a_line_are_one_and_columns_are_not(self) -> None:
        boxes = [[0, 0, 30, 10], [35, 1, 60, 11], [90, 0, 120, 10], [0, 14, 30, 24]]
        self.assertEqual(len(lines_of(boxes)), 3)
        fields = {"form": [{"words": [{"box": box, "text": "x"} for box in boxes] + [{"box": [0, 0, 1, 1], "text": " "}]}]}
        made = form(json.dumps(fields).encode())
        self.assertEqual((len(made["lines"]), len(made["words"])), (3, 4))
