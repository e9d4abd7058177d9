"""Cuts a data folder into tar files small enough to send, labels first; unpacked into one folder they are the folder again.

usage: python3 -m data.bundle FOLDER OUT [--most 55]     then there: for part in part*.tar; do tar xf $part -C data; done
"""
import argparse
import json
import tarfile
from pathlib import Path


def parts(sizes: list[int], most: int) -> list[list[int]]:
    """Indices of files of `sizes` bytes, in order, cut where a tar of them would pass `most` bytes."""
    # A tar member is a header of 512 bytes and its data in blocks of 512; the end is two empty blocks, padded to 10,240.
    cut, used = [[]], 10_240
    for index, size in enumerate(sizes):
        needed = 512 + -(-size // 512) * 512
        if 10_240 + needed > most:
            raise ValueError(f"file {index} has {size} bytes: too large for parts of {most}")
        if used + needed > most:
            cut.append([])
            used = 10_240
        cut[-1].append(index)
        used += needed
    return cut


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--most", type=float, default=55, help="MiB a part")
    a = parser.parse_args()
    labels = json.loads((a.folder / "labels.json").read_text())
    names = ["labels.json", *(image["f"] for image in labels["images"])]
    a.out.mkdir(parents=True, exist_ok=True)
    sizes = [(a.folder / name).stat().st_size for name in names]
    for number, indices in enumerate(parts(sizes, int(a.most * 2**20))):
        path = a.out / f"part{number}.tar"
        with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as tar:
            for index in indices:
                tar.add(a.folder / names[index], names[index])
        print(f"{path}: {len(indices)} files, {path.stat().st_size / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
