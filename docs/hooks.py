"""Tables on the pages that come from the program itself, so that they cannot be wrong.

{{ options uct }}         what can be set on an agent
{{ board 3x3 4x4 }}       cells, lines and symmetries of boards
"""

import re
from typing import Any

import noughts
from noughts.agents import listed_agents
from noughts.games import LineGame


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replace the calls in double braces."""
    markdown = re.sub(r"\{\{ options ([\w-]+) \}\}", lambda m: options_table(m[1]), markdown)
    return re.sub(r"\{\{ board ([^}]+) \}\}", lambda m: board_table(m[1].split()), markdown)


def options_table(name: str) -> str:
    """The options of one agent with their defaults."""
    listing = next(listing for listing in listed_agents() if listing.name == name)
    if not listing.options:
        return "It has no options."
    rows = [f"| `{option.usage}` | {option.help} |" for option in listing.options]
    return "\n".join(["| option | meaning |", "| --- | --- |", *rows])


def board_table(specs: list[str]) -> str:
    """The size of each board."""
    rows = ["| spec | cells | lines | symmetries |", "| --- | ---: | ---: | ---: |"]
    for spec in specs:
        game = noughts.game(spec)
        lines = str(len(game.lines)) if isinstance(game, LineGame) else "8 and 9 × 8"
        rows.append(f"| `{spec}` | {game.cells} | {lines} | {len(game.symmetries())} |")
    return "\n".join(rows)
