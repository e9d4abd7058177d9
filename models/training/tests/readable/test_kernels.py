import unittest

import numpy as np

from readable.kernels import SHRINK, short_side, shrunk, targets
from readable.pages import rectangle


class KernelsTest(unittest.TestCase):
    def test_a_kernel_is_the_shape_less_a_share_of_its_short_side(self) -> None:
        kernel = shrunk(rectangle(10, 20, 110, 40))
        by = SHRINK * 20
        np.testing.assert_allclose(kernel, rectangle(10 + by, 20 + by, 110 - by, 40 - by), atol=1e-4)

    def test_a_kernel_turns_with_its_shape(self) -> None:
        turned = rectangle(10, 20, 110, 40) @ np.array([[0, 1], [-1, 0]], np.float32)
        self.assertAlmostEqual(short_side(turned), 20, places=4)
        np.testing.assert_allclose(short_side(shrunk(turned)), 20 * (1 - 2 * SHRINK), atol=1e-4)

    def test_neighbours_stay_apart(self) -> None:
        lines = [rectangle(8, 8, 120, 24), rectangle(8, 28, 120, 44)]
        wanted, mask = targets(lines, "text", [], 128)
        self.assertGreater(wanted[3:5, 10].max(), 200)
        self.assertEqual(wanted[6, 10], 0)
        self.assertTrue(mask.all())

    def test_what_nobody_reads_is_neither_text_nor_background(self) -> None:
        wanted, mask = targets([rectangle(16, 16, 60, 21)], "text", [rectangle(64, 64, 96, 96)], 128)
        self.assertEqual(wanted.max(), 0)
        self.assertEqual(mask[4, 8], 0)
        self.assertEqual(mask[20, 20], 0)
        self.assertEqual(mask[0, 0], 1)

    def test_a_cell_holds_the_share_of_it_that_is_kernel(self) -> None:
        quad = rectangle(0, 0, 40, 20)
        wanted, _ = targets([quad], "plate", [], 64)
        # The kernel runs from 4 to 36 and from 4 to 16, and cells that its edges touch belong to it.
        self.assertEqual(wanted[1, 1], 255)
        self.assertEqual(wanted[0, 1], 0)
        self.assertEqual(wanted[4, 1], 127)
        self.assertEqual(wanted[5, 1], 0)
