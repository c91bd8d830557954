"""How a mark lands: the same for every board, and for any number of seats.

A move has seats + 1 outcomes. Outcome 0 is the mark that was meant, outcome j the mark of the j-th
seat after it, each of these equally likely, and the last is nothing: the mark fizzled.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.rng import below, uniform
from noughts.kernels.rules.codes import EMPTY


class RiskRules(NamedTuple):
    """How a mark lands. All vectors have one entry per cell."""

    is_risky: bool  # False: every mark lands as meant, and nothing below is read
    fades: bool
    has_clock: bool
    flip: NDArray[np.float64]
    fizzle: NDArray[np.float64]
    fade: NDArray[np.float64]
    hazard: NDArray[np.float64]
    tick_length: float
    last_tick: int  # of the game's clock; -1 where only the turn is limited
    longest_wait: int  # ticks that one turn may take


def without_risk(rules: Any) -> Any:
    """Rules whose `risk` is left out, and the clock with it."""
    return rules._replace(
        risk=rules.risk._replace(is_risky=False, fades=False, has_clock=False, longest_wait=0)
    )


@kernel(allocates=False)
def landing_odds(risk, cell, tick):
    """(own, opponent's): the probabilities that either mark lands at this time of the clock."""
    flip = risk.flip[cell]
    own = 1.0 - (flip + risk.fizzle[cell])
    if risk.has_clock:
        kept = math.exp(-risk.hazard[cell] * tick * risk.tick_length)
        flip += own * (1.0 - kept)
        own *= kept
    return own, flip


@kernel(allocates=False, inlined=True)
def seat_after(seat, steps, seats):
    """The seat that comes so many turns later; `steps` is below the number of seats."""
    seat += steps
    return seat - seats if seat > seats else seat


@kernel(allocates=False)
def list_outcomes(risk, cell, tick, seats, out_chances):
    """How likely each outcome of a move is; how many there are."""
    own, others = landing_odds(risk, cell, tick)
    out_chances[0] = own
    for j in range(1, seats):
        out_chances[j] = others / (seats - 1)
    out_chances[seats] = risk.fizzle[cell]  # as it stands: what is left of 1 may be a rounding
    return seats + 1


@kernel(allocates=False)
def sample_outcome(risk, cell, tick, seats, rng):
    """Draw an outcome of a move."""
    own, others = landing_odds(risk, cell, tick)
    draw = uniform(rng)
    if draw < own:
        return np.int64(0)
    if draw >= own + others:
        return np.int64(seats)
    if seats == 2:
        return np.int64(1)
    return 1 + min(np.int64((draw - own) / others * (seats - 1)), seats - 2)


@kernel(allocates=False, inlined=True)
def sample_mark(risk, cell, tick, seat, seats, rng):
    """What the mark of a seat turns into: itself, another's, or EMPTY when it fizzles."""
    outcome = sample_outcome(risk, cell, tick, seats, rng)
    return np.int64(EMPTY) if outcome == seats else seat_after(seat, outcome, seats)


@kernel(allocates=False)
def waits(risk, tick):
    """How many ticks the player on turn may wait."""
    if not risk.has_clock:
        return 0
    if risk.last_tick < 0:
        return risk.longest_wait
    return min(risk.longest_wait, risk.last_tick - tick)


@kernel(allocates=False)
def clock_share(risk, tick, cells):
    """How much of the clock has run, as players see it: at most 1."""
    last = risk.last_tick if risk.last_tick >= 0 else cells * risk.longest_wait
    return min(1.0, tick / max(1, last))


@kernel(allocates=False)
def sample_wait(risk, tick, rng):
    """A wait that is uniform among those allowed."""
    return below(rng, waits(risk, tick) + 1)
