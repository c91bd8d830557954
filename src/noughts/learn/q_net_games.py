"""Many games of one kind in step, for a network: what it sees, what is allowed, what happens.

A game is a row of numbers; `kernels/learn/features_batch` says which.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from noughts.games.game import Position
from noughts.games.line_game import LineGame, LinePosition
from noughts.games.ultimate import UltimateGame, UltimatePosition
from noughts.learn.features import Encoder, letters_of_sites

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rows = NDArray[np.int32]

ANYWHERE = 9


class Landings(NamedTuple):
    """What the moves of a batch may turn into; the second axis runs over landings."""

    rows: "Rows"  # [games, landings, row]
    chance: "NDArray[np.float32]"
    reward: "NDArray[np.float32]"  # of the player who moved
    is_over: "NDArray[np.bool_]"
    drawn: "NDArray[np.int64]"  # [games] which one happened


class Orientations(NamedTuple):
    """The symmetries of a game, as tables over rows."""

    move_to: "NDArray[np.int64]"  # [symmetries, cells]
    source: "NDArray[np.int64]"  # [symmetries, row] where each number of a turned row comes from
    mini_to: "NDArray[np.int64]"  # [symmetries, 10] where a forced mini board goes


@dataclass(frozen=True)
class Batch:
    """The rules of a batch of games."""

    encoder: Encoder

    @property
    def is_ultimate(self) -> bool:
        return isinstance(self.encoder.game, UltimateGame)

    @property
    def moves(self) -> int:
        """Moves that may ever be allowed: cells, with every wait where there is a clock."""
        return self.encoder.game.cells * (self.encoder.game.risk.longest_wait + 1)

    @property
    def width(self) -> int:
        """The numbers of a row."""
        return self.encoder.sites + 3

    @cached_property
    def start(self) -> "Rows":
        """The row of the empty board."""
        return self.row_of(self.encoder.game.start())

    def row_of(self, position: Position) -> "Rows":
        """A position as a row."""
        import numpy as np

        sites = [".XO".index(letter) for letter in letters_of_sites(position)]
        forced = position.forced if isinstance(position, UltimatePosition) else ANYWHERE
        return np.array([*sites, forced, 1 if position.turn == "X" else 2, position.tick], np.int32)

    def position_of(self, row: "Rows") -> Position:
        """The running position of a row."""
        game = self.encoder.game
        *sites, forced, turn, tick = row.tolist()
        x_mask, o_mask = (
            sum(1 << cell for cell in range(game.cells) if sites[cell] == mark) for mark in (1, 2)
        )
        if isinstance(game, LineGame):
            return LinePosition(
                game=game,
                turn="X" if turn == 1 else "O",
                tick=tick,
                x_mask=x_mask,
                o_mask=o_mask,
                result=None,
            )
        assert isinstance(game, UltimateGame)
        x_minis, o_minis = (
            sum(1 << mini for mini in range(9) if sites[81 + mini] == mark) for mark in (1, 2)
        )
        return UltimatePosition(
            game=game,
            turn="X" if turn == 1 else "O",
            tick=tick,
            x_mask=x_mask,
            o_mask=o_mask,
            x_minis=x_minis,
            o_minis=o_minis,
            forced=forced,
            result=None,
        )

    @cached_property
    def orientations(self) -> Orientations:
        import numpy as np

        game, sites = self.encoder.game, self.encoder.sites
        move_to = np.array(game.symmetries(), np.int64)
        source = np.tile(np.arange(self.width), (len(move_to), 1))
        mini_to = np.tile(np.arange(10), (len(move_to), 1))
        for i, permutation in enumerate(move_to):
            site_to = permutation
            if self.is_ultimate:
                mini_to[i, :9] = permutation[::9] // 9
                site_to = np.concatenate([permutation, 81 + mini_to[i, :9]])
            source[i, site_to] = np.arange(sites)
        return Orientations(move_to, source, mini_to)

    def turned(self, rows: "Rows", which: "NDArray[np.int64]") -> "Rows":
        """Each game in the orientation of this number; `which` is [games]."""
        import numpy as np

        shape = len(rows), *[1] * (rows.ndim - 2)
        source = self.orientations.source[which].reshape(*shape, self.width)
        found = np.take_along_axis(rows, source, axis=-1)
        if self.is_ultimate:
            which = which.reshape(shape)
            found[..., -3] = self.orientations.mini_to[which, found[..., -3]]
        return found

    def turned_moves(
        self, moves: "NDArray[np.int64]", which: "NDArray[np.int64]"
    ) -> "NDArray[np.int64]":
        """The moves of games that were turned likewise."""
        cells = self.encoder.game.cells
        found: NDArray[np.int64] = self.orientations.move_to[which, moves % cells]
        return found + moves // cells * cells

    def turns(self, rows: "Rows") -> "Rows":
        """Whose turn it is: 1 for X, 2 for O."""
        return rows[..., -2]

    def encode(self, rows: "Rows") -> "NDArray[np.float32]":
        """The inputs of every game; rows may have any number of leading axes."""
        import numpy as np

        from noughts.kernels.learn.features_batch import encode_rows

        x = np.empty((rows[..., 0].size, self.encoder.size), np.float32)
        encode_rows(self.encoder.inputs, np.ascontiguousarray(rows.reshape(-1, self.width)), x)
        return x.reshape(*rows.shape[:-1], self.encoder.size)

    def allowed(self, rows: "Rows") -> "NDArray[np.bool_]":
        """Which moves are allowed in every game."""
        import numpy as np

        from noughts.kernels.learn.features_batch import mask_rows

        game = self.encoder.game
        assert isinstance(game, LineGame | UltimateGame)
        mask = np.empty((rows[..., 0].size, self.moves), np.bool_)
        plays_on = isinstance(game, UltimateGame) and game.won == "open"
        flat = np.ascontiguousarray(rows.reshape(-1, self.width))
        mask_rows(game.rules.risk, flat, game.cells, self.is_ultimate, plays_on, mask)
        return mask.reshape(*rows.shape[:-1], self.moves)

    def land(
        self, rows: "Rows", moves: "NDArray[np.int64]", landings: int, rng: "NDArray[np.uint64]"
    ) -> Landings:
        """Play a move in every game. With one landing it is drawn; with three all are listed."""
        import numpy as np

        from noughts.kernels.learn.features_batch import land_lines, land_ultimate

        shape = len(rows), landings
        after, chance = np.empty((*shape, self.width), np.int32), np.zeros(shape, np.float32)
        reward, is_over = np.empty(shape, np.float32), np.empty(shape, np.bool_)
        game = self.encoder.game
        out = after, chance, reward, is_over
        if isinstance(game, LineGame):
            drawn = land_lines(game.rules, rows, moves, landings == 1, rng, *out)
        else:
            assert isinstance(game, UltimateGame)
            drawn = land_ultimate(game.rules, rows, moves, landings == 1, rng, *out)
        return Landings(after, chance, reward, is_over, drawn)
