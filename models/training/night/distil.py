"""What the network that sees a dark view learns from one that sees the same view by day, and from the labels."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from night.yunet import boxes_of, log_score
from train.loss import assign, overlaps

# From this score on a cell of the teacher is a face, whose box is learnt; from SURE on it has seen that face.
BOX_FROM, SURE = 0.3, 0.5
# Of a clean view, boxes are kept from this score on, and scores everywhere: as much as one of them says face, and a little.
KEPT_BOX_FROM, LEAST_WEIGHT = 0.2, 0.003
# Beyond this logit nothing changes for the service.
MOST_LOGIT = 7.0
# What the losses of boxes weigh against that of scores.
GIOU_WEIGHT, DISTANCE_WEIGHT = 1.0, 0.3


@dataclass
class Aim:
    """
    scores [B, N] that are aimed at; boxes [B, N, 4], which count for cells with a score from BOX_FROM; costly [B, N]: what
    other cells say is free.
    """

    scores: Tensor
    boxes: Tensor
    costly: Tensor


@torch.no_grad()
def aim(teacher: Tensor, student: Tensor, truth: Tensor, labels: Tensor, at: Tensor, strides: Tensor) -> Aim:
    """
    teacher, student [B, N, 6] as `flatten` gives them, of the clean and of the dark view; truth [B, G, 4], labels [B, G]
    (1 face, 0 perhaps, -1 padding). The teacher's answers count within labels; beyond them there is no face, but where the
    teacher is sure nothing is said. Faces that it has not seen are taught by their labels.
    """
    scores, boxes = log_score(teacher).exp(), boxes_of(teacher, at, strides)
    centres = at + strides[:, None] / 2
    reach = 0.15 * (truth[..., 2:] - truth[..., :2])
    low, high = truth[..., :2] - reach, truth[..., 2:] + reach
    inside = ((centres > low[:, :, None]) & (centres < high[:, :, None])).all(-1)
    within = (inside & (labels[..., None] >= 0)).any(1)
    costly = within | (scores < SURE)
    scores = torch.where(within, scores, torch.zeros_like(scores))
    seen = (inside * scores[:, None]).amax(-1) >= SURE
    unseen = torch.where((labels == 1) & ~seen, labels, torch.full_like(labels, -1))
    own = boxes_of(student, at, strides)
    positive, face, target, _ = assign(own, log_score(student).exp(), truth, unseen, centres, strides)
    better = positive & (target > scores)
    labelled = truth.gather(1, face[..., None].expand(-1, -1, 4))
    return Aim(torch.where(better, target, scores), torch.where(better[..., None], labelled, boxes), costly)


def losses(student: Tensor, aimed: Aim, at: Tensor, strides: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Of scores (cross entropy weighted by how wrong they are, as train/loss.py has it), GIoU, smooth L1; scalars."""
    log = log_score(student)
    score = log.exp()
    entropy = -aimed.scores * log - (1 - aimed.scores) * torch.log1p(-score.clamp(max=1 - 1e-4))
    wrong = (aimed.scores - score).abs()
    weight = torch.where(aimed.scores >= BOX_FROM, wrong.clamp(min=0.1) ** 1.5, wrong**1.5) * aimed.costly
    share = aimed.scores * (aimed.scores >= BOX_FROM) * aimed.costly
    faces = share.sum().clamp(min=1)
    score_loss = (entropy * weight).sum() / faces

    learnt = share > 0
    boxes = boxes_of(student, at, strides)
    giou = overlaps(boxes[learnt], aimed.boxes[learnt])[1]
    stride = strides.expand(len(student), -1)[learnt][:, None]
    corner = at.expand(len(student), -1, 2)[learnt]
    goal = aimed.boxes[learnt]
    offset = ((goal[:, :2] + goal[:, 2:]) / 2 - corner) / stride
    sides = ((goal[:, 2:] - goal[:, :2]).clamp(min=1) / stride).log()
    apart = F.smooth_l1_loss(student[..., 2:][learnt], torch.cat([offset, sides], 1), reduction="none", beta=0.2)
    weights = share[learnt] / faces
    return score_loss, ((1 - giou) * weights).sum(), (apart.sum(1) * weights).sum()


def logit_of(cells: Tensor) -> Tensor:
    """Of the score [B, N]."""
    log = log_score(cells)
    return log - torch.log1p(-log.exp().clamp(max=1 - 1e-6))


def bounded(known: Tensor, said: Tensor, least: float, most: float) -> tuple[Tensor, Tensor]:
    """Both, where `known` lies beyond the bounds as if it, and what is as far out or farther, lay on them."""
    inner = known.clamp(least, most)
    said = torch.where(known <= least, said.clamp(min=least), said)
    return inner, torch.where(known >= most, said.clamp(max=most), said)


def kept(student: Tensor, teacher: Tensor, at: Tensor, strides: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """What forgetting costs, where both saw the same view: logits apart, GIoU, smooth L1 of the boxes; scalars."""
    known, logits = bounded(logit_of(teacher), logit_of(student), -MOST_LOGIT, MOST_LOGIT)
    scores = known.sigmoid()
    faces = (scores * (scores >= BOX_FROM)).sum().clamp(min=1)
    weight = torch.maximum(scores, logits.detach().sigmoid()).clamp(min=LEAST_WEIGHT)
    score_loss = (F.smooth_l1_loss(logits, known, reduction="none", beta=0.5) * weight).sum() / faces
    sure = scores >= KEPT_BOX_FROM
    weights = scores[sure] / faces
    giou = overlaps(boxes_of(student, at, strides)[sure], boxes_of(teacher, at, strides)[sure])[1]
    apart = F.smooth_l1_loss(student[..., 2:][sure], teacher[..., 2:][sure], reduction="none", beta=0.2)
    return score_loss, ((1 - giou) * weights).sum(), (apart.sum(1) * weights).sum()
