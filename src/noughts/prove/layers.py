"""Boards whose lines stay within their layers, such as 4×4×3 with k=4: drawn if one layer holds.

Let O only stop lines (a Breaker, who wins nothing by a line of his own). If he holds one layer when
X begins there, and a layer has an even number of cells, he holds them all by answering in the layer
where X has just played. X does not lose either: one more mark never hurts him, so he could play
O's strategy himself. So the game is a draw.
"""

from functools import cache

from noughts.errors import NoughtsError
from noughts.games.line_game import LineGame


def is_drawn_by_layers(game: LineGame) -> bool:
    """Whether this argument shows a draw; False says nothing about the game."""
    if game.is_misere or game.risk.is_risky:
        raise NoughtsError(f"Layers are about plain boards of lines, not about {game}.")
    rows, columns, layers = game.shape
    size = rows * columns
    lines: list[list[int]] = [[] for _ in range(layers)]
    for line in game.lines:
        if line[0] // size != line[-1] // size:
            return False
        layer = line[0] // size
        lines[layer].append(sum(1 << cell - layer * size for cell in line))
    return size % 2 == 0 and all(breaker_holds(tuple(layer), size) for layer in lines)


def breaker_holds(lines: tuple[int, ...], cells: int) -> bool:
    """Whether X, who begins, cannot complete a line against a player who only stops him."""

    @cache
    def holds(x: int, o: int) -> bool:
        """X on turn. A line that O has not touched is alive."""
        alive = [line for line in lines if not line & o]
        if any((line & ~x).bit_count() == 1 for line in alive):
            return False
        longest = max((line.bit_count() for line in alive), default=0)
        # Erdős and Selfridge: weights 2^-(empty cells) of less than 1/2 in sum are held.
        if sum(1 << longest - (line & ~x).bit_count() for line in alive) * 2 < 1 << longest:
            return True
        useful = 0
        for line in alive:
            useful |= line & ~x
        moves = [cell for cell in range(cells) if useful >> cell & 1]
        return all(
            any(holds(x | 1 << move, o | 1 << reply) for reply in moves if reply != move)
            for move in moves
        )

    return holds(0, 0)
