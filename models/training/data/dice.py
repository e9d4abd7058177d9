"""Seeded chance on one device: every random number of sampling and augmentation comes from here."""
import torch
from torch import Tensor


class Dice:
    def __init__(self, seed: int, device: torch.device | str = "cpu"):
        self.device = torch.device(device)
        self.generator = torch.Generator(self.device)
        self.generator.manual_seed(seed)

    def uniform(self, low: float, high: float, *shape: int) -> Tensor:
        return low + (high - low) * torch.rand(*shape, generator=self.generator, device=self.device)

    def log_uniform(self, low: float, high: float, *shape: int) -> Tensor:
        """Every factor as likely as any other: as many between 8 and 16 as between 16 and 32."""
        ratio = torch.tensor(high / low, device=self.device)
        return low * ratio ** self.uniform(0, 1, *shape)

    def normal(self, *shape: int) -> Tensor:
        return torch.randn(*shape, generator=self.generator, device=self.device)

    def chance(self, share: float, *shape: int) -> Tensor:
        """True with probability `share`."""
        return self.uniform(0, 1, *shape) < share

    def integers(self, low: int, high: int, *shape: int) -> Tensor:
        """`low` included, `high` not."""
        return torch.randint(low, high, shape, generator=self.generator, device=self.device)

    def pick(self, weights: Tensor, count: int) -> Tensor:
        """`count` indices into `weights` [N], each with probability in proportion; -> [count]."""
        return torch.multinomial(weights, count, replacement=True, generator=self.generator)

    def pick_in_rows(self, weights: Tensor) -> Tensor:
        """One index a row of `weights` [R, N]; a row of zeros gives any index."""
        return torch.multinomial(weights + 1e-6, 1, generator=self.generator)[:, 0]
