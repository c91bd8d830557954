"""Which agents a page may ask for, with which options, and why not the others."""

import dataclasses
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from noughts.agents import Agent, AgentListing, listed_agents
from noughts.agents import agent as read_agent
from noughts.errors import NoughtsError, ParseError
from noughts.folders import data_folder
from noughts.games.grammar import FLAG, parse_spec
from noughts.options import Option
from noughts.web.play.places import page_game
from noughts.web.settings import LONGEST_SPEC, MOST_OPTIONS

REFUSED = {
    "human": "A person sits at the page; choose 'you' instead of human.",
    "external": "Programs are not started from a page; 'noughts match' plays them.",
}
SUGGESTED = {
    "uct": "uct:simulations=2000",
    "flat": "flat:playouts=900",
    "heuristic": "heuristic:depth=2",
    "alphabeta": "alphabeta:time=0.5",
}
GAME_OPTIONS = ("of",)  # texts that name a game; any other text may name a file


@cache
def page_listings() -> tuple[AgentListing, ...]:
    """The agents that can sit at the page's board; a plug-in that cannot be loaded is left out."""
    found = []
    for listing in listed_agents():
        if listing.name in REFUSED:
            continue
        with suppress(ImportError, ParseError):
            listing.resolve()
            found.append(listing)
    return tuple(found)


def agents_data() -> dict[str, Any]:
    """Every agent with a form of its options."""
    return {
        "agents": [
            {
                "name": listing.name,
                "summary": listing.summary,
                "suggested": SUGGESTED.get(listing.name, listing.name),
                "values": has_values(listing),
                "options": [page_option(option).to_dict() for option in listing.options],
            }
            for listing in page_listings()
        ]
    }


def has_values(listing: AgentListing) -> bool:
    """Whether somebody who chooses moves also says what they are worth."""
    found = listing.resolve()
    return isinstance(found, type) and issubclass(found, Agent) and found.values is not Agent.values


def page_option(option: Option) -> Option:
    """The option with the range that a page may use."""
    most = MOST_OPTIONS.get(option.key)
    if most is None or option.kind not in ("whole", "number") or option.high <= most:
        return option
    return dataclasses.replace(option, high=most)


def page_agent(spec: str, runs: Path) -> Agent:
    """A new agent, if it is one that a page may ask for."""
    if len(spec) > LONGEST_SPEC:
        raise ParseError(f"The agent is named by {len(spec)} letters; at most {LONGEST_SPEC}.")
    parsed = parse_spec(spec)
    if parsed.name in REFUSED:
        raise NoughtsError(REFUSED[parsed.name])
    listing = next((row for row in page_listings() if row.name == parsed.name), None)
    if listing is None:
        known = ", ".join(row.name for row in page_listings())
        raise ParseError(f"'{parsed.name}' is not an agent; agents: {known}.")
    options = {option.key: option for option in listing.options}
    parsed.allow(options)
    for key, text in parsed.options.items():
        page_option(options[key]).read(text)
        if options[key].kind == "text" and text != FLAG:
            check_text(key, text, runs)
    return read_agent(spec)


def check_text(key: str, text: str, runs: Path) -> None:
    """A text names a game, a stored player, or a file in one of the two folders of Noughts."""
    if key in GAME_OPTIONS:
        page_game(text)
        return
    if "\0" in text:
        raise ParseError(f"{key} holds a letter that no file name has.")
    path = Path(text)
    is_word = path.parts == (text,) and text != ".." and not path.is_absolute()
    if is_word and not path.exists():
        return  # a name that the agent itself knows, or will refuse
    real = path.resolve()
    if not any(real.is_relative_to(folder.resolve()) for folder in (data_folder(), runs)):
        raise NoughtsError(
            f"{key}={text} is outside the folders of runs and learned players; "
            f"a page may name what lies there."
        )
