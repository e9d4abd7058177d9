"""An exported network as a checkpoint again, to be trained on where its own checkpoint is no longer there.

usage: python3 -m train.restore face_detector.onnx --scale 2.2 --bias -0.1449 --data FOLDER --out restored.pt
Export folds every batch norm into the convolution before it; here each gets its own norm again, whose statistics are taken
from the training views, so that the network gives what it gave and trains as it would have. Filters are brought to the
length that fresh ones have, which norms make up for: with it goes what a learning rate means. The optimiser begins anew.
"""
import argparse
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from data.augmentation import augment
from data.banks import CompressedBank
from data.dice import Dice
from train.learner import Learner, Settings
from train.model import FaceNet, Sep
from data.pack import read_pack
from data.views import Sampler

STAGES = ("s4", "s8", "s16", "s32")
PREFIX = "model."
# Squared length of a filter with He's initialisation, which is what fresh ones have.
FRESH = 2.0


def initializers(path: str | Path, prefix: str = PREFIX) -> dict[str, Tensor]:
    """
    The weights in an exported file by their names in the network: FaceNet, or the one of the prefix. Those of the folded norms
    are biases of convolutions.
    """
    import onnx  # needed here alone
    from onnx import numpy_helper

    stored = onnx.load(str(path)).graph.initializer
    named = {i.name: torch.from_numpy(np.array(numpy_helper.to_array(i))) for i in stored if i.name.startswith(prefix)}
    return {name.removeprefix(prefix): value for name, value in named.items()}


def shape_of(weights: dict[str, Tensor]) -> dict:
    """The `cfg` of the network that has these weights."""
    blocks = [len({name.split(".")[1] for name in weights if name.startswith(stage + ".")}) - 1 for stage in STAGES]
    channels = [len(weights["stem.weight"]), *(len(weights[f"{stage}.0.pw.weight"]) for stage in STAGES)]
    return dict(c=tuple(channels), n=tuple(blocks), neck=len(weights["lat.0.weight"]))


def normed(model: FaceNet) -> list[tuple[str, nn.Conv2d, nn.BatchNorm2d]]:
    """Every convolution with a norm behind it, with its name."""
    blocks = [(f"{name}.pw", block.pw, block.bn) for name, block in model.named_modules() if isinstance(block, Sep)]
    return [("stem", model.stem, model.stem_bn), *blocks]


@torch.no_grad()
def restored(weights: dict[str, Tensor], scale: float, bias: float, batches: list[Tensor]) -> FaceNet:
    """
    The network that gives what the exported one gives, less its calibration (`scale`, `bias`); the norms' statistics are those
    over `batches` of images [B, 3, S, S], 0..255.
    """
    model = FaceNet(**shape_of(weights)).eval()
    pairs = normed(model)
    folded = {f"{name}.bias" for name, _, _ in pairs}
    plain = {name: value for name, value in weights.items() if name not in folded}
    missing = [name for name in model.load_state_dict(plain, strict=False).missing_keys if "bn." not in name]
    if missing:
        raise ValueError(f"expected all weights of the network, but {missing[0]} is not in the file")
    for name, _, norm in pairs:
        norm.running_var.fill_(1 - norm.eps)  # so far, norms only add what was folded
        norm.bias.copy_(weights[f"{name}.bias"])
    for head in model.head:
        head.bias[0] = (head.bias[0] - bias) / scale
        head.weight[0] /= scale

    sums = {norm: torch.zeros(2, norm.num_features, dtype=torch.double) for _, _, norm in pairs}

    def add(norm: nn.BatchNorm2d, inputs: tuple[Tensor]) -> None:
        mean, square = inputs[0].double().mean((0, 2, 3)), inputs[0].double().square().mean((0, 2, 3))
        sums[norm] += torch.stack([mean, square]) / len(batches)

    hooks = [norm.register_forward_pre_hook(add) for _, _, norm in pairs]
    for images in batches:
        model(images)
    for hook in hooks:
        hook.remove()
    for _, conv, norm in pairs:
        mean, variance = sums[norm][0].float(), (sums[norm][1] - sums[norm][0] ** 2).clamp(min=0).float()
        by = (FRESH / conv.weight.square().sum((1, 2, 3)).clamp(min=1e-12)).sqrt()
        conv.weight *= by[:, None, None, None]
        norm.running_mean.copy_(mean * by)
        norm.running_var.copy_(variance * by**2)
        norm.weight.copy_((norm.running_var + norm.eps).sqrt() / by)
        norm.bias += mean
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("onnx", type=Path)
    parser.add_argument("--scale", type=float, required=True, help="as it was exported with")
    parser.add_argument("--bias", type=float, required=True)
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--batches", type=int, default=40, help="of 16 views of 320 pixels each")
    parser.add_argument("--limit", type=int, default=2000, help="use only about so many pictures")
    a = parser.parse_args()
    torch.set_num_threads(1)
    dice = Dice(0)
    sampler = Sampler(CompressedBank(read_pack(a.data, limit=a.limit)), dice)
    with torch.no_grad():
        batches = [augment(sampler.batch(16, 320), dice) for _ in range(a.batches)]
    model = restored(initializers(a.onnx), a.scale, a.bias, batches)
    Learner(model, Settings(1e-3, 0.0, 0.9, 1), torch.device("cpu")).save(a.out)


if __name__ == "__main__":
    main()
