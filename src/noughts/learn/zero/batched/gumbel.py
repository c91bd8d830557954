"""Few simulations, used well: Gumbel noise, sequential halving, and the policy it improves.

At the root every move gets a Gumbel variable g, once. The m moves with the highest g + ln P are
*considered*; equally many simulations go to each, then the better half by

    g + ln P + σ(Q),    σ(Q) = (c_visit + most visits) · c_scale · Q

is kept and gets as many again, until one is left: that one is played. It is a draw from a policy
that, with exact Q, is at least as good as P, however few simulations there are. The network learns

    π' = softmax(ln P + σ(completed Q)),

where a move that was never visited is completed by v_mix, a mean of the network's value and the Q
of the visited moves, weighted by their priors. (Danihelka et al., "Policy improvement by planning
with Gumbel", ICLR 2022. Below the root we keep PUCT where they follow π'.)
"""

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

VISIT_OFFSET = 50.0  # c_visit
VALUE_SCALE = 0.2  # c_scale for Q in [-1, 1]

Floats = NDArray[np.float64]


@cache
def halving_schedule(most: int, simulations: int) -> NDArray[np.int32]:
    """[most + 1, simulations] how often the move of each simulation was visited before.

    Row m is the plan for m considered moves; row 0 is not used.
    """
    rows = [[0] * simulations]
    rows += [_plan(considered, simulations) for considered in range(1, most + 1)]
    return np.array(rows, np.int32)


def _plan(considered: int, simulations: int) -> list[int]:
    """Visits of the moves, simulation by simulation, for one number of considered moves."""
    if considered == 1:
        return list(range(simulations))
    rounds = math.ceil(math.log2(considered))
    plan: list[int] = []
    visits = [0] * considered
    left = considered
    while len(plan) < simulations:
        extra = max(1, simulations // (rounds * left))
        for _ in range(extra):
            plan += visits[:left]
            visits[:left] = [n + 1 for n in visits[:left]]
        left = max(2, left // 2)
    return plan[:simulations]


def scaled(values: Floats, visits: NDArray[np.int64]) -> Floats:
    """σ(Q), row by row."""
    most = visits.max(axis=1, keepdims=True)
    scale: Floats = (VISIT_OFFSET + most) * VALUE_SCALE * values
    return scale


def completed_values(
    priors: Floats, visits: NDArray[np.int64], values: Floats, root_value: Floats
) -> Floats:
    """Q for the player on turn, with v_mix for moves that were never visited."""
    is_visited = visits > 0
    n = visits.sum(axis=1)
    weight = (priors * is_visited).sum(axis=1)
    mean = (priors * is_visited * values).sum(axis=1) / np.maximum(weight, 1e-12)
    mixed = (root_value + n * mean) / (1 + n)
    return np.where(is_visited, values, mixed[:, None])


def improved_policy(priors: Floats, completed: Floats, visits: NDArray[np.int64]) -> Floats:
    """π', row by row; moves without a prior get nothing."""
    with np.errstate(divide="ignore"):
        logits = np.log(priors) + scaled(completed, visits)
    logits -= logits.max(axis=1, keepdims=True)
    found: Floats = np.exp(logits)
    found /= found.sum(axis=1, keepdims=True)
    return found
