"""Openings for players who would otherwise play the same game over and over.

An opening is a few random moves; all seatings of the players get it. The openings of a book
lead to different positions. Where the exact value is at hand, an opening keeps the value of the
game, with more than two players its worth to every seat in equilibrium: one that gives the win away
would decide the game before the players do.

The book depends on (game, plies, count, seed) alone.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from noughts.agents import Agent
from noughts.errors import NoughtsError
from noughts.games.game import Game, Position
from noughts.knowledge.limits import is_small, is_soon_in_equilibrium
from noughts.knowledge.tables import seat_table_of, table_of

if TYPE_CHECKING:
    from noughts.solve.seats.solution import SeatSolution  # loads numba
    from noughts.solve.solution import Solution

SHORTEST = 2  # plies, when nobody says how many
TRIES = 60  # random openings for every one that is wanted

Opening = tuple[int, ...]


def needs_openings(game: Game, *agents: Agent) -> bool:
    """Whether nothing at all is random in a game between these agents."""
    return all(agent.is_deterministic for agent in agents) and not game.is_risky


def first_position(game: Game, players: Sequence[Agent], openings: int | None = None) -> Position:
    """Where these players begin to think: at the start, or after an opening.

    Raises NoughtsError when there is no opening of so many plies.
    """
    is_needed = all(needs_openings(game, *seated) for seated in combinations(players, game.seats))
    if openings is None and not is_needed:
        openings = 0
    (opening,) = opening_book(game, 1, 0, openings)
    position: Position = game.start()
    for move in opening:
        position = position.play(move)
    return position


def opening_book(game: Game, count: int, seed: int, plies: int | None = None) -> list[Opening]:
    """`count` different openings of so many plies, or of as few plies as have so many.

    A game that is too small for that gets all the openings that were found, over and over.
    """
    if plies == 0:
        return [()] * count
    # Where it is a matter of a moment for everybody: the book is a fact of the game.
    exact = _truth_about(game)
    longest: list[Opening] = []
    for length in [plies] if plies else range(SHORTEST, max(game.cells // 2, SHORTEST) + 1):
        rng = np.random.default_rng([seed, length])
        found = _draw_openings(game, count, length, rng, exact)
        if len(found) > len(longest):
            longest = found
        if len(found) == count:
            break
    if not longest and plies:
        raise NoughtsError(
            f"openings={plies} is too many: no game of {game} was found that still goes on, and is "
            f"worth what it was, after {plies} plies."
        )
    if not longest:
        return [()] * count
    return [longest[number % len(longest)] for number in range(count)]


def _truth_about(game: Game) -> "Solution | SeatSolution | None":
    """The table of a game that everybody has in a moment."""
    if game.seats == 2:
        return table_of(game) if is_small(game) else None
    is_soon = not game.is_risky and is_soon_in_equilibrium(game)
    return seat_table_of(game) if is_soon else None


def _draw_openings(
    game: Game,
    count: int,
    plies: int,
    rng: np.random.Generator,
    exact: "Solution | SeatSolution | None",
) -> list[Opening]:
    found: dict[Position, Opening] = {}
    for _ in range(TRIES * count):
        if len(found) == count:
            break
        position: Position = game.start()
        opening: list[int] = []
        while len(opening) < plies and position.result is None:
            move = int(rng.choice(position.at_once))
            opening.append(move)
            position = position.play(move)
        if position.result is None and position not in found and _is_fair(position, exact):
            found[position] = tuple(opening)
    return list(found.values())


def _is_fair(position: Position, exact: "Solution | SeatSolution | None") -> bool:
    if exact is None:
        return True
    before, now = exact.worth(position.game.start()), exact.worth(position)
    return all(abs(a - b) <= exact.tie for a, b in zip(before, now, strict=True))
