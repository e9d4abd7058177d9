"""Detectors behind one function, whatever their outputs: ours (checkpoint or ONNX file) and YuNet, the yardstick."""
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from release.export import export
from train.learner import averaged_network
from evaluate.runtime import Runtime

LEAST_SCORE = 0.02
SAME_FACE = 0.45  # intersection over union, as the service has it


@dataclass
class Detections:
    """boxes [N, 4] (left, top, right, bottom in pixels of the picture) and scores [N], highest first; the working scale."""

    boxes: np.ndarray
    scores: np.ndarray
    scale: float


@dataclass
class Detector:
    name: str
    runtime: Runtime
    number: int

    def detect(self, picture: np.ndarray, side: int) -> Detections:
        """picture uint8 [H, W, 3], RGB; looked at once, shrunk to `side` pixels at its longer side, never enlarged."""
        height, width = picture.shape[:2]
        scale = min(1.0, side / max(height, width))
        small = (max(1, round(height * scale)), max(1, round(width * scale)))
        if scale < 1:
            picture = cv2.resize(picture, small[::-1], interpolation=cv2.INTER_AREA)
        padded = np.zeros((-(-small[0] // 32) * 32, -(-small[1] // 32) * 32, 3), np.uint8)
        padded[: small[0], : small[1]] = picture
        boxes, scores = self.raw(padded)
        keep = scores > LEAST_SCORE
        boxes, scores = suppress(boxes[keep], scores[keep])
        return Detections(boxes / np.array([small[1] / width, small[0] / height] * 2), scores, scale)

    def raw(self, image: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """image uint8 RGB, sides multiples of 32 -> boxes [N, 4] in its pixels, scores [N], before suppression."""
        if self.is_ours:
            outputs, _ = self.runtime.run(self.number, image)
            return outputs["boxes"][0], outputs["scores"][0]
        outputs, _ = self.runtime.run(self.number, image[..., ::-1])
        return yunet_boxes(outputs, image.shape[1])

    @property
    def is_ours(self) -> bool:
        if not hasattr(self, "_ours"):
            outputs, _ = self.runtime.run(self.number, np.zeros((32, 32, 3), np.uint8))
            self._ours = set(outputs) == {"boxes", "scores"}
            if not self._ours and "cls_8" not in outputs:
                raise ValueError(f"{self.name}: outputs {sorted(outputs)} are neither ours nor YuNet's")
        return self._ours


def yunet_boxes(outputs: dict[str, np.ndarray], width: int) -> tuple[np.ndarray, np.ndarray]:
    """YuNet's outputs (libfacedetection.train, Wu et al., Machine Intelligence Research 20, 2023) as boxes and scores."""
    boxes, scores = [], []
    for stride in (8, 16, 32):
        sure, there = (outputs[f"{key}_{stride}"].reshape(-1).clip(0, 1) for key in ("cls", "obj"))
        offset = outputs[f"bbox_{stride}"].reshape(-1, 4)
        cell = np.arange(len(sure))
        at = np.stack([cell % (width // stride), cell // (width // stride)], 1)
        middle, half = (at + offset[:, :2]) * stride, np.exp(offset[:, 2:]) * stride / 2
        boxes.append(np.concatenate([middle - half, middle + half], 1))
        scores.append(np.sqrt(sure * there))
    return np.concatenate(boxes), np.concatenate(scores)


def overlap(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Intersection over union [N, M] of boxes [N, 4] and [M, 4]."""
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    both = (high - low).clip(0).prod(-1)
    areas = [(x[:, 2:] - x[:, :2]).clip(0).prod(-1) for x in (a, b)]
    return both / (areas[0][:, None] + areas[1][None] - both + 1e-9)


def suppress(boxes: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Greedy non-maximum suppression; highest score first."""
    order = np.argsort(-scores, kind="stable")
    boxes, scores = boxes[order], scores[order]
    alive, kept = np.ones(len(boxes), bool), []
    for i in range(len(boxes)):
        if alive[i]:
            kept.append(i)
            alive[i + 1 :] &= overlap(boxes[i : i + 1], boxes[i + 1 :])[0] <= SAME_FACE
    return boxes[kept], scores[kept]


@contextmanager
def open_detectors(specifications: list[str]) -> Iterator[list[Detector]]:
    """
    Specifications: name=file.onnx, or name=last.pt[@scale,bias] for a checkpoint, which is exported first. A checkpoint's
    confidence is sigmoid(scale * logit + bias), 1 and 0 where not given.
    """
    with tempfile.TemporaryDirectory() as folder:
        names, files = [], []
        for number, specification in enumerate(specifications):
            name, _, path = specification.partition("=")
            if not path:
                raise ValueError(f"expected name=file, got {specification}")
            path, _, scalars = path.partition("@")
            if path.endswith(".pt"):
                scale, bias = (float(v) for v in (scalars or "1,0").split(","))
                onnx_file = Path(folder) / f"{number}.onnx"
                export(averaged_network(path), onnx_file, scale, bias)
                path = str(onnx_file)
            names.append(name)
            files.append(path)
        with Runtime(files) as runtime:
            yield [Detector(name, runtime, number) for number, name in enumerate(names)]
