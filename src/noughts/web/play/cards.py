"""The cards of the chooser: games, with a little position to draw on each."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field

from noughts.errors import NoughtsError
from noughts.games.registry import LISTED, listed_games
from noughts.games.view import game_view
from noughts.web.play.places import Data, landing_data, page_game


@dataclass(frozen=True)
class Card:
    """A game to choose, and what its drawing shows."""

    spec: str
    name: str
    summary: str
    marks: dict[int, str] = field(default_factory=dict)  # by cell
    owners: dict[int, str] = field(default_factory=dict)  # by sheet
    is_struck: bool = False  # a line is crossed out: it loses
    has_values: bool = False  # values are shown at once
    opponent: str | None = None  # who sits opposite


CARDS = (
    Card("3x3", "3×3", "tic-tac-toe", {0: "X", 4: "O", 7: "X"}),
    Card("4x4:flip=0.1", "Risky 4×4", "exact values", {0: "X", 5: "O"}, has_values=True,
         opponent="optimal"),
    Card("4x4", "4×4", "four in a row", {0: "X", 5: "O", 11: "X", 14: "O"}),
    Card("3x3x3", "3×3×3", "the cube", {0: "X", 13: "O", 26: "X"}),
    Card("qubic", "Qubic", "4×4×4", {0: "X", 24: "O", 63: "X"}),
    Card("ultimate", "Ultimate", "nine boards", owners={0: "X", 4: "O", 8: "X"}),
    Card("3x3:misere", "Misère", "a line loses", {0: "O", 2: "X", 4: "X", 6: "O"}, is_struck=True),
)  # fmt: skip


def cards_data() -> list[Data]:
    """Ours, then one for each game of other packages that the page can show."""
    found = []
    for card in (*CARDS, *_of_others()):
        with suppress(NoughtsError):  # somebody else's game that is broken, or not for two
            found.append(_card_data(card))
    return found


def _of_others() -> Iterator[Card]:
    for row in listed_games():
        if row not in LISTED:
            yield Card(row.spec, row.spec.capitalize(), row.summary)


def _card_data(card: Card) -> Data:
    game = page_game(card.spec)
    view, landing = game_view(game), landing_data(game, 0)
    return {
        "spec": str(game),
        "name": card.name,
        "summary": card.summary,
        "view": asdict(view),
        "board": "".join(card.marks.get(cell, ".") for cell in range(game.cells)),
        "owners": [card.owners.get(sheet, ".") for sheet in range(len(view.sheets))],
        "risk": [0.0] * game.cells if landing is None else landing["risk"],
        "struck": card.is_struck,
        "values": card.has_values,
        "opponent": card.opponent,
    }
