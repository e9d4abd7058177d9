"""Which cell answers for which face, and what its answer costs.

- Assignment: task-aligned (TOOD, Feng et al., arXiv:2108.07755): among the cells near a face's centre and on a fitting
  stride, the few best by score^0.5 * IoU^3 learn it; the target score is the aligned one, not 1.
- Score: binary cross entropy weighted by how wrong the score is, the focal loss for soft targets (generalized focal loss,
  Li et al., arXiv:2006.04388; focal loss, Lin et al., arXiv:1708.02002).
- Box: GIoU (Rezatofighi et al., arXiv:1902.09630) and a smooth L1 on the offsets, which goes on pulling on tiny boxes where
  one pixel is much of the IoU.

Labels: 1 a face, 0 perhaps a face (costs nothing either way), -1 padding.
"""
import torch
import torch.nn.functional as F
from torch import Tensor

from train.model import decode

# Square root of the area, in pixels, that a stride may answer for; the ranges overlap.
SIZES = {8: (0.0, 46.0), 16: (28.0, 110.0), 32: (70.0, 1e5)}
BEST_CELLS = 6
# The target is no lower: on faces of 8 to 16 pixels the IoU stays low, and would keep the score low with it.
LEAST_TARGET = 0.75


def overlaps(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """IoU and GIoU of boxes [..., 4] (left, top, right, bottom), pair by pair."""

    def area(low: Tensor, high: Tensor) -> Tensor:
        return (high - low).clamp(min=0).prod(-1)

    both = area(torch.maximum(a[..., :2], b[..., :2]), torch.minimum(a[..., 2:], b[..., 2:]))
    either = area(a[..., :2], a[..., 2:]) + area(b[..., :2], b[..., 2:]) - both + 1e-6
    hull = area(torch.minimum(a[..., :2], b[..., :2]), torch.maximum(a[..., 2:], b[..., 2:])) + 1e-6
    iou = both / either
    return iou, iou - (hull - either) / hull


def _candidates(truth: Tensor, labels: Tensor, centres: Tensor, strides: Tensor) -> Tensor:
    """Cells [B, G, N] near the middle of a face whose stride fits its size."""
    middle = (truth[..., :2] + truth[..., 2:]) / 2
    sides = (truth[..., 2:] - truth[..., :2]).clamp(min=1)
    size = sides.prod(-1).sqrt()[..., None]
    stride = strides[None, None, :, None]
    reach = torch.maximum(sides[:, :, None] * 0.3, stride * 0.71).minimum(stride * 1.6)
    near = ((centres - middle[:, :, None]).abs() < reach).all(-1)
    fits = torch.zeros_like(near)
    for s, (least, most) in SIZES.items():
        fits |= (strides == s) & (size >= least) & (size < most)
    return near & fits & (labels[..., None] == 1)


@torch.no_grad()
def assign(
    boxes: Tensor, scores: Tensor, truth: Tensor, labels: Tensor, centres: Tensor, strides: Tensor
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """
    boxes [B, N, 4] and scores [B, N] as predicted, truth [B, G, 4], labels [B, G], cells as `model.cells` gives them.
    -> positive [B, N]; face it learns [B, N], an index into G; target score [B, N]; ignored [B, N].
    """
    near = _candidates(truth, labels, centres, strides)
    iou = torch.zeros(near.shape, device=boxes.device)
    b, g, n = near.nonzero(as_tuple=True)
    iou[b, g, n] = overlaps(boxes[b, n], truth[b, g])[0]
    # The tiny addend lets a cell that predicts nothing yet be the best of equals.
    metric = (scores[:, None].clamp(min=1e-4).sqrt() * iou**3 + 1e-9) * near
    bar = metric.topk(min(BEST_CELLS, metric.shape[-1]), -1)[0][..., -1:]
    metric = metric * (metric >= bar)
    best, face = metric.max(1)
    positive = best > 0
    most_metric = metric.amax(-1).clamp(min=1e-12)
    most_iou = (iou * (metric > 0)).amax(-1).clamp(min=LEAST_TARGET)
    target = best / most_metric.gather(1, face) * most_iou.gather(1, face) * positive
    inside = ((centres > truth[:, :, None, :2]) & (centres < truth[:, :, None, 2:])).all(-1)
    ignored = (inside & (labels[..., None] == 0)).any(1) & ~positive
    return positive, face, target, ignored


def losses(
    prediction: Tensor, truth: Tensor, labels: Tensor, centres: Tensor, strides: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """prediction [B, N, 5] of `model.flatten` -> score loss, GIoU loss, smooth L1 loss; scalars."""
    logits, regression = prediction[..., 0], prediction[..., 1:]
    boxes = decode(regression, centres, strides)
    scores = logits.sigmoid()
    positive, face, target, ignored = assign(boxes.detach(), scores.detach(), truth, labels, centres, strides)

    # As published, the weight is differentiated too: it is part of the loss.
    weight = torch.where(positive, (target - scores).abs().clamp(min=0.1) ** 1.5, scores**2 * 0.75)
    entropy = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
    score_loss = (entropy * weight * ~ignored).sum() / target.sum().clamp(min=1)

    aim = truth.gather(1, face[..., None].expand(-1, -1, 4))[positive]
    share = target[positive].clamp(min=0.15)
    share = share / share.sum().clamp(min=1)
    _, giou = overlaps(boxes[positive], aim)
    stride = strides.expand(len(logits), -1)[positive][:, None]
    centre = centres.expand(len(logits), -1, 2)[positive]
    offset = ((aim[:, :2] + aim[:, 2:]) / 2 - centre) / stride
    log_sides = ((aim[:, 2:] - aim[:, :2]).clamp(min=1) / stride).log()
    distance = F.smooth_l1_loss(regression[positive], torch.cat([offset, log_sides], 1), reduction="none", beta=0.2)
    return score_loss, ((1 - giou) * share).sum(), (distance.sum(1) * share).sum()
