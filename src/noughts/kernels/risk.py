"""How a mark lands, sampled inside kernels."""

import math

from noughts.kernels.jit import kernel
from noughts.kernels.rng import below, uniform
from noughts.kernels.rules import EMPTY


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


@kernel(allocates=False)
def sample_mark(risk, cell, tick, mark, rng):
    """What the mark turns into: itself, the opponent's, or EMPTY when it fizzles."""
    own, other = landing_odds(risk, cell, tick)
    draw = uniform(rng)
    if draw < own:
        return mark
    if draw < own + other:
        return 3 - mark
    return EMPTY


@kernel(allocates=False)
def waits(risk, tick):
    """How many ticks the player on turn may wait."""
    if not risk.has_clock:
        return 0
    if risk.last_tick < 0:
        return risk.longest_wait
    return min(risk.longest_wait, risk.last_tick - tick)


@kernel(allocates=False)
def sample_wait(risk, tick, rng):
    """A wait that is uniform among those allowed."""
    return below(rng, waits(risk, tick) + 1)
