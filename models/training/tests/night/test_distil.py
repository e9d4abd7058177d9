import unittest

import torch

from night.distil import MOST_LOGIT, aim, bounded, kept, losses
from night.yunet import boxes_of, corners

SIDE = 96
AT, STRIDES = corners(SIDE, SIDE)


def cells(score: float) -> torch.Tensor:
    """All cells say the same score, and boxes of twice their stride."""
    out = torch.zeros(1, len(AT), 6)
    out[..., :2] = torch.logit(torch.tensor(score))
    out[..., 2:4], out[..., 4:] = 0.5, torch.log(torch.tensor(2.0))
    return out


def cell(x: int, y: int) -> int:
    """Of stride 8."""
    return (y // 8) * (SIDE // 8) + x // 8


def truth(*labelled: tuple[int, list[float]]) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.tensor([[box for _, box in labelled]]), torch.tensor([[label for label, _ in labelled]])


class AimTest(unittest.TestCase):
    def test_what_the_teacher_sees_in_a_label_is_aimed_at(self) -> None:
        teacher = cells(0.001)
        teacher[0, cell(40, 40), :2] = torch.logit(torch.tensor(0.9))
        aimed = aim(teacher, cells(0.01), *truth((1, [32.0, 32, 56, 56])), AT, STRIDES)
        self.assertAlmostEqual(float(aimed.scores.max()), 0.9, places=4)
        self.assertEqual(int(aimed.scores.argmax()), cell(40, 40))
        self.assertTrue(torch.equal(aimed.boxes, boxes_of(teacher, AT, STRIDES)))
        self.assertTrue(aimed.costly.all())

    def test_a_face_that_it_does_not_see_is_taught_by_its_label(self) -> None:
        box = [32.0, 32, 56, 56]
        aimed = aim(cells(0.001), cells(0.01), *truth((1, box)), AT, STRIDES)
        taught = aimed.scores > 0.5
        self.assertTrue(taught.any())
        self.assertTrue((aimed.boxes[taught] == torch.tensor(box)).all())

    def test_beyond_labels_there_is_no_face_and_where_it_is_sure_nothing_is_said(self) -> None:
        teacher = cells(0.001)
        teacher[0, cell(8, 8), :2] = torch.logit(torch.tensor(0.9))
        teacher[0, cell(80, 80), :2] = torch.logit(torch.tensor(0.3))
        aimed = aim(teacher, cells(0.01), *truth((1, [32.0, 32, 56, 56])), AT, STRIDES)
        self.assertFalse(aimed.costly[0, cell(8, 8)])
        self.assertTrue(aimed.costly[0, cell(80, 80)])
        self.assertEqual(float(aimed.scores[0, cell(80, 80)]), 0)

    def test_what_is_perhaps_a_face_is_what_the_teacher_says(self) -> None:
        teacher = cells(0.001)
        teacher[0, cell(40, 40), :2] = torch.logit(torch.tensor(0.4))
        aimed = aim(teacher, cells(0.01), *truth((0, [32.0, 32, 56, 56]), (-1, [0.0, 0, 0, 0])), AT, STRIDES)
        self.assertAlmostEqual(float(aimed.scores.max()), 0.4, places=4)
        self.assertEqual(int((aimed.scores > 0.3).sum()), 1)


class LossesTest(unittest.TestCase):
    def test_who_says_what_is_aimed_at_pays_next_to_nothing(self) -> None:
        teacher = cells(0.001)
        teacher[0, cell(40, 40), :2] = torch.logit(torch.tensor(0.999))
        aimed = aim(teacher, teacher, *truth((1, [32.0, 32, 56, 56])), AT, STRIDES)
        right = losses(teacher, aimed, AT, STRIDES)
        wrong = losses(cells(0.001), aimed, AT, STRIDES)
        self.assertLess(float(sum(right)), 0.01)
        self.assertGreater(float(wrong[0]), 1)
        moved = teacher.clone()
        moved[..., 2] += 1
        self.assertGreater(float(losses(moved, aimed, AT, STRIDES)[1]), 0.3)

    def test_a_wrong_box_costs_where_it_is_costly_alone(self) -> None:
        teacher, student = cells(0.001), cells(0.001)
        teacher[0, cell(8, 8), :2] = student[0, cell(8, 8), :2] = torch.logit(torch.tensor(0.9))
        free = aim(teacher, student, *truth((-1, [0.0, 0, 0, 0])), AT, STRIDES)
        costly = aim(cells(0.001), student, *truth((-1, [0.0, 0, 0, 0])), AT, STRIDES)
        self.assertLess(float(losses(student, free, AT, STRIDES)[0]), 0.01)
        self.assertGreater(float(losses(student, costly, AT, STRIDES)[0]), 0.5)

    def test_without_a_face_it_is_a_number_with_a_gradient(self) -> None:
        student = cells(0.2).requires_grad_()
        parts = losses(student, aim(cells(0.001), student, *truth((-1, [0.0, 0, 0, 0])), AT, STRIDES), AT, STRIDES)
        sum(parts).backward()
        self.assertTrue(torch.isfinite(student.grad).all() and (student.grad[..., :2] > 0).all())


class KeptTest(unittest.TestCase):
    def test_who_says_the_same_pays_nothing_and_who_forgets_pays(self) -> None:
        teacher = cells(0.0001)
        teacher[0, cell(40, 40), :2] = torch.logit(torch.tensor(0.9))
        self.assertEqual([float(part) for part in kept(teacher, teacher, AT, STRIDES)], [0, 0, 0])
        unsure, moved = teacher.clone(), teacher.clone()
        unsure[0, cell(40, 40), :2] = 0
        moved[..., 2] += 1
        self.assertGreater(float(kept(unsure, teacher, AT, STRIDES)[0]), 1)
        self.assertGreater(float(kept(moved, teacher, AT, STRIDES)[1]), 0.3)

    def test_a_new_wrong_box_costs(self) -> None:
        teacher = cells(0.0001)
        student = teacher.clone()
        student[0, cell(8, 8), :2] = torch.logit(torch.tensor(0.9))
        self.assertGreater(float(kept(student, teacher, AT, STRIDES)[0]), 1)

    def test_beyond_the_bounds_more_of_the_same_is_no_difference(self) -> None:
        known, said = bounded(torch.tensor([-9.0, -9, 9, 1]), torch.tensor([-12.0, -5, 30, 2]), -MOST_LOGIT, MOST_LOGIT)
        self.assertEqual((said - known).tolist(), [0, 2, 0, 1])
