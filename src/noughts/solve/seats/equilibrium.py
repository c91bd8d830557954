"""The equilibrium by backward induction: each mover takes what is worth most to himself.

The table holds, for every board and tick, the probability that each seat wins. Of the moves, which
are a cell and with a clock a wait before it, those are *tied* whose worth to the mover is within
1e-12 of the best; the tie rule says what the mover makes of them, and that decides what the
position is worth to everybody else:

    lowest    the lowest tied move: the shortest wait, then the lowest cell
    uniform   all tied moves alike

It is computed where no board can repeat. With fizzle that is f in every cell, and no clock, a lost
turn is as likely whatever is played; so choices do not depend on it, and the n boards that lost
turns tie together are solved as what they are, a ring of linear equations:

    wins(b) = landed(b) + f · wins(turned b) = Σ_j f^j · landed(b turned j times) / (1 - f^n).
"""

import numpy as np

from noughts.games.game import Game
from noughts.solve.seats.blocks import Block, Ended, Rows, losers_share
from noughts.solve.seats.landing import TIE, landed_moves, longest_wait, piece_size, to_mover


def own_worth(rows: Rows) -> Rows:
    """What rows of wins, his own last, are worth to the player who moved."""
    weights = np.full(rows.shape[-1], losers_share(rows.shape[-1]))
    weights[-1] = 1.0
    worth: Rows = rows @ weights
    return worth


def fill_ended(block: Block, ended: Ended, wins: Rows) -> None:
    """Write who won; wins: [ticks, boards, seats], nothing where nobody did."""
    for seat in range(block.seats):
        wins[:, ended.numbers[ended.winner == seat], seat] = 1.0


def solve_block(game: Game, block: Block, ties: str, wins: Rows) -> None:
    """The equilibrium of all boards of a block, those of fuller blocks being known."""
    ticks = len(wins)
    for _, piece in block.pieces(piece_size(game, block, ticks)):
        rows = np.stack([landed_moves(game, piece, t, wins[t]) for t in range(ticks)])
        worth = own_worth(rows)
        for tick in range(ticks):
            wins[tick, piece.numbers] = to_mover(_chosen(game, tick, rows, worth, ties))
    fizzle = game.risk.fizzle[0]
    if fizzle > 0.0:
        wins[0, block.numbers] = _ring(block, wins[0].take(block.numbers, axis=0), fizzle)


def _chosen(game: Game, tick: int, rows: Rows, worth: Rows, ties: str) -> Rows:
    """What the mover's choice gives everybody; rows: [ticks, cells, boards, seats]."""
    waits = range(tick, tick + longest_wait(game, tick) + 1)
    best_at = worth[waits.start : waits.stop].max(axis=1)
    enough = best_at.max(axis=0) - TIE
    boards = np.arange(len(enough))
    if ties == "lowest":
        first = tick + (best_at >= enough).argmax(axis=0)
        cell = (worth[first, :, boards] >= enough[:, None]).argmax(axis=1)
        chosen: Rows = rows[first, cell, boards]
        return chosen
    total, count = np.zeros((len(boards), game.seats)), np.zeros(len(boards))
    for when in waits:
        some = np.flatnonzero(best_at[when - tick] >= enough)
        is_tied = worth[when][:, some] >= enough[some]
        total[some] += (rows[when][:, some] * is_tied[..., None]).sum(axis=0)
        count[some] += is_tied.sum(axis=0)
    total /= count[:, None]
    return total


def _ring(block: Block, landed: Rows, fizzle: float) -> Rows:
    """Wins where a turn is lost with the same probability wherever one plays."""
    if fizzle == 1.0:
        return np.zeros_like(landed)  # it never ends, and nobody wins
    seats = block.seats
    total, at = np.zeros_like(landed), np.arange(len(block))
    for lost in range(seats):
        total += fizzle**lost * np.roll(landed[at], lost, axis=1)
        at = block.turned_at[at]
    total /= 1.0 - fizzle**seats
    return total
