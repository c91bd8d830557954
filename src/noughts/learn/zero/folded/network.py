"""The network `noughts`: small enough to train in an hour, and it folds into lookup tables.

Seen from the side to move a mini board is one of 11,096 configurations. A shared encoder
(21 → 2K → K) reads one; a matrix for each of the nine places leads to H hidden units, where the
nine are added up; the forced mini board is added once more by a second matrix, or a row for a free
move. A wider code costs training time only: folded, the network is as quick with any K.
The value head gives win, draw and loss; a move's logit is a product with the hidden units, plus a
term of its mini board, plus a term of the mini board it sends the opponent to.

Weights are arrays by name. `forward` is written for NumPy and JAX alike; `fold` multiplies encoder
and matrices out into the tables of `kernels/zero/folded`, which give the same numbers but for
rounding: a row is whole numbers of 16 bits.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.errors import NoughtsError
from noughts.kernels.zero.folded import FoldedNet
from noughts.learn.zero.folded.aligned import aligned_zeros
from noughts.learn.zero.folded.configurations import INPUTS, features

Weights = Mapping[str, Any]

MIDDLE = 32
MOST = int(np.iinfo(np.int16).max)


class Sizes(NamedTuple):
    """How wide a network is."""

    hidden: int = 128
    code: int = 96  # what is known of a mini board; the encoder's first layer is twice as wide


def shapes(sizes: Sizes) -> dict[str, tuple[int, ...]]:
    """The shape of every array of weights."""
    hidden, code = sizes
    return {
        "encoder_1": (INPUTS, 2 * code),
        "encoder_1_bias": (2 * code,),
        "encoder_2": (2 * code, code),
        "encoder_2_bias": (code,),
        "place": (9, code, hidden),
        "forced": (9, code, hidden),
        "bias": (2, hidden),
        "value_in": (hidden, MIDDLE),
        "value_in_bias": (MIDDLE,),
        "value_out": (MIDDLE, 3),
        "value_out_bias": (3,),
        "policy": (hidden, 81),
        "policy_bias": (81,),
        "own": (9, code, 9),
        "sent": (9, code),
    }


def new_weights(seed: int, sizes: Sizes) -> dict[str, NDArray[np.float32]]:
    """Random weights; the heads begin at zero, so that all moves and results are alike."""
    rng = np.random.default_rng([seed, 0x5EED])
    weights = {}
    for name, shape in shapes(sizes).items():
        drawn = rng.standard_normal(shape)
        inputs = {"place": 9 * sizes.code, "forced": sizes.code}.get(name, shape[0])
        scale = 0.0 if "bias" in name else np.sqrt(2.0 / inputs)
        if name in ("value_out", "policy", "own", "sent"):
            scale = 0.0
        weights[name] = (scale * drawn).astype(np.float32)
    return weights


def grow(weights: Weights, seed: int, sizes: Sizes) -> dict[str, NDArray[np.float32]]:
    """The same network with more units: they read what the others read, and say nothing yet."""
    before = sizes_of(weights)
    grown = new_weights(seed, sizes)
    for name, old in shapes(before).items():
        array = grown[name]
        if name in ("place", "forced"):
            array[:, before.code :, : before.hidden] = 0.0
        elif name in ("encoder_2", "value_in"):
            array[old[0] :, : old[1]] = 0.0
        array[tuple(slice(n) for n in old)] = weights[name]
    return grown


def sizes_of(weights: Weights) -> Sizes:
    """The sizes of a network; those of a new one where its arrays do not tell."""
    shape = np.shape(weights.get("place", ()))
    return Sizes(shape[2], shape[1]) if len(shape) == 3 else Sizes()


def check_weights(weights: Weights) -> Sizes:
    """The sizes of a network; NoughtsError unless every array is there and has its shape."""
    sizes = sizes_of(weights)
    for name, shape in shapes(sizes).items():
        if name not in weights or tuple(weights[name].shape) != shape:
            raise NoughtsError(f"These weights are not of the network 'noughts': {name} is wrong.")
        if not np.isfinite(weights[name]).all():
            raise NoughtsError(f"These weights are damaged: {name} holds numbers that are none.")
    return sizes


def encode(xp: Any, weights: Weights, inputs: Any) -> Any:
    """Configurations' features [..., 21] to codes [..., K]."""
    first = xp.maximum(inputs @ weights["encoder_1"] + weights["encoder_1_bias"], 0.0)
    return xp.maximum(first @ weights["encoder_2"] + weights["encoder_2_bias"], 0.0)


def forward(xp: Any, weights: Weights, inputs: Any, boards: Any, forced: Any) -> tuple[Any, Any]:
    """(logits of win, draw, loss [B, 3]; logits of all moves [B, 81]).

    `inputs` [U, 21] are the features of all mini boards in the batch, each of them once; `boards`
    [B, 9] are rows of it, `forced` [B] is a place, or 9 where the move is free.
    """
    batch, (_, width, hidden) = boards.shape[0], weights["place"].shape
    code = encode(xp, weights, inputs)[boards]  # [B, 9, K]
    is_free = (forced == 9)[:, None]
    place = xp.minimum(forced, 8)[:, None, None]
    chosen = xp.take_along_axis(code, place, axis=1)[:, 0]
    # One product with the matrices of all places, of which each row keeps its own: quicker than
    # the product of nine codes, eight of them zero.
    matrices = weights["forced"].transpose(1, 0, 2).reshape(width, 9 * hidden)
    second = xp.take_along_axis((chosen @ matrices).reshape(batch, 9, hidden), place, axis=1)[:, 0]
    total = code.reshape(batch, 9 * width) @ weights["place"].reshape(9 * width, hidden)
    total = total + xp.where(is_free, weights["bias"][1], second + weights["bias"][0])
    h = xp.maximum(total, 0.0)
    middle = xp.maximum(h @ weights["value_in"] + weights["value_in_bias"], 0.0)
    odds = middle @ weights["value_out"] + weights["value_out_bias"]
    logits = (h @ weights["policy"] + weights["policy_bias"]).reshape(batch, 9, 9)
    own = xp.einsum("bmk,mkc->bmc", code, weights["own"])
    sent = (code * weights["sent"][None]).sum(axis=2)[:, None, :]  # [B, 1, cell]
    elsewhere = 1.0 - xp.eye(9, dtype=np.float32)
    return odds, (logits + own + sent * elsewhere).reshape(batch, 81)


def _round_rows(code: Any, place: Any, forced: Any) -> tuple[Any, Any]:
    """The rows of all places, then of the forced ones, as whole numbers of a unit; the units.

    Half the bytes of float32: what a search waits for is memory. Nine rows add up within 16 bits.
    """
    rows = np.empty((18, len(code), place.shape[2]), np.float32)
    np.matmul(code, place, out=rows[:9])
    np.matmul(code, forced, out=rows[9:])
    rows[9:] += rows[:9]
    largest = np.maximum(np.abs(rows).max(axis=(0, 1)), np.float32(1e-9))
    unit = largest / np.float32(MOST // 9)
    rows /= unit
    whole = aligned_zeros(rows.shape, np.int16)
    np.rint(rows, out=whole, casting="unsafe")
    return whole, unit


def fold(weights: Weights) -> FoldedNet:
    """Multiply out what depends on one mini board alone."""
    check_weights(weights)
    # Copies: what comes from JAX or from a file may not be written to, which to numba is another
    # type, and every kernel would be compiled once for each of the two.
    w = {name: np.array(array, np.float32) for name, array in weights.items()}
    code = encode(np, w, features())
    rows, unit = _round_rows(code, w["place"], w["forced"])
    own = np.einsum("ik,mkc->mic", code, w["own"]) + w["policy_bias"].reshape(9, 1, 9)
    return FoldedNet(
        rows=rows,
        unit=unit,
        bias=w["bias"],
        value_in=np.ascontiguousarray(w["value_in"].T),
        value_in_bias=w["value_in_bias"],
        value_out=np.ascontiguousarray(w["value_out"].T),
        value_out_bias=w["value_out_bias"],
        policy=np.ascontiguousarray(w["policy"].T),
        own=np.ascontiguousarray(own, np.float32),
        sent=np.ascontiguousarray(w["sent"] @ code.T, np.float32),
    )
