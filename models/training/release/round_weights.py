"""Rounds the float tensors of an ONNX file to so many bits of mantissa, small ones left alone: zeros compress.

usage: round_weights.py face_detector.onnx rounded.onnx [--bits 10] [--verifier-bits 15]
"""
import argparse
import hashlib
from pathlib import Path

import numpy as np

MANTISSA_BITS = 23

# Constants, and biases of heads.
SMALL = 16


def rounded(values: np.ndarray, bits: int) -> np.ndarray:
    """To the nearest, halves away from zero. values: float32."""
    drop = MANTISSA_BITS - bits
    whole = np.ascontiguousarray(values).view("<u4").astype(np.uint64)
    return ((whole + (1 << (drop - 1))) >> drop << drop).astype("<u4").view("<f4").reshape(values.shape)


def main() -> None:
    import onnx  # needed here alone
    from onnx import numpy_helper

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--bits", type=int, default=10)
    parser.add_argument("--verifier-bits", type=int, default=15)
    a = parser.parse_args()
    model = onnx.load(str(a.source))
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype == np.float32 and values.size > SMALL:
            bits = a.verifier_bits if tensor.name.startswith("verifier.") else a.bits
            tensor.CopyFrom(numpy_helper.from_array(rounded(values, bits), tensor.name))
    onnx.save(model, str(a.target))
    print(f"{a.target}: SHA-256 {hashlib.sha256(a.target.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main()
