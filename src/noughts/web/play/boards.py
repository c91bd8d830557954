"""Games as the page draws them: cards for the chooser, and the whole of one game."""

from dataclasses import asdict
from functools import lru_cache

from noughts.agents import AgentListing, check_player
from noughts.agents import agent as read_agent
from noughts.errors import NoughtsError
from noughts.games.boards import MAX_CELLS, MAX_SIDE
from noughts.games.game import Game
from noughts.games.line_game import LineGame
from noughts.games.registry import game as read_game
from noughts.games.registry import listed_games
from noughts.games.risk import CONSTANT_WORLDS, SEEDED_WORLDS
from noughts.games.ultimate import MINI, UltimateGame, drawing_place
from noughts.knowledge.prospect import prospect_of
from noughts.web.play.agents import page_listings
from noughts.web.play.places import Data, page_game, position_data

SYMMETRY_CELLS = 128  # on larger boards finding all symmetries takes seconds

CARDS = (
    ("3x3", "three in a row"),
    ("4x4", "four in a row"),
    ("6x5:k=4", "four in a row on six by five"),
    ("3x3x3", "the cube: 27 cells, 49 lines"),
    ("qubic", "4×4×4: 64 cells, 76 lines"),
    ("ultimate", "nine boards; your cell names the next"),
    ("3x3:misere", "whoever completes a line loses"),
)
_WORLDS = {
    "classic": "no risk",
    "quarter": "every mark flips with 0.25",
    "blind": "every mark flips with 0.5",
    "reverse": "every mark flips",
    "stochastic": "the published risky board",
    "noisy-classic": "a little risk, drawn for each cell",
    "noisy-reverse": "nearly every mark flips",
    "random": "a risk drawn for each cell",
}


def games_data() -> Data:
    """What the chooser offers."""
    return {
        "cards": [_card(spec, summary) for spec, summary in CARDS],
        "worlds": [
            {
                "name": name,
                "summary": summary,
                "cells": 9 if name not in (*CONSTANT_WORLDS, *SEEDED_WORLDS) else None,
                "seeded": name in SEEDED_WORLDS,
            }
            for name, summary in _WORLDS.items()
        ],
        "examples": [{"spec": row.spec, "summary": row.summary} for row in listed_games()],
        "limits": {"side": MAX_SIDE, "cells": MAX_CELLS, "ticks": 1000},
    }


def _card(spec: str, summary: str) -> Data:
    game = read_game(spec)
    rows, columns, layers = game.shape
    return {
        "spec": spec,
        "name": game_name(game),
        "summary": summary,
        "kind": game_kind(game),
        "rows": rows,
        "columns": columns,
        "layers": layers,
    }


def game_kind(game: Game) -> str:
    """How a game is drawn."""
    if isinstance(game, UltimateGame):
        return "ultimate"
    return "lines3d" if game.shape[2] > 1 else "lines2d"


def game_name(game: Game) -> str:
    """A game in words: `4×4, 3 in a row, misère`."""
    if isinstance(game, UltimateGame):
        words = ["Ultimate"]
        words += ["won boards stay open"] if game.won == "open" else []
        words += ["more boards win"] if game.tiebreak == "boards" else []
        return ", ".join(words)
    assert isinstance(game, LineGame)
    board, _, k = game.board.name.partition(":k=")
    words = ["Qubic" if board == "qubic" else board.replace("x", "×")]
    words += [f"{k} in a row"] if k else []
    words += ["misère"] if game.is_misere else []
    return ", ".join(words)


@lru_cache(maxsize=64)
def game_data(spec: str) -> Data:
    """Everything about a game but whether its exact values are at hand, which may change."""
    game = page_game(spec)
    rows, columns, layers = game.shape
    listings = page_listings()
    lines = game.lines if isinstance(game, LineGame) else MINI.lines
    orbits = _orbits(game) if game.cells <= SYMMETRY_CELLS else None
    return {
        "game": str(game),
        "name": game_name(game),
        "kind": game_kind(game),
        "rows": rows,
        "columns": columns,
        "layers": layers,
        "cells": game.cells,
        "k": _line_length(game),
        "misere": isinstance(game, LineGame) and game.is_misere,
        "won": game.won if isinstance(game, UltimateGame) else None,
        "tiebreak": game.tiebreak if isinstance(game, UltimateGame) else None,
        "lines": [list(line) for line in lines],
        "places": _places(game),
        "risk": _risk(game),
        "symmetries": None if orbits is None else len(game.symmetries()),
        "orbits": orbits,
        "agents": {
            row.name: None if is_learned(row) else refusal(row.name, game) for row in listings
        },
        "position": position_data(game.start(), 0),
    }


def described_game(spec: str) -> Data:
    """Everything about a game."""
    return game_data(spec) | {"exact": asdict(prospect_of(page_game(spec)))}


def _line_length(game: Game) -> int | None:
    if not isinstance(game, LineGame):
        return 3
    lengths = {len(line) for line in game.lines}
    return lengths.pop() if len(lengths) == 1 else None


def _places(game: Game) -> list[list[int]]:
    if isinstance(game, LineGame):
        return [list(game.board.place_of(cell)) for cell in range(game.cells)]
    return [[*divmod(drawing_place(cell), 9), 0] for cell in range(game.cells)]


def _risk(game: Game) -> Data:
    risk = game.risk
    vectors = {key: list(getattr(risk, key)) for key in ("flip", "fizzle", "fade", "hazard")}
    return vectors | {
        "is_risky": risk.is_risky,
        "has_clock": risk.has_clock,
        "limit": risk.limit,
        "turn_limit": risk.turn_limit,
        "ticks": risk.ticks if risk.has_clock else 0,
        "tick_length": risk.tick_length,
    }


def _orbits(game: Game) -> list[int]:
    """For each cell the lowest one that is the same by symmetry."""
    symmetries = game.symmetries()
    return [min(permutation[cell] for permutation in symmetries) for cell in range(game.cells)]


def is_learned(listing: AgentListing) -> bool:
    """Whether asking an agent about a game may load a network; that is left to workers."""
    return listing.place.startswith("noughts.learn.")


def learned_refusals(game: Game) -> dict[str, str | None]:
    """Which learned agents cannot play a game, and why."""
    return {row.name: refusal(row.name, game) for row in page_listings() if is_learned(row)}


def refusal(name: str, game: Game) -> str | None:
    """Why an agent with its default options cannot play a game; None when it can."""
    try:
        check_player(read_agent(name), game)
    except NoughtsError as error:
        return str(error)
    return None
