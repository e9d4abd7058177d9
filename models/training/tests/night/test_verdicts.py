import unittest

import torch

from data.dice import Dice
from data.verifier_bank import SIDE
from night.verdicts import MOST_ODDS, chosen, cut, odds, placed, verdict_loss


class VerdictsTest(unittest.TestCase):
    def test_boxes_are_chosen_by_their_scores(self) -> None:
        scores = torch.tensor([[0.01, 0.9, 0.01, 0.3]])
        boxes = torch.arange(4.0)[None, :, None].expand(1, 4, 4)
        taken = chosen(scores, boxes, 200, Dice(1))[0, :, 0]
        self.assertEqual(set(taken.tolist()), {1.0, 3.0})
        self.assertGreater(int((taken == 1).sum()), int((taken == 3).sum()))

    def test_a_crop_shows_the_box_at_its_middle_and_black_beyond_the_picture(self) -> None:
        images = torch.zeros(2, 3, 200, 200)
        images[1, :, 80:120, 60:100] = 255
        boxes = torch.tensor([[60.0, 80, 100, 120]]).expand(40, 4)
        crops = cut(images, torch.ones(40, dtype=torch.long), placed(boxes, 200, Dice(2)))
        self.assertEqual(tuple(crops.shape), (40, 3, SIDE, SIDE))
        self.assertTrue((crops[:, :, SIDE // 2, SIDE // 2] > 250).all())
        # The box is 1 / 2.5 as wide as the crop.
        self.assertLess(abs(float((crops / 255).mean()) - 0.16), 0.03)
        white, first = torch.full((1, 3, 100, 100), 255.0), torch.zeros(1, dtype=torch.long)
        edge = cut(white, first, placed(torch.tensor([[-20.0, -20, 20, 20]]), 100, Dice(3)))
        self.assertGreater(float((edge == 0).float().mean()), 0.5)

    def test_log_odds_against_an_animal_and_against_all_else(self) -> None:
        logits = torch.tensor([[2.0, 0.0, 1.0]])
        face = logits.softmax(1)[0, 0]
        torch.testing.assert_close(odds(logits)[0], torch.stack([torch.tensor(2.0), torch.logit(face)]))

    def test_costs_nothing_to_agree_and_to_be_surer_of_what_is_sure(self) -> None:
        teacher = torch.tensor([[9.0, 0.0, -1.0]])
        self.assertEqual(float(verdict_loss(teacher, teacher)), 0)
        self.assertEqual(float(verdict_loss(teacher + torch.tensor([[MOST_ODDS, 0, 0]]), teacher)), 0)
        self.assertGreater(float(verdict_loss(-teacher, teacher)), 5)
