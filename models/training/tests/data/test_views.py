import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import torch

from data.banks import CompressedBank, DecodedBank
from data.batches import boxes_of, clip, join, trim
from data.dice import Dice
from train.loss import overlaps
from data.pack import join as join_packs
from data.pack import read_pack, without_faces
from tests.scenes import one_face_pack, red_box, write_pack
from data.views import Mixture, Sampler

UPRIGHT = dict(empty=0, huge=0, tiny=0)


class ViewsTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.pack = one_face_pack(Path(folder.name))

    def sampler(self, mixture: Mixture, seed: int = 0) -> Sampler:
        return Sampler(CompressedBank(self.pack), Dice(seed), mixture)

    def test_boxes_follow_the_faces(self) -> None:
        for bank in (CompressedBank(self.pack), DecodedBank(self.pack, torch.device("cpu"), 320)):
            for mixture in (Mixture(anchored=1, turned=1, **UPRIGHT), Mixture(anchored=1, turned=0, leaning=1, **UPRIGHT),
                            Mixture(anchored=0, **UPRIGHT)):  # fmt: skip
                views = Sampler(bank, Dice(3), mixture).views(40, 160)
                faces = 0
                for image, box, label in zip(views.images, views.boxes[:, 0], views.labels[:, 0]):
                    seen = red_box(image)
                    if label == 1 and box[3] - box[1] > 24 and float((seen[2:] - seen[:2]).max()) < 160:  # else red behind
                        faces += 1
                        self.assertGreater(float(overlaps(seen, box)[0]), 0.85)
                self.assertGreater(faces, 15)

    def test_turning_and_mirroring_keep_the_shape(self) -> None:
        views = self.sampler(Mixture(anchored=1, turned=0, leaning=1, **UPRIGHT)).views(60, 160)
        whole = (views.boxes[:, 0] > 0).all(1) & (views.boxes[:, 0] < 160).all(1) & (views.frames[:, 0, 3] > 40)
        red = ((views.images[:, 0] > 120) & (views.images[:, 2] < 70)).flatten(1).sum(1)
        area = views.frames[:, 0, 2:4].prod(-1) * torch.pi / 4
        ratio = (red / area)[whole & (red < 10_000)]  # else red behind
        self.assertGreater(len(ratio), 15)
        self.assertLess(float((ratio - 1).abs().max()), 0.06)

    def test_frames_know_which_way_is_up(self) -> None:
        views = self.sampler(Mixture(anchored=1, turned=1, **UPRIGHT)).views(40, 160)
        checked = 0
        for image, frame, label in zip(views.images, views.frames[:, 0], views.labels[:, 0]):
            if label != 1 or frame[3] < 24:
                continue
            up = torch.stack([frame[4].sin(), -frame[4].cos()])
            above, below = ((frame[:2] + sign * up * frame[3] * 0.25).long().clamp(0, 159) for sign in (1, -1))
            self.assertGreater(float(image[1, above[1], above[0]]), 120)  # the upper half is the one with green
            self.assertLess(float(image[1, below[1], below[0]]), 120)
            checked += 1
        self.assertGreater(checked, 15)

    def test_brings_faces_to_all_heights_and_turns(self) -> None:
        views = self.sampler(Mixture(anchored=1, empty=0)).views(600, 320)
        heights, turns = views.frames[:, 0, 3], views.frames[:, 0, 4].abs()
        self.assertGreater(int((heights < 16).sum()), 60)
        self.assertGreaterEqual(float(heights.min()), 7.9)
        self.assertGreater(int((heights > 180).sum()), 60)  # 90 pixels enlarged 2.2 times: the most that is allowed
        self.assertLessEqual(float(heights.max()), 90 * 2.2 + 0.1)
        for quarter in (1.5708, 3.1416, 4.7124):
            self.assertGreater(int(((turns - quarter).abs() < 0.16).sum()), 8)

    def test_tilts_to_both_sides_by_30_to_60_degrees(self) -> None:
        turns = self.sampler(Mixture(anchored=1, empty=0, turned=0, tilted=1)).views(60, 64).frames[:, 0, 4].rad2deg()
        self.assertTrue(((turns.abs() >= 30) & (turns.abs() <= 60)).all())
        self.assertTrue(15 < int((turns > 0).sum()) < 45 and float(turns.abs().min()) < 35 and float(turns.abs().max()) > 55)

    def test_huge_faces_are_cut_off_but_labelled(self) -> None:
        views = self.sampler(Mixture(anchored=1, empty=0, tiny=0, huge=1)).views(60, 128)
        heights = views.frames[:, 0, 3]
        self.assertGreater(int((heights > 128).sum()), 20)
        self.assertTrue((views.labels[heights > 128, 0] == 1).all())

    def test_shows_pictures_without_faces_as_often_as_asked(self) -> None:
        views = self.sampler(Mixture(anchored=0.3, empty=0.5)).views(400, 64)
        self.assertTrue(150 < int((views.labels == -1).all(1).sum()) < 250)

    def test_fills_the_outside(self) -> None:
        views = self.sampler(Mixture(anchored=1, turned=0, leaning=1, empty=0, huge=0, tiny=1)).views(30, 320)
        blue = ((views.images[:, 2] - 120).abs() < 12) & (views.images[:, 0] < 60)
        share = blue.flatten(1).float().mean(1)
        self.assertGreater(int((share > 0.9).sum()), 8)  # a picture without faces, as blue as all of them
        self.assertGreater(int((share < 0.5).sum()), 1)  # black or a colour

    def test_mosaics_carry_their_labels(self) -> None:
        sampler = self.sampler(Mixture(anchored=1, tiny=0, huge=0, empty=0, mosaics=((2, 1.0),)))
        batch = sampler.batch(6, 192)
        self.assertEqual(batch.images.shape, (6, 3, 192, 192))
        faces = 0
        for image, boxes, labels in zip(batch.images, batch.boxes, batch.labels):
            for box in boxes[labels == 1]:
                left, top = (box[:2] // 96 * 96).long().tolist()
                seen = red_box(image[:, top : top + 96, left : left + 96])
                if box[3] - box[1] > 20:
                    faces += 1
                    self.assertGreater(float(overlaps(seen + torch.tensor([left, top] * 2), box)[0]), 0.8)
        self.assertGreater(faces, 10)

    def test_hard_pictures_are_shown_more_often(self) -> None:
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        write_pack(Path(folder.name), [[(20 * i, 20, 20 * i + 60, 100), (200, 100, 260, 180), (10, 150, 60, 220)] for i in range(2)])
        for many in (0.0, 1.0):
            pack = read_pack(Path(folder.name), difficulty={"0.png": 3.0, "1.png": 0.3, "2.png": 0.3, "3.png": 3.0})
            with patch.object(CompressedBank, "render", autospec=True) as render:
                render.side_effect = lambda bank, index, matrix, side: torch.zeros(len(index), 3, side, side)
                Sampler(CompressedBank(pack), Dice(1), Mixture(many=many)).views(400, 32)
            counts = render.call_args_list[0].args[1].bincount(minlength=4).tolist()
            self.assertGreater(counts[0], 5 * counts[1])
            self.assertGreater(counts[3], 5 * counts[2])

    def test_eases(self) -> None:
        usual, eased = Mixture(), Mixture().eased(0.5)
        self.assertEqual((eased.turned, eased.tiny, eased.anchored), (usual.turned / 2, usual.tiny / 2, usual.anchored))
        self.assertEqual((eased.tilted, eased.leaning), (usual.tilted / 2, usual.leaning / 2))
        self.assertEqual(eased.mosaics, tuple((across, share / 2) for across, share in usual.mosaics))
        self.assertEqual(Mixture().eased(1.0), usual)

    def test_is_repeatable(self) -> None:
        one, same, other = (self.sampler(Mixture(), seed).batch(8, 96) for seed in (5, 5, 6))
        self.assertTrue(torch.equal(one.images, same.images) and torch.equal(one.boxes, same.boxes))
        self.assertFalse(torch.equal(one.images, other.images))

    def test_refuses_data_without_one_kind(self) -> None:
        for pack in (without_faces([b""], [(9, 9)], 1.0),):
            with self.assertRaisesRegex(ValueError, "with a face and one without"):
                Sampler(CompressedBank(pack), Dice(0))
        self.assertTrue(Sampler(CompressedBank(join_packs([self.pack])), Dice(0)))


class BatchesTest(unittest.TestCase):
    def test_boxes_of_turned_ellipses(self) -> None:
        frames = torch.tensor([[50.0, 40.0, 20.0, 30.0, turn] for turn in (0, torch.pi / 2, torch.pi)])
        expected = torch.tensor([[40.0, 25.0, 60.0, 55.0], [35.0, 30.0, 65.0, 50.0], [40.0, 25.0, 60.0, 55.0]])
        torch.testing.assert_close(boxes_of(frames), expected, atol=1e-4, rtol=0)

    def test_clip_lowers_labels(self) -> None:
        whole, half, less, trace = ([x, 0.0, x + 20, 20] for x in (10, -10, -12, -19))
        boxes = torch.tensor([[whole, half, less, trace, [5, 5, 9, 10], [40, 40, 50, 50]]])
        cut, labels = clip(boxes, torch.tensor([[1, 1, 1, 1, 1, 0]]), 64)
        self.assertEqual(labels.tolist(), [[1, 1, 0, -1, 0, 0]])
        self.assertEqual(cut[0, 1].tolist(), [0, 0, 10, 20])

    def test_trims_to_what_is_used(self) -> None:
        from data.batches import Batch

        def batch(labels: list[list[int]]) -> Batch:
            kinds = torch.tensor(labels)
            numbers = torch.arange(kinds.shape[1]).float().expand(len(kinds), -1)[..., None]
            return Batch(torch.zeros(len(kinds), 3, 4, 4), numbers.repeat(1, 1, 4), kinds, numbers.repeat(1, 1, 5))

        trimmed = trim(join([batch([[-1, 0, 1, -1]]), batch([[1, -1]])]))
        self.assertEqual(trimmed.labels.tolist(), [[1, 0], [1, -1]])
        self.assertEqual(trimmed.boxes[0, :, 0].tolist(), [2, 1])
        self.assertEqual(trimmed.frames[0, :, 0].tolist(), [2, 1])
