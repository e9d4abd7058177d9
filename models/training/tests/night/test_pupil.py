import unittest

import torch
from torch import nn

from night.pupil import Pupil


class PupilTest(unittest.TestCase):
    def test_learns_while_its_teacher_stays_and_its_average_follows(self) -> None:
        torch.manual_seed(1)
        begun = nn.Linear(3, 1)
        before = begun.weight.detach().clone()
        pupil = Pupil(begun, torch.device("cpu"), rate=0.05, average=0.9, warmup=1)
        inputs = torch.ones(1, 3)
        for step in range(40):
            pupil.learn((pupil.model(inputs) - 5).square().mean(), step / 40)
        self.assertTrue(torch.equal(pupil.teacher.weight, before))
        now, mean = (float(model(inputs).detach()) for model in (pupil.model, pupil.averaged))
        self.assertLess(abs(now - 5), abs(float(pupil.teacher(inputs)) - 5))
        self.assertLess(abs(mean - now), 1.5)
        torch.testing.assert_close(pupil.state()["weight"], pupil.averaged.weight.detach())
