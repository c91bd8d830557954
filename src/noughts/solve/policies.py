"""Players as tables: which cells each may choose on every board.

    random                  every empty cell
    fixed:weights=1/2/1/…   empty cells in proportion to their weight
    optimal                 the best moves of this very game
    optimal:of=3x3          the best moves of another game on the same board: the classic player
    any other agent         asked once on every board it can meet, if it always answers alike

Where several moves are equally good, within `Solution.tie`, the rule is explicit: `ties="lowest"`
takes the first of them, `ties="uniform"` all with equal probability; `optimal:ties=uniform` says so
for one player. With a clock the smallest of the best waits is taken either way; `random` waits
uniformly and `fixed` not at all.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.agents import Agent, FunctionAgent, agent, check_player
from noughts.errors import NoughtsError, ParseError
from noughts.games import Game, Mark, Position
from noughts.games import game as read_game
from noughts.kernels.iteration import fill_over
from noughts.kernels.policies import Taste, best_cells
from noughts.solve.api import AnyPlayer, solve
from noughts.solve.limits import check_same_board, check_solvable, clock_end
from noughts.solve.numbering import board_number, landing_vectors, sweep_rules
from noughts.solve.solution import Solution

OPTIMAL = "optimal"  # the agent lives in a room above; its name and options say what it plays
MAX_ASKED = 10  # cells up to which an agent is asked about every board
BATCH = 1 << 15  # boards that are asked about at once, where a player can

Masks = NDArray[np.uint32]
Waits = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Policy:
    """A player of one game as tables; see `kernels/policies.py`.

    masks: [ticks, 3^cells], or [1, 1] for all boards alike. weights: [cells].
    waits: [ticks, 3^cells] ticks to wait, or [1, 1] for a uniform wait.
    """

    game: Game
    name: str
    masks: Masks
    weights: NDArray[np.float64]
    waits: Waits

    def at(self, tick: int) -> tuple[Masks, NDArray[np.float64]]:
        """The table for moves made at one time of the clock, as kernels take it."""
        return (self.masks[tick] if self.masks.size > 1 else self.masks[0]), self.weights


def make_policy(game: Game, player: AnyPlayer, ties: str, seat: Mark) -> Policy:
    """The player of a game as a table; the words are checked by `noughts.solve.policy`."""
    if isinstance(player, Policy):
        if player.game != game:
            raise NoughtsError(f"{player.name} is a player of {player.game}, not of {game}.")
        return player
    if isinstance(player, Solution):
        return _from_solution(game, player, f"optimal:of={player.game}", ties)
    chosen = agent(player)
    if chosen.name == OPTIMAL:
        return _optimal(game, chosen, ties)
    if chosen.name == "random":
        return weighted_policy(game, "random", (1.0,), waits_uniformly=True)
    weights = fixed_weights(game, chosen)
    if weights is not None:
        return weighted_policy(game, str(chosen), weights, waits_uniformly=False)
    return asked_policy(game, chosen, seat)


def fixed_weights(game: Game, player: Agent) -> tuple[float, ...] | None:
    """The weights of cells, of a player that has them; one without must always answer alike."""
    weights = getattr(player, "weights", None) if player.name == "fixed" else None
    if weights is not None:
        if len(weights) not in (1, game.cells):
            raise ParseError(
                f"weights has {len(weights)} values, but {game} has {game.cells} cells."
            )
        return tuple(np.broadcast_to(weights, game.cells).tolist())
    if not (player.is_deterministic or isinstance(player, FunctionAgent)):
        raise NoughtsError(
            f"{player} does not always answer alike, so no table stands for it; "
            f"play it with 'noughts match' or 'noughts play'."
        )
    return None


def weighted_policy(
    game: Game, name: str, weights: tuple[float, ...], waits_uniformly: bool
) -> Policy:
    """Cells in proportion to their weights; where all empty ones weigh nothing, all alike."""
    everywhere = np.full((1, 1), (1 << game.cells) - 1, np.uint32)
    vector = np.array(weights) * np.ones(game.cells)
    if not vector.any():
        vector = np.ones(game.cells)
    elif not vector.all():
        # A tiny weight decides only among cells that have none: next to any other it is nothing.
        vector = np.maximum(vector, np.min(vector[vector > 0.0]) * 2.0**-60)
    waits = np.zeros((1, 1), np.int32)
    if game.risk.has_clock and not waits_uniformly:
        waits = np.zeros((clock_end(game) + 1, 3**game.cells), np.int32)
    return Policy(game, name, everywhere, vector, waits)


def _optimal(game: Game, player: Agent, ties: str) -> Policy:
    of: str | None = getattr(player, "of", None)
    source = game if of is None else check_solvable(read_game(of))
    check_same_board(source, game)  # before a large board is solved in vain
    return _from_solution(
        game,
        solve(source),
        str(player),
        "uniform" if getattr(player, "ties", ties) == "uniform" else ties,
    )


def _from_solution(game: Game, solution: Solution, name: str, ties: str) -> Policy:
    """The best moves of a solution, played in `game`."""
    source = solution.game
    check_same_board(source, game)
    size = 3**game.cells
    own_ticks = clock_end(source) + 1
    masks = np.zeros((own_ticks, size), np.uint32)
    at_once = np.empty((own_ticks, size))
    for tick in range(own_ticks):
        best_cells(
            sweep_rules(source), landing_vectors(source, tick), solution.arrivals[tick],
            Taste(solution.tie, ties == "lowest"), 0, size, masks[tick], at_once[tick],
        )  # fmt: skip
    if not source.risk.has_clock:
        ticks = clock_end(game) + 1
        if ticks == 1:
            return Policy(game, name, masks, np.ones(game.cells), np.zeros((1, 1), np.int32))
        # A player who knows no clock never waits.
        waits = np.zeros((ticks, size), np.int32)
        return Policy(game, name, np.repeat(masks, ticks, axis=0), np.ones(game.cells), waits)
    waits = best_waits(solution, at_once)
    return Policy(game, name, masks, np.ones(game.cells), waits)


def best_waits(solution: Solution, at_once: NDArray[np.float64]) -> Waits:
    """The smallest wait after which playing is worth as much as the board is."""
    ticks = len(at_once)
    waits = np.full(at_once.shape, -1, np.int32)
    for tick in range(ticks):
        for wait in range(min(solution.game.risk.waits(tick), ticks - 1 - tick) + 1):
            is_best = at_once[tick + wait] >= solution.table[tick] - solution.tie
            waits[tick][is_best & (waits[tick] < 0)] = wait
    return np.maximum(waits, 0)


def asked_policy(game: Game, player: Agent, seat: Mark) -> Policy:
    """Ask an agent once about every position that its seat can meet; its answers are the table.

    Right for agents that always answer alike. The random numbers they draw are seeded by the board.
    """
    bulk = getattr(player, "choices", None)
    if bulk is not None and not game.risk.has_clock:
        return _bulk_policy(game, player, bulk, seat)
    if game.cells > MAX_ASKED or game.risk.has_clock:
        raise NoughtsError(
            f"{player} would have to be asked about every board of {game}; that is done for boards "
            f"of up to {MAX_ASKED} cells without a clock."
        )
    masks = np.full((1, 3**game.cells), (1 << game.cells) - 1, np.uint32)
    for number, move in asked_moves(game, player, seat, board_number):
        masks[0, number] = 1 << move
    return Policy(game, str(player), masks, np.ones(game.cells), np.zeros((1, 1), np.int32))


def asked_moves(
    game: Game, player: Agent, seat: Mark, number_of: Callable[[Position], int]
) -> Iterator[tuple[int, int]]:
    """What an agent plays in every position that its seat can meet, by the number of its board."""
    check_player(player, game)
    for position in reachable(game):
        if position.turn == seat:
            number = number_of(position)
            player.reset()
            yield number, player.choose(position, np.random.default_rng(number))


def _bulk_policy(game: Game, player: Agent, bulk: Callable[..., Any], seat: Mark) -> Policy:
    """The table of a player that answers about many boards at once (`learn/frame/learner.py`)."""
    check_player(player, game)
    size = 3**game.cells
    is_over = np.empty(size)
    is_over.fill(np.nan)
    fill_over(sweep_rules(game), 0, size, is_over)
    running = np.flatnonzero(np.isnan(is_over))
    masks = np.full((1, size), (1 << game.cells) - 1, np.uint32)
    for first in range(0, len(running), BATCH):
        boards = running[first : first + BATCH]
        moves = np.asarray(bulk(boards, seat))
        masks[0, boards] = np.uint32(1) << moves.astype(np.uint32)
    return Policy(game, str(player), masks, np.ones(game.cells), np.zeros((1, 1), np.int32))


def reachable(game: Game) -> list[Position]:
    """Every running position that play can lead to, the start first."""
    start = game.start()
    found: dict[Position, None] = {start: None}
    queue = [start]
    while queue:
        position = queue.pop()
        for move in position.moves:
            for _, after in position.landings(move):
                if after.result is None and after not in found:
                    found[after] = None
                    queue.append(after)
    return list(found)
