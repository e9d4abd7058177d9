import tarfile
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from data.bundle import parts


class BundleTest(unittest.TestCase):
    def test_parts_hold_everything_in_order_and_stay_small(self) -> None:
        sizes = [700, 1, 512, 513, 40_000, 0, 30_000, 9_000] * 5 + [1] * 100
        cut = parts(sizes, 60_000)
        self.assertEqual([index for part in cut for index in part], list(range(len(sizes))))
        with TemporaryDirectory() as folder:
            for number, part in enumerate(cut):
                path = Path(folder) / f"{number}.tar"
                with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as tar:
                    for index in part:
                        member = Path(folder) / f"{index}.bin"
                        member.write_bytes(bytes(sizes[index]))
                        tar.add(member, member.name)
                self.assertLessEqual(path.stat().st_size, 60_000)
        self.assertLessEqual(len(cut), -(-sum(size + 1024 for size in sizes) // 50_000) + 2)

    def test_refuses_what_fits_in_none(self) -> None:
        with self.assertRaisesRegex(ValueError, "too large"):
            parts([10, 70_000], 60_000)
