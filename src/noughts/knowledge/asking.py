"""`known` and `known_moves`: what is certain about a position, and about each of its moves."""

from noughts.errors import NoughtsError
from noughts.games.game import Position
from noughts.games.symmetry import Permutation
from noughts.knowledge.known import NOTHING, Known, between
from noughts.knowledge.limits import MOST_AHEAD, Budget, usual_budget
from noughts.knowledge.sources import sources


def known(position: Position, budget: Budget | None = None) -> Known | None:
    """What is certain about the value of a position for X; None if nothing is.

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
    chosen = usual_budget() if budget is None else budget
    found: dict[int, Known] = {}
    for source in sources():
        for move, more in source.moves(position, chosen).items():
            found[move] = found.get(move, NOTHING).narrowed(more)
        if len(found) == len(position.moves) and all(one.is_exact for one in found.values()):
            return dict(sorted(found.items()))
    _ask_what_follows(position, found, chosen)
    _bound_by_the_position(position, found, chosen)
    return {move: one for move, one in sorted(found.items()) if one.is_telling}


def _check(position: Position) -> None:
    if not isinstance(position, Position):
        raise NoughtsError(f"What is known belongs to a position, not to {position!r}.")


def _asked(position: Position, budget: Budget) -> Known | None:
    found = NOTHING
    for source in sources():
        more = source.known(position, budget)
        if more is not None:
            found = found.narrowed(more)
            if found.is_exact:
                break
    return found if found.is_telling else None


def _ask_what_follows(position: Position, found: dict[int, Known], budget: Budget) -> None:
    """Look one move ahead: one move of every kind that is not known exactly."""
    if position.game.risk.fades or position.game.risk.has_clock:
        return  # too many landings, too many moves; only a table answers
    kinds: dict[int, list[int]] = {}
    for move, kind in alike(position).items():
        kinds.setdefault(kind, []).append(move)
    if len(kinds) * position.game.cells > MOST_AHEAD:
        return
    share = budget.shared(len(kinds))
    for moves in kinds.values():
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
    low = high = 0.0
    words: list[str] = []
    plies: int | None = None
    for chance, after in position.landings(move):
        told = _asked(after, budget)
        if told is None:
            low, high = low - chance, high + chance
            continue
        low, high = low + chance * told.low, high + chance * told.high
        words.append(told.source)
        plies = None if told.plies is None else told.plies + 1
    if not words:
        return None
    bounds = between(low, high, max(words, key=words.count))
    is_sure = not position.game.risk.is_risky
    return Known(bounds.low, bounds.high, plies if is_sure else None, bounds.source)


def _bound_by_the_position(position: Position, found: dict[int, Known], budget: Budget) -> None:
    """No move is better for its player than the position; in a lost one all moves lose."""
    whole = _asked(position, budget)
    if whole is None:
        return
    is_x = position.turn == "X"
    bound = between(-1.0 if is_x else whole.low, whole.high if is_x else 1.0, whole.source)
    for move in position.moves:
        found[move] = found.get(move, NOTHING).narrowed(bound)


def alike(position: Position) -> dict[int, int]:
    """For each move the first of those that symmetries of the position take it to."""
    game = position.game
    kept = list(_own_symmetries(position))
    found: dict[int, int] = {}
    for move in position.moves:
        cell, wait = game.cell_of(move), game.wait_of(move)
        found[move] = min(game.move_at(image[cell], wait) for image in kept) if kept else move
    return found


def _own_symmetries(position: Position) -> list[Permutation]:
    """The symmetries of the game that leave the position as it is."""
    board = position.board
    filled = [cell for cell, letter in enumerate(board) if letter != "."]
    return [
        image
        for image in position.game.symmetries()
        if all(board[image[cell]] == board[cell] for cell in filled)
        and position.permuted(image) == position
    ]
