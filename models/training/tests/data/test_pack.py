import json
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from data.pack import MOST_BOXES, join, read_pack, without_faces
from tests.scenes import write_pack


class PackTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_scores_decide_what_a_box_is(self) -> None:
        write_pack(self.folder, [[(0, 0, 9, 9)] * 4])
        labels = json.loads((self.folder / "labels.json").read_text())
        for box, score in zip(labels["images"][0]["boxes"], (0.1, 0.3, 0.9, 0.55)):
            box[4] = score
        (self.folder / "labels.json").write_text(json.dumps(labels))
        pack = read_pack(self.folder)
        self.assertEqual(pack.labels[0, :4].tolist(), [1, 1, 0, -1])
        self.assertEqual(pack.faces.tolist(), [2, 0, 0])
        self.assertEqual(pack.empty.tolist(), [False, True, True])

    def test_keeps_the_surest_of_too_many(self) -> None:
        write_pack(self.folder, [[(i, 0, i + 9, 9) for i in range(MOST_BOXES + 5)]])
        pack = read_pack(self.folder)
        self.assertEqual(pack.faces[0], MOST_BOXES)

    def test_weighs_sources_and_limits(self) -> None:
        write_pack(self.folder, [[(0, 0, 9, 9)]] * 8)
        self.assertEqual(set(read_pack(self.folder, {"test": 2.5}).weights), {2.5})
        self.assertEqual(len(read_pack(self.folder, limit=5).files), 5)

    def test_reads_how_hard_pictures_are(self) -> None:
        write_pack(self.folder, [[(0, 0, 9, 9)]])
        self.assertEqual(read_pack(self.folder).difficulty.tolist(), [1, 1, 1])
        pack = join([read_pack(self.folder, difficulty={"0.png": 2.5, "2.png": 0.3}), without_faces([b"x"], [(3, 4)], 1.0, 0.7)])
        self.assertEqual(pack.difficulty.tolist(), [2.5, 1, 0.3, 0.7])

    def test_joins(self) -> None:
        write_pack(self.folder, [[(0, 0, 9, 9)]])
        pack = join([read_pack(self.folder), without_faces([b"x", b"y"], [(3, 4), (5, 6)], 0.5)])
        self.assertEqual(len(pack.files), 5)
        np.testing.assert_array_equal(pack.sizes[-1], [5, 6])
        self.assertEqual(pack.empty.tolist(), [False, True, True, True, True])
        self.assertEqual(pack.weights.tolist(), [1, 1, 1, 0.5, 0.5])
