"""Networks that judge a position: logits over moves, and a value for the player on turn.

A network is two things: a *shape* (this object, made for a game) and its *weights*, named float32
arrays that live in safetensors files. The forward pass is written once against the array API: with
`numpy` it plays, with `jax.numpy` it is differentiated and trained.

    network = network_for(game)                       # LineNet, or R5Net for Ultimate
    weights = network.initial(seed=1)
    logits, values = network.forward(numpy, weights, features)
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from noughts.errors import NoughtsError, ParseError
from noughts.games.game import Game
from noughts.learn.frame.safetensors import load_tensors, save_tensors

Weights = Mapping[str, "NDArray[Any]"]

KIND = "noughts network"
VERSION = "1"
MOST_MOVES = 8192  # of a policy; a clock with many ticks has too many


class Network(ABC):
    """The shape of a network for one game."""

    name: ClassVar[str]
    inputs: int  # features of a position, as the kernels encode it
    policy: int  # moves: cells, times the waits of a clock

    @abstractmethod
    def sizes(self) -> dict[str, tuple[int, ...]]:
        """The names and shapes of the weights. A name that ends in "bias" starts at zero."""

    @abstractmethod
    def forward(self, xp: Any, weights: Any, features: Any) -> tuple[Any, Any]:
        """Logits [batch, policy] and values [batch] for the player on turn, by the array API xp."""

    def initial(self, seed: int) -> dict[str, "NDArray[np.float32]"]:
        """Random weights: normal with variance 1/inputs of a layer; heads start small."""
        rng = np.random.default_rng([seed, 5])
        found = {}
        for name, shape in self.sizes().items():
            scale = 0.0 if name.endswith("bias") else shape[0] ** -0.5
            if name.startswith(("policy", "value")):
                scale *= 0.1
            found[name] = (scale * rng.standard_normal(shape)).astype(np.float32)
        return found

    def check_weights(self, weights: Weights) -> None:
        """Refuse weights of another shape."""
        shapes = {name: tuple(array.shape) for name, array in weights.items()}
        if shapes != self.sizes():
            raise ParseError(
                f"These weights are not those of the network {self.name} for this game."
            )


def policy_size(game: Game) -> int:
    """How many moves a game has: its cells, times the waits that its clock allows."""
    if game.moves > MOST_MOVES:
        raise NoughtsError(
            f"{game} has {game.moves} moves, too many for a network; take fewer ticks "
            f"(at most {MOST_MOVES // game.cells - 1})."
        )
    return game.moves


def has_mini_boards(game: Game) -> bool:
    """Whether R5's network can read it: nine zones of nine cells."""
    return (game.cells, game.zones) == (81, 9)


def network_for(game: Game, hidden: int | None = None) -> Network:
    """The batched network of a game: R5's for Ultimate, else one that reads lines."""
    if has_mini_boards(game):
        from noughts.learn.zero.batched.r5 import R5Net

        return R5Net(policy_size(game)) if hidden is None else R5Net(policy_size(game), hidden)
    if game.hypergraph is not None:
        from noughts.learn.zero.batched.line_net import LineNet

        return LineNet(game) if hidden is None else LineNet(game, hidden)
    raise NoughtsError(f"{game} has rules of its own, and no network reads them.")


def save_network(path: Path, game: Game, network: Network, weights: Weights, made_by: str) -> None:
    """Write the weights, with what they are for and the command that made them."""
    metadata = {"kind": KIND, "version": VERSION, "network": network.name}
    metadata |= {"game": str(game), "made_by": made_by}
    save_tensors(path, metadata, weights)


def load_network(path: Path, game: Game) -> tuple[Network, dict[str, "NDArray[np.float32]"]]:
    """The network and the weights of a file that was saved for this game."""
    metadata, weights = load_tensors(path)
    if metadata.get("kind") != KIND or metadata.get("version") != VERSION:
        raise ParseError(f"{path} holds a {metadata.get('kind')}, not a {KIND} of this version.")
    if metadata.get("game") != str(game):
        raise NoughtsError(f"{path} has learned {metadata.get('game')}, and cannot play {game}.")
    network = network_for(game, hidden=int(weights["hidden_1.bias"].shape[0]))
    if network.name != metadata.get("network"):
        raise ParseError(f"{path} holds a network {metadata.get('network')}, not {network.name}.")
    network.check_weights(weights)
    return network, weights


def shipped_name(game: Game, kind: str = "") -> str:
    """The file of a game's shipped network: its spec, with what file systems dislike replaced."""
    stem = "".join(letter if letter.isalnum() else "-" for letter in str(game))
    return f"{stem}{kind}.safetensors"


def shipped_place(game: Game, kind: str = "") -> Traversable:
    """Where a game's shipped network is, if there is one."""
    return files("noughts.learn.zero").joinpath("data", shipped_name(game, kind))


def load_shipped(game: Game) -> tuple[Network, dict[str, "NDArray[np.float32]"]] | None:
    """The network that comes with this package for a game; None where there is none."""
    shipped = shipped_place(game)
    if not shipped.is_file():
        return None
    with as_file(shipped) as path:
        return load_network(path, game)
