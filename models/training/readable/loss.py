"""What a wrong map costs: cross entropy of kernels and of the hardest background, and the dice of each map."""
import torch
import torch.nn.functional as F
from torch import Tensor

# Background cells that count, for each cell of a kernel; and at least so many a picture.
NEGATIVES = 3
LEAST_NEGATIVES = 48


def map_loss(logits: Tensor, wanted: Tensor, mask: Tensor) -> Tensor:
    """
    Of one kind: the mean over pictures. logits, wanted (0..1), mask (0 or 1): [B, h, w].
    Hard negatives are taken over the whole batch, so that pictures without any give theirs.
    """
    entropy = F.binary_cross_entropy_with_logits(logits, wanted, reduction="none") * mask
    kernel = (wanted > 0.2) & (mask > 0)
    background = (~kernel) & (mask > 0)
    positives = int(kernel.sum())
    negatives = min(int(background.sum()), max(NEGATIVES * positives, LEAST_NEGATIVES * len(logits)))
    hardest = (entropy * background).flatten().topk(negatives).values.sum() if negatives else entropy.sum() * 0
    cost = ((entropy * kernel).sum() + hardest) / max(positives + negatives, 1)
    # And all of the background, lightly: what is not among the hardest is held down too.
    cost = cost + 0.5 * entropy.sum() / mask.sum().clamp(min=1)
    probability = logits.sigmoid() * mask
    wanted = wanted * mask
    overlap = 2 * (probability * wanted).sum() + 1
    return cost + 1 - overlap / (probability.square().sum() + wanted.square().sum() + 1)


def loss(logits: Tensor, wanted: Tensor, mask: Tensor) -> Tensor:
    """Sum of both kinds' costs. All [B, 2, h, w]."""
    logits = logits.float()
    return sum((map_loss(logits[:, k], wanted[:, k], mask[:, k]) for k in range(logits.shape[1])), torch.zeros(()))
