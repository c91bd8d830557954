"""What each seat can guarantee itself: its value against all others playing as one.

That is a game of two sides, whose sum is nothing; so it has a value under every risk. The table has
a column for each relative seat, and one move fills all of them: the player on turn takes the best
for himself in his own column, and the worst for its owner in every other one.

Where turns can be lost (fizzle) a board is tied to itself turned once, twice, …: for one seat a
ring of n states in which it chooses once and the others n - 1 times,

    x_0 = max_a (X_a + f_a·x_1),    x_i = min_a (Y_i,a + f_a·x_i+1),    x_n = x_0.

What the others make of x_0 is the least of finitely many straight lines. With the own choice held,
Newton's method takes one line after the other, from above, and ends at the value; the best of the
own choices is the answer. A cell that surely fizzles is taken to end the game, drawn, once in 2^50
turns: so what goes on for ever is worth nothing to anybody.

Where marks fade, boards depend on each other in circles: `fading.py`.
"""

import numpy as np

from noughts.games.game import Game
from noughts.solve.numbering import landing_vectors
from noughts.solve.seats.blocks import Block, Ended, Numbers, Rows, losers_share
from noughts.solve.seats.landing import landed_moves, longest_wait, piece_size, to_mover

_SURE = 1.0 - 2.0**-50
_MOST_LINES = 200  # of a ring; more would be rounding going round in circles
NEVER = -2.0


def fill_ended(block: Block, ended: Ended, table: Rows) -> None:
    """Write what ended games are worth; table: [..., boards, seats]."""
    for seat in range(block.seats):
        worth = np.full(block.seats, losers_share(block.seats))
        worth[seat] = 1.0
        table[..., ended.numbers[ended.winner == seat], :] = worth


def solve_block(game: Game, block: Block, table: Rows) -> None:
    """The guarantees on all boards of a block, of a game in which nothing fades."""
    if game.risk.fizzles:
        _solve_rings(game, block, table)
        return
    ticks = len(table)
    for _, piece in block.pieces(piece_size(game, block, ticks)):
        at_once = np.stack([choose(landed_moves(game, piece, t, table[t])) for t in range(ticks)])
        for tick in range(ticks):
            window = at_once[tick : tick + longest_wait(game, tick) + 1]
            table[tick, piece.numbers] = to_mover(choose(window))


def choose(rows: Rows) -> Rows:
    """[choices, boards, seats] -> [boards, seats]: best for the mover, worst for the others."""
    chosen: Rows = rows.min(axis=0)
    chosen[:, -1] = rows[..., -1].max(axis=0)
    return chosen


def _solve_rings(game: Game, block: Block, table: Rows) -> None:
    ticks = len(table)
    at_once = np.empty((ticks, len(block), game.seats))
    for tick in range(ticks - 1, -1, -1):
        rows = landed_moves(game, block, tick, table[tick])
        fizzle = np.minimum(landing_vectors(game, tick).fizzle[list(block.free)], _SURE)
        moves, lost = rows, fizzle
        longest = longest_wait(game, tick)
        if longest > 0:
            waiting = choose(at_once[tick + 1 : tick + longest + 1])
            moves, lost = np.concatenate([rows, waiting[None]]), np.append(fizzle, 0.0)
        found = _solve_ring(block, to_mover(moves), lost)
        table[tick, block.numbers] = found
        if ticks > 1:
            after = found[block.turned_at]  # if this very turn is lost
            at_once[tick] = choose(rows + fizzle[:, None, None] * after)


def _solve_ring(block: Block, rows: Rows, fizzle: Rows) -> Rows:
    """Every seat's value on every board; rows: [choices, boards, seats], fizzle: [choices]."""
    seats, boards = block.seats, np.arange(len(block))
    places: list[Numbers] = [boards]
    for _ in range(seats - 1):
        places.append(block.turned_at[places[-1]])
    # Each board once as the one on which the seat that we look at is on turn.
    states = [rows[:, at, -i % seats] for i, at in enumerate(places)]
    best = np.full(len(block), NEVER)
    for choice, lost in enumerate(fizzle):
        best = np.maximum(best, _held(states, fizzle, states[0][choice], lost))
    found = np.empty((len(block), seats))
    found[:, 0] = value = best
    for i in range(seats - 1, 0, -1):
        value = (states[i] + fizzle[:, None] * value).min(axis=0)
        found[places[i], -i % seats] = value
    return found


def _held(states: list[Rows], fizzle: Rows, earned: Rows, lost: float) -> Rows:
    """What one choice is worth, made again and again: Newton's method from above."""
    if lost == 0.0:
        return earned
    value = np.ones_like(earned)
    for _ in range(_MOST_LINES):
        level, slope = _others(states, fizzle, value)
        lower = (earned + lost * level) / (1.0 - lost * slope)
        if np.all(lower >= value):
            break
        value = np.minimum(value, lower)
    return value


def _others(states: list[Rows], fizzle: Rows, value: Rows) -> tuple[Rows, Rows]:
    """What the others make of the seat's value: the line level + slope · value that holds there."""
    level, slope = np.zeros_like(value), np.ones_like(value)
    boards = np.arange(len(value))
    for state in states[:0:-1]:
        choice = (state + fizzle[:, None] * (level + slope * value)).argmin(axis=0)
        level = state[choice, boards] + fizzle[choice] * level
        slope = fizzle[choice] * slope
    return level, slope
