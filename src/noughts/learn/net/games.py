"""Many games of one kind in step, for a network: what it sees, what is allowed, what happens.

A game is a row of its family (`Position.to_row`); the kernels are `kernels/learn/features_batch`.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.games.game import Position
from noughts.learn.frame.features import Encoder

if TYPE_CHECKING:
    from noughts.kernels.learn.features_batch import Landed
    from noughts.kernels.rules.protocol import Facts

    Rows = NDArray[np.int32]


class Orientations(NamedTuple):
    """The symmetries of a game, as tables: where what is turned has each thing from."""

    moves: NDArray[np.int64]  # [symmetries, moves] where a move goes
    move_source: NDArray[np.int64]  # [symmetries, moves]
    input_source: NDArray[np.int64]  # [symmetries, inputs]


@dataclass(frozen=True)
class Batch:
    """The rules of a batch of games."""

    encoder: Encoder

    @cached_property
    def rules(self) -> Any:
        return self.encoder.game.rules

    @cached_property
    def facts(self) -> "Facts":
        from noughts.kernels.rules.protocol import facts

        return facts(self.rules)

    @property
    def moves(self) -> int:
        """Moves that may ever be allowed."""
        return self.facts.moves

    @property
    def outcomes(self) -> int:
        """What a move may turn into, at most."""
        return self.facts.most_outcomes

    @property
    def width(self) -> int:
        """The numbers of a row."""
        return self.facts.row_size

    @cached_property
    def start(self) -> "Rows":
        """The row of the empty board."""
        return self.row_of(self.encoder.game.start())

    def row_of(self, position: Position) -> "Rows":
        """A position as a row."""
        from noughts.games.compiled import row_of

        return row_of(position)

    def position_of(self, row: "Rows") -> Position:
        """The position of a row."""
        return self.encoder.game.position_from_row(row.tolist())

    def turns(self, rows: "Rows") -> NDArray[np.int64]:
        """Whose turn it is: the seat."""
        from noughts.kernels.learn.features_batch import new_room, turn_rows

        flat = self._flat(rows)
        seats = np.empty(len(flat), np.int64)
        turn_rows(self.rules, new_room(self.rules, self.facts), flat, seats)
        return seats.reshape(rows.shape[:-1])

    @cached_property
    def orientations(self) -> Orientations:
        game = self.encoder.game
        images = game.symmetries()
        moves = np.array([[game.move_image(p, m) for m in range(self.moves)] for p in images])
        inputs = np.stack([self.encoder.permuted(image) for image in images])
        return Orientations(moves, moves.argsort(axis=1), inputs.argsort(axis=1))

    def turned(self, x: NDArray[np.float32], which: NDArray[np.int64]) -> NDArray[np.float32]:
        """The inputs of each game in the orientation of this number; `which` is [games]."""
        found: NDArray[np.float32] = _turned(x, self.orientations.input_source[which])
        return found

    def turned_masks(
        self, allowed: NDArray[np.bool_], which: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Which moves are allowed in games that were turned likewise."""
        found: NDArray[np.bool_] = _turned(allowed, self.orientations.move_source[which])
        return found

    def turned_moves(self, moves: NDArray[np.int64], which: NDArray[np.int64]) -> NDArray[np.int64]:
        """The moves of games that were turned likewise."""
        found: NDArray[np.int64] = self.orientations.moves[which, moves]
        return found

    def encode(self, rows: "Rows") -> NDArray[np.float32]:
        """The inputs of every game; rows may have any number of leading axes."""
        from noughts.kernels.learn.features import new_seen
        from noughts.kernels.learn.features_batch import encode_rows, new_room

        inputs, flat = self.encoder.inputs, self._flat(rows)
        x, room = np.empty((len(flat), inputs.size), np.float32), new_room(self.rules, self.facts)
        encode_rows(self.rules, room, inputs, flat, new_seen(inputs), x)
        return x.reshape(*rows.shape[:-1], inputs.size)

    def allowed(self, rows: "Rows") -> NDArray[np.bool_]:
        """Which moves are allowed in every game."""
        from noughts.kernels.learn.features_batch import mask_rows, new_room

        flat = self._flat(rows)
        mask = np.empty((len(flat), self.moves), np.bool_)
        mask_rows(self.rules, new_room(self.rules, self.facts), flat, mask)
        return mask.reshape(*rows.shape[:-1], self.moves)

    def _flat(self, rows: "Rows") -> "Rows":
        return np.ascontiguousarray(rows.reshape(-1, self.width))

    def land(
        self, rows: "Rows", moves: NDArray[np.int64], outcomes: int, rng: NDArray[np.uint64]
    ) -> "Landed":
        """Play a move in every game. One outcome is drawn; of more, all are listed."""
        from noughts.kernels.learn.features_batch import Landed, land_rows, new_room

        shape = len(rows), outcomes
        out = Landed(
            np.empty((*shape, self.width), np.int32),
            np.empty(shape, np.float32),
            np.empty(shape, np.float32),
            np.empty(shape, np.bool_),
            np.empty(len(rows), np.int64),
        )
        room, rows = new_room(self.rules, self.facts), np.ascontiguousarray(rows)
        land_rows(self.rules, room, self.facts.seats, rows, moves, rng, out)
        return out


def _turned(array: Any, source: Any) -> Any:
    """Take the last axis of each game in the order of `source`, [games, numbers]."""
    shape = len(source), *[1] * (array.ndim - 2), source.shape[-1]
    return np.take_along_axis(array, source.reshape(shape), axis=-1)
