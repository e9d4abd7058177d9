"""Does the exported file give in onnxruntime-web what the checkpoint gives in PyTorch, and how long does it take?

usage: python3 -m release.check last.pt face_detector.onnx [--scale 1 --bias 0] [--against name=other.onnx ...]
Compares at six sizes, on drawings (balls, text, clouds: nothing need be at hand), and fails above 1e-3, in scores and in
pixels. Then times all files in turns, one thread, at --side.
"""
import argparse
import sys

import numpy as np
import torch

from data.drawn import balls, clouds, text
from release.export import Exported
from train.learner import averaged_network
from evaluate.runtime import Runtime

SIZES = ((640, 640), (320, 320), (640, 448), (352, 608), (32, 64), (1024, 768))  # width, height
TOLERANCE = 1e-3


def picture(seed: int, width: int, height: int) -> np.ndarray:
    """uint8 [height, width, 3]"""
    draw = (balls, text, clouds)[seed % 3]
    return draw(np.random.default_rng(seed), max(width, height))[:height, :width]


def differences(model: Exported, runtime: Runtime, image: np.ndarray) -> tuple[float, float]:
    """Largest difference of the scores, and of the box edges in pixels."""
    with torch.no_grad():
        boxes, scores = model(torch.from_numpy(image.copy()).permute(2, 0, 1)[None].float())
    outputs, _ = runtime.run(0, image)
    if outputs["boxes"].shape != tuple(boxes.shape) or outputs["scores"].shape != tuple(scores.shape):
        raise ValueError(f"shapes {outputs['boxes'].shape}, {outputs['scores'].shape} for {image.shape}")
    pairs = ((outputs["scores"], scores), (outputs["boxes"], boxes))
    score, edge = (float(np.abs(ours - theirs.numpy()).max()) for ours, theirs in pairs)
    return score, edge


def times(runtime: Runtime, count: int, side: int, rounds: int) -> np.ndarray:
    """Milliseconds [files, rounds], in turns, after two rounds unmeasured."""
    image = picture(0, side, side)
    measured = [[runtime.run(number, image)[1] for number in range(count)] for _ in range(rounds + 2)]
    return np.array(measured[2:]).T


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint")
    parser.add_argument("onnx")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--bias", type=float, default=0.0)
    parser.add_argument("--against", action="append", default=[], help="name=file.onnx to be timed beside it")
    parser.add_argument("--side", type=int, default=640)
    parser.add_argument("--rounds", type=int, default=20)
    a = parser.parse_args()
    torch.set_num_threads(1)
    model = Exported(averaged_network(a.checkpoint), a.scale, a.bias).eval()
    names, files = ["this"], [a.onnx]
    for name, _, file in (item.partition("=") for item in a.against):
        names.append(name)
        files.append(file)
    worst = 0.0
    with Runtime(files) as runtime:
        for seed, (width, height) in enumerate(SIZES):
            score, edge = differences(model, runtime, picture(seed, width, height))
            print(f"{width} x {height}: scores {score:.1e}, edges {edge:.1e} pixels", flush=True)
            worst = max(worst, score, edge)
        if a.against:
            table = times(runtime, len(files), a.side, a.rounds)
            for name, own in zip(names, table):
                ratio = np.median(own / table[0])
                print(f"{name}: {np.median(own):.1f} ms in the median, {own.min():.1f} at least, {ratio:.2f} x this")
    print(f"largest difference {worst:.1e}, allowed {TOLERANCE:.0e}")
    sys.exit(worst > TOLERANCE)


if __name__ == "__main__":
    main()
