"""Proofs by search: who wins a game that is too big for tables, and which first moves do it.

The question "does the player on turn win?" is alpha-beta with the window (0, 1), and "does he at
least draw?" with (-1, 0): each asks for one bit, so nearly every position is settled by a bound.
The search deepens until the answer is sure. A certificate is read off afterwards: the winner's
move, found by the same search, in every position that the opponent's replies can lead to.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from noughts.errors import NoughtsError
from noughts.games.game import Game, Mark, Result, check_two, other
from noughts.games.line_game import LineGame, LinePosition
from noughts.games.registry import game as read_game
from noughts.kernels.rules.protocol import WIN
from noughts.kernels.transposition import DECIDED, ENDLESS, UNSURE
from noughts.prove.certificate import Certificate, Goal, Strategy
from noughts.search.engines.negamax import AlphaBetaEngine

MEGABYTES = 256  # of the transposition table

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Proof:
    """The result of perfect play."""

    game: str
    result: Result
    first_moves: dict[int, Result]  # the result after each first move that was searched
    nodes: int
    seconds: float

    @property
    def winning_moves(self) -> tuple[int, ...]:
        """The first moves that were found to win for X."""
        return tuple(move for move, result in self.first_moves.items() if result == "X")

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON."""
        return {
            "game": self.game,
            "result": self.result,
            "winning_moves": list(self.winning_moves),
            "first_moves": {str(move): result for move, result in self.first_moves.items()},
            "nodes": self.nodes,
            "seconds": self.seconds,
        }


class Prover:
    """Settles positions of one line game without risk; what it learns it keeps."""

    def __init__(self, game: Game | str, megabytes: int = MEGABYTES) -> None:
        proven = read_game(game)
        if not isinstance(proven, LineGame):
            raise NoughtsError(f"A proof needs a board of lines; {proven} is not one.")
        check_two(proven, "A proof")
        if proven.risk.is_risky:
            raise NoughtsError(f"A proof needs a game without risk; {proven} is not one.")
        self.game = proven
        self.engine = AlphaBetaEngine(proven, megabytes)

    def reaches(self, position: LinePosition, goal: Goal, first_depth: int = 1) -> tuple[bool, int]:
        """Does the player on turn win, or at least hold? And the move that does it."""
        alpha = 0 if goal == "win" else -1
        end = len(position.moves) + 1
        for depth in range(min(first_depth, end), end + 1):
            score, move, sureness, _ = self.engine.search(position, depth, alpha, alpha + 1)
            if sureness != UNSURE or abs(score) > DECIDED:
                return score > alpha, move if move >= 0 else position.moves[0]
        raise AssertionError("a search to the end of the game is always sure")

    def result(self, position: LinePosition) -> Result:
        """The result of perfect play from any position."""
        if position.result is not None:
            return position.result
        if self.reaches(position, "win")[0]:
            return position.turn
        return "draw" if self.reaches(position, "hold")[0] else other(position.turn)


def prove(
    game: Game | str,
    all_moves: bool = True,
    megabytes: int = MEGABYTES,
    progress: Progress | None = None,
) -> Proof:
    """The result of a game, and of every first move unless one that reaches it is enough."""
    return _prove(Prover(game, megabytes), all_moves, progress)


def prove_with_certificate(
    game: Game | str,
    all_moves: bool = True,
    megabytes: int = MEGABYTES,
    progress: Progress | None = None,
) -> tuple[Proof, Certificate]:
    """The proof of a game and what an independent checker needs to believe it."""
    prover = Prover(game, megabytes)
    proof = _prove(prover, all_moves, progress)
    plans: list[tuple[Mark, Goal]] = [("X", "hold"), ("O", "hold")]
    if proof.result != "draw":
        plans = [(proof.result, "win")]
    strategies = tuple(_Planner(prover, *plan).strategy(progress) for plan in plans)
    return proof, Certificate(proof.game, proof.result, strategies)


def _prove(prover: Prover, all_moves: bool, progress: Progress | None) -> Proof:
    began = time.perf_counter()
    start = prover.game.start()
    first_moves: dict[int, Result] = {}
    if all_moves:
        images = _first_move_classes(prover.game)
        classes = sorted(set(images.values()))
        found: dict[int, Result] = {}
        for done, move in enumerate(classes):
            found[move] = prover.result(start.play(move))
            if progress is not None:
                progress(done + 1, len(classes), f"cell {move}: {found[move]}")
        first_moves = {move: found[image] for move, image in images.items()}
        results = set(found.values())
        result: Result = "X" if "X" in results else "draw" if "draw" in results else "O"
    else:
        result = prover.result(start)
        if result != "O":
            goal: Goal = "win" if result == "X" else "hold"
            first_moves = {prover.reaches(start, goal)[1]: result}
    return Proof(
        str(prover.game), result, first_moves, prover.engine.nodes, time.perf_counter() - began
    )


def _first_move_classes(game: LineGame) -> dict[int, int]:
    """For each cell the smallest cell that a symmetry maps it to."""
    maps = game.symmetries()
    return {cell: min(permutation[cell] for permutation in maps) for cell in range(game.cells)}


class _Planner:
    """Reads a strategy off a prover."""

    def __init__(self, prover: Prover, player: Mark, goal: Goal) -> None:
        self.prover, self.player, self.goal = prover, player, goal
        self.maps = prover.game.symmetries()
        self.moves: dict[str, int] = {}

    def strategy(self, progress: Progress | None = None) -> Strategy:
        """Every move that the player needs, whatever his opponent does."""
        seen: set[str] = set()
        stack = [self.prover.game.start()]
        while stack:
            position = stack.pop()
            smallest, used = self._smallest(position.board)
            if position.result is not None or smallest in seen or self._is_safe(position):
                continue
            seen.add(smallest)
            replies = position.moves
            if position.turn == self.player:
                move = self._move(position)
                self.moves[smallest] = used[move]
                if progress is not None:
                    progress(len(self.moves), 0, f"{len(self.moves):,} moves of {self.player}")
                replies = (move,)
            stack.extend(position.play(cell) for cell in replies)
        return Strategy(self.player, self.goal, self.moves)

    def _move(self, position: LinePosition) -> int:
        """A quick win, because quick wins need few moves; or any move that holds."""
        if self.goal == "hold":
            # The table knows most of it, so there is no need to deepen step by step.
            reached, move = self.prover.reaches(position, "hold", first_depth=ENDLESS)
            assert reached, "the prover has settled this before"
            return move
        for depth in range(1, len(position.moves) + 2):
            score, move, _, _ = self.prover.engine.search(position, depth, 0, WIN)
            if score > DECIDED:
                return move
        raise AssertionError("the prover has settled this before")

    def _smallest(self, board: str) -> tuple[str, tuple[int, ...]]:
        images = []
        for permutation in self.maps:
            image = [""] * len(board)
            for cell, letter in enumerate(board):
                image[permutation[cell]] = letter
            images.append(("".join(image), permutation))
        return min(images)

    def _is_safe(self, position: LinePosition) -> bool:
        """The bound of Erdős and Selfridge: holding needs no more search here."""
        game = self.prover.game
        if self.goal == "win" or game.is_misere:
            return False
        own, filled = position.x_mask, position.x_mask | position.o_mask
        if self.player == "O":
            own = position.o_mask
        longest = max(map(len, game.lines))
        danger = sum(
            1 << longest - (line & ~filled).bit_count()
            for line in game.board.line_masks
            if not line & own
        )
        return danger < (1 << longest if position.turn == self.player else 1 << longest - 1)
