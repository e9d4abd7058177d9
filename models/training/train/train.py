"""Trains the detector, on a GPU or on a CPU's cores; the schedule goes by the clock, so that a run always ends decayed.

usage: python3 -m train.train --data FOLDER [--data FOLDER ...] --out FOLDER --minutes 9 [--device cuda] [--resume FOLDER/last.pt]
A long run is cut into calls by --start and --end, the shares of the whole schedule that a call covers; a checkpoint trained at
a constant rate (--constant) is finished by one call with --start 0.5. README.md has whole recipes.
"""
import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist
import torch.multiprocessing as processes
from torch import Tensor

from data.augmentation import augment
from data.banks import CompressedBank, DecodedBank
from data.dice import Dice
from data.drawings import drawn_pack
from train.learner import Learner, Settings, read_checkpoint
from train.model import FaceNet
from data.pack import SOURCE_WEIGHTS, join, read_pack
from data.views import Mixture, Sampler

REPORT_EVERY, SAVE_EVERY = 50, 200

# On one thread PyTorch leaves 1x1 convolutions of fewer images to BLAS instead of oneDNN (ATen, ConvParams::use_mkldnn); with
# the reference BLAS a step then takes eight times as long.
LEAST_BATCH = 16


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--data", action="append", required=True, help="folder with labels.json; may be given several times")
    add("--out", required=True, type=Path, help="gets last.pt")
    add("--minutes", type=float, required=True)
    add("--start", type=float, default=0.0, help="where in the schedule this call starts, 0..1")
    add("--end", type=float, default=1.0, help="and where it ends")
    add("--constant", action="store_true", help="no decay: to be finished by another call")
    add("--resume", help="checkpoint to go on from; brings its --cfg along")
    add("--cfg", type=json.loads, default={}, help='the network, as in {"c":[16,40,80,112,144],"n":[1,2,3,2],"neck":80}')
    add("--device", default="cpu", help="cpu or cuda")
    add("--bf16", action="store_true", help="CPU: convolutions in bfloat16, as always on a GPU")
    add("--processes", type=int, default=1, help="CPU only: data-parallel processes, one core each")
    add("--batch", type=int, help="images of 320 pixels a step, over all processes; default 32, on a GPU 192")
    add("--least", type=int, default=LEAST_BATCH, help="images a step and process at least, however large they are")
    add("--rate", type=float, help="learning rate; default 0.003, on a GPU 0.004")
    add("--decay", type=float, default=0.02, help="weight decay")
    add("--average", type=float, help="share of the running average kept a step; default 0.998, on a GPU 0.9995")
    add("--warmup", type=int, help="steps; default 250, 40 with --resume")
    add("--sides", default=None, help="image sides drawn from; default 256,256,320,416, on a GPU 320,320,416,544")
    add("--drawn", type=int, default=1500, help="pictures without faces drawn by code")
    add("--empty", type=float, default=Mixture.empty, help="share of the views that are of pictures without faces")
    add("--top", action="store_true", help="a short run with a fresh optimiser: only what comes after stride 8 learns")
    add("--store", type=int, default=640, help="GPU only: longest side that pictures are kept at")
    add("--hard", type=float, default=1.0, help="share of the augmentations, turns, mosaics and odd sizes that is kept, 0..1")
    add("--difficulty", type=Path, help="file of difficulty.py: hard pictures are seen more often")
    add("--seed", type=int, default=0)
    add("--limit", type=int, help="use only about so many pictures of each folder")
    add("--steps", type=int, help="stop after so many steps")
    add("--port", type=int, default=29511, help="local port for --processes")
    a = parser.parse_args()
    gpu = a.device.startswith("cuda")
    defaults = dict(batch=192, rate=4e-3, average=0.9995, sides="320,320,416,544") if gpu else dict(
        batch=32, rate=3e-3, average=0.998, sides="256,256,320,416"
    )  # fmt: skip
    for key, value in {**defaults, "warmup": 40 if a.resume else 250}.items():
        if getattr(a, key) is None:
            setattr(a, key, value)
    a.sides = [int(side) for side in a.sides.split(",")]
    if any(side % 32 for side in a.sides):
        parser.error("--sides must be multiples of 32")
    if a.processes > 1 and gpu:
        parser.error("--processes is for the CPU")
    return a


def make_sampler(a: argparse.Namespace, device: torch.device, seed: int, say) -> Sampler:
    difficulty = json.loads(a.difficulty.read_text()) if a.difficulty else None
    packs = [read_pack(folder, limit=a.limit, difficulty=difficulty) for folder in a.data]
    if a.drawn:
        # As rare against the other pictures without faces as when nobody knows how hard those are.
        empty = [pack.difficulty[pack.empty] for pack in packs]
        usual = float(np.concatenate(empty).mean()) if any(map(len, empty)) else 1.0
        packs.append(drawn_pack(a.drawn, a.seed, SOURCE_WEIGHTS["drawn"], difficulty=usual))
    pack = join(packs)
    say(f"{len(pack.files)} pictures: {int((pack.faces > 0).sum())} with {int(pack.faces.sum())} faces, "
        f"{int((pack.faces >= 3).sum())} with three or more, {int(pack.empty.sum())} without")  # fmt: skip
    bank = DecodedBank(pack, device, a.store) if device.type == "cuda" else CompressedBank(pack)
    return Sampler(bank, Dice(seed, device), Mixture(empty=a.empty).eased(a.hard))


def run(rank: int, a: argparse.Namespace) -> None:
    """One process of the run; the first reports, saves, and its clock rules."""
    device, world = torch.device(a.device), a.processes
    torch.manual_seed(a.seed)
    if device.type == "cuda":
        torch.backends.cudnn.benchmark = True
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    else:
        torch.set_num_threads(1)
        torch.set_flush_denormal(True)
    if world > 1:
        dist.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{a.port}", rank=rank, world_size=world)

    def say(line: str) -> None:
        if rank == 0:
            print(line, flush=True)

    checkpoint = read_checkpoint(a.resume) if a.resume else None
    model = FaceNet(**(checkpoint["cfg"] if checkpoint else a.cfg))
    settings = Settings(a.rate, a.decay, a.average, a.warmup, a.bf16 or device.type == "cuda", a.top)
    learner = Learner(model, settings, device, checkpoint)
    # Another seed for each process and each call: a resumed run shall not see the same batches again.
    sampler = make_sampler(a, device, a.seed * 1_000_003 + learner.steps * 101 + rank, say)
    shapes = Dice(a.seed * 1_000_003 + learner.steps * 101)  # the same in all processes: equal work for each

    begun = reported = time.time()
    done, seen, sums = a.start, 0, torch.zeros(3, device=device)
    while done < a.end and (a.steps is None or learner.steps - learner.first_step < a.steps):
        side = a.sides[int(shapes.integers(0, len(a.sides), 1))]
        count = max(a.least, round(a.batch / world * (320 / side) ** 2))
        with torch.no_grad():
            batch = sampler.batch(count, side)
            images = augment(batch, sampler.dice, a.hard)
        sums += learner.step(images, batch.boxes, batch.labels, 0.0 if a.constant else done)
        seen += count * world
        done = _agree(a.start + (a.end - a.start) * (time.time() - begun) / (a.minutes * 60), world)
        if learner.steps % REPORT_EVERY == 0:
            score, giou, distance = (sums / REPORT_EVERY).tolist()
            if score + giou + distance != score + giou + distance:
                raise FloatingPointError("the loss is no number any more: halve --rate")
            speed = seen / (time.time() - reported)
            say(f"step {learner.steps} done {done:.3f} images/s {speed:.1f} "
                f"score {score:.3f} giou {giou:.3f} distance {distance:.3f}")  # fmt: skip
            seen, reported = 0, time.time()
            sums.zero_()
        if rank == 0 and learner.steps % SAVE_EVERY == 0:
            learner.save(a.out / "last.pt")
    if rank == 0:
        learner.save(a.out / "last.pt")
    say(f"finished at step {learner.steps}")
    if world > 1:
        dist.barrier()  # who leaves early takes the others' connections along
        dist.destroy_process_group()


def _agree(done: float, world: int) -> float:
    """The first process's view, in all of them: they must stop at the same step."""
    if world == 1:
        return done
    shared: Tensor = torch.tensor([done], dtype=torch.float64)
    dist.broadcast(shared, 0)
    return float(shared)


def main() -> None:
    a = arguments()
    a.out.mkdir(parents=True, exist_ok=True)
    if a.processes > 1:
        processes.spawn(run, args=(a,), nprocs=a.processes)
    else:
        run(0, a)


if __name__ == "__main__":
    main()
