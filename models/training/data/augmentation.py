"""What happens to a batch on its way to the network, how often and in which order: as in life, first what stands before the
face, then light, then the camera, then the codec."""
from collections.abc import Callable

import torch
from torch import Tensor

from data.batches import Batch
from data.degradation import gaussian_blur, jpeg, low_resolution, motion_blur
from data.dice import Dice
from data.lighting import complexion, darkness, exposure, gamma, monochrome, noise, shadow, tint
from data.occlusions import beard, hat, mask, patch, sunglasses

# Below this height (pixels) what covers a face covers all of it.
LEAST_COVERED = 14.0

# Share of the images in which it happens to one of the faces. Hat and beard, hat and sunglasses come together by chance.
OCCLUSIONS: tuple[tuple[Callable[[Tensor, Tensor, Dice], Tensor], float], ...] = (
    (beard, 0.05),
    (mask, 0.06),
    (sunglasses, 0.06),
    (hat, 0.07),
    (patch, 0.06),
)

LIGHTING: tuple[tuple[Callable[[Tensor, Dice], Tensor], float], ...] = (
    (complexion, 0.4),
    (exposure, 0.7),
    (tint, 0.5),
    (monochrome, 0.13),
    (gamma, 0.13),
    (darkness, 0.1),
    (noise, 0.18),
)

DEGRADATION: tuple[tuple[Callable[[Tensor, Dice], Tensor], float], ...] = (
    (gaussian_blur, 0.08),
    (motion_blur, 0.06),
    (low_resolution, 0.06),
    (jpeg, 0.22),
)

SHADOW = 0.1


def augment(batch: Batch, dice: Dice, share: float = 1.0) -> Tensor:
    """
    -> images as the network is to see them, [B, 3, S, S], 0..255. Boxes and labels stay. Changes `batch.images`. `share`
    (0..1): how often things happen against how often they usually do.
    """
    images, faces = batch.images, _one_face_each(batch, dice)
    coverable = (faces[:, 3] > LEAST_COVERED) & (batch.labels == 1).any(1)
    count, side = len(images), images.shape[-1]
    for cover, often in OCCLUSIONS:
        apply_to(images, dice.chance(often * share, count) & coverable, lambda part, rows: cover(part, faces[rows], dice))
    anywhere = dice.uniform(0.2, 0.8, count, 2) * side
    edge = torch.where(coverable[:, None], faces[:, :2], anywhere)
    apply_to(images, dice.chance(SHADOW * share, count), lambda part, rows: shadow(part, edge[rows], dice))
    for change, often in (*LIGHTING, *DEGRADATION):
        apply_to(images, dice.chance(often * share, count), lambda part, rows: change(part, dice))
    return images


def _one_face_each(batch: Batch, dice: Dice) -> Tensor:
    """The frame [B, 5] of one of the faces of each image; of anything where there is none."""
    rows = torch.arange(len(batch.images), device=batch.images.device)
    return batch.frames[rows, dice.pick_in_rows((batch.labels == 1).float())]


def apply_to(images: Tensor, chosen: Tensor, change: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Changes the chosen images in place; only they are computed."""
    rows = chosen.nonzero().flatten()
    if len(rows):
        images[rows] = change(images[rows], rows).clamp(0, 255)
