"""What a person in a terminal is told about moves: what is known, and with ≈ what is estimated."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from noughts.agents import Agent, agent, view_of
from noughts.games import Game, Position

if TYPE_CHECKING:
    from noughts.effort import Work
    from noughts.knowledge import Judgement, Known

SEARCH = "uct:simulations=5000"
LEARNED = "zero:simulations=5000"  # a better judge of Ultimate, which it was trained for
PLAIN = "alphabeta:time=1"  # where no kernel knows the rules
ESTIMATED_DIGITS = 3  # more would be noise


def estimator_of(game: Game) -> str:
    """Who is asked about moves whose value is not known."""
    from noughts.learn.zero.agent import comes_folded

    if not game.has_kernels:
        return PLAIN
    return LEARNED if comes_folded(game) else SEARCH


def advising(game: Game) -> "list[Work]":
    """The work that advice takes: a table, or a search for proofs and another for estimates."""
    from noughts.effort import choosing
    from noughts.knowledge.prospect import prospect_of

    if prospect_of(game).ready:
        return [choosing(agent("optimal"), game)]
    return [choosing(agent(spec), game) for spec in (estimator_of(game), "alphabeta")]


def value_word(judged: "Judgement", move: int, digits: int = 2) -> str:
    """The value of a move, with ≈ where it is not known."""
    is_known = move in judged.exact_moves
    places = digits if is_known else min(digits, ESTIMATED_DIGITS)
    value = round(judged.values[move], places) + 0.0  # never -0.0
    return f"{'' if is_known else '≈'}{value:+.{places}f}"


def value_words(judged: "Judgement") -> dict[int, str]:
    """The value of every cell, with a clock at its best time."""
    sign = 1 if judged.position.turn == "X" else -1
    words: dict[int, str] = {}
    for move in sorted(judged.values, key=lambda move: sign * judged.values[move]):
        words[judged.position.game.cell_of(move)] = value_word(judged, move)
    return words


def hint_line(judged: "Judgement") -> str:
    """One best move, how good it is, and how many others are as good."""
    best = judged.best
    move = best[0]
    words = f"Cell {judged.position.game.name_move(move)}: {value_word(judged, move, 3)} for X"
    told = judged.known.get(move)
    if told is not None and told.is_exact:
        words += f" ({known_words(told)})"
    elif judged.agent is not None:
        words += f" ({judged.agent})"
    others = len({judged.position.game.cell_of(m) for m in best}) - 1
    if others and judged.is_exact:
        words += f"; {others} other {'cells are' if others > 1 else 'cell is'} as good"
    return words + "."


def known_words(told: "Known") -> str:
    """Where it is known from, and how soon a win is over."""
    return told.source if not told.plies else f"{told.source}, decided in {told.plies}"


def source_line(judged: "Judgement") -> str:
    """Who says so."""
    known, shown = judged.exact_moves & set(judged.values), len(judged.values)
    if len(known) == shown:
        return f"known from {', '.join(sorted({judged.known[m].source for m in known}))}."
    if not known:
        return f"estimated by {judged.agent}."
    return f"those without ≈ are known, the others are estimated by {judged.agent}."


def worths_of(position: Position, adviser: Callable[[], Agent]) -> tuple[dict[int, float], str]:
    """What every move is worth to who is on turn among more than two, and who says so."""
    from noughts.knowledge.tables import seat_table_at_hand

    table = seat_table_at_hand(position.game)
    if table is not None:
        _, column = view_of(position)
        return {m: worth[column] for m, worth in table.values(position).items()}, "in equilibrium"
    player = adviser()
    return player.values(position), f"≈ by {player}"


def worth_words(position: Position, worths: dict[int, float]) -> dict[int, str]:
    """The worth of every cell, with a clock at its best time."""
    ascending = sorted(worths, key=lambda move: worths[move])
    return {position.game.cell_of(move): f"{worths[move] + 0.0:+.2f}" for move in ascending}


def best_line(position: Position, worths: dict[int, float], source: str) -> str:
    """One best move among more than two, and what it is worth."""
    move = max(worths, key=lambda m: (worths[m], -m))
    name = position.game.name_move(move)
    return f"Cell {name}: {worths[move] + 0.0:+.3f} for {position.turn} ({source})"
