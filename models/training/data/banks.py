"""Where rendered views of the pictures come from: compressed in memory, decoded one by one (CPU), or all of them decoded in
device memory (GPU). Both have the same `render`.

`render(index [V], matrix [V, 2, 3], side)`: view v shows picture index[v]; `matrix` takes points of the picture to points of
the view, in pixels with (0, 0) the corner of the first. -> float32 [V, 3, side, side], RGB, 0..255; what lies outside the
picture is undefined.
"""
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from data.pack import Pack

cv2.setNumThreads(1)


class Bank(Protocol):
    pack: Pack
    device: torch.device

    def render(self, index: Tensor, matrix: Tensor, side: int) -> Tensor: ...


def scale_of(matrix: Tensor) -> Tensor:
    """Linear scale [V] of the affine maps [V, 2, 3]."""
    return torch.linalg.det(matrix[:, :, :2]).abs().sqrt()


class CompressedBank:
    """Decodes for each view, at a half, a quarter or an eighth where the view is that much smaller (JPEG decoders can)."""

    REDUCED = ((8, cv2.IMREAD_REDUCED_COLOR_8), (4, cv2.IMREAD_REDUCED_COLOR_4), (2, cv2.IMREAD_REDUCED_COLOR_2))

    def __init__(self, pack: Pack):
        self.pack, self.device = pack, torch.device("cpu")

    def render(self, index: Tensor, matrix: Tensor, side: int) -> Tensor:
        out = np.empty((len(index), side, side, 3), np.uint8)
        for v, (i, affine, scale) in enumerate(zip(index.tolist(), matrix.double().numpy(), scale_of(matrix).tolist())):
            flag = next((flag for by, flag in self.REDUCED if scale * by < 1.15), cv2.IMREAD_COLOR)
            picture = cv2.imdecode(np.frombuffer(self.pack.files[i], np.uint8), flag)
            reduced = np.array([picture.shape[1], picture.shape[0]]) / self.pack.sizes[i]
            if scale / reduced[0] < 0.6:
                picture = cv2.blur(picture, (2, 2) if scale / reduced[0] > 0.35 else (3, 3))
            # OpenCV counts from the middle of the first pixel, and from the picture as decoded.
            linear = affine[:, :2] / reduced
            shift = affine[:, 2] + linear @ [0.5, 0.5] - 0.5
            affine = np.concatenate([linear, shift[:, None]], 1)
            cv2.warpAffine(picture, affine, (side, side), out[v], cv2.INTER_LINEAR, cv2.BORDER_REPLICATE)
        return torch.from_numpy(np.ascontiguousarray(out[..., ::-1].transpose(0, 3, 1, 2))).float()


class DecodedBank:
    """
    Every picture decoded once, at most `side` pixels long, with halved copies down to 64 (mip maps: Williams, Pyramidal
    Parametrics, SIGGRAPH 1983). Takes 4 * side * side bytes a picture: 15 GB for 9,500 pictures of 640.
    """

    CHUNK = 256

    def __init__(self, pack: Pack, device: torch.device, side: int = 640):
        self.pack, self.device = pack, device
        full = torch.zeros(len(pack.files), 3, side, side, dtype=torch.uint8, device=device)
        scales = np.ones(len(pack.files), np.float32)
        with ThreadPoolExecutor(min(16, os.cpu_count() or 1)) as pool:
            for i, (picture, scale) in enumerate(pool.map(lambda file: _decode(file, side), pack.files)):
                height, width = picture.shape[:2]
                full[i, :, :height, :width] = torch.from_numpy(picture).to(device).permute(2, 0, 1)
                scales[i] = scale
        self.scales = torch.from_numpy(scales).to(device)
        self.sizes = torch.from_numpy(pack.sizes).to(device)
        self.levels = [full]
        while self.levels[-1].shape[-1] > 64:
            halves = [F.avg_pool2d(part.float(), 2).round().byte() for part in self.levels[-1].split(self.CHUNK)]
            self.levels.append(torch.cat(halves))

    def render(self, index: Tensor, matrix: Tensor, side: int) -> Tensor:
        inverse = torch.linalg.inv(matrix[:, :, :2])
        level = (-torch.log2(scale_of(matrix) / self.scales[index]) + 0.15).floor().long()
        level = level.clamp(0, len(self.levels) - 1)
        axis = torch.arange(side, device=self.device) + 0.5
        points = torch.stack(torch.meshgrid(axis, axis, indexing="xy"), -1).reshape(1, -1, 2)
        out = torch.empty(len(index), 3, side, side, device=self.device)
        for number, pictures in enumerate(self.levels):
            for views in (level == number).nonzero().flatten().split(self.CHUNK):
                source = (points - matrix[views, None, :, 2]) @ inverse[views].transpose(1, 2)
                source = source * (self.scales[index[views], None, None] / 2**number)
                # Clamped to whole pixels of this level: beyond them the padding shines through.
                whole = (self.sizes[index[views]] * self.scales[index[views], None] / 2**number + 1e-3).floor().clamp(min=1)
                source = source.clamp(min=0.5).minimum(whole[:, None] - 0.5)
                grid = (source * (2 / pictures.shape[-1]) - 1).view(len(views), side, side, 2)
                shown = pictures[index[views]].float()
                out[views] = F.grid_sample(shown, grid, padding_mode="border", align_corners=False)
        return out


def _decode(file: bytes, side: int) -> tuple[np.ndarray, float]:
    """RGB [h, w, 3] no longer than `side`, and by how much it was scaled."""
    picture = cv2.imdecode(np.frombuffer(file, np.uint8), cv2.IMREAD_COLOR)[..., ::-1]
    scale = min(1.0, side / max(picture.shape[:2]))
    if scale < 1:
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)[:side, :side]
    return np.ascontiguousarray(picture), scale
