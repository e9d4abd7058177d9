"""Images with their labels, and what becomes of labels when views are turned, cut off and put together."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor


@dataclass
class Batch:
    """
    images [B, 3, S, S] float32, RGB, 0..255; boxes [B, G, 4] within the image; labels [B, G]: 1 face, 0 perhaps, -1 padding;
    frames [B, G, 5]: the face's own upright rectangle, x and y of its middle, width, height, turn (radians, clockwise).
    """

    images: Tensor
    boxes: Tensor
    labels: Tensor
    frames: Tensor


# A face is labelled while this much of it shows and it is this large (pixels); less is "perhaps", next to nothing is dropped.
SHOWN, TRACE = 0.45, 0.08
LEAST_WIDTH, LEAST_HEIGHT = 4.0, 6.0

# Of one image. More come only in mosaics of crowds.
MOST_LABELS = 128


def boxes_of(frames: Tensor) -> Tensor:
    """
    Frames [..., 5] -> upright boxes [..., 4] around the ellipse in each: a head is nearer to an ellipse than to a rectangle,
    so the box of a turned face does not grow as the turned rectangle would.
    """
    half, turn = frames[..., 2:4] / 2, frames[..., 4]
    across = (half[..., 0] * turn.cos()).hypot(half[..., 1] * turn.sin())
    down = (half[..., 0] * turn.sin()).hypot(half[..., 1] * turn.cos())
    reach = torch.stack([across, down], -1)
    return torch.cat([frames[..., :2] - reach, frames[..., :2] + reach], -1)


def clip(boxes: Tensor, labels: Tensor, side: int) -> tuple[Tensor, Tensor]:
    """Boxes cut off at the view's edges; labels lowered where too little of a face is left."""
    cut = boxes.clamp(0, side)
    width, height = (cut[..., 2:] - cut[..., :2]).unbind(-1)
    shown = width * height / (boxes[..., 2:] - boxes[..., :2]).prod(-1).clamp(min=1e-6)
    doubtful = (shown < SHOWN) | (height < LEAST_HEIGHT) | (width < LEAST_WIDTH)
    gone = (shown < TRACE) | (height < 2) | (width < 2)
    labels = torch.where(doubtful & (labels == 1), torch.zeros_like(labels), labels)
    return cut, torch.where(gone, torch.full_like(labels, -1), labels)


def join(parts: list[Batch]) -> Batch:
    """One batch of several, padded to the most labels."""
    most = max(part.labels.shape[1] for part in parts)

    def pad(values: Tensor, value: int = 0) -> Tensor:
        missing = most - values.shape[1]
        return F.pad(values, (0, missing) if values.dim() == 2 else (0, 0, 0, missing), value=value)

    return Batch(
        torch.cat([part.images for part in parts]),
        torch.cat([pad(part.boxes) for part in parts]),
        torch.cat([pad(part.labels, -1) for part in parts]),
        torch.cat([pad(part.frames) for part in parts]),
    )


def trim(batch: Batch) -> Batch:
    """Faces first, and only as many columns as are used, at most MOST_LABELS: the assignment costs memory for each."""
    order = batch.labels.argsort(dim=1, descending=True, stable=True)
    used = max(1, min(MOST_LABELS, int((batch.labels >= 0).sum(1).max())))
    order = order[:, :used]

    def gather(values: Tensor) -> Tensor:
        return values.gather(1, order[..., None].expand(-1, -1, values.shape[-1]))

    return Batch(batch.images, gather(batch.boxes), batch.labels.gather(1, order), gather(batch.frames))
