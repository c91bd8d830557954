"""Our games in OpenSpiel, with every landing as an explicit chance node.

    game = noughts.adapters.openspiel_game("3x3:flip=0.1")
    game = pyspiel.load_game("noughts(spec=3x3:flip~0.1)")       # after this module is loaded
    value_iteration.value_iteration(game, -1, 1e-12)

A move is followed by a chance node where it may land in more ways than one; its outcomes are
numbered as `position.landings(move)` lists them. `str(state)` is the position on one line, which is
all there is to know of it, so that OpenSpiel's algorithms join the paths that lead to it.
OpenSpiel's own grammar takes `=` and `,` for itself, so inside it a spec has `~` and `;` for them.

Games that may never end have no longest game; OpenSpiel is told `LONGEST` turns, after which a game
is a draw.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from noughts.errors import NoughtsError
from noughts.games.game import MARKS, Game, Position, check_two
from noughts.games.registry import game as read_game

SHORT_NAME = "noughts"
LONGEST = 1_000
MOST_LANDINGS = 3 << 16  # `Position.outcomes` lists no more


def _game_type(game: Game | None) -> Any:
    """How OpenSpiel classes a game; None stands for all of them."""
    mode = pyspiel.GameType.ChanceMode
    is_risky = game is None or game.is_risky
    return pyspiel.GameType(
        short_name=SHORT_NAME,
        long_name="Noughts",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=mode.EXPLICIT_STOCHASTIC if is_risky else mode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=len(MARKS) if game is None else game.seats,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"spec": "3x3"},
    )


def _game_info(game: Game) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=game.moves,
        max_chance_outcomes=min(game.most_landings, MOST_LANDINGS) if game.is_risky else 0,
        num_players=game.seats,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=LONGEST if game.can_repeat else game.cells,
    )


@dataclass(frozen=True)
class Moment:
    """All that a state holds. OpenSpiel copies states deeply; what never changes is shared."""

    position: Position
    move: int | None = None  # on its way: chance is on turn
    turns: int = 0

    @cached_property
    def is_over(self) -> bool:
        return self.position.result is not None or self.turns >= LONGEST

    @cached_property
    def player(self) -> int:
        """Who is on turn, as OpenSpiel numbers players."""
        if self.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        if self.awaited is not None:
            return int(pyspiel.PlayerId.CHANCE)
        return MARKS.index(self.position.mover)

    @property
    def awaited(self) -> int | None:
        """The move whose landing chance decides: one on its way, or that of nobody's turn."""
        return self.position.moves[0] if self.position.turn is None else self.move

    @cached_property
    def text(self) -> str:
        text = self.position.to_text()
        return text if self.move is None else f"{text} move {self.move}"

    def __deepcopy__(self, memo: dict[int, Any]) -> "Moment":
        return self


class SpielGame(pyspiel.Game):
    """A game of ours as OpenSpiel's; its one parameter is the spec."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        spec = str((params or {}).get("spec", "3x3"))
        self.rules = read_game(spec.replace("~", "=").replace(";", ","))
        check_two(self.rules, "This environment")
        self.first = Moment(self.rules.start())
        parameters = {"spec": _without_signs(self.rules)}
        super().__init__(_game_type(self.rules), _game_info(self.rules), parameters)

    def new_initial_state(self, state: Any = None) -> "SpielState":
        if state is not None:
            raise NoughtsError("A state begins with the empty board; play moves from there.")
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return SpielObserver(self.rules, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SpielState(pyspiel.State):
    """A position, or a move on its way."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.moment = game.first  # OpenSpiel makes a state for every copy, so this is made once

    @property
    def position(self) -> Position:
        """The position, before the move that is on its way."""
        return self.moment.position

    def current_player(self) -> int:
        return self.moment.player

    def is_terminal(self) -> bool:
        return self.moment.is_over

    def returns(self) -> list[float]:
        return list(self.position.game.worth(self.position.result or "draw"))

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.position.moves)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        assert self.moment.awaited is not None
        found = _landings(self.position, self.moment.awaited)
        return [(index, chance) for index, (chance, _) in enumerate(found)]

    def _apply_action(self, action: int) -> None:
        position, move, turns = self.position, self.moment.awaited, self.moment.turns
        if move is not None:
            self.moment = Moment(_landings(position, move)[action][1], None, turns + 1)
            return
        landings = _landings(position, action)
        if len(landings) > 1:
            self.moment = Moment(position, action, turns)
        else:
            self.moment = Moment(landings[0][1], None, turns + 1)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == int(pyspiel.PlayerId.CHANCE):
            return f"landing {action}"
        return f"{MARKS[player]}{action}"

    def __str__(self) -> str:
        return self.moment.text


class SpielObserver:
    """What OpenSpiel's networks read: [seats + 1, cells] empty, X, O, and whose turn it is."""

    def __init__(self, rules: Game, params: Any) -> None:
        if params:
            raise NoughtsError(f"An observation of Noughts has no parameters, not {params}.")
        self._cells, self._seats = rules.cells, rules.seats
        self.tensor = np.zeros((self._seats + 1) * rules.cells + 1, np.float32)
        self.dict = {
            "observation": self.tensor[:-1].reshape(self._seats + 1, rules.cells),
            "turn": self.tensor[-1:],
        }

    def set_from(self, state: SpielState, player: int) -> None:
        self.tensor.fill(0.0)
        marks = [(".", *MARKS).index(letter) for letter in state.position.board]
        self.dict["observation"][marks, np.arange(self._cells)] = 1.0
        if state.position.turn is not None:
            self.dict["turn"][0] = MARKS.index(state.position.turn) / (self._seats - 1)

    def string_from(self, state: SpielState, player: int) -> str:
        return str(state)


@lru_cache(maxsize=4096)
def _landings(position: Position, move: int) -> tuple[tuple[float, Position], ...]:
    return tuple(position.landings(move))


def _without_signs(game: Game) -> str:
    """The spec of a game in the signs that OpenSpiel leaves free."""
    return str(game).replace("=", "~").replace(",", ";")


def load(game: str | Game) -> Any:
    """The OpenSpiel game of a spec."""
    return pyspiel.load_game(SHORT_NAME, {"spec": _without_signs(read_game(game))})


pyspiel.register_game(_game_type(None), SpielGame)
