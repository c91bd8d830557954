"""One game between two agents, and everything about it that is worth keeping.

The two games of a pair swap the seats and share everything else (common random numbers): the
opening, each agent's generator, seeded by (seed, pair, agent), and one generator per ply for the
landings, seeded by (seed, pair, ply). So the difference between the two is the seats alone.

An agent that makes an illegal move, raises an exception or takes longer than `move_time` loses that
game; the record says why. The clock is read after each move: an agent is never interrupted, and one
that never returns is never caught.
"""

import time
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from noughts.agents import Agent, ChooseFunction
from noughts.agents import agent as read_agent
from noughts.arena.record import SEATS, GameRecord
from noughts.errors import IllegalMove
from noughts.games.game import Game, Landing, Mark, Position, Result, other
from noughts.games.registry import game as read_game

if TYPE_CHECKING:
    import numpy as np

LONGEST = 10_000  # turns; where marks fade or fizzle a game may go on for ever

LANDINGS, PLAYERS = 0, (1, 2)  # the streams of random numbers of a pair

Player = str | Agent | ChooseFunction


@dataclass(frozen=True)
class GamePlan:
    """What is settled before a game begins."""

    seed: int
    index: int
    pairing: int = 0
    opening: tuple[int, ...] = ()
    move_time: float | None = None  # seconds

    @property
    def pair(self) -> int:
        return self.index // 2

    def entropy(self, stream: int) -> tuple[int, ...]:
        """What the generators of a stream are seeded with."""
        return (self.seed, self.pair, stream)


@dataclass
class _Told:
    """What is told of a game while it goes on."""

    moves: list[int] = field(default_factory=list)
    landings: list[Landing] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    memory: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SEATS, 0))


class _Fault(Exception):
    """Why the player on turn loses at once."""


def play_game(game: Game, first: Agent, second: Agent, plan: GamePlan) -> GameRecord:
    """Play one game; the first agent has X when the index is even."""
    import numpy as np

    is_swapped = plan.index % 2 == 1
    agents = dict(zip(SEATS, (second, first) if is_swapped else (first, second), strict=True))
    streams = dict(zip(SEATS, PLAYERS[::-1] if is_swapped else PLAYERS, strict=True))
    rngs = {seat: np.random.default_rng(plan.entropy(streams[seat])) for seat in SEATS}
    told = _Told()
    result, reason = _play(game, agents, rngs, plan, told)
    return GameRecord(
        game=str(game),
        pairing=plan.pairing,
        index=plan.index,
        pair=plan.pair,
        opening=plan.opening,
        seats={seat: str(agents[seat]) for seat in SEATS},
        moves=tuple(told.moves),
        landings=tuple(told.landings),
        seconds=tuple(told.seconds),
        nodes=tuple(told.nodes),
        memory=told.memory,
        result=result,
        reason=reason,
        seeds={seat: plan.entropy(streams[seat]) for seat in SEATS}
        | {"landings": plan.entropy(LANDINGS)},
    )


def _play(
    game: Game,
    agents: dict[Mark, Agent],
    rngs: "dict[Mark, np.random.Generator]",
    plan: GamePlan,
    told: _Told,
) -> tuple[Result, str | None]:
    """The result, and the reason when it was not the board that ended the game."""
    import numpy as np

    position = game.start()
    for move in plan.opening:
        position = position.play(move)
    seat = position.turn
    try:
        for seat in SEATS:
            _reset(agents[seat])
        for ply in range(len(plan.opening), LONGEST):
            if position.result is not None:
                return position.result, None
            seat = position.turn
            move, seconds = _choose(agents[seat], position, rngs[seat], plan.move_time)
            landing = Landing(seat)
            if game.risk.is_risky:
                dice = np.random.default_rng((*plan.entropy(LANDINGS), ply))
                landing, position = position.sample(move, dice)
            else:
                position = position.play(move)
            thought = agents[seat].last
            told.moves.append(move)
            told.landings.append(landing)
            told.seconds.append(round(seconds, 9))
            told.nodes.append(0 if thought is None else int(thought.nodes))
            if thought is not None:
                told.memory[seat] = max(told.memory[seat], int(thought.memory))
    except _Fault as fault:
        return other(seat), f"{seat}: {fault}"
    return "draw", f"{LONGEST:,} turns were played"


def _choose(
    agent: Agent, position: Position, rng: "np.random.Generator", limit: float | None
) -> tuple[int, float]:
    """A legal move and the seconds it took."""
    began = time.perf_counter()
    try:
        move = agent.choose(position, rng)
        seconds = time.perf_counter() - began
        move = position.check_move(move)
    except IllegalMove as error:
        raise _Fault(f"illegal move: {error}") from None
    except Exception as error:  # whatever goes wrong in a player is that player's loss
        raise _Fault(_told_exception(error)) from None
    if limit is not None and seconds > limit:
        raise _Fault(f"time-out: more than {limit:g} s for a move")
    return move, seconds


def _reset(agent: Agent) -> None:
    try:
        agent.reset()
    except Exception as error:  # likewise
        raise _Fault(_told_exception(error)) from None


def _told_exception(error: Exception) -> str:
    return f"exception: {type(error).__name__}: {' '.join(str(error).split())}"


def play_unit(game: str, first: Player, second: Player, plan: dict[str, Any]) -> dict[str, Any]:
    """One game as a unit of work: plain data in, plain data out, in any process.

    Agents named by a spec are made once per process; `reset` makes them as good as new.
    """
    rules = _game(game)
    agents = _seated(rules, first, 0), _seated(rules, second, 1)
    settled = GamePlan(**plan)
    return play_game(rules, *agents, settled).to_dict()


def _seated(game: Game, player: Player, slot: int) -> Agent:
    return _named(game, player, slot) if isinstance(player, str) else read_agent(player)


@lru_cache(maxsize=64)
def _named(game: Game, spec: str, slot: int) -> Agent:
    agent = read_agent(spec)
    _warm_up(game, agent)
    return agent


def _warm_up(game: Game, agent: Agent) -> None:
    """Let an agent compile and load what it needs, so that its first move is as fast as others.

    It is asked for two moves of a game against nobody in particular, because a second move may take
    another path than a first. They are in no record.
    """
    import numpy as np

    rng = np.random.default_rng(0)
    position: Position = game.start()
    with suppress(Exception):  # its first game will tell what is wrong with it
        agent.reset()
        _, position = position.sample(agent.choose(position, rng), rng)
        _, position = position.sample(position.moves[0], rng)
        agent.choose(position, rng)


@lru_cache(maxsize=16)
def _game(spec: str) -> Game:
    return read_game(spec)
