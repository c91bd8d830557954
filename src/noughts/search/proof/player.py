"""Perfect play in Qubic as X: the forced win if there is one, else the certificate's move.

Whoever plays so from the first move wins every game. As O, or in a position that the proof never
reaches, there is no book: a forced win of one's own, or the best move that alpha-beta finds.
"""

import time
from typing import TYPE_CHECKING

from noughts.agents import Agent, Thought, agent, check_running
from noughts.errors import NoughtsError
from noughts.games.game import Game, Position
from noughts.games.line_game import LinePosition

if TYPE_CHECKING:
    import numpy as np


_OFF_BOOK = "alphabeta:time=1,threats=20"


class QubicPlayer(Agent):
    """Plays by the proof where it can; `is_varied` draws among the equal first cells."""

    name = "optimal"

    def __init__(self, is_varied: bool = False) -> None:
        self.is_varied = is_varied
        self.off_book = agent(_OFF_BOOK)

    def check_game(self, game: Game) -> None:
        if str(game) != "qubic":
            raise NoughtsError(f"The certificate is about qubic, not {game}.")

    def choose(self, position: Position, rng: "np.random.Generator") -> int:
        check_running(position)
        self.check_game(position.game)
        assert isinstance(position, LinePosition), "qubic is a line game"
        began = time.perf_counter()
        move, note = self._known(position)
        if move is None:
            move = self.off_book.choose(position, rng)
            self.last = self.off_book.last
            return move
        if self.is_varied and not position.x_mask | position.o_mask:
            move = int(rng.choice(first_cells(position)))
        value = 1.0 if position.turn == "X" else -1.0
        spent = time.perf_counter() - began
        self.last = Thought(nodes=1, depth=1, seconds=spent, value=value, is_exact=True, note=note)
        return move

    def values(self, position: Position) -> dict[int, float]:
        """The move that is proven to win; off the book what alpha-beta thinks of each."""
        if position.result is not None:
            return {}
        assert isinstance(position, LinePosition), "qubic is a line game"
        move, _ = self._known(position)
        if move is not None:
            self.values_are_exact = True
            return {move: 1.0 if position.turn == "X" else -1.0}
        found = self.off_book.values(position)
        self.values_are_exact = self.off_book.values_are_exact
        return found

    def reset(self) -> None:
        super().reset()
        self.off_book.reset()

    def _known(self, position: LinePosition) -> tuple[int | None, str]:
        """(a move that is proven to win or None, why)."""
        from noughts.search.proof.line import forced_line, proven_move

        line = forced_line(position)
        if line:
            moves = " ".join(map(str, line))
            return line[0], f"proven win in {len(line)}: {moves}"
        return proven_move(position), "proven win, by the certificate"


def first_cells(position: LinePosition) -> list[int]:
    """The first cells that are like the certificate's."""
    from noughts.search.proof.book import shipped_book

    first = shipped_book().entries[0, 0]
    return sorted({image[first] for image in position.game.symmetries()})
