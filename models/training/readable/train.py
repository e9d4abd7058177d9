"""
Trains the network on CPUs, by the clock.

usage: python3 -m readable.train --out OUT --data FOLDER:WEIGHT [--data …] --minutes 45 [--resume last.pt] [--share lp:2]
Folders (bank.py) are read again now and then, so they may grow meanwhile; each is shown as often as its weight says, and in it
each source by the root of its size, times its share. Processes learn by themselves and take the mean of their weights every few steps (local
SGD, Stich, arXiv:1805.09767): on a machine shared with others none waits long for another. OUT/last.pt holds weights, their
running average, the optimiser's state and the count of views; OUT/<views>.pt those of every `--keep` minutes.
"""
import argparse
import math
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import cv2
import numpy as np
import torch
import torch.distributed as distributed
from torch import Tensor

from readable.bank import Entry, read, view
from readable.loss import loss
from readable.network import ReadableNet

READ_AGAIN = 300


def batches(
    folders: list[tuple[Path, float]], side: int, count: int, seed: int, shares: Mapping[str, float] = MappingProxyType({})
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Images [n, 3, S, S], maps of 0..1 and masks [n, 2, S/4, S/4], for ever. shares: of sources, where not 1."""
    random = np.random.default_rng(seed)
    banks: list[tuple[float, list[list[Entry]]]] = []
    number = 0
    while True:
        if number % READ_AGAIN == 0:
            banks = []
            for folder, weight in folders:
                sources: dict[str, list[Entry]] = {}
                for entry in read(folder):
                    sources.setdefault(entry.source, []).append(entry)
                if sources:
                    banks.append((weight, list(sources.values())))
        number += 1
        weights = np.array([weight for weight, _ in banks])
        views = []
        for which in random.choice(len(banks), size=count, p=weights / weights.sum()):
            sizes = np.array([len(e) ** 0.5 * shares.get(e[0].source, 1) for e in banks[which][1]])
            entries = banks[which][1][random.choice(len(sizes), p=sizes / sizes.sum())]
            views.append(view(entries[random.integers(len(entries))], side, random))
        image, wanted, mask = (torch.from_numpy(np.stack([getattr(v, k) for v in views])) for k in ("image", "wanted", "mask"))
        yield image.permute(0, 3, 1, 2).float(), wanted.float() / 255, mask.float()


class Run:
    """Network, optimiser and running average of one process."""

    def __init__(self, resume: Path | None, seed: int, average: float):
        torch.manual_seed(seed)
        kept = torch.load(resume, map_location="cpu", weights_only=True) if resume else None
        self.model = ReadableNet(**kept["cfg"]) if kept else ReadableNet()
        decayed = [p for p in self.model.parameters() if p.ndim > 1]
        others = [p for p in self.model.parameters() if p.ndim <= 1]
        self.optimiser = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.02}, {"params": others, "weight_decay": 0}])
        self.views, self.steps, self.keep = 0, 0, average
        if kept:
            self.model.load_state_dict(kept["model"])
            self.optimiser.load_state_dict(kept["optimiser"])
            self.views = kept["views"]
        self.warm = bool(kept)
        self.average = {k: v.detach().clone() for k, v in (kept["ema"] if kept else self.model.state_dict()).items()}
        self.model = self.model.to(memory_format=torch.channels_last).train()

    def step(self, batch: tuple[Tensor, Tensor, Tensor], rate: float, bf16: bool) -> float:
        pixels, wanted, mask = batch
        self.steps += 1
        for group in self.optimiser.param_groups:
            group["lr"] = rate * min(1, self.steps / 40)
        with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
            logits = self.model(pixels)
        cost = loss(logits, wanted, mask)
        self.optimiser.zero_grad()
        cost.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.optimiser.step()
        value = cost.item()
        if not math.isfinite(value):
            raise SystemExit("The loss is no number any more: halve the rate")
        return value

    def average_in(self, steps: int) -> None:
        """The running average takes in the weights as they are, for so many steps."""
        keep = (self.keep if self.warm else min(self.keep, 1 - 1 / (0.2 * self.steps + 1))) ** steps
        with torch.no_grad():
            for key, value in self.model.state_dict().items():
                if value.is_floating_point():
                    self.average[key].lerp_(value, 1 - keep)
                else:
                    self.average[key].copy_(value)

    def meet(self, processes: int) -> None:
        """All processes go on from the mean of their weights and statistics."""
        with torch.no_grad():
            values = [v for v in self.model.state_dict().values() if v.is_floating_point()]
            flat = torch.cat([v.reshape(-1) for v in values])
            distributed.all_reduce(flat)
            at = 0
            for value in values:
                value.copy_((flat[at : at + value.numel()] / processes).view_as(value))
                at += value.numel()

    def save(self, path: Path) -> None:
        """Whole, or not at all: a run may be stopped at any time."""
        state = {k: v.contiguous() for k, v in self.model.state_dict().items()}
        kept = {"cfg": self.model.cfg, "model": state, "ema": self.average, "optimiser": self.optimiser.state_dict()}
        part = path.with_suffix(".part")
        torch.save({**kept, "views": self.views}, part)
        part.rename(path)


def work(rank: int, a: argparse.Namespace) -> None:
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    if a.processes > 1:
        where = f"file://{(a.out / 'meeting').resolve()}"
        distributed.init_process_group("gloo", init_method=where, rank=rank, world_size=a.processes)
    folders = [(Path(text.rsplit(":", 1)[0]), float(text.rsplit(":", 1)[1])) for text in a.data]
    run = Run(a.resume, a.seed, a.average)
    shares = {text.rsplit(":", 1)[0]: float(text.rsplit(":", 1)[1]) for text in a.share}
    source = batches(folders, a.side, a.batch, a.seed * 1000 + rank, shares)
    begun = saved = kept = time.time()
    done, share, costs = 0, 0.0, []
    while True:
        for _ in range(a.together):
            rate = a.rate * (0.5 + 0.5 * math.cos(math.pi * (a.start + (a.end - a.start) * share))) + 1e-6
            costs.append(run.step(next(source), rate, a.bf16))
        done += a.together
        run.views += a.together * a.batch * a.processes
        now = torch.tensor([done / a.steps if a.steps else (time.time() - begun) / 60 / a.minutes])
        if a.processes > 1:
            run.meet(a.processes)
            distributed.broadcast(now, 0)
        share = min(1.0, now.item())
        run.average_in(a.together)
        if rank == 0:
            if len(costs) >= 48:
                minutes = (time.time() - begun) / 60
                print(f"{minutes:6.2f} min  {run.views:7d} views  loss {np.mean(costs):.4f}  rate {rate:.5f}", flush=True)
                costs = []
            if time.time() - saved > 60 or share >= 1:
                saved = time.time()
                run.save(a.out / "last.pt")
            if time.time() - kept > a.keep * 60:
                kept = time.time()
                run.save(a.out / f"{run.views}.pt")
        if share >= 1:
            return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--data", action="append", required=True)
    parser.add_argument("--share", action="append", default=[], help="SOURCE:TIMES: shown so many times as often")
    parser.add_argument("--minutes", type=float, default=45)
    parser.add_argument("--steps", type=int, help="ends the run by count instead")
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--side", type=int, default=256)
    parser.add_argument("--rate", type=float, default=0.003)
    parser.add_argument("--start", type=float, default=0.0, help="where in the schedule to begin, 0 to 1")
    parser.add_argument("--end", type=float, default=1.0, help="where in it to end")
    parser.add_argument("--average", type=float, default=0.995)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--together", type=int, default=8, help="steps between two means of the processes' weights")
    parser.add_argument("--keep", type=float, default=10, help="minutes between checkpoints that stay")
    parser.add_argument("--bf16", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--resume", type=Path)
    a = parser.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    (a.out / "meeting").unlink(missing_ok=True)
    if a.processes == 1:
        work(0, a)
        return
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    torch.multiprocessing.spawn(work, (a,), nprocs=a.processes)


if __name__ == "__main__":
    main()
