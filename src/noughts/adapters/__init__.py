"""At home in the ecosystem: Noughts as PettingZoo, Gymnasium and OpenSpiel know games.

    import gymnasium, noughts.adapters
    env = gymnasium.make("noughts/3x3-v0", opponent="optimal")
    env = gymnasium.make("noughts/Game-v0", game="3x3:flip=0.1", seat="both")
    envs = gymnasium.make_vec("noughts/3x3-v0", num_envs=1024)

    env = noughts.adapters.pettingzoo_env("ultimate", render_mode="ansi")
    game = noughts.adapters.openspiel_game("3x3:flip=0.1")       # explicit chance nodes

Importing this package tells Gymnasium the names, where Gymnasium is installed; the rest is loaded
when somebody asks for it (`pip install 'noughts[rl]'`).
"""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from noughts.adapters.names import register_names
from noughts.errors import NoughtsError
from noughts.games.game import Game

__all__ = ["gymnasium_env", "openspiel_game", "pettingzoo_env", "vector_env"]


def pettingzoo_env(game: str | Game = "3x3", **options: Any) -> Any:
    """A PettingZoo AEC environment; see `noughts.adapters.aec`."""
    return _load("aec", "pettingzoo", "rl").env(game, **options)


def gymnasium_env(game: str | Game = "3x3", **options: Any) -> Any:
    """A Gymnasium environment with an opponent inside; see `noughts.adapters.gym`."""
    return _load("gym", "gymnasium", "rl").NoughtsEnv(game, **options)


def vector_env(game: str | Game = "3x3", num_envs: int = 1024, **options: Any) -> Any:
    """Many Gymnasium environments in lockstep; see `noughts.adapters.vector`."""
    return _load("vector", "gymnasium", "rl").NoughtsVectorEnv(game, num_envs=num_envs, **options)


def openspiel_game(game: str | Game = "3x3") -> Any:
    """An OpenSpiel game with explicit chance nodes; see `noughts.adapters.spiel`."""
    return _load("spiel", "pyspiel", "rl").load(game)


def _load(module: str, package: str, extra: str) -> Any:
    if find_spec(package) is None:
        raise NoughtsError(f"This needs {package}; pip install 'noughts[{extra}]' brings it.")
    return import_module(f"noughts.adapters.{module}")


if find_spec("gymnasium") is not None:
    register_names()
