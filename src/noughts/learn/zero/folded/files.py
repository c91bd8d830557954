"""Files of the network `noughts`: named arrays, and the command that made them."""

from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np

from noughts.errors import NoughtsError, ParseError
from noughts.kernels.zero.folded import FoldedNet
from noughts.learn.frame.safetensors import load_tensors, save_tensors
from noughts.learn.zero.folded.network import Weights, check_weights, fold, shapes

KIND = "noughts folded network"
VERSION = "1"
SHIPPED = "ultimate-noughts.safetensors"


def save_folded(path: Path, weights: Weights, made_by: str) -> None:
    """Write the weights as they were trained; they are folded when they are read."""
    sizes = check_weights(weights)
    metadata = {"kind": KIND, "version": VERSION, "game": "ultimate", "made_by": made_by}
    arrays = {name: np.asarray(weights[name], np.float32) for name in shapes(sizes)}
    save_tensors(path, metadata, arrays)


def load_weights(path: Path) -> Weights:
    """The weights of a file; a damaged or foreign one is refused."""
    metadata, weights = load_tensors(path)
    if metadata.get("kind") != KIND or metadata.get("version") != VERSION:
        raise ParseError(f"{path} holds a {metadata.get('kind')}, not a {KIND} of this version.")
    check_weights(weights)
    return weights


@cache
def shipped_net() -> FoldedNet:
    """The network that comes with this package, folded once."""
    shipped = files("noughts.learn.zero").joinpath("data", SHIPPED)
    if not shipped.is_file():
        raise NoughtsError(
            "No network for ultimate comes with this Noughts; train one with 'noughts train "
            "ultimate zero --minutes 10', then name it zero:run=FOLDER."
        )
    with as_file(shipped) as path:
        return fold(load_weights(path))
