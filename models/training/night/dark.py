"""Views in the dark, and as the service shows them. All take images [n, 3, S, S] (RGB, 0..255) and give new ones."""
import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from data.augmentation import apply_to
from data.degradation import gaussian_blur, low_resolution, motion_blur, quantise
from data.dice import Dice
from data.lighting import luma

# As src/faces/dark.ts has it: what shadows are lifted to, and the least exponent.
WANTED_LUMA, LEAST_GAMMA = 110.0, 0.25
# The night view is for pictures of a lower mean luma than 40; a part of one may be lighter.
MOST_LUMA = 48.0

BLURS = ((gaussian_blur, 0.06), (motion_blur, 0.09), (low_resolution, 0.08))
SPOTS = 0.25
JPEG = 0.25


def lamplight(images: Tensor, dice: Dice) -> Tensor:
    """A cast: of warm lamps in two of five views, else by 0.85 to 1.18 a channel."""
    n = len(images)
    warm = torch.stack([dice.uniform(0.9, 1.1, n), dice.uniform(0.55, 0.95, n), dice.uniform(0.25, 0.8, n)], 1)
    any_colour = dice.uniform(-0.16, 0.16, n, 3).exp()
    return images * torch.where(dice.chance(0.4, n, 1), warm, any_colour)[..., None, None]


def darkened(images: Tensor, dice: Dice) -> Tensor:
    """Three in five by a gamma of 1.8 to 4, the others by 0.006 to 0.25 of the light (codes of a gamma of 2.2)."""
    n = len(images)
    codes = torch.arange(256, device=images.device) / 255
    curved = codes ** dice.uniform(1.8, 4, n, 1) * dice.uniform(0.8, 1.1, n, 1)
    dimmed = codes * dice.log_uniform(0.006, 0.25, n, 1) ** (1 / 2.2)
    return _looked_up(255 * torch.where(dice.chance(0.6, n, 1), curved, dimmed), images)


def _looked_up(tables: Tensor, codes: Tensor) -> Tensor:
    """What a table [n, K] says of each code: powers of so many pixels take longer."""
    index = codes.round().clamp(0, tables.shape[1] - 1).long()
    return tables.gather(1, index.flatten(1)).view_as(codes)


def spot(images: Tensor, dice: Dice) -> Tensor:
    """A lamp or a screen: a round of light anywhere, which keeps the mean up where all else is dark."""
    n, side = len(images), images.shape[-1]
    axis = torch.arange(side, device=images.device) + 0.5
    at = dice.uniform(0, 1, n, 2) * side
    apart = (axis[None, None] - at[:, 0, None, None]) ** 2 + (axis[None, :, None] - at[:, 1, None, None]) ** 2
    reach = dice.log_uniform(side / 40, side / 5, n, 1, 1)
    light = dice.uniform(40, 255, n, 1, 1) * torch.exp(-((apart / reach**2) ** dice.uniform(0.7, 3, n, 1, 1)))
    return images + light[:, None]


def sensor_noise(images: Tensor, dice: Dice) -> Tensor:
    """
    A part that is there in the dark (deviation 1 to 9) and one that grows with the light (to 7 at 100); in colour, with a
    share of grey. In two of five batches grains are larger than a pixel, as after a camera's own clearing.
    """
    n, side = len(images), images.shape[-1]
    coarse = dice.uniform(0, 1, 1).item() < 0.4
    small = max(8, round(side / dice.uniform(1.3, 2.6, 1).item())) if coarse else side
    share = dice.uniform(0, 1, n, 1, 1, 1) * dice.chance(0.5, n, 1, 1, 1)
    grain = dice.normal(n, 3, small, small) * (1 - share).sqrt() + dice.normal(n, 1, small, small) * share.sqrt()
    if coarse:
        grain = F.interpolate(grain, size=(side, side), mode="bilinear", align_corners=False)
        grain = grain / grain.std((1, 2, 3), keepdim=True).clamp(min=1e-3)
    read = dice.log_uniform(1, 9, n, 1, 1, 1)
    shot = dice.uniform(0, 0.5, n, 1, 1, 1)
    return images + grain * (read**2 + shot * images.clamp(min=0)).sqrt()


# Pixels whose mean takes the place of one.
MEAN_OF = 9


def lifted(images: Tensor, lumas: Tensor) -> Tensor:
    """As `liftShadows` of src/faces/dark.ts: means of 3 x 3, then the gamma that brings `lumas` [n] to 110. Whole codes."""
    gamma = math.log(WANTED_LUMA / 255) / (lumas.clamp(1, 254) / 255).log()
    codes = F.pad(images.round().clamp(0, 255), (1, 1, 1, 1), mode="replicate")
    sums = F.avg_pool2d(codes, 3, 1) * MEAN_OF
    means = torch.arange(MEAN_OF * 255 + 1, device=images.device) / (MEAN_OF * 255)
    return _looked_up((255 * means ** gamma.clamp(LEAST_GAMMA, 1)[:, None]).round(), sums)


def night(images: Tensor, dice: Dice, forced: Tensor | None = None) -> Tensor:
    """
    Little light and what comes with it, in whole codes: dark enough for the night view, or where `forced` [n] is false as
    dark as it happens to become.
    """
    count, images = len(images), images.clone()
    for change, often in BLURS:
        apply_to(images, dice.chance(often, count), lambda part, rows: change(part, dice))
    images = darkened(lamplight(images, dice), dice)
    apply_to(images, dice.chance(SPOTS, count), lambda part, rows: spot(part, dice))
    mean = luma(images).mean((1, 2, 3))
    too_light = mean > MOST_LUMA if forced is None else (mean > MOST_LUMA) & forced
    less = torch.where(too_light, MOST_LUMA / mean * dice.uniform(0.2, 1, count), torch.ones_like(mean))
    images = sensor_noise(images * less[:, None, None, None], dice).clamp(0, 255)
    quality, halved = dice.uniform(30, 92, count), dice.uniform(0, 1, 1).item() < 0.6
    apply_to(images, dice.chance(JPEG, count), lambda part, rows: quantise(part, quality[rows], halved))
    return images.round().clamp(0, 255)


def shown(images: Tensor, dice: Dice) -> Tensor:
    """As the service shows it: lifted by about the mean of the whole, of which this may be a part."""
    lumas = luma(images).mean((1, 2, 3)) * (0.25 * dice.normal(len(images))).exp()
    return lifted(images, lumas)


def night_view(images: Tensor, dice: Dice) -> Tensor:
    """Clean images as the night view has them; one batch in three enlarged after that, as tiles of small pictures are."""
    return enlarged(images, dice, lambda part: (shown(night(part, dice), dice),))[0]


def enlarged(images: Tensor, dice: Dice, make: Callable[[Tensor], tuple[Tensor, ...]]) -> tuple[Tensor, ...]:
    """What `make` gives of images of a side; for one batch in three of smaller ones, enlarged to that side afterwards."""
    side = images.shape[-1]
    if dice.uniform(0, 1, 1).item() >= 1 / 3:
        return make(images)
    small = round(side / 1.2 / 16) * 16
    reduced = F.interpolate(images, size=(small, small), mode="bilinear", align_corners=False, antialias=True)
    return tuple(F.interpolate(view, size=(side, side), mode="bilinear", align_corners=False) for view in make(reduced))


# Of the views in the dark: as they are, and with the gamma of 0.5 that pictures of a mean luma below 70 are shown with.
AS_IS, BRIGHTENED = 0.45, 0.15
# And how many of them are as dark as the night view wants them.
FORCED = 0.5


def dark_views(images: Tensor, dice: Dice) -> tuple[Tensor, Tensor]:
    """Clean images -> the same in the dark; and as one of the service's views shows those: as they are, brighter, lifted."""

    def make(part: Tensor) -> tuple[Tensor, Tensor]:
        dark = night(part, dice, dice.chance(FORCED, len(part)))
        u = dice.uniform(0, 1, len(part))
        view = dark.clone()
        apply_to(view, (u >= AS_IS) & (u < AS_IS + BRIGHTENED), lambda some, rows: (255 * (some / 255).sqrt()).round())
        apply_to(view, u >= AS_IS + BRIGHTENED, lambda some, rows: shown(some, dice))
        return dark, view

    dark, view = enlarged(images, dice, make)
    return dark, view
