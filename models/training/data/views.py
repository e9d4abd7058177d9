"""What the detector is shown: windows of the pictures at chosen scale, place and turn, and mosaics of them, with their labels.

Everything is drawn for a whole batch at once and on the bank's device, so that the CPU and the GPU see the same mixture.
"""
import math
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from data.banks import Bank
from data.batches import Batch, boxes_of, clip, join, trim
from data.dice import Dice


@dataclass
class Mixture:
    """Shares of what is shown; each a probability."""

    anchored: float = 0.58  # one face brought to a chosen height
    empty: float = 0.18  # a window of a picture without faces; the rest is a window of a picture with some
    tiny: float = 0.12  # of the anchored: 8 to 16 pixels high
    huge: float = 0.07  # of the anchored: 0.8 to 1.3 of the view
    many: float = 0.3  # of the pictures with faces: one with three or more
    turned: float = 0.12  # by a quarter, a half or three quarters
    leaning: float = 0.38  # by up to 30 degrees either way; the rest by up to 6
    tilted: float = 0.16  # by 30 to 60 degrees either way
    mosaics: tuple[tuple[int, float], ...] = ((3, 0.09), (2, 0.18))  # views a side, share of the batch

    def eased(self, share: float) -> "Mixture":
        """With only that share (0..1) of what is rarer in life than here."""
        rare = {name: getattr(self, name) * share for name in ("tiny", "huge", "turned", "leaning", "tilted")}
        return replace(self, **rare, mosaics=tuple((across, part * share) for across, part in self.mosaics))


class Sampler:
    """Batches without end. `device` of the bank is the device of everything."""

    def __init__(self, bank: Bank, dice: Dice, mixture: Mixture | None = None):
        self.bank, self.dice, self.mixture = bank, dice, mixture or Mixture()
        pack, device = bank.pack, bank.device
        self.boxes = torch.from_numpy(pack.boxes).to(device)
        self.labels = torch.from_numpy(pack.labels).to(device)
        self.sizes = torch.from_numpy(pack.sizes).to(device)
        seen = pack.weights * pack.difficulty
        chosen = {"some": seen * (pack.faces > 0), "many": pack.difficulty * (pack.faces >= 3), "empty": seen * pack.empty}
        if not chosen["some"].any() or not chosen["empty"].any():
            raise ValueError("needs at least one picture with a face and one without anything like one")
        if not chosen["many"].any():
            chosen["many"] = chosen["some"]
        self.weights = {key: torch.from_numpy(value).float().to(device) for key, value in chosen.items()}

    def _turns(self, count: int) -> Tensor:
        dice, m = self.dice, self.mixture
        u = dice.uniform(0, 1, count)
        quarters = dice.integers(1, 4, count) * (math.pi / 2) + dice.uniform(-0.15, 0.15, count)
        leaning, nearly = (dice.uniform(-1, 1, count) * math.radians(most) for most in (30, 6))
        sign = torch.where(dice.chance(0.5, count), -1.0, 1.0)
        tilted = sign * dice.uniform(math.radians(30), math.radians(60), count)
        upright = torch.where(u < m.turned + m.tilted + m.leaning, leaning, nearly)
        return torch.where(u < m.turned, quarters, torch.where(u < m.turned + m.tilted, tilted, upright))

    def _heights(self, count: int, side: int) -> Tensor:
        """Heights in pixels that the chosen faces are brought to."""
        dice, m = self.dice, self.mixture
        u = dice.uniform(0, 1, count)
        usual, tiny = dice.log_uniform(8, side * 0.95, count), dice.log_uniform(8, 16, count)
        huge = dice.uniform(0.8, 1.3, count) * side
        return torch.where(u < m.tiny, tiny, torch.where(u < m.tiny + m.huge, huge, usual))

    def views(self, count: int, side: int) -> Batch:
        """`count` single views. Index, scale k, the point of the picture shown at the point of the view, turn, mirroring."""
        dice, m, device = self.dice, self.mixture, self.bank.device
        u = dice.uniform(0, 1, count)
        anchored, empty = u < m.anchored, u >= 1 - m.empty
        some = torch.where(
            dice.chance(m.many, count), dice.pick(self.weights["many"], count), dice.pick(self.weights["some"], count)
        )
        index = torch.where(empty, dice.pick(self.weights["empty"], count), some)
        boxes, labels, sizes = self.boxes[index], self.labels[index], self.sizes[index]

        face = boxes[torch.arange(count, device=device), dice.pick_in_rows((labels == 1).float())]
        height = (face[:, 3] - face[:, 1]).clamp(min=2)
        # Small faces are not enlarged much: what the detector would learn is interpolation.
        near = (self._heights(count, side) / height).minimum(torch.where(height > 24, 2.2, 1.5))
        margin = (height * near * 0.45).clamp(max=side / 2)[:, None]
        near_to = margin + dice.uniform(0, 1, count, 2) * (side - 2 * margin)

        # A window of the whole: from all of a picture with faces, or the largest square of one without, to a third of that.
        least = torch.where(empty, side / sizes.amin(1), 0.8 * side / sizes.amax(1))
        wide = (least * dice.log_uniform(1, 3, count)).minimum(least.clamp(min=2.0))
        reach = (side / 2 / wide)[:, None]
        room = (sizes - 2 * reach).clamp(min=0)
        wide_from = torch.where(room > 0, reach + dice.uniform(0, 1, count, 2) * room, sizes / 2)

        pick = anchored[:, None]
        k = torch.where(anchored, near, wide)
        source = torch.where(pick, (face[:, :2] + face[:, 2:]) / 2, wide_from)
        target = torch.where(pick, near_to, torch.full_like(near_to, side / 2))
        mirror = torch.where(dice.chance(0.5, count), -1.0, 1.0)
        turn = self._turns(count)
        cos, sin = turn.cos() * k, turn.sin() * k
        linear = torch.stack([torch.stack([cos * mirror, -sin], 1), torch.stack([sin * mirror, cos], 1)], 1)
        shift = target - (linear @ source[..., None])[..., 0]
        matrix = torch.cat([linear, shift[..., None]], 2)

        images = self._backed(self.bank.render(index, matrix, side), index, matrix)
        middles = (boxes[..., :2] + boxes[..., 2:]) / 2 @ linear.transpose(1, 2) + shift[:, None]
        extents = (boxes[..., 2:] - boxes[..., :2]) * k[:, None, None]
        frames = torch.cat([middles, extents, turn[:, None, None].expand(-1, boxes.shape[1], 1)], 2)
        boxes, labels = clip(boxes_of(frames), labels, side)
        return Batch(images, boxes, labels, frames)

    def _backed(self, images: Tensor, index: Tensor, matrix: Tensor) -> Tensor:
        """Fills what lies outside the picture: black, one colour, or a window of a picture without faces."""
        dice, side, device = self.dice, images.shape[-1], images.device
        inverse = torch.linalg.inv(matrix[:, :, :2])
        corners = torch.tensor([[0, 0], [side, 0], [0, side], [side, side]], dtype=torch.float32, device=device)
        seen = (corners - matrix[:, None, :, 2]) @ inverse.transpose(1, 2)
        part = ((seen < 0) | (seen > self.sizes[index][:, None])).flatten(1).any(1).nonzero().flatten()
        if not len(part):
            return images
        axis = torch.arange(side, device=device) + 0.5
        a, origin = inverse[part, :, :, None, None], (inverse[part] @ matrix[part, :, 2:])[..., None]
        source = a[:, :, 0] * axis[None, None, None, :] + a[:, :, 1] * axis[None, None, :, None] - origin
        inside = ((source >= 0) & (source <= self.sizes[index[part], :, None, None])).all(1, keepdim=True)

        u = dice.uniform(0, 1, len(part), 1, 1, 1)
        behind = dice.uniform(0, 255, len(part), 3, 1, 1) * (u >= 0.15)
        behind = behind.expand(-1, -1, side, side).contiguous()
        shown = (u.flatten() >= 0.25).nonzero().flatten()
        if len(shown):
            behind[shown] = self._without_faces(len(shown), side)
        images[part] = torch.where(inside, images[part], behind)
        return images

    def _without_faces(self, count: int, side: int) -> Tensor:
        """Upright windows of pictures without faces, from the largest square to a 2.7th of it."""
        dice = self.dice
        index = dice.pick(self.weights["empty"], count)
        scale = side / self.sizes[index].amin(1) * dice.uniform(1, 2.7, count)
        reach = (side / 2 / scale)[:, None]
        middle = reach + dice.uniform(0, 1, count, 2) * (self.sizes[index] - 2 * reach).clamp(min=0)
        linear = torch.eye(2, device=self.bank.device) * scale[:, None, None]
        shift = side / 2 - middle * scale[:, None]
        return self.bank.render(index, torch.cat([linear, shift[..., None]], 2), side)

    def batch(self, count: int, side: int) -> Batch:
        """`count` images of `side` pixels: mosaics and single views."""
        parts, left = [], count
        for across, share in self.mixture.mosaics:
            mosaics = int(count * share + self.dice.uniform(0, 1, 1).item())
            if mosaics := min(mosaics, left):
                parts.append(self._mosaics(mosaics, across, side))
                left -= mosaics
        if left:
            parts.append(self.views(left, side))
        return trim(join(parts))

    def _mosaics(self, count: int, across: int, side: int) -> Batch:
        """Images of across * across views each."""
        cell = math.ceil(side / across)
        single = self.views(count * across * across, cell)
        tiles = single.images.view(count, across, across, 3, cell, cell).permute(0, 3, 1, 4, 2, 5)
        images = tiles.reshape(count, 3, across * cell, across * cell)[..., :side, :side].contiguous()
        steps = torch.arange(across * across, device=images.device)
        corner = torch.stack([steps % across, steps // across], 1) * cell

        def gather(values: Tensor) -> Tensor:
            return values.reshape(count, -1, values.shape[-1])

        boxes = single.boxes + corner.repeat(count, 2)[:, None]
        frames = single.frames.clone()
        frames[..., :2] += corner.repeat(count, 1)[:, None]
        labels = single.labels.reshape(count, -1)
        # The last row and column lose at most `across` - 1 pixels to the image's edge.
        boxes, labels = clip(gather(boxes), labels, side)
        return Batch(images, boxes, labels, gather(frames))
