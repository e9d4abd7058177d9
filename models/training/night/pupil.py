"""A network in training beside the weights it began as: its teacher, its running average and its optimiser."""
import copy

import torch
from torch import Tensor, nn

from train.learner import learning_rate

MOST_GRADIENT = 5.0


class Pupil:
    def __init__(self, model: nn.Module, device: torch.device, rate: float, average: float, warmup: int = 100):
        """`rate`: the highest of the cosine; `average`: what the running average keeps a step."""
        self.model = model.to(device).train()
        self.teacher = copy.deepcopy(self.model).eval().requires_grad_(False)
        self.averaged = copy.deepcopy(self.teacher)
        self.optimiser = torch.optim.AdamW(self.model.parameters(), lr=rate, betas=(0.9, 0.99), weight_decay=0.0)
        self.rate, self.average, self.warmup, self.steps = rate, average, warmup, 0

    def learn(self, loss: Tensor, done: float) -> None:
        """One step; `done` of the schedule, 0..1."""
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate(self.rate, done, self.steps, self.warmup)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), MOST_GRADIENT)
        self.optimiser.step()
        self.steps += 1
        keep = min(self.average, self.steps / (self.steps + 10))
        with torch.no_grad():
            means, now = list(self.averaged.parameters()), list(self.model.parameters())
            torch._foreach_mul_(means, keep)
            torch._foreach_add_(means, now, alpha=1 - keep)

    def state(self) -> dict[str, Tensor]:
        """The running average, on the CPU."""
        return {name: value.detach().cpu().clone() for name, value in self.averaged.state_dict().items()}
