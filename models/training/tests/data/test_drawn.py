import unittest

import cv2
import numpy as np

from data.drawings import DRAWINGS, drawn_pack


class DrawnTest(unittest.TestCase):
    def test_every_kind_draws_what_its_seed_says(self) -> None:
        for draw in DRAWINGS:
            for seed in range(6):
                one, same = (draw(np.random.default_rng(seed), 96) for _ in range(2))
                self.assertEqual((one.shape, one.dtype), ((96, 96, 3), np.uint8))
                np.testing.assert_array_equal(one, same)
            seeds = {draw(np.random.default_rng(seed), 96).tobytes() for seed in range(6)}
            self.assertEqual(len(seeds), 6, draw.__name__)

    def test_a_pack_of_them_has_no_faces(self) -> None:
        pack = drawn_pack(14, 1, 0.5, 64)
        self.assertTrue(pack.empty.all())
        self.assertEqual(set(pack.weights), {0.5})
        decoded = [cv2.imdecode(np.frombuffer(file, np.uint8), cv2.IMREAD_COLOR) for file in pack.files]
        self.assertTrue(all(picture.shape == (64, 64, 3) for picture in decoded))
        self.assertEqual(drawn_pack(14, 1, 0.5, 64).files, pack.files)
        self.assertGreater(sum(picture.std() > 5 for picture in decoded), 10)
