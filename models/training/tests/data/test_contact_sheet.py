import sys
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import cv2

from data import contact_sheet
from data.augmentation import DEGRADATION, LIGHTING, OCCLUSIONS
from data.drawings import DRAWINGS
from tests.scenes import write_pack


class ContactSheetTest(unittest.TestCase):
    def test_shows_everything_there_is(self) -> None:
        rows = {"batch": 8, "steps": len(OCCLUSIONS) + 1 + len(LIGHTING) + len(DEGRADATION), "drawn": len(set(DRAWINGS))}
        with TemporaryDirectory() as folder:
            write_pack(Path(folder), [[(120, 60, 190, 150)]] * 3)
            for what, count in rows.items():
                with patch.object(sys, "argv", ["contact_sheet.py", what, "--data", folder, f"{folder}/sheet.png"]):
                    contact_sheet.main()
                sheet = cv2.imread(f"{folder}/sheet.png")
                self.assertEqual(sheet.shape, (count * contact_sheet.SIDE, contact_sheet.ACROSS * contact_sheet.SIDE, 3))
                self.assertGreater(sheet.std(), 20)
