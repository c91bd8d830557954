"""Equilibria in which tied moves are chosen for or against one seat: who makes the king?

A player who can gain nothing more still decides who else wins. Of the moves that are tied for the
mover, the one is played that is worth most, or least, to a *favoured* seat; of those that are as
good for it, too, the lowest. Which seat that is changes, relative to the player on turn, with every
turn: so there is a table for each distance from the mover to the favoured seat.

These are two tie rules of many. They need not be the extremes over all of them: what a mover likes
later decides what is tied earlier.
"""

import numpy as np

from noughts.errors import NoughtsError
from noughts.games.game import Game, Mark
from noughts.solve.limits import MemoryPlan
from noughts.solve.seats.answers import Odds
from noughts.solve.seats.blocks import boards_of, losers_share
from noughts.solve.seats.equilibrium import fill_ended, own_worth
from noughts.solve.seats.landing import TIE, landed_moves, piece_size, to_mover
from noughts.solve.seats.limits import board_count, check_equilibrium


def favoured_odds(game: Game, seat: Mark, is_for: bool) -> Odds:
    """The odds from the empty board where ties are broken for a seat, or against it."""
    check_equilibrium(game)
    if game.risk.has_clock or game.risk.fizzles:
        raise NoughtsError(f"{game} has a clock or lost turns; kingmaking is solved without them.")
    seats = game.seats
    shape = (seats, 1, board_count(game), seats)
    MemoryPlan(int(np.prod(shape)) * 8).check(f"Kingmaking in {game}")
    wins = np.zeros(shape)  # by how many turns after the mover's the favoured seat's is
    sign = 1.0 if is_for else -1.0
    for block, ended in boards_of(game).blocks():
        for away in range(seats):
            fill_ended(block, ended, wins[away])
            if len(block) == 0:
                continue
            after = wins[(away - 1) % seats, 0]
            weights = np.full(seats, sign * losers_share(seats))
            weights[(away - 1) % seats] = sign  # rows are the next player's
            for _, piece in block.pieces(piece_size(game, block, 1)):
                rows = landed_moves(game, piece, 0, after)
                worth = own_worth(rows)
                is_tied = worth >= worth.max(axis=0) - TIE
                liked = np.where(is_tied, rows @ weights, -np.inf)
                chosen = (liked >= liked.max(axis=0) - TIE).argmax(axis=0)
                wins[away, 0, piece.numbers] = to_mover(rows[chosen, np.arange(len(piece))])
    return Odds.of(wins[game.marks.index(seat), 0, 0].tolist())
