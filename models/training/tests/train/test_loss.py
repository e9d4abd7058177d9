import unittest

import torch

from train.loss import BEST_CELLS, LEAST_TARGET, assign, losses, overlaps
from train.model import cells

SIDE = 128


def assigned(boxes: list[list[float]], labels: list[int]):
    """With a network that predicts nothing yet: every cell a box of two strides, at a score of 0.01."""
    centres, strides = cells(SIDE, SIDE)
    predicted = torch.cat([centres - strides[:, None], centres + strides[:, None]], 1)[None]
    scores = torch.full((1, len(centres)), 0.01)
    truth, kinds = torch.tensor([boxes]), torch.tensor([labels])
    return assign(predicted, scores, truth, kinds, centres, strides), centres, strides


class LossTest(unittest.TestCase):
    def test_overlaps_of_known_boxes(self) -> None:
        a = torch.tensor([[0.0, 0.0, 2.0, 2.0], [0.0, 0.0, 1.0, 1.0]])
        b = torch.tensor([[1.0, 0.0, 3.0, 2.0], [3.0, 0.0, 4.0, 1.0]])
        iou, giou = overlaps(a, b)
        torch.testing.assert_close(iou, torch.tensor([1 / 3, 0.0]), atol=1e-5, rtol=0)
        torch.testing.assert_close(giou, torch.tensor([1 / 3, -0.5]), atol=1e-5, rtol=0)

    def test_few_cells_near_the_middle_learn_a_face(self) -> None:
        (positive, face, target, _), centres, strides = assigned([[40.0, 40.0, 60.0, 64.0]], [1])
        count = int(positive.sum())
        self.assertTrue(1 <= count <= BEST_CELLS)
        self.assertTrue((strides[positive[0]] == 8).all())
        self.assertTrue(((centres[positive[0]] - torch.tensor([50.0, 52.0])).abs() < 13).all())
        self.assertGreaterEqual(float(target.max()), LEAST_TARGET)
        self.assertTrue((target[~positive] == 0).all())
        self.assertTrue((face[positive] == 0).all())

    def test_strides_answer_for_their_sizes(self) -> None:
        for side, allowed in ((12.0, {8}), (36.0, {8, 16}), (60.0, {16}), (90.0, {16, 32}), (126.0, {32})):
            low = (SIDE - side) / 2
            (positive, *_), _, strides = assigned([[low, low, low + side, low + side]], [1])
            self.assertTrue(positive.any())
            self.assertLessEqual(set(strides[positive[0]].int().tolist()), allowed, side)

    def test_perhaps_and_padding_teach_nothing(self) -> None:
        (positive, _, _, ignored), centres, _ = assigned([[40.0, 40.0, 60.0, 64.0], [0.0, 0.0, 128.0, 128.0]], [0, -1])
        self.assertFalse(positive.any())
        inside = ((centres > torch.tensor([40.0, 40.0])) & (centres < torch.tensor([60.0, 64.0]))).all(1)
        self.assertTrue(torch.equal(ignored[0], inside))

    def test_costs_little_when_right_and_more_when_wrong(self) -> None:
        centres, strides = cells(SIDE, SIDE)
        truth, labels = torch.tensor([[[40.0, 40.0, 60.0, 64.0]]]), torch.tensor([[1]])
        (positive, *_), *_ = assigned(truth[0].tolist(), [1])
        middle, sides = torch.tensor([50.0, 52.0]), torch.tensor([20.0, 24.0])
        right = torch.cat([
            torch.where(positive[0], 8.0, -8.0)[:, None],
            (middle - centres) / strides[:, None],
            (sides / strides[:, None]).log(),
        ], 1)[None]  # fmt: skip
        score, giou, distance = losses(right, truth, labels, centres, strides)
        self.assertLess(float(score), 0.02)
        self.assertLess(float(giou + distance), 1e-4)
        blind = right.clone()
        blind[..., 0] = -8
        self.assertGreater(float(losses(blind, truth, labels, centres, strides)[0]), 1)
        elsewhere = right.clone()
        elsewhere[..., 1] += 0.5
        self.assertGreater(float(losses(elsewhere, truth, labels, centres, strides)[1]), 0.1)
