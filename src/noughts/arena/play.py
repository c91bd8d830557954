"""One game between agents, and everything about it that is worth keeping.

The games of a block (`seating.py`), with two agents a pair, differ in the seating and share
everything else (common random numbers): the opening, each agent's generator, seeded by (seed,
block, agent), and one generator per ply for the landings, seeded by (seed, block, ply). So the
difference between them is the seats alone.

An agent that makes an illegal move, raises an exception or takes longer than `move_time` loses that
game; the record says why. The clock is read after each move: an agent is never interrupted, and one
that never returns is never caught.

Where moves alone can bring a position back, the game is drawn when one comes for the third time.
"""

import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from noughts.agents import Agent, ChooseFunction
from noughts.agents import agent as read_agent
from noughts.arena.record import GameRecord
from noughts.arena.seating import block_size, result_of_fault, seating_of
from noughts.errors import IllegalMove
from noughts.games.game import MOST_TIMES, Game, Landing, Mark, Position, Result
from noughts.games.registry import game as read_game

LONGEST = 10_000  # turns; where marks fade or fizzle a game may go on for ever

LANDINGS = 0  # the stream of random numbers of a block for landings; agents have those after it

Player = str | Agent | ChooseFunction


@dataclass(frozen=True)
class GamePlan:
    """What is settled before a game begins."""

    seed: int
    index: int
    pairing: int = 0
    opening: tuple[int, ...] = ()
    move_time: float | None = None  # seconds
    seats: int = 2

    @property
    def pair(self) -> int:
        """The block."""
        return self.index // block_size(self.seats)

    @property
    def seating(self) -> tuple[int, ...]:
        """Which agent sits in each seat."""
        return seating_of(self.index, self.seats)

    def entropy(self, stream: int) -> tuple[int, ...]:
        """What the generators of a stream are seeded with."""
        return (self.seed, self.pair, stream)

    def seeds(self, marks: Sequence[Mark]) -> dict[str, tuple[int, ...]]:
        """What the generators of all seats and of the landings are seeded with."""
        seated = zip(marks, self.seating, strict=True)
        seeds: dict[str, tuple[int, ...]] = {mark: self.entropy(1 + a) for mark, a in seated}
        return seeds | {"landings": self.entropy(LANDINGS)}


@dataclass
class _Told:
    """What is told of a game while it goes on."""

    moves: list[int] = field(default_factory=list)
    landings: list[Landing] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    memory: dict[str, int] = field(default_factory=dict)


class _Fault(Exception):
    """Why the player on turn loses at once."""


def play_game(game: Game, agents: Sequence[Agent], plan: GamePlan) -> GameRecord:
    """Play one game; the plan says who of these agents sits where."""
    seated = {seat: agents[a] for seat, a in zip(game.marks, plan.seating, strict=True)}
    seeds = plan.seeds(game.marks)
    rngs = {seat: np.random.default_rng(seeds[seat]) for seat in seated}
    told = _Told(memory=dict.fromkeys(game.marks, 0))
    result, reason = _play(game, seated, rngs, plan, told)
    return GameRecord(
        game=str(game),
        pairing=plan.pairing,
        index=plan.index,
        pair=plan.pair,
        opening=plan.opening,
        seats={seat: str(agent) for seat, agent in seated.items()},
        moves=tuple(told.moves),
        landings=tuple(told.landings),
        seconds=tuple(told.seconds),
        nodes=tuple(told.nodes),
        memory=told.memory,
        result=result,
        reason=reason,
        seeds=seeds,
    )


def _play(
    game: Game,
    agents: dict[Mark, Agent],
    rngs: dict[Mark, np.random.Generator],
    plan: GamePlan,
    told: _Told,
) -> tuple[Result | None, str | None]:
    """The result, and the reason when it was not the board that ended the game."""
    position = game.start()
    repeats, met = game.repeats_by_moves, Counter[Position]()
    for move in plan.opening:
        position = position.play(move)
    seat = game.marks[0]
    try:
        for seat in game.marks:
            _reset(agents[seat])
        for ply in range(len(plan.opening), LONGEST):
            if position.result is not None:
                return position.result, None
            if repeats:
                met[position] += 1
                if met[position] == MOST_TIMES:
                    return "draw", f"the position came {MOST_TIMES} times"
            if position.turn is None:  # nobody chooses, and nobody is charged for it
                move, seconds, thought = position.moves[0], 0.0, None
            else:
                seat = position.turn
                move, seconds = _choose(agents[seat], position, rngs[seat], plan.move_time)
                thought = agents[seat].last
            landing = Landing(position.turn)
            if game.is_risky:
                dice = np.random.default_rng((*plan.entropy(LANDINGS), ply))
                landing, position = position.sample(move, dice)
            else:
                position = position.play(move)
            told.moves.append(move)
            told.landings.append(landing)
            told.seconds.append(round(seconds, 9))
            told.nodes.append(0 if thought is None else int(thought.nodes))
            if thought is not None:
                told.memory[seat] = max(told.memory[seat], int(thought.memory))
    except _Fault as fault:
        return result_of_fault(seat, game.seats), f"{seat}: {fault}"
    return "draw", f"{LONGEST:,} turns were played"


def _choose(
    agent: Agent, position: Position, rng: np.random.Generator, limit: float | None
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


def play_unit(game: str, players: Sequence[Player], plan: dict[str, Any]) -> dict[str, Any]:
    """One game as a unit of work: plain data in, plain data out, in any process.

    Agents named by a spec are made once per process; `reset` makes them as good as new.
    """
    rules = _game(game)
    agents = [_seated(rules, player, slot) for slot, player in enumerate(players)]
    return play_game(rules, agents, GamePlan(**plan)).to_dict()


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
    rng = np.random.default_rng(0)
    position: Position = game.start()
    with suppress(Exception):  # its first game will tell what is wrong with it
        agent.reset()
        while position.turn is None:
            _, position = position.sample(position.moves[0], rng)
        _, position = position.sample(agent.choose(position, rng), rng)
        _, position = position.sample(position.moves[0], rng)
        agent.choose(position, rng)


@lru_cache(maxsize=16)
def _game(spec: str) -> Game:
    return read_game(spec)
