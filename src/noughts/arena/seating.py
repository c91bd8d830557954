"""Who sits where, and what a game gives to whom.

A *block* is every seating of the agents once, with everything else alike: opening, luck, the
agents' own generators. Two agents make pairs of games with the seats swapped, n agents blocks of n!
games, which come in lexicographic order. So in a block every agent has every seat equally often and
every agent before every other.

The *points* of a game are (1 + (n - 1)·worth)/n: 1 for the winner, 0 for who lost, 1/n each of a
draw. An agent at fault gets 0 and each of the others 1/(n - 1). The points of a game sum to 1.
"""

import math
from collections.abc import Iterable
from functools import cache
from itertools import permutations

from noughts.games.game import MARKS, Mark, Result


@cache
def seatings(seats: int) -> tuple[tuple[int, ...], ...]:
    """Every seating of a block: which agent sits at X, at O, …"""
    return tuple(permutations(range(seats)))


def seating_of(index: int, seats: int) -> tuple[int, ...]:
    """The seating of the game with this number."""
    listed = seatings(seats)
    return listed[index % len(listed)]


def block_size(seats: int) -> int:
    """The games of a whole block."""
    return math.factorial(seats)


def points_of(seat: Mark, seats: int, result: Result | None, fault: Mark | None) -> float:
    """What a game gives to a seat; `result` is None where a fault left more than one winner."""
    if fault is not None:
        return 0.0 if seat == fault else 1.0 / (seats - 1)
    if result == "draw":
        return 1.0 / seats
    return 1.0 if seat == result else 0.0


def points_in_all(points: Iterable[float], seats: int) -> float:
    """The points of many games: whole shares, so that sums of thirds leave nothing to round."""
    shares = seats * (seats - 1)  # of a draw and of another's fault
    return round(math.fsum(points) * shares) / shares


def result_of_fault(fault: Mark, seats: int) -> Mark | None:
    """Of two the other has won; among more nobody has."""
    return next(mark for mark in MARKS if mark != fault) if seats == 2 else None
