"""`noughts values GAME [POSITION]`: what every move is worth, and how that is known."""

import argparse
from typing import TYPE_CHECKING, Any

from noughts.agents import agent
from noughts.commands.playing.advice import (
    advising,
    estimator_of,
    known_words,
    source_line,
    value_word,
)
from noughts.commands.terminal.arguments import Subparsers, add_json, print_json
from noughts.games import game

if TYPE_CHECKING:
    from noughts.effort import Work
    from noughts.knowledge import Judgement, Known

MOST_NAMED = 30  # moves of one row; more are counted


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "values",
        help="what every move is worth, and how that is known",
        description="The value for X of every move: exact with the word that says where it is "
        "known from (ended, table, theorem, certificate, threats, endgame), between bounds, or "
        "with ≈ as a search estimates it.",
        epilog="Example: noughts values 3x3 'X.O/.X./... O to move'",
    )
    parser.add_argument("game", help="a spec such as 3x3:flip=0.1 or qubic")
    parser.add_argument("position", nargs="?", help="a position as it is printed; the start")
    add_json(parser)
    return parser


def estimate(options: argparse.Namespace) -> "list[Work]":
    return advising(game(options.game))


def run(options: argparse.Namespace) -> int:
    from noughts.knowledge import judge, known

    played = game(options.game)
    position = played.start() if options.position is None else played.parse(options.position)
    judged = judge(position, lambda: agent(estimator_of(played)))
    if options.json:
        print_json(_data(judged))
        return 0
    print(f"{position}\n")
    if position.result is not None:
        print(_told(known(position), judged.value))
        return 0
    _print_rows(judged)
    print(f"\n{_told(judged.whole if judged.whole.is_telling else None, judged.value)}")
    print(f"Moves: {source_line(judged)}")
    return 0


def _told(whole: "Known | None", value: float) -> str:
    """One line about the position."""
    if whole is None:
        return f"Position: ≈{value:+.2f} for X."
    if whole.is_exact:
        return f"Position: {whole.value:+.6f} for X ({known_words(whole)})."
    bounds = f"between {whole.low:+g} and {whole.high:+g} ({whole.source})"
    return f"Position: ≈{value:+.2f} for X, {bounds}."


def _print_rows(judged: "Judgement") -> None:
    """Moves that are worth and known alike share a row, the best first."""
    sign = 1 if judged.position.turn == "X" else -1
    rows: dict[tuple[str, str], list[int]] = {}
    for move in sorted(judged.values, key=lambda move: (-sign * judged.values[move], move)):
        word = value_word(judged, move, 6 if move in judged.exact_moves else 2)
        rows.setdefault((word, _why(judged, move)), []).append(move)
    width, reason = (max(len(pair[part]) for pair in rows) for part in (0, 1))
    for (word, why), moves in rows.items():
        names = [judged.position.game.name_move(move) for move in sorted(moves)]
        cells = f"{'cell' if len(names) == 1 else 'cells'} {', '.join(names)}"
        listed = cells if len(names) <= MOST_NAMED else f"{len(names)} moves"
        print(f"{word:>{width}}  {why:{reason}}  {listed}")


def _why(judged: "Judgement", move: int) -> str:
    told = judged.known.get(move)
    if told is None:
        return ""
    if told.is_exact:
        return known_words(told)
    return f"{told.low:+g} to {told.high:+g}, {told.source}"


def _data(judged: "Judgement") -> dict[str, Any]:
    position, whole = judged.position, judged.whole
    return {
        "game": str(position.game),
        "position": position.to_text(),
        "turn": position.turn,
        "result": position.result,
        "value": judged.value,
        **_known_data(whole if whole.is_telling else None),
        "agent": None if judged.agent is None else str(judged.agent),
        "best": list(judged.best),
        "moves": [
            {
                "move": move,
                "cell": position.game.cell_of(move),
                "wait": position.game.wait_of(move),
                "value": value,
                **_known_data(judged.known.get(move)),
            }
            for move, value in judged.values.items()
        ],
    }


def _known_data(told: "Known | None") -> dict[str, Any]:
    if told is None:
        return {"exact": False, "low": -1.0, "high": 1.0, "plies": None, "source": None}
    bounds = {"low": told.low, "high": told.high, "plies": told.plies, "source": told.source}
    return {"exact": told.is_exact, **bounds}
