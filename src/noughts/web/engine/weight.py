"""Which work is heavy: it may take a second or more, so it must not take every worker.

A guess from the spec alone is enough: a wrong one costs a wait, not an answer.
"""

from noughts.errors import NoughtsError
from noughts.games.grammar import parse_spec
from noughts.web.play.exactness import has_exact_values
from noughts.web.play.places import page_game

QUICK_SIMULATIONS, QUICK_SECONDS = 5000, 0.3


def is_heavy_agent(spec: str) -> bool:
    """Whether an agent's move may take a while; a spec that cannot be read takes none."""
    try:
        options = parse_spec(spec).options
    except NoughtsError:
        return False
    if "time" in options:
        return _number(options["time"]) > QUICK_SECONDS
    for key in ("simulations", "playouts"):
        if key in options:
            return _number(options[key]) > QUICK_SIMULATIONS
    return False


def is_heavy_judge(spec: str, game: str) -> bool:
    """Whether valuing moves may take a while."""
    if spec != "auto":
        return is_heavy_agent(spec)
    try:
        return not has_exact_values(page_game(game))
    except NoughtsError:
        return False


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
