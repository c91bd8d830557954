"""Many games of one kind in lockstep: the engine under the Gymnasium and PettingZoo environments.

    batch = Batch(noughts.game("3x3:flip=0.1"), size=1024, seed=1)
    is_legal, seen, masks = batch.step(moves)       # [1024], [1024, 9, 3] and [1024, 9]

All rules live in the kernels. Game i draws from its own stream of the seed, so a game goes the same
way in a batch of one and in a batch of a thousand.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from noughts.errors import NoughtsError
from noughts.games.game import Game, Mark, Position, Result
from noughts.games.line_game import LineGame, LinePosition
from noughts.games.ultimate import UltimateGame, UltimatePosition
from noughts.kernels.rules.codes import O, X
from noughts.kernels.stepping import lines, ultimate

if TYPE_CHECKING:
    from types import ModuleType

SIDES: dict[Mark, int] = {"X": X, "O": O}
_MARKS: tuple[Mark, Mark] = ("X", "O")
Step = tuple[NDArray[np.bool_], NDArray[np.float32], NDArray[np.int8]]
_RESULTS: tuple[Result | None, ...] = (None, "X", "O", "draw")


class Batch:
    """`size` games of one kind. `results`, `turns` and `ticks` are read by the environments."""

    def __init__(self, game: Game, size: int, seed: int) -> None:
        self.game = game
        self.size = size
        self.moves = game.cells * (game.risk.longest_wait + 1)
        self._nothing = np.zeros(size, np.bool_)
        self._everything = np.ones(size, np.bool_)
        self._on_turn = np.zeros(size, np.int8)
        self._zeros = np.zeros(size, np.int64)
        self._clock_end = _clock_end(game)
        self._kernels: ModuleType
        if isinstance(game, LineGame):
            self._kernels, self.planes = lines, 3 + game.risk.has_clock
            self._rules: Any = game.rules
            self.state: Any = _line_batch(game, size)
        elif isinstance(game, UltimateGame):
            self._kernels, self.planes = ultimate, 5 + game.risk.has_clock
            self._rules = game.rules
            self.state = _ultimate_batch(size)
        else:
            raise NoughtsError(f"{game} has rules of its own, and no kernel plays them.")
        self._seen_shape = (size, game.cells, self.planes)
        self._mask_shape = (size, self.moves)
        self.results: NDArray[np.int8] = self.state.results
        self.turns: NDArray[np.int8] = self.state.turns
        self.seed(seed)
        self.begin()

    def seed(self, seed: int) -> None:
        """Give every game its own stream of this seed."""
        self.state.rngs[:, 0] = np.random.SeedSequence(seed).generate_state(self.size, np.uint64)

    def begin(
        self, sides: NDArray[np.int8] | None = None, answers: bool = False
    ) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Start all games anew; what is seen then, as `step` says."""
        _, seen, masks = self.step(self._zeros, self._everything, sides, answers)
        return seen, masks

    def step(
        self,
        moves: NDArray[np.int64],
        restarts: NDArray[np.bool_] | None = None,
        sides: NDArray[np.int8] | None = None,
        answers: bool = False,
    ) -> Step:
        """One move in each game, or a new game where `restarts` holds.

        Which moves were legal (others change nothing), what is seen, [size, cells, planes], and the
        legal moves of whoever is on turn, [size, moves]. Seen is the view of `sides` (X or O), or
        of whoever is on turn. With `answers` the other side moves at random at once.
        """
        is_legal = np.empty(self.size, np.bool_)
        seen = np.empty(self._seen_shape, np.float32)
        masks = np.empty(self._mask_shape, np.int8)
        self._kernels.step(
            self._rules,
            self.state,
            answers,
            self._nothing if restarts is None else restarts,
            moves,
            self._on_turn if sides is None else sides,
            self._clock_end,
            is_legal,
            seen,
            masks,
        )
        return is_legal, seen, masks

    def choose(self) -> NDArray[np.int64]:
        """A random legal move for each running game; 0 for the others."""
        found = np.zeros(self.size, np.int64)
        self._kernels.choose(self._rules, self.state, found)
        return found

    def observe(self, sides: NDArray[np.int8]) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """What each side sees now, and the legal moves of whoever is on turn."""
        seen = np.empty(self._seen_shape, np.float32)
        masks = np.empty(self._mask_shape, np.int8)
        self._kernels.observe(self._rules, self.state, sides, self._clock_end, seen, masks)
        return seen, masks

    def position(self, index: int = 0) -> Position:
        """Game `index` as a Position, for drawing and for agents."""
        state, game = self.state, self.game
        turn = _MARKS[state.turns[index] - 1]
        result, tick = _RESULTS[state.results[index]], int(state.ticks[index])
        if isinstance(game, LineGame):
            x_mask, o_mask = (
                sum(1 << int(cell) for cell in np.flatnonzero(state.boards[index] == side))
                for side in (X, O)
            )
            return LinePosition(
                game=game, turn=turn, tick=tick, x_mask=x_mask, o_mask=o_mask, result=result
            )
        assert isinstance(game, UltimateGame)
        x_mask, o_mask = (
            sum(int(cells) << 9 * mini for mini, cells in enumerate(state.marks[index, side]))
            for side in (0, 1)
        )
        x_minis, o_minis = (int(minis) for minis in state.owners[index])
        return UltimatePosition(
            game=game,
            turn=turn,
            tick=tick,
            x_mask=x_mask,
            o_mask=o_mask,
            x_minis=x_minis,
            o_minis=o_minis,
            forced=int(state.forced[index]),
            result=result,
        )


def observation_shape(game: Game) -> tuple[int, int, int]:
    """Rows, columns and planes: cell c of the game is row c // columns, column c % columns.

    The layers of a cube lie below each other. A row of Ultimate is a mini board, so that in every
    game the cell that a move plays is its place in the observation.
    """
    rows, columns, layers = game.shape
    planes = 5 if isinstance(game, UltimateGame) else 3
    return rows * layers, columns, planes + game.risk.has_clock


def _clock_end(game: Game) -> int:
    """What counts as a full clock in an observation."""
    last = game.risk.last_tick
    return max(1, game.cells * game.risk.longest_wait if last is None else last)


def _line_batch(game: LineGame, size: int) -> lines.LineBatch:
    return lines.LineBatch(
        boards=np.zeros((size, game.cells), np.int8),
        counts=np.zeros((size, 2, len(game.lines)), np.uint8),
        empties=np.zeros(size, np.int64),
        turns=np.zeros(size, np.int8),
        ticks=np.zeros(size, np.int64),
        results=np.zeros(size, np.int8),
        rngs=np.zeros((size, 1), np.uint64),
    )


def _ultimate_batch(size: int) -> ultimate.UltimateBatch:
    return ultimate.UltimateBatch(
        marks=np.zeros((size, 2, 9), np.int64),
        owners=np.zeros((size, 2), np.int64),
        forced=np.zeros(size, np.int64),
        turns=np.zeros(size, np.int8),
        ticks=np.zeros(size, np.int64),
        results=np.zeros(size, np.int8),
        rngs=np.zeros((size, 1), np.uint64),
    )
