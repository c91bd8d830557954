"""Equilibria of games for more than two, by plain recursion over positions: to compare with."""

from functools import cache

from noughts.games.game import Position

TIED = 1e-12

Worth = tuple[float, ...]


def move_worths(position: Position, ties: str) -> dict[int, Worth]:
    """What every move is worth to each seat if all go on by backward induction."""
    return {
        move: tuple(
            sum(chance * equilibrium(after, ties)[seat] for chance, after in landings)
            for seat in range(position.game.seats)
        )
        for move in position.moves
        for landings in [position.landings(move)]
    }


def tied_moves(position: Position, worths: dict[int, Worth]) -> list[int]:
    """The moves that are as good as the best for who is on turn, ascending."""
    seat = position.game.marks.index(position.turn)
    best = max(worth[seat] for worth in worths.values())
    return [move for move, worth in worths.items() if worth[seat] >= best - TIED]


@cache
def equilibrium(position: Position, ties: str) -> Worth:
    """Worth for each seat where no board can repeat; ties `lowest` or `uniform`."""
    if position.result is not None:
        return position.game.worth(position.result)
    worths = move_worths(position, ties)
    tied = [worths[move] for move in tied_moves(position, worths)]
    if ties == "lowest":
        return tied[0]
    return tuple(sum(column) / len(tied) for column in zip(*tied, strict=True))


@cache
def guarantee(position: Position, seat: int) -> float:
    """What a seat gets for certain against all others as one."""
    if position.result is not None:
        return position.game.worth(position.result)[seat]
    found = [
        sum(chance * guarantee(after, seat) for chance, after in position.landings(move))
        for move in position.moves
    ]
    is_own = position.game.marks[seat] == position.turn
    return max(found) if is_own else min(found)
