"""Lets the whole house play one game of another package, and prints as JSON what came of it.

    python plugin_report.py GAME     with the package on the path

It runs in a process of its own, where kernels are interpreted or compiled as the environment says;
both must print the same.
"""

import json
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import noughts
from noughts import adapters
from noughts.arena import GameRecord, replay
from noughts.knowledge.limits import INTERPRETED, USUAL
from noughts.testing import check_game, check_kernels

AGENTS = ("random", "uct:simulations=60", "flat:playouts=5,lookahead=2", "alphabeta:depth=3")


def checks(game: noughts.Game) -> str:
    check_game(game, positions=60)
    check_kernels(game, positions=60)
    return "kept"


def playouts(game: noughts.Game) -> str:
    return str(noughts.playouts(game, 60, seed=1))


def perft(game: noughts.Game) -> list[int]:
    return [noughts.perft(game, depth) for depth in range(4)]


def matches(game: noughts.Game) -> dict[str, Any]:
    """A match of every agent against random players, told and played back."""
    return {spec: _or_refusal(_match, game, spec) for spec in AGENTS}


def _match(game: noughts.Game, spec: str) -> list[Any]:
    others = ["random"] * (game.seats - 1)
    result = noughts.match(game, spec, *others, games=6, seed=1)
    records = [GameRecord.from_json(record.to_json()) for record in result.records]
    for record in records:
        assert (replay(record)[-1].result or "draw") == record.result
    reasons = {record.reason for record in records if record.reason}
    moves = sum(effort.moves for effort in result.efforts)
    return [*([*one.moves, one.result] for one in records), moves, *sorted(reasons)]


def tournament(game: noughts.Game) -> list[Any]:
    played = noughts.tournament(game, list(AGENTS[:3]), games=2, seed=1)
    return [[one.pairing, *one.moves, one.result] for one in played.records]


def gymnasium(game: noughts.Game) -> list[Any]:
    """Games against the random player and against one of ours, by the highest legal action."""
    found: list[Any] = []
    for opponent in ("random", "uct:simulations=20"):
        env = adapters.gymnasium_env(game, opponent=opponent, seat="both", render_mode="ansi")
        for seed in range(3):
            _, info = env.reset(seed=seed)
            is_over, reward = False, 0.0
            while not is_over:
                action = int(np.flatnonzero(info["action_mask"])[-1])
                _, reward, ended, cut, info = env.step(action)
                is_over = ended or cut
            found.append([reward, env.render()])
    return found


def vectors(game: noughts.Game) -> list[Any]:
    envs = adapters.vector_env(game, num_envs=4)
    _, info = envs.reset(seed=1)
    rewards = []
    for _ in range(12):
        _, reward, _, _, info = envs.step(info["action_mask"].argmax(axis=1))
        rewards.append(reward.tolist())
    return rewards


def pettingzoo(game: noughts.Game) -> list[Any]:
    env, rng = adapters.pettingzoo_env(game), np.random.default_rng(1)
    env.reset(seed=1)
    told: list[Any] = []
    for agent in env.agent_iter(400):
        seen, reward, ended, cut, _ = env.last()
        is_over = ended or cut
        move = None if is_over else int(rng.choice(np.flatnonzero(seen["action_mask"])))
        told.append([agent, reward, move])
        env.step(move)
    return told


def openspiel(game: noughts.Game) -> list[Any]:
    """Random play by OpenSpiel's rules; every state is one of ours."""
    state, rng = adapters.openspiel_game(game).new_initial_state(), np.random.default_rng(1)
    told: list[Any] = []
    while not state.is_terminal() and len(told) < 300:
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            action = int(rng.choice(actions, p=chances))
        else:
            assert game.parse(str(state)) == state.position
            action = int(rng.choice(state.legal_actions()))
        told.append(action)
        state.apply_action(action)
    return [told, state.returns()]


def values(game: noughts.Game) -> list[Any]:
    """Of positions of random games, the start first: what is known, and what alpha-beta proves."""
    rng, found = np.random.default_rng(5), []
    if game.cells > 9:
        return found
    is_endless = game.longest is None
    agent = noughts.agent("alphabeta:depth=4" if is_endless else "alphabeta:depth=12")
    budget = INTERPRETED if is_endless else USUAL
    position = game.start()
    while len(found) < 12:
        known, moves = noughts.known(position, budget), noughts.known_moves(position, budget)
        chosen = agent.choose(position, rng)
        found.append(
            {
                "position": position.to_text(),
                "known": None if known is None else [known.low, known.high],
                "moves": {move: [one.low, one.high] for move, one in moves.items()},
                "chosen": chosen,
                "value": agent.last.value,
                "is_exact": agent.last.is_exact,
            }
        )
        position = position.sample(int(rng.choice(position.moves)), rng)[1]
        if position.result is not None:
            position = game.start()
    return found


def drawing(game: noughts.Game) -> str:
    return game.start()._repr_svg_()


def report(game: noughts.Game) -> dict[str, Any]:
    """What everybody did with the game, or the sentence with which it was refused."""
    rooms: tuple[Callable[[noughts.Game], Any], ...] = (
        checks, playouts, perft, matches, tournament, gymnasium, vectors, pettingzoo, openspiel,
        values, drawing,
    )  # fmt: skip
    return {room.__name__: _or_refusal(room, game) for room in rooms}


def _or_refusal(room: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return room(*arguments)
    except noughts.NoughtsError as error:
        return f"refused: {error}"


if __name__ == "__main__":
    json.dump(report(noughts.game(sys.argv[1])), sys.stdout)
