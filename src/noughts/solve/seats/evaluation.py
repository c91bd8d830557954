"""Exact odds of fixed players, one to each seat, and the exact best reply of one seat to the rest.

Tables stand for every turn here, with boards seen from whoever is on turn and columns for seats as
they are called: X, O, T, S. For players π_t the probability that a seat wins satisfies

    w(b, t) = Σ_a π_t(a|b) · Σ_landings P(landing) · w(b', t + 1),

and for the seat that replies the sum over its own moves is a maximum. Boards only fill up, so one
pass over blocks, the fullest first, is exact. Lost turns tie the n turns of a board together: a
ring of linear equations, in which the seat that replies has a choice of lines. Where marks fade the
equations are iterated from 0 until nothing changes. A game that never ends counts as a draw.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from noughts.games.game import Game, Mark
from noughts.solve.evaluation import Response
from noughts.solve.limits import MemoryPlan, clock_end
from noughts.solve.seats.answers import Odds
from noughts.solve.seats.blocks import Block, Rows, boards_of, losers_share
from noughts.solve.seats.fading import before_fading
from noughts.solve.seats.landing import landed_moves, longest_wait, lost_turn
from noughts.solve.seats.limits import board_count
from noughts.solve.seats.policies import Chances, GreedyPolicy, SeatPolicy

_CHANGE = 1e-15  # an iteration that changes less than this has arrived
_STALLED = 100  # steps without a smaller change: rounding is all that moves


def seat_odds(game: Game, players: Sequence[SeatPolicy]) -> Odds:
    """The exact odds of players who do not change, from the empty board."""
    found = _Tables(game, list(players), np.eye(game.seats)).solve()
    return Odds.of(found[0, 0, 0].tolist())


def seat_reply(game: Game, others: Sequence[SeatPolicy], seat: Mark, ties: str) -> Response:
    """The best reply of a seat to the players of all others, in turn order from X; its odds."""
    place = game.marks.index(seat)
    players: list[SeatPolicy | None] = [*others[:place], None, *others[place:]]
    worth = np.full((game.seats, 1), losers_share(game.seats))
    worth[place] = 1.0
    found = _Tables(game, players, worth).solve()
    after = found[(place + 1) % game.seats]
    if game.risk.fades:
        after = np.stack([before_fading(game, table) for table in after])
    name = f"best response to {', '.join(other.name for other in others)}"
    reply = GreedyPolicy(game, name, ties, partial(_replies, game, after), clock_end(game) + 1)
    seated: list[SeatPolicy] = [*others[:place], reply, *others[place:]]
    return Response(reply, seat, seat_odds(game, seated))


def _replies(game: Game, after: Rows, block: Block, tick: int) -> Rows:
    """[cells, boards] what every move is worth to the seat that replies."""
    rows = landed_moves(game, block, tick, after[tick])
    worth: Rows = (rows + lost_turn(game, block, tick, after[tick]))[..., 0]
    return worth


@dataclass
class _Turn:
    """What one player's turn makes of the boards of a block: a line, or a choice of lines."""

    level: Rows  # [choices, boards, columns]
    slope: Rows  # [choices, boards]: how likely this turn is lost
    is_choice: bool


class _Tables:
    """[turns, ticks, boards, columns] what every position comes to; None among players replies."""

    def __init__(self, game: Game, players: list[SeatPolicy | None], results: Rows) -> None:
        self.game, self.players, self.results = game, players, results
        self.ticks = clock_end(game) + 1
        shape = (game.seats, self.ticks, board_count(game), results.shape[1])
        copies = 3 if game.risk.fades else 1
        MemoryPlan(copies * int(np.prod(shape)) * 8).check(f"Finding the odds of {game}")
        self.out = np.zeros(shape)

    def solve(self) -> Rows:
        """All tables, from the last board and the last tick back."""
        blocks = list(self._ended_blocks()) if self.game.risk.fades else self._ended_blocks()
        if not self.game.risk.fades:
            for block in blocks:
                chances = self._chances(block)
                for tick in range(self.ticks - 1, -1, -1):
                    self._settle(block, tick, self._turns(block, chances, tick, self.out))
            return self.out
        told = [(block, self._chances(block)) for block in blocks]
        for tick in range(self.ticks - 1, -1, -1):
            self._iterate(told, tick)
        return self.out

    def _chances(self, block: Block) -> list[Chances | None]:
        return [None if player is None else player.chances(block) for player in self.players]

    def _ended_blocks(self) -> Iterator[Block]:
        """The blocks with running boards; results are written where games have ended."""
        for block, ended in boards_of(self.game).blocks():
            for turn in range(self.game.seats):
                won = ended.winner >= 0
                seat = (ended.winner[won] + turn) % self.game.seats
                self.out[turn][:, ended.numbers[won]] = self.results[seat]
            if len(block) > 0:
                yield block

    def _turns(
        self, block: Block, chances: list[Chances | None], tick: int, after: Rows
    ) -> list[_Turn]:
        """Everybody's turn at one tick; `after` holds what boards are worth before they are met."""
        game, found = self.game, []
        waits = range(longest_wait(game, tick) + 1)
        for turn, chance in enumerate(chances):
            later = after[(turn + 1) % game.seats]
            fizzle = np.array(game.risk.fizzle)[list(block.free)]
            rows = [landed_moves(game, block, tick + wait, later[tick + wait]) for wait in waits]
            for wait in waits[1:]:  # turns lost at later ticks lead to what is known by now
                rows[wait] += lost_turn(game, block, tick + wait, later[tick + wait])
            if chance is None:
                level = np.concatenate(rows)
                slope = np.zeros(level.shape[:2])
                slope[: len(fizzle)] = fizzle[:, None]
                found.append(_Turn(level, slope, True))
                continue
            shares = chance(tick)
            level = sum(
                np.einsum("mb,mbk->bk", share, row)
                for share, row in zip(shares, rows[: len(shares)], strict=True)
            )
            found.append(_Turn(level[None], (fizzle @ shares[0])[None], False))
        return found

    def _settle(self, block: Block, tick: int, turns: list[_Turn]) -> None:
        """Solve the rings that lost turns make, one for each board and the turn it begins with."""
        seats, out = self.game.seats, self.out
        if not self.game.risk.fizzles:
            for turn, made in enumerate(turns):
                out[turn, tick, block.numbers] = made.level.max(axis=0)
            return
        chooser = next((turn for turn, made in enumerate(turns) if made.is_choice), 0)
        places = [np.arange(len(block))]
        for _ in range(seats - 1):
            places.append(block.turned_at[places[-1]])
        level = np.zeros_like(turns[chooser].level[0])
        slope = np.ones(len(block))
        for i in range(seats - 1, 0, -1):  # from the turn before the chooser's back to the next one
            made = turns[(chooser + i) % seats]
            level = made.level[0][places[i]] + made.slope[0][places[i], None] * level
            slope = made.slope[0][places[i]] * slope
        own = turns[chooser]
        stays = (own.slope * slope)[..., None]
        once = own.level + own.slope[..., None] * level
        with np.errstate(invalid="ignore", divide="ignore"):
            value = np.where(stays < 1.0, once / (1.0 - stays), 0.0).max(axis=0)
        out[chooser, tick, block.numbers] = value
        for i in range(seats - 1, 0, -1):
            made = turns[(chooser + i) % seats]
            value = made.level[0][places[i]] + made.slope[0][places[i], None] * value
            out[(chooser + i) % seats, tick, block.numbers[places[i]]] = value

    def _iterate(self, told: list[tuple[Block, list[Chances | None]]], tick: int) -> None:
        """Bring one tick to its fixed point where marks fade."""
        seats, out = self.game.seats, self.out
        smallest, stalled = np.inf, 0
        while smallest > _CHANGE and stalled < _STALLED:
            after, change = out.copy(), 0.0
            for turn, when in np.ndindex(seats, self.ticks):
                if when >= tick:
                    after[turn, when] = before_fading(self.game, out[turn, when])
            for block, chances in told:
                for turn, made in enumerate(self._turns(block, chances, tick, after)):
                    stay = after[(turn + 1) % seats, tick].take(block.turned, axis=0)
                    new = (made.level + made.slope[..., None] * stay).max(axis=0)
                    change = max(change, float(np.abs(new - out[turn, tick, block.numbers]).max()))
                    out[turn, tick, block.numbers] = new
            stalled = 0 if change < smallest else stalled + 1
            smallest = min(smallest, change)
