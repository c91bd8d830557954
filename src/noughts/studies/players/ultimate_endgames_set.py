"""A frozen set of Ultimate endgames, each solved exactly: the value of every legal move.

Games are played by UCT with 100 simulations, which plays a random move one time in four. From every
game one position is taken, the first with at most so many free cells, a number drawn from 12 to 20.
It is kept if some of its moves are better than others. The values are proven by alpha-beta to the
end of the game. What is stored for a position is its text and a letter for each legal move, in
ascending order: who wins after it, X or O, or D for a draw.

    from noughts.studies.players.ultimate_endgames_set import write_set
    write_set(1200, seed=1)                                   # made the file that is here; minutes
"""

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np

from noughts.agents import agent as read_agent
from noughts.files import replacing
from noughts.games import game as read_game
from noughts.games.ultimate import UltimatePosition

FILE = "ultimate_endgames.json.gz"
FEWEST, MOST = 12, 20  # free cells
RANDOM_MOVES = 0.25
_LETTERS = {1.0: "X", 0.0: "D", -1.0: "O"}
_VALUES = {letter: value for value, letter in _LETTERS.items()}


@dataclass(frozen=True)
class Endgame:
    """A position and the exact value for X of each of its moves."""

    position: UltimatePosition
    values: Mapping[int, float]

    @property
    def value(self) -> float:
        """Of the position, for X."""
        best = max if self.position.turn == "X" else min
        return best(self.values.values())

    def regret(self, move: int) -> float:
        """What a move loses: 0, 1 (a win for a draw, a draw for a loss) or 2."""
        return abs(self.value - self.values[move])


def free_cells(position: UltimatePosition) -> int:
    """How many cells take a mark, forced or not."""
    return sum(position.free_cells(mini).bit_count() for mini in range(9))


@cache
def all_endgames() -> tuple[Endgame, ...]:
    """The frozen set."""
    packed = files("noughts.studies").joinpath("data", FILE).read_bytes()
    game = read_game("ultimate")
    found = []
    for text, letters in json.loads(gzip.decompress(packed)):
        position = game.parse(text)
        assert isinstance(position, UltimatePosition)
        values = [_VALUES[letter] for letter in letters]
        found.append(Endgame(position, dict(zip(position.moves, values, strict=True))))
    return tuple(found)


def solve_endgame(position: UltimatePosition) -> dict[int, float]:
    """The exact value for X of every move, by a search to the end."""
    from noughts.search.engines.negamax import AlphaBetaEngine

    engine = AlphaBetaEngine(position.game, megabytes=64)
    values, is_exact, _ = engine.values_at(position, free_cells(position) + 1)
    assert is_exact, "a search as deep as there are cells is exact"
    return values


def make_endgame(seed: int, index: int) -> Endgame | None:
    """The position of game number `index`, or None where there is nothing to decide."""
    rng = np.random.default_rng([seed, index])
    position = _late_position(int(rng.integers(FEWEST, MOST + 1)), rng)
    if position is None or len(position.moves) < 2:
        return None
    values = solve_endgame(position)
    return Endgame(position, values) if len(set(values.values())) > 1 else None


def _late_position(free: int, rng: np.random.Generator) -> UltimatePosition | None:
    player = read_agent("uct:simulations=100")
    position = read_game("ultimate").start()
    assert isinstance(position, UltimatePosition)
    while position.result is None and free_cells(position) > free:
        is_random = rng.random() < RANDOM_MOVES
        move = int(rng.choice(position.moves)) if is_random else player.choose(position, rng)
        position = position.play(move)
    return position if position.result is None else None


def write_set(count: int, seed: int, path: Path | None = None) -> None:
    """Make so many endgames and write them where `all_endgames` looks, or elsewhere."""
    rows: list[tuple[str, str]] = []
    index = 0
    while len(rows) < count:
        found = make_endgame(seed, index)
        index += 1
        if found is not None:
            letters = [_LETTERS[found.values[move]] for move in found.position.moves]
            rows.append((found.position.to_text(), "".join(letters)))
    packed = gzip.compress(json.dumps(rows).encode(), mtime=0)
    place = path or Path(str(files("noughts.studies").joinpath("data", FILE)))
    with replacing(place, "wb") as file:
        file.write(packed)
