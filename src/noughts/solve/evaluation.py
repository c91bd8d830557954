"""Exact odds of two fixed players, and the exact best reply to one.

For policies π and σ the probability w(b, t) that X wins satisfies

    w(b, X) = Σ_a π(a|b) · Σ_landings P(landing) · w(b', O),        w(b, O) likewise with σ,

and so do the probabilities of a draw and of O winning. A best reply replaces the sum over the
replier's own moves by a maximum. Boards only fill up, so one pass from the last board back is
exact; fizzle ties (b, X) and (b, O) together, two linear equations solved in place. Where marks
fade the equations are iterated from 0, each step adding probability that was not accounted for,
until nothing changes any more. A game that never ends counts as a draw.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, Mark
from noughts.kernels.iteration import fade_cell, fill_over
from noughts.kernels.policies import Clock, Pass, Taste, evaluate, respond
from noughts.solve.exact import NEVER
from noughts.solve.limits import MemoryPlan, clock_end
from noughts.solve.numbering import landing_vectors, seen_from, sweep_rules
from noughts.solve.policies import Policy
from noughts.solve.seats.answers import Odds
from noughts.solve.seats.policies import SeatPolicy

Array = NDArray[np.float64]
_TIE = 1e-12
_CHANGE = 1e-15  # an iteration that changes less than this has arrived
_STALLED = 100  # steps without a smaller change: rounding is all that moves


@dataclass(frozen=True)
class Response:
    """The best reply to a fixed opponent: the player, the seat it takes, and what it achieves."""

    policy: Policy | SeatPolicy
    seat: Mark
    odds: Odds

    @property
    def value(self) -> float:
        """The expected result for X."""
        return self.odds.value


def evaluate_odds(game: Game, x: Policy, o: Policy) -> Odds:
    """The exact odds of two players from the empty board."""
    size, ticks = 3**game.cells, clock_end(game) + 1
    copies = (2 if game.risk.fades else 1) + (ticks if game.risk.has_clock else 0)
    MemoryPlan(6 * 8 * size * copies).check(f"Finding the odds of {game}")
    rules = sweep_rules(game)
    out = np.zeros((2, 3, size))
    played = np.zeros((ticks, 2, 3, size)) if game.risk.has_clock else np.empty((1, 2, 3, 0))
    now, later = np.empty((2, 0)), np.empty((2, 3, 0))
    for tick in range(ticks - 1, -1, -1):
        if game.risk.has_clock:
            terms = [_waiting(game, who, s, tick, played[:, s]) for s, who in enumerate((x, o))]
            now, later = (np.stack(parts) for parts in zip(*terms, strict=True))
        marks = landing_vectors(game, tick)
        policies, clock = (x.at(tick), o.at(tick)), Clock(now, later, np.empty(0))
        step = partial(evaluate, rules, marks, policies, clock)
        _settle(game, partial(_step, step, (), played[tick % len(played)]), out)
    x_wins, o_wins, draws = (float(p) for p in out[0, :, 0])
    never_ends = max(0.0, 1.0 - x_wins - o_wins - draws)
    return Odds(x_wins, draws + never_ends, o_wins)


def best_reply(game: Game, opponent: Policy, seat: Mark, ties: str) -> Response:
    """The best reply to a fixed opponent, and the odds it has."""
    reply = _reply_policy(game, opponent, 0 if seat == "X" else 1, ties)
    x, o = (reply, opponent) if seat == "X" else (opponent, reply)
    return Response(reply, seat, evaluate_odds(game, x, o))


def _reply_policy(game: Game, opponent: Policy, side: int, ties: str) -> Policy:
    size, ticks = 3**game.cells, clock_end(game) + 1
    rules = sweep_rules(game)
    out = np.zeros((2, 1, size))
    played = np.zeros((ticks, 2, 1, size)) if game.risk.has_clock else np.empty((1, 2, 1, 0))
    masks = np.zeros((ticks, size), np.uint32)
    values = np.empty((ticks, size))
    waits, now, later = np.empty(0), np.empty(0), np.empty((1, 0))
    for tick in range(ticks - 1, -1, -1):
        if game.risk.has_clock:
            now, later = _waiting(game, opponent, 1 - side, tick, played[:, 1 - side])
            waits = _best_wait(game, tick, played[:, side, 0])
        marks = landing_vectors(game, tick)
        clock = Clock(now, later[0], waits)
        step = partial(respond, rules, marks, side, opponent.at(tick), clock)
        rest = (Taste(_TIE, ties == "lowest"), masks[tick])
        _settle(game, partial(_step, step, rest, played[tick % len(played)]), out)
        values[tick] = out[side, 0]
    own_waits = np.zeros((1, 1), np.int32)
    if game.risk.has_clock:
        own_waits = _chosen_waits(game, side, values, played[:, side, 0])
    name = f"best response to {opponent.name}"
    return Policy(game, name, masks, np.ones(game.cells), own_waits)


def _step(
    step: Callable[..., float],
    rest: tuple[Any, ...],
    played: Array,
    in_place: bool,
    after: Array,
    out: Array,
) -> float:
    """One pass of a kernel that takes `rest` besides."""
    return step(Pass(in_place, after, out, played), *rest)


def _settle(game: Game, step: Callable[..., float], out: Array) -> None:
    """Bring a table to its fixed point: in one exact pass, or by iterating where marks fade.

    `step(in_place, after, out)` is one pass; it returns the largest change.
    """
    if not game.risk.fades:
        step(True, out, out)
        return
    is_over = _over_boards(game)
    out[:] = 0.0
    step(False, out.copy(), out)  # writes the boards on which the game is over
    arrivals = np.empty_like(out)
    smallest, stalled = np.inf, 0
    while smallest > _CHANGE and stalled < _STALLED:
        arrivals[:] = out
        for cell, chance in enumerate(game.risk.fade):
            for table in arrivals.reshape(-1, arrivals.shape[-1]):
                if chance > 0.0:
                    fade_cell(3**cell, chance, 0, table.size // 3 ** (cell + 1), table)
        arrivals[..., is_over] = out[..., is_over]
        change = step(False, arrivals, out)
        stalled = 0 if change < smallest else stalled + 1
        smallest = min(change, smallest)


def _over_boards(game: Game) -> NDArray[np.bool_]:
    table = np.full(3**game.cells, np.nan)
    fill_over(sweep_rules(game), 0, table.size, table)
    return ~np.isnan(table)


def _waiting(
    game: Game, player: Policy, side: int, tick: int, played: Array
) -> tuple[Array, Array]:
    """(probability of playing now, what later ticks contribute) for each board.

    A board at tick t is worth Σ_wait P(wait) · played(t + wait); played: [ticks, outcomes, boards].
    """
    longest = _longest_wait(game, tick)
    if player.waits.size == 1:
        share = 1.0 / (longest + 1)
        later = share * played[tick + 1 : tick + 1 + longest].sum(axis=0)
        return np.full(played.shape[-1], share), later
    waits = seen_from(game, side, player.waits[tick])
    later = np.zeros(played.shape[1:])
    for wait in range(1, longest + 1):
        chosen = waits == wait
        later[:, chosen] = played[tick + wait][:, chosen]
    return (waits == 0).astype(float), later


def _longest_wait(game: Game, tick: int) -> int:
    return min(game.risk.waits(tick), clock_end(game) - tick)


def _best_wait(game: Game, tick: int, played: Array) -> Array:
    """What waiting at least one tick is worth on each board; played: [ticks, boards]."""
    longest = _longest_wait(game, tick)
    if longest == 0:
        return np.full(played.shape[-1], NEVER)
    best: Array = np.max(played[tick + 1 : tick + 1 + longest], axis=0)
    return best


def _chosen_waits(game: Game, side: int, values: Array, played: Array) -> NDArray[np.int32]:
    """The smallest wait that earns the value, on boards numbered from the replier's side."""
    waits = np.full(values.shape, -1, np.int32)
    for tick in range(len(values)):
        for wait in range(_longest_wait(game, tick) + 1):
            earns = played[tick + wait] >= values[tick] - _TIE
            waits[tick][earns & (waits[tick] < 0)] = wait
        waits[tick] = seen_from(game, side, waits[tick])
    return np.maximum(waits, 0)
