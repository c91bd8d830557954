"""What a move leads to, for all boards of a block at once.

A table has a row for each board, with a column for each seat relative to the player on turn. After
a move the next player is on turn, and the mover is in the last column: so rows stand here until a
choice is made, and `to_mover` then puts him first.

    row(b, a) = own(a) · table[turned(b) + n·(n+1)^a]
                + Σ_j flip(a)/(n-1) · table[turned(b) + j·(n+1)^a]

over the digits j of the others, as the next player sees them. Fizzling is left to whoever asks.
"""

import numpy as np

from noughts.games.game import Game
from noughts.solve.limits import clock_end
from noughts.solve.numbering import landing_vectors
from noughts.solve.seats.blocks import Block, Rows, boards_of

TIE = 1e-12  # moves whose worth to the mover is closer to the best are as good
PIECE = 1 << 18  # numbers that are worked on at once: they stay in the cache


def landed(game: Game, block: Block, cell: int, tick: int, table: Rows) -> Rows:
    """[boards, seats] what playing a cell at one tick earns by landing, to the mover last."""
    odds, seats = landing_vectors(game, tick), game.seats
    power = boards_of(game).power[cell]
    share = odds.flip[cell] / (seats - 1)
    rows: Rows = table.take(block.turned + seats * power, axis=0)
    rows *= odds.own[cell]
    for digit in range(1, seats) if share > 0.0 else ():
        rows += share * table.take(block.turned + digit * power, axis=0)
    return rows


def to_mover(rows: Rows) -> Rows:
    """Rows as the next player reads them, [..., seats], as the mover does."""
    return np.roll(rows, 1, axis=-1)


def landed_moves(game: Game, block: Block, tick: int, table: Rows) -> Rows:
    """[cells, boards, seats] the same for every free cell."""
    return np.stack([landed(game, block, cell, tick, table) for cell in block.free])


def lost_turn(game: Game, block: Block, tick: int, table: Rows) -> Rows:
    """[cells, boards, seats] what is earned if playing a free cell fizzles, the mover last."""
    fizzle = landing_vectors(game, tick).fizzle[list(block.free)]
    return fizzle[:, None, None] * table.take(block.turned, axis=0)


def longest_wait(game: Game, tick: int) -> int:
    """How many ticks the player on turn may wait, on tables that end with the clock."""
    return min(game.risk.waits(tick), clock_end(game) - tick)


def piece_size(game: Game, block: Block, ticks: int) -> int:
    """How many boards of a block are worked on at once."""
    return max(1, PIECE // (ticks * len(block.free) * game.seats))
