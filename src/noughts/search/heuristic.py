"""R4's evaluation-based agent: depth-limited minimax on a count of marks in whole rows.

For the player who thinks, with k marks winning,

    evaluation = ±1000 for a finished game, else the sum over
        cells:  ±30 for a mark in the centre, ±20 for a mark in a corner;
        rows, columns and diagonals of at least k cells, whole, not windows of k:
                10·own  without a mark of the opponent, twice that when own = k - 1,
               -10·opponent  likewise without a mark of his own,
                10      when empty,
                10·(own - opponent)  when mixed.

On boards with layers a row is any straight run, the centre is the middle of all axes and a corner
the end of all of them. The search keeps these sums up cell by cell; a win outranks every
evaluation, and a quick win a slow one.
"""

import dataclasses
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from noughts.agents import Agent, check_running
from noughts.errors import NoughtsError
from noughts.games.boards import Board
from noughts.games.game import Game, Mark, Position, other
from noughts.options import whole
from noughts.search.engines.deepening import thinking

if TYPE_CHECKING:
    import numpy as np

    from noughts.search.engines.negamax import AlphaBetaEngine

WON, CENTRE, CORNER, STEP = 1000, 30, 20, 10


def win_length(board: Board) -> int:
    """How many marks in a row win."""
    return min(map(len, board.lines))


@lru_cache(maxsize=64)
def whole_rows(board: Board, k: int) -> tuple[tuple[int, ...], ...]:
    """Every straight run of cells from edge to edge that holds at least k cells."""
    found = set()
    for step in product((-1, 0, 1), repeat=3):
        if not any(step):
            continue
        for start in product(*map(range, board.shape)):
            before = [s - d for s, d in zip(start, step, strict=True)]
            if _is_inside(board, before):
                continue
            run, place = [], list(start)
            while _is_inside(board, place):
                run.append(board.cell_at(*place))
                place = [p + d for p, d in zip(place, step, strict=True)]
            if len(run) >= k:
                found.add(tuple(sorted(run)))
    return tuple(sorted(found))


def _is_inside(board: Board, place: list[int]) -> bool:
    return all(0 <= p < side for p, side in zip(place, board.shape, strict=True))


@lru_cache(maxsize=64)
def cell_worth(board: Board) -> tuple[int, ...]:
    """30 in the centre, 20 in a corner, else 0."""
    worth = []
    for cell in range(board.cells):
        places = list(zip(board.place_of(cell), board.shape, strict=True))
        if all(p in ((side - 1) // 2, side // 2) for p, side in places):
            worth.append(CENTRE)
        else:
            worth.append(CORNER if all(p in (0, side - 1) for p, side in places) else 0)
    return tuple(worth)


def row_worth(own: int, theirs: int, k: int) -> int:
    """What the marks in one row are worth."""
    if own and theirs:
        return STEP * (own - theirs)
    if own:
        return STEP * own * (2 if own == k - 1 else 1)
    if theirs:
        return -STEP * theirs * (2 if theirs == k - 1 else 1)
    return STEP


def evaluate(position: Position, mark: Mark) -> int:
    """R4's evaluation of a position for one player."""
    if position.result is not None:
        return 0 if position.result == "draw" else WON if position.result == mark else -WON
    lines, board = lines_of(position.game), position.board
    worth = cell_worth(lines)
    sign = {mark: 1, other(mark): -1, ".": 0}
    total = sum(sign[letter] * worth[cell] for cell, letter in enumerate(board))
    k = win_length(lines)
    for row in whole_rows(lines, k):
        letters = [board[cell] for cell in row]
        total += row_worth(letters.count(mark), letters.count(other(mark)), k)
    return total


@lru_cache(maxsize=16)
def heuristic_rules(game: Game, mark: Mark) -> Any:
    """The evaluation as rules of the search kernel."""
    board = lines_of(game)
    k = win_length(board)
    rows = whole_rows(board, k)
    through: list[list[int]] = [[] for _ in range(game.cells)]
    for number, row in enumerate(rows):
        for cell in row:
            through[cell].append(number)
    size = max(map(len, rows), default=0) + 1
    sides = (1, -1) if mark == "X" else (-1, 1)
    worth = np.array(cell_worth(board), np.int64)
    value = [[row_worth(own, theirs, k) for theirs in range(size)] for own in range(size)]
    by_marks = np.array(value, np.int64)
    rules = game.search_rules
    tables = rules.tables._replace(
        is_plain=True,
        width=game.cells,
        scale=float(WON),
        viewer=0 if mark == "X" else 1,
        roles=len(rows),
        role_start=np.cumsum([0, *map(len, through)], dtype=np.int32),
        role_of=np.array([row for cell in through for row in cell], dtype=np.int32),
        role_value=by_marks if mark == "X" else np.ascontiguousarray(by_marks.T),
        cell_value=np.array([side * worth for side in sides]),
    )
    return rules._replace(tables=tables)


@dataclass(eq=False, repr=False)
class HeuristicAgent(Agent):
    """Looks exactly `depth` moves ahead and trusts the evaluation."""

    name = kernels = "heuristic"
    most_seats = 2
    is_deterministic = True
    depth: int = whole(2, 1, 20, "How many moves it looks ahead.")

    def check_game(self, game: Game) -> None:
        lines_of(game)

    def choose(self, position: Position, rng: np.random.Generator) -> int:
        check_running(position)
        engine = self._engine(position)
        with thinking(engine) as report:
            answer = engine.look(position, self.depth)
        self.last = dataclasses.replace(
            report[0], value=answer.value, is_exact=answer.is_proven, note=f"depth {self.depth}"
        )
        return position.moves[0] if answer.move is None else answer.move

    def values(self, position: Position) -> dict[int, float]:
        """The evaluation of each move, bent into [-1, 1]."""
        if position.result is not None:
            return {}
        engine = self._engine(position)
        self.values_are_exact = True
        found: dict[int, float] = {}
        for move in position.moves:
            after = position.play(move)
            if after.result is not None or self.depth == 1:
                self.values_are_exact &= after.result is not None
                found[move] = _value_for_x(after, position.mover)
            else:
                answer = engine.look(after, self.depth - 1)
                self.values_are_exact &= answer.is_proven
                found[move] = answer.value
        return found

    def _engine(self, position: Position) -> "AlphaBetaEngine":
        from noughts.search.engines.negamax import AlphaBetaEngine

        # The evaluation depends on who thinks, so no table outlives a choice.
        rules = heuristic_rules(position.game, position.turn)
        return AlphaBetaEngine(position.game, 1, rules=rules)


def lines_of(game: Game) -> Board:
    """The board of a game that this agent can evaluate."""
    board = game.hypergraph
    if board is None or game.is_risky:
        raise NoughtsError(
            f"heuristic evaluates rows of marks on boards without risk; it cannot play {game}."
        )
    return board


def _value_for_x(position: Position, mark: Mark) -> float:
    from noughts.search.engines.negamax import bend

    if position.result is not None:
        return position.game.worth(position.result)[0]
    return bend(evaluate(position, mark), WON) * (1 if mark == "X" else -1)
