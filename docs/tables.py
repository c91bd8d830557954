"""Tables on the pages that come from the program itself, so that they cannot be wrong.

{{ options uct }}         what can be set on an agent
{{ training q-net }}      what can be set on a learner, in `noughts train`
{{ board 3x3 4x4 }}       cells, lines and symmetries of boards
"""

import re

from sphinx.application import Sphinx

import noughts
from noughts.agents import listed_agents
from noughts.games import LineGame
from noughts.learn.frame.registry import listed_learners
from noughts.options import Option


def setup(app: Sphinx) -> dict[str, bool]:
    """Sphinx calls this."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True}


def _read(app: Sphinx, page: str, source: list[str]) -> None:
    source[0] = fill(source[0])


def fill(markdown: str) -> str:
    """The page with what its calls in double braces stand for."""
    agents = {listing.name: listing for listing in listed_agents()}
    learners = {listing.name: listing for listing in listed_learners()}

    def options(call: re.Match[str]) -> str:
        listings = agents if call[1] == "options" else learners
        return options_table(listings[call[2]].options)

    markdown = re.sub(r"\{\{ (options|training) ([\w-]+) \}\}", options, markdown)
    return re.sub(r"\{\{ board ([^}]+) \}\}", lambda m: board_table(m[1].split()), markdown)


def options_table(options: tuple[Option, ...]) -> str:
    """What can be set, with defaults, and the words that an option takes."""
    if not options:
        return "It has no options."
    rows = ["| option | takes | meaning |", "| --- | --- | --- |"]
    for option in options:
        default = option.usage if option.default is not None else option.key
        meaning = option.help.replace("|", "\\|")
        rows.append(f"| `{default}` | {taken(option)} | {meaning} |")
    return "\n".join(rows)


def taken(option: Option) -> str:
    """The values that an option takes, in a few words."""
    if option.kind == "choice":
        return ", ".join(f"`{word}`" for word in option.choices)
    kinds = {"whole": "a whole number", "vector": "numbers", "text": "text", "flag": "a flag"}
    return kinds.get(option.kind, "a number")


def board_table(specs: list[str]) -> str:
    """The size of each board."""
    rows = ["| spec | cells | lines | symmetries |", "| --- | ---: | ---: | ---: |"]
    for spec in specs:
        game = noughts.game(spec)
        lines = str(len(game.lines)) if isinstance(game, LineGame) else "8 and 9 × 8"
        rows.append(f"| `{spec}` | {game.cells} | {lines} | {len(game.symmetries())} |")
    return "\n".join(rows)
