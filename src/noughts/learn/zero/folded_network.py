"""The network `noughts`: small enough to train in an hour, and it folds into lookup tables.

Seen from the side to move a mini board is one of 11,096 configurations. A shared encoder
(21 → 64 → 32) reads one; a matrix for each of the nine places leads to H hidden units, where the
nine are added up; the forced mini board is added once more by a second matrix, or a row for a free
move.
The value head gives win, draw and loss; a move's logit is a product with the hidden units, plus a
term of its mini board, plus a term of the mini board it sends the opponent to.

Weights are arrays by name. `forward` is written for NumPy and JAX alike; `fold` multiplies encoder
and matrices out into the tables of `kernels/zero/folded`, which give the same numbers but for
rounding: a row is whole numbers of 16 bits.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.errors import NoughtsError
from noughts.kernels.zero.folded import FoldedNet
from noughts.learn.zero.configurations import INPUTS, features

Weights = Mapping[str, Any]

ENCODER, CODE, HIDDEN, MIDDLE = 64, 32, 128, 32
MOST = int(np.iinfo(np.int16).max)


def shapes(hidden: int = HIDDEN) -> dict[str, tuple[int, ...]]:
    """The shape of every array of weights."""
    return {
        "encoder_1": (INPUTS, ENCODER),
        "encoder_1_bias": (ENCODER,),
        "encoder_2": (ENCODER, CODE),
        "encoder_2_bias": (CODE,),
        "place": (9, CODE, hidden),
        "forced": (9, CODE, hidden),
        "bias": (2, hidden),
        "value_in": (hidden, MIDDLE),
        "value_in_bias": (MIDDLE,),
        "value_out": (MIDDLE, 3),
        "value_out_bias": (3,),
        "policy": (hidden, 81),
        "policy_bias": (81,),
        "own": (9, CODE, 9),
        "sent": (9, CODE),
    }


def new_weights(seed: int, hidden: int = HIDDEN) -> dict[str, NDArray[np.float32]]:
    """Random weights; the heads begin at zero, so that all moves and results are alike."""
    rng = np.random.default_rng([seed, 0x5EED])
    weights = {}
    for name, shape in shapes(hidden).items():
        drawn = rng.standard_normal(shape)
        fan_in = 9 * CODE if name == "place" else CODE if name == "forced" else shape[0]
        scale = 0.0 if "bias" in name else np.sqrt(2.0 / fan_in)
        if name in ("value_out", "policy", "own", "sent"):
            scale = 0.0
        weights[name] = (scale * drawn).astype(np.float32)
    return weights


def widen(weights: Weights, times: int, seed: int) -> dict[str, NDArray[np.float32]]:
    """The same network with so many copies of each hidden unit, which share what it says.

    The copies differ by a hundredth, so that training can pull them apart. (Chen, Goodfellow and
    Shlens, "Net2Net", 2016.)
    """
    rng = np.random.default_rng([seed, 0x71DE])
    found = {name: np.asarray(array, np.float32) for name, array in weights.items()}
    for name in ("place", "forced", "bias"):
        copies = np.tile(found[name], times)
        noise = 1.0 + 0.01 * rng.standard_normal(copies.shape)
        found[name] = (copies * noise).astype(np.float32)
    for name in ("value_in", "policy"):
        found[name] = np.tile(found[name], (times, 1)) / np.float32(times)
    return found


def check_weights(weights: Weights) -> int:
    """The number of hidden units; NoughtsError unless every array is there and has its shape."""
    place = weights.get("place")
    hidden = place.shape[-1] if place is not None and place.ndim == 3 else HIDDEN
    for name, shape in shapes(hidden).items():
        if name not in weights or tuple(weights[name].shape) != shape:
            raise NoughtsError(f"These weights are not of the network 'noughts': {name} is wrong.")
        if not np.isfinite(weights[name]).all():
            raise NoughtsError(f"These weights are damaged: {name} holds numbers that are none.")
    return int(hidden)


def encode(xp: Any, weights: Weights, inputs: Any) -> Any:
    """Configurations' features [..., 21] to codes [..., 32]."""
    first = xp.maximum(inputs @ weights["encoder_1"] + weights["encoder_1_bias"], 0.0)
    return xp.maximum(first @ weights["encoder_2"] + weights["encoder_2_bias"], 0.0)


def forward(xp: Any, weights: Weights, inputs: Any, is_forced: Any) -> tuple[Any, Any]:
    """(logits of win, draw, loss [B, 3]; logits of all moves [B, 81]).

    `inputs` [B, 9, 21] are the features of the mini boards, `is_forced` [B, 9] is one-hot, or zero
    where the move is free.
    """
    batch, hidden = inputs.shape[0], weights["bias"].shape[1]
    code = encode(xp, weights, inputs)  # [B, 9, 32]
    flat = code.reshape(batch, 9 * CODE)
    chosen = (code * is_forced[:, :, None]).reshape(batch, 9 * CODE)
    is_free = 1.0 - is_forced.sum(axis=1)[:, None]
    total = flat @ weights["place"].reshape(9 * CODE, hidden)
    total = total + chosen @ weights["forced"].reshape(9 * CODE, hidden)
    total = total + is_free * weights["bias"][1] + (1.0 - is_free) * weights["bias"][0]
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
    return np.rint(rows, out=rows).astype(np.int16), unit


def fold(weights: Weights) -> FoldedNet:
    """Multiply out what depends on one mini board alone."""
    check_weights(weights)
    w = {name: np.asarray(array, np.float32) for name, array in weights.items()}
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
