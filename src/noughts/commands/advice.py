"""What a person in a terminal is told about moves: what is known, and with ≈ what is estimated."""

from typing import TYPE_CHECKING

from noughts.games import Game

if TYPE_CHECKING:
    from noughts.effort import Work
    from noughts.knowledge import Judgement, Known

SEARCH = "uct:simulations=5000"
LEARNED = "zero:simulations=5000"  # a better judge of Ultimate, which it was trained for
ESTIMATED_DIGITS = 3  # more would be noise


def estimator_of(game: Game) -> str:
    """Who is asked about moves whose value is not known."""
    return LEARNED if str(game) == "ultimate" else SEARCH


def advising(game: Game) -> "list[Work]":
    """The work that advice takes: a table, or a search for proofs and another for estimates."""
    from noughts.agents import agent
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


def move_name(judged: "Judgement", move: int) -> str:
    """The cell of a move, and its wait where there is one."""
    cell, wait = judged.position.game.cell_of(move), judged.position.game.wait_of(move)
    return f"{cell} after {wait} ticks" if wait else f"{cell}"


def hint_line(judged: "Judgement") -> str:
    """One best move, how good it is, and how many others are as good."""
    best = judged.best
    move = best[0]
    words = f"Cell {move_name(judged, move)}: {value_word(judged, move, 3)} for X"
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
