"""Room for a search: the arrays of a tree and its scratch, and self-play on them."""

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.rng import seeded
from noughts.kernels.zero.folded import FoldedNet
from noughts.kernels.zero.leaves import MOST_MOVES
from noughts.kernels.zero.mini_boards import STATE, BoardTables
from noughts.kernels.zero.nodes import DEEPEST, PuctTree, Scratch
from noughts.kernels.zero.selfplay import MOST_PLIES, PlaySettings, Samples, play_games
from noughts.learn.zero.folded.aligned import aligned_zeros

# A node's facts lie side by side, and those of its children behind each other: large trees do not
# fit into any cache, and a walk then waits for a few neighbouring lines at each step.
NODE = np.dtype(
    [
        ("value", np.float32),
        ("share", np.float32),
        ("visits", np.int32),
        ("first", np.int32),
        ("prior", np.float32),
        ("draws", np.float32),
        ("n_children", np.int16),
        ("move", np.int16),
        ("proof", np.int8),
        ("unused", np.int8, 3),
    ]
)
NODE_BYTES = NODE.itemsize
SELF_PLAY_NODES = 1 << 18  # a game is seldom longer; its tree is begun anew when half is used


def new_tree(nodes: int) -> PuctTree:
    """An empty pool; its root is node 0."""
    pool = aligned_zeros((nodes,), NODE)
    tree = PuctTree(
        size=np.zeros(3, np.int64),
        draw_worth=np.zeros(2, np.float32),
        **{name: pool[name] for name in PuctTree._fields if name not in ("size", "draw_worth")},
    )
    tree.size[0] = 1
    return tree


def new_scratch(net: FoldedNet) -> Scratch:
    """What one thread needs besides its tree."""
    return Scratch(
        game=np.zeros(STATE, np.int32),
        state=np.zeros(STATE, np.int32),
        sums=np.zeros(net.bias.shape[1], np.int16),
        hidden=np.zeros(net.bias.shape[1], np.float32),
        middle=np.zeros(net.value_in_bias.size, np.float32),
        ahead=np.zeros((2, STATE), np.int32),
        moves=np.zeros(MOST_MOVES, np.int16),
        is_lost=np.zeros(MOST_MOVES, np.bool_),
        priors=np.zeros(MOST_MOVES, np.float32),
        path=np.zeros(DEEPEST, np.int64),
    )


def new_samples(rows: int) -> Samples:
    """Room for so many positions."""
    return Samples(
        boards=np.zeros((rows, 9), np.int16),
        forced=np.zeros(rows, np.int8),
        policy=np.zeros((rows, 81), np.uint8),
        odds=np.zeros((rows, 3), np.float32),
    )


def self_play(
    net: FoldedNet, tables: BoardTables, settings: PlaySettings, seed: int, first: int, games: int
) -> tuple[Samples, NDArray[np.int64], int]:
    """Games number first .. first + games - 1 of a seed.

    Returns their samples, [games, 2] with samples and result of each, and the evaluations made.
    """
    tree, samples = new_tree(SELF_PLAY_NODES), new_samples(games * MOST_PLIES)
    streams = np.stack([seeded(seed, first + i) for i in range(games)])
    played = np.zeros((games, 2), np.int64)
    n = play_games(tree, net, tables, settings, new_scratch(net), streams, samples, played)
    return Samples._make(array[:n].copy() for array in samples), played, int(tree.size[1])
