"""`optimal`: plays the exact table, which is solved on demand and kept on the disk.

Qubic has no table; there it plays the proof of X's win, which comes with Noughts.
"""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noughts.agents import Agent, AgentListing, Thought, check_running
from noughts.games.game import Game, Position
from noughts.games.registry import game as read_game
from noughts.options import choice, text
from noughts.solve.limits import check_same_board, check_solvable
from noughts.solve.stored import stored_solution

if TYPE_CHECKING:
    import numpy as np

    from noughts.solve.solution import Solution

# Named as a text, because the search is this package's sibling: neither imports the other.
_BY_PROOF = AgentListing("optimal", "noughts.search.proof.player:QubicPlayer", "by the proof")


@dataclass(eq=False, repr=False)
class OptimalAgent(Agent):
    """Plays a best move of the game, or of another game on the same board."""

    name = "optimal"
    of: str | None = text(None, "Play as in this game instead, such as 3x3 in a risky world.")
    ties: str = choice(
        "lowest", ("lowest", "uniform"), "Which of several best moves: the lowest, or any."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._solution: Solution | None = None
        self._by_proof: Agent | None = None

    @property
    def is_deterministic(self) -> bool:
        return self.ties == "lowest"

    def check_game(self, game: Game) -> None:
        if self._player_by_proof(game) is None:
            check_solvable(game if self.of is None else read_game(self.of))

    def _player_by_proof(self, game: Game) -> Agent | None:
        """Who plays a game that is proven and has no table; None if it is not one."""
        if self.of is not None or str(game) != "qubic":
            return None
        if self._by_proof is None:
            player: Any = _BY_PROOF.resolve()
            self._by_proof = player(is_varied=self.ties == "uniform")
        return self._by_proof

    def choose(self, position: Position, rng: "np.random.Generator") -> int:
        check_running(position)
        by_proof = self._player_by_proof(position.game)
        if by_proof is not None:
            move = by_proof.choose(position, rng)
            self.last = by_proof.last
            return move
        began = time.perf_counter()
        solution, seen = self._find(position)
        best = _quickest(seen, solution.best_moves(seen))
        move = best[0] if self.ties == "lowest" else int(rng.choice(best))
        self.last = Thought(
            nodes=len(position.moves),
            depth=1,
            seconds=time.perf_counter() - began,
            memory=solution.table.nbytes,
            value=solution.values(seen)[move],
            is_exact=self.of is None,
            note=f"from the table of {solution.game}",
        )
        return move

    def values(self, position: Position) -> dict[int, float]:
        """The exact value of every move, for X; by a proof only of the moves it knows."""
        by_proof = self._player_by_proof(position.game)
        if by_proof is not None:
            found = by_proof.values(position)
            self.values_are_exact = by_proof.values_are_exact
            return found
        solution, seen = self._find(position)
        self.values_are_exact = self.of is None
        return solution.values(seen)

    def reset(self) -> None:
        super().reset()
        if self._by_proof is not None:
            self._by_proof.reset()

    def _find(self, position: Position) -> "tuple[Solution, Position]":
        """The solution to play by, and the position as that game sees it."""
        source = position.game if self.of is None else read_game(self.of)
        solved = check_solvable(source)
        if self._solution is None or self._solution.game != solved:
            self._solution = stored_solution(solved)
        if self.of is None:
            return self._solution, position
        check_same_board(solved, check_solvable(position.game))
        data = {"board": position.board, "turn": position.turn}
        return self._solution, solved.position_from_dict(data)


def _quickest(position: Position, best: tuple[int, ...]) -> tuple[int, ...]:
    """Of equally good moves those that win at once, if there are any: why wait?"""
    if position.game.risk.is_risky:
        return best
    wins = tuple(move for move in best if position.play(move).result == position.turn)
    return wins or best
