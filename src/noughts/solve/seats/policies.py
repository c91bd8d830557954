"""Players of games of more than two seats, as what they choose on all boards of a block.

random                  every move, that is every free cell and every wait
fixed:weights=1/2/1/…   free cells in proportion to their weight, at once
optimal                 the tied moves of the equilibrium, by its tie rule
optimal:of=GAME         those of another game on the same board
any other agent         asked once on every board it can meet, if it always answers alike
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.agents import Agent, agent
from noughts.errors import NoughtsError
from noughts.games import game as read_game
from noughts.games.game import Game, Mark
from noughts.solve.api import solve
from noughts.solve.limits import check_same_board, clock_end
from noughts.solve.policies import asked_moves, fixed_weights
from noughts.solve.seats.blocks import Block, Rows, seat_number
from noughts.solve.seats.equilibrium import own_worth
from noughts.solve.seats.landing import TIE, landed_moves, longest_wait, lost_turn
from noughts.solve.seats.limits import board_count, check_equilibrium
from noughts.solve.seats.solution import SeatSolution

MOST_ASKED = 4**9  # boards up to which an agent is asked about every one it can meet

Chances = Callable[[int], Rows]  # of a tick: [waits, free cells, boards]


@dataclass(frozen=True, eq=False)
class SeatPolicy(ABC):
    """A player of one game who does not change."""

    game: Game
    name: str

    @abstractmethod
    def chances(self, block: Block) -> Chances:
        """How likely each move is on each board of a block, at each tick."""


@dataclass(frozen=True, eq=False)
class WeightedPolicy(SeatPolicy):
    """Cells in proportion to their weights, whatever the board."""

    weights: Rows
    waits_uniformly: bool

    def chances(self, block: Block) -> Chances:
        weights = self.weights[list(block.free)]
        if not weights.any():
            weights = np.ones(len(weights))
        each = np.repeat(weights[:, None] / weights.sum(), len(block), axis=1)

        def at(tick: int) -> Rows:
            longest = longest_wait(self.game, tick) if self.waits_uniformly else 0
            return np.repeat(each[None] / (longest + 1), longest + 1, axis=0)

        return at


@dataclass(frozen=True, eq=False)
class AskedPolicy(SeatPolicy):
    """One cell on every board that was asked about; any cell on the others."""

    cells: NDArray[np.int16]  # [boards] -1: not asked

    def chances(self, block: Block) -> Chances:
        asked = self.cells[block.numbers]
        found = (np.array(block.free)[:, None] == asked).astype(float)
        found[:, asked < 0] = 1.0 / len(block.free)
        return lambda tick: found[None]


@dataclass(frozen=True, eq=False)
class GreedyPolicy(SeatPolicy):
    """The moves that are worth most to the player by a table: the lowest, or all alike.

    worth(block, tick) -> [free cells, boards] what playing a cell then is worth to him.
    """

    ties: str
    worth: Callable[[Block, int], Rows]
    table_ticks: int  # of the table; a player who knows no clock never waits

    def chances(self, block: Block) -> Chances:
        worth = np.stack([self.worth(block, tick) for tick in range(self.table_ticks)])
        best_at = worth.max(axis=1)

        def at(tick: int) -> Rows:
            last = tick + longest_wait(self.game, tick)
            waits = slice(tick, last + 1) if self.table_ticks > 1 else slice(0, 1)
            enough = best_at[waits].max(axis=0) - TIE
            is_tied = worth[waits] >= enough
            if self.ties == "lowest":
                flat = is_tied.reshape(-1, len(block))
                only = np.zeros_like(flat)
                only[flat.argmax(axis=0), np.arange(len(block))] = True
                is_tied = only.reshape(is_tied.shape)
            shares: Rows = is_tied / is_tied.sum(axis=(0, 1))
            return shares

        return at


def solved_policy(game: Game, solution: SeatSolution, name: str, ties: str) -> SeatPolicy:
    """The best moves of a solution, played in `game`."""
    check_same_board(solution.game, game)
    wins = solution._wins()

    def worth(block: Block, tick: int) -> Rows:
        rows = landed_moves(solution.game, block, tick, wins[tick])
        return own_worth(rows + lost_turn(solution.game, block, tick, wins[tick]))

    return GreedyPolicy(game, name, ties, worth, len(wins))


def make_seat_policy(game: Game, player: Any, ties: str, seat: Mark) -> SeatPolicy:
    """The player of a game as a policy; the words are checked by `noughts.solve.policy`."""
    if isinstance(player, SeatPolicy):
        if player.game != game:
            raise NoughtsError(f"{player.name} is a player of {player.game}, not of {game}.")
        return player
    if isinstance(player, SeatSolution):
        return solved_policy(game, player, f"optimal:of={player.game}", player.ties)
    chosen = agent(player)
    if chosen.name == "optimal":
        return _optimal(game, chosen, ties)
    if chosen.name == "random":
        return WeightedPolicy(game, "random", np.ones(game.cells), True)
    weights = fixed_weights(game, chosen)
    if weights is not None:
        return WeightedPolicy(game, str(chosen), np.array(weights), False)
    return _asked(game, chosen, seat)


def _optimal(game: Game, player: Agent, ties: str) -> SeatPolicy:
    of: str | None = getattr(player, "of", None)
    source = game if of is None else read_game(of)
    check_same_board(source, game)
    check_equilibrium(source)
    rule = "uniform" if getattr(player, "ties", ties) == "uniform" else ties
    solution: Any = solve(source, ties=rule)
    return solved_policy(game, solution, str(player), rule)


def _asked(game: Game, player: Agent, seat: Mark) -> SeatPolicy:
    """Ask an agent once about every position that its seat can meet."""
    if board_count(game) > MOST_ASKED or clock_end(game) > 0:
        raise NoughtsError(
            f"{player} would have to be asked about every board of {game}; that is done for up to "
            f"{MOST_ASKED:,} boards without a clock."
        )
    cells = np.full(board_count(game), -1, np.int16)
    for number, move in asked_moves(game, player, seat, seat_number):
        cells[number] = move
    return AskedPolicy(game, str(player), cells)
