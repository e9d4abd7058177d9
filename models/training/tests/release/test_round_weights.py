import unittest

import numpy as np

from release.round_weights import rounded


class RoundedWeights(unittest.TestCase):
    def test_keep_so_many_bits_and_are_the_nearest(self) -> None:
        values = np.random.default_rng(3).normal(size=(7, 50)).astype(np.float32)
        for bits in (4, 12):
            near = rounded(values, bits)
            self.assertEqual(near.shape, values.shape)
            self.assertTrue(np.all(near.view("<u4") % (1 << (23 - bits)) == 0))
            self.assertTrue(np.all(np.abs(near - values) <= np.abs(values) * 2.0 ** -(bits + 1)))
        self.assertTrue(np.array_equal(rounded(near, 12), near))


if __name__ == "__main__":
    unittest.main()
