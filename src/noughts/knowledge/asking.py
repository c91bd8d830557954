"""`known` and `known_moves`: what is certain about a position, and about each of its moves."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from noughts.aloud import tell
from noughts.errors import NoughtsError
from noughts.games.game import Position
from noughts.games.symmetry import Permutation
from noughts.knowledge.known import NOTHING, Known, between
from noughts.knowledge.limits import MOST_AHEAD, Budget, usual_budget
from noughts.knowledge.sources import TABLE, sources
from noughts.knowledge.tables import seat_bounds


def known(position: Position, budget: Budget | None = None) -> Known | None:
    """What is certain about the value of a position for X; None if nothing is.

    With more than two players that is between what X can guarantee himself and what is left if all
    others get no more than they can: so it holds in every equilibrium, whatever the tie rule.

    >>> import noughts
    >>> known(noughts.game("qubic").start())
    Known(low=1.0, high=1.0, plies=None, source='certificate')
    """
    _check(position)
    return _asked(position, usual_budget() if budget is None else budget)


def known_moves(position: Position, budget: Budget | None = None) -> dict[int, Known]:
    """What is certain about the moves of a position, ascending; moves without it are left out.

    A move is worth what the positions are that it may lead to, and never more to its player than
    the position itself. Moves that a symmetry of the position takes to each other are alike.
    """
    _check(position)
    return known_with_moves(position, usual_budget() if budget is None else budget)[1]


def known_with_moves(position: Position, budget: Budget) -> tuple[Known | None, dict[int, Known]]:
    """Both answers at once."""
    whole = _asked(position, budget)
    found: dict[int, Known] = {}
    if position.game.seats == 2:
        _bound_by_the_position(position, found, whole)
        _ask_about_moves(position, found, budget)
    if not _is_settled(position, found):
        _ask_what_follows(position, found, budget)
    _share_distances(position, found)
    return whole, {move: one for move, one in sorted(found.items()) if one.is_telling}


def _share_distances(position: Position, found: dict[int, Known]) -> None:
    """Moves that are alike end alike: whoever counts them may have stopped at some of them."""
    if len({one.plies is None for one in found.values()}) < 2:
        return
    kinds = alike(position)
    counted = {kinds[move]: one for move, one in found.items() if one.plies is not None}
    for move, one in found.items():
        if one.plies is None and kinds[move] in counted:
            found[move] = replace(one, plies=counted[kinds[move]].plies)


def _ask_about_moves(position: Position, found: dict[int, Known], budget: Budget) -> None:
    for source in sources():
        if _is_settled(position, found):
            break
        for move, more in source.moves(position, budget).items():
            found[move] = found.get(move, NOTHING).narrowed(more)


def _is_settled(position: Position, found: Mapping[int, Known]) -> bool:
    """Whether every move is known exactly."""
    return len(found) == len(position.moves) and all(one.is_exact for one in found.values())


def spread(position: Position, told: Mapping[int, Known]) -> dict[int, Known]:
    """What is known of some moves, said of all that a symmetry of the position takes them to."""
    if not told:
        return {}
    kinds = alike(position)
    of_kind = {kinds[move]: one for move, one in told.items()}
    return {move: of_kind[kind] for move, kind in kinds.items() if kind in of_kind}


def _check(position: Position) -> None:
    if not isinstance(position, Position):
        raise NoughtsError(f"What is known belongs to a position, not to {position!r}.")
    position.check_kept()


def _asked(position: Position, budget: Budget) -> Known | None:
    found = NOTHING
    if position.game.seats > 2:
        return seat_bounds(position)
    for source in sources():
        more = source.known(position, budget)
        if more is not None:
            found = found.narrowed(more)
            if found.is_exact:
                break
    return found if found.is_telling else None


def _ask_what_follows(position: Position, found: dict[int, Known], budget: Budget) -> None:
    """Look one move ahead: one move of every kind that is not known exactly."""
    if position.game.fades or position.game.has_clock:
        return  # too many landings, too many moves; only a table answers
    kinds: dict[int, list[int]] = {}
    for move, kind in alike(position).items():
        kinds.setdefault(kind, []).append(move)
    if len(kinds) * position.game.cells > MOST_AHEAD:
        return
    landings = 3 if position.game.is_risky else 1
    share = budget.shared(2 * len(kinds) * landings)  # as much as for the position itself, or less
    for moves in kinds.values():
        tell()
        told = NOTHING
        for move in moves:
            told = told.narrowed(found.get(move, NOTHING))
        if not told.is_exact:
            more = _after(position, moves[0], share)
            told = told if more is None else told.narrowed(more)
        for move in moves:
            found[move] = told


def _after(position: Position, move: int, budget: Budget) -> Known | None:
    """What is certain about a move: the mean of what is about its landings."""
    if not position.game.is_risky:
        told = _asked(position.play(move), budget)
        if told is None or told.plies is None:
            return told
        plies = told.plies + 1 if told.value else None  # nothing is won in a draw
        return Known(told.low, told.high, plies, told.source)
    low = high = 0.0
    words: list[str] = []
    for chance, after in position.landings(move):
        told = _asked(after, budget) or NOTHING
        low, high = low + chance * told.low, high + chance * told.high
        words += [told.source] if told.is_telling else []
    return between(low, high, max(words, key=words.count)) if words else None


def _bound_by_the_position(
    position: Position, found: dict[int, Known], whole: Known | None
) -> None:
    """No move is better for its player than the position; in a lost one all moves lose."""
    if whole is None or whole.source == TABLE:  # a table tells every move itself
        return
    is_x = position.turn == "X"
    bound = between(-1.0 if is_x else whole.low, whole.high if is_x else 1.0, whole.source)
    for move in position.moves if bound.is_telling else ():
        found[move] = bound


def alike(position: Position) -> dict[int, int]:
    """For each move the first of those that symmetries of the position take it to."""
    kept = _own_symmetries(position)
    if len(kept) < 2:
        return {move: move for move in position.moves}
    first = tuple(np.array(kept).min(axis=0).tolist())
    return {move: position.game.move_image(first, move) for move in position.moves}


def _own_symmetries(position: Position) -> Sequence[Permutation]:
    """The symmetries of the game that leave the position as it is."""
    board, images = position.board, position.game.symmetries()
    filled = [cell for cell, letter in enumerate(board) if letter != "."]
    if not filled and position == position.game.start():
        return images
    return [
        image
        for image in images
        if all(board[image[cell]] == board[cell] for cell in filled)
        and position.permuted(image) == position
    ]
