"""A network in training: weights, their running average, optimiser, one step, and the file all of it is kept in."""
import math
import os
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.distributed as dist
from torch import Tensor, nn

from train.loss import losses
from train.model import FaceNet, cells, flatten

# What the box losses weigh against the score's.
GIOU_WEIGHT, DISTANCE_WEIGHT = 1.5, 0.3
MOST_GRADIENT = 10.0


@dataclass
class Settings:
    learning_rate: float
    weight_decay: float
    averaging: float  # share of the running average kept at each step: 0.998 remembers about 500 steps
    warmup: int  # steps
    bf16: bool = False  # convolutions in bfloat16: about half the time on a GPU and on CPUs with AVX512-BF16
    top: bool = False  # only what comes after stride 8 learns, norms keep their statistics: short runs, a fresh optimiser


# What a short run leaves as it is: half the work, and what faces and everything else are made of.
BOTTOM = ("stem.", "stem_bn.", "s4.", "s8.")


def learning_rate(most: float, done: float, step: int, warmup: int) -> float:
    """Cosine from `most` to a fiftieth over `done` 0..1 (Loshchilov and Hutter, arXiv:1608.03983), after a linear warm-up."""
    return most * min(1.0, (step + 1) / warmup) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(done, 1.0))))


class Learner:
    def __init__(self, model: FaceNet, settings: Settings, device: torch.device, checkpoint: dict | None = None):
        """With `checkpoint`, goes on where that run stopped; its optimiser's state and step count come along."""
        if checkpoint:
            model.load_state_dict(checkpoint["model"])
        self.model = model.to(device).to(memory_format=torch.channels_last).train()
        self.settings, self.device = settings, device
        if settings.top:
            self.model.eval()
            for name, parameter in self.model.named_parameters():
                parameter.requires_grad_(not name.startswith(BOTTOM))
        learning = [p for p in model.parameters() if p.requires_grad]
        average = checkpoint["ema"] if checkpoint else model.state_dict()
        self.average = {key: value.detach().clone().to(device) for key, value in average.items()}
        # Decay only what mixes channels: a depthwise filter or a scale has no reason to shrink.
        mixing = [p for p in learning if p.dim() == 4 and p.shape[1] > 1]
        other = [p for p in learning if not (p.dim() == 4 and p.shape[1] > 1)]
        groups = [dict(params=mixing, weight_decay=settings.weight_decay), dict(params=other, weight_decay=0.0)]
        self.optimiser = torch.optim.AdamW(groups, lr=settings.learning_rate, betas=(0.9, 0.99))
        self.steps = 0
        if checkpoint:
            if not settings.top:  # which has fewer weights to learn
                self.optimiser.load_state_dict(checkpoint["opt"])
            self.steps = checkpoint["it"]
        self.first_step = self.steps
        self._cells: dict[int, tuple[Tensor, Tensor]] = {}

    def step(self, images: Tensor, boxes: Tensor, labels: Tensor, done: float) -> Tensor:
        """
        One batch, images 0..255; `done` says how far the schedule is, 0..1. Gradients are averaged over the processes of a
        group where there is one. -> the three losses, on the device.
        """
        rate = learning_rate(self.settings.learning_rate, done, self.steps - self.first_step, self.settings.warmup)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        side = images.shape[-1]
        if side not in self._cells:
            self._cells[side] = cells(side, side, self.device)
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.settings.bf16):
            outputs = self.model(images.contiguous(memory_format=torch.channels_last))
        parts = losses(flatten([o.float() for o in outputs]), boxes, labels, *self._cells[side])
        self.optimiser.zero_grad(set_to_none=True)
        (parts[0] + GIOU_WEIGHT * parts[1] + DISTANCE_WEIGHT * parts[2]).backward()
        if dist.is_initialized():
            self._share_gradients()
        nn.utils.clip_grad_norm_(self.model.parameters(), MOST_GRADIENT)
        self.optimiser.step()
        self.steps += 1
        self._update_average()
        return torch.stack([part.detach() for part in parts])

    def _share_gradients(self) -> None:
        parameters = [p for p in self.model.parameters() if p.requires_grad]
        for p in parameters:
            p.grad = torch.zeros_like(p) if p.grad is None else p.grad
        joined = torch.cat([p.grad.reshape(-1) for p in parameters])
        dist.all_reduce(joined)
        joined /= dist.get_world_size()
        for p, part in zip(parameters, joined.split([p.numel() for p in parameters])):
            p.grad.copy_(part.view(p.shape))

    @torch.no_grad()
    def _update_average(self) -> None:
        """Young runs forget faster: the first weights are random."""
        keep = min(self.settings.averaging, (self.steps + 1) / (self.steps + 20))
        state = self.model.state_dict()
        floats = [key for key, value in state.items() if value.is_floating_point()]
        torch._foreach_mul_([self.average[key] for key in floats], keep)
        torch._foreach_add_([self.average[key] for key in floats], [state[key] for key in floats], alpha=1 - keep)
        for key in state.keys() - set(floats):
            self.average[key].copy_(state[key])

    def save(self, path: Path) -> None:
        """Written beside and moved into place, so that a stop leaves the old file or the new one."""
        state = dict(
            cfg=self.model.cfg,
            model={key: value.cpu() for key, value in self.model.state_dict().items()},
            ema={key: value.cpu() for key, value in self.average.items()},
            opt=self.optimiser.state_dict(),
            it=self.steps,
        )
        beside = path.with_name(path.name + ".part")
        torch.save(state, beside)
        os.replace(beside, path)


def read_checkpoint(path: str | Path) -> dict:
    """
    cfg, model, ema (the average), opt, it (steps). PyTorch 1 cannot read numbers without being able to run code: there, open
    only files of your own.
    """
    return torch.load(path, map_location="cpu", weights_only=int(torch.__version__.split(".")[0]) >= 2)


def averaged_network(path: str | Path) -> FaceNet:
    """The network of a checkpoint with its averaged weights, for use."""
    checkpoint = read_checkpoint(path)
    model = FaceNet(**checkpoint["cfg"])
    model.load_state_dict(checkpoint["ema"])
    return model.eval()
