"""Games as the page draws them: cards for the chooser, and the whole of one game."""

from dataclasses import asdict
from functools import lru_cache

from noughts.agents import AgentListing, check_player
from noughts.agents import agent as read_agent
from noughts.effort import TABLES
from noughts.errors import NoughtsError
from noughts.games.boards import MAX_CELLS, MAX_SIDE
from noughts.games.game import Game
from noughts.games.grammar import Spec, parse_spec
from noughts.games.registry import game as read_game
from noughts.games.registry import listed_games
from noughts.games.risk import CONSTANT_WORLDS, SEEDED_WORLDS
from noughts.games.view import game_view, risk_view
from noughts.knowledge.certificates import is_certified
from noughts.knowledge.prospect import prospect_of
from noughts.web.play.agents import page_listings
from noughts.web.play.cards import cards_data
from noughts.web.play.places import Data, landing_data, page_game, position_data

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
        "cards": cards_data(),
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


@lru_cache(maxsize=64)
def game_data(spec: str) -> Data:
    """Everything about a game but whether its exact values are at hand, which may change."""
    game = page_game(spec)
    return {
        "game": str(game),
        "name": game.title,
        "cells": game.cells,
        "risk": vars(risk_view(game)),
        "takes_risk": takes_risk(game),
        "agents": {
            row.name: None if is_learned(row) else refusal(row.name, game)
            for row in page_listings()
        },
        "view": asdict(game_view(game)),
        "landing": landing_data(game, 0),
        "wait_step": game.move_at(0, 1) - game.move_at(0) if game.has_clock else 0,
        "position": position_data(game.start(), 0),
    }


def described_game(spec: str) -> Data:
    """Everything about a game."""
    told, game = game_data(spec), page_game(spec)
    exact = prospect_of(game)
    agents = dict(told["agents"])
    if not exact.ready and not is_certified(game):  # nobody waits for a table at a board
        late = (
            exact.reason
            or f"Solving {game} takes about {exact.seconds:.0f} s; let the Lab do that first."
        )
        agents |= {name: agents[name] or late for name in TABLES if name in agents}
    return told | {"exact": asdict(exact), "agents": agents}


def takes_risk(game: Game) -> bool:
    """Whether a risk can be painted on the board: the game takes it as an option of its spec."""
    if game.is_risky:
        return True
    spec = parse_spec(str(game))
    try:
        read_game(str(Spec(spec.name, {**spec.options, "flip": "0.5"})))
    except NoughtsError:
        return False
    return True


def is_learned(listing: AgentListing) -> bool:
    """Whether asking an agent about a game may load a network; that is left to workers."""
    return listing.home.startswith("noughts.learn.")


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
