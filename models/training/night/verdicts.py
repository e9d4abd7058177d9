"""What the verifier learns from the dark: to say of a crop there what it says of the same crop by day."""
import math

import torch
import torch.nn.functional as F
from torch import Tensor

from data.dice import Dice
from data.verifier_bank import CONTEXT, SIDE
from night.distil import bounded

# Boxes of a lower score are not shown to it.
LEAST_SCORE = 0.05
SMALLEST = 10.0  # pixels: the least long side that the service shows it
FINER = 2  # crops are drawn so many times finer, then averaged
# Log-odds beyond these change nothing that matters.
LEAST_ODDS, MOST_ODDS = -6.0, 7.0


def chosen(scores: Tensor, boxes: Tensor, count: int, dice: Dice) -> Tensor:
    """`count` boxes an image, [B, count, 4], by chance in proportion to their scores; of [B, N] and [B, N, 4]."""
    weights = torch.where(scores > LEAST_SCORE, scores, torch.zeros_like(scores)) + 1e-7
    index = torch.multinomial(weights, count, replacement=True, generator=dice.generator)
    return boxes.gather(1, index[..., None].expand(-1, -1, 4))


def placed(boxes: Tensor, side: int, dice: Dice) -> Tensor:
    """Where crops of boxes [n, 4] lie: affine maps [n, 2, 3] for `cut`, turned, moved, resized and mirrored by chance."""
    n = len(boxes)
    middle, sides = (boxes[:, :2] + boxes[:, 2:]) / 2, boxes[:, 2:] - boxes[:, :2]
    longest = sides.amax(1).clamp(min=SMALLEST, max=4 * side)
    middle = middle + 0.04 * dice.normal(n, 2) * longest[:, None]
    reach = longest * CONTEXT / side * (0.1 * dice.normal(n)).exp()
    degrees = torch.where(dice.chance(0.25, n), dice.uniform(-45, 45, n), 8 * dice.normal(n))
    angle = degrees * (math.pi / 180)
    mirror = torch.where(dice.chance(0.5, n), -1.0, 1.0)
    at = middle * (2 / side) - 1
    across = torch.stack([angle.cos() * reach * mirror, -angle.sin() * reach, at[:, 0]], 1)
    down = torch.stack([angle.sin() * reach * mirror, angle.cos() * reach, at[:, 1]], 1)
    return torch.stack([across, down], 1)


def cut(images: Tensor, rows: Tensor, maps: Tensor) -> Tensor:
    """Crops [n, 3, SIDE, SIDE] of images[rows]; black beyond them."""
    grid = F.affine_grid(maps, [len(maps), 3, SIDE * FINER, SIDE * FINER], align_corners=False)
    return F.avg_pool2d(F.grid_sample(images[rows], grid, align_corners=False), FINER)


def odds(logits: Tensor) -> Tensor:
    """Log-odds [n, 2] of a face, against an animal and against all else, of logits [n, 3]."""
    against_animal = logits[:, 0] - logits[:, 1]
    against_all = -torch.logsumexp(logits[:, 1:] - logits[:, :1], 1)
    return torch.stack([against_animal, against_all], 1)


def verdict_loss(student: Tensor, teacher: Tensor) -> Tensor:
    """How far the log-odds are apart; of logits [n, 3]."""
    known, said = bounded(odds(teacher), odds(student), LEAST_ODDS, MOST_ODDS)
    return F.smooth_l1_loss(said, known)
