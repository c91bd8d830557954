"""What workers do: choose a move, value every move, judge a game. Plain data in, plain data out."""

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from noughts.agents import Agent, Thought, check_player
from noughts.errors import NoughtsError
from noughts.games.game import Position
from noughts.kernels.mode import is_interpreted
from noughts.knowledge import Known
from noughts.web.lab.forms import job_kinds
from noughts.web.lab.plans import plan_job, plan_of_config
from noughts.web.learn import tasks as lesson_tasks
from noughts.web.play.agents import page_agent
from noughts.web.play.boards import learned_refusals
from noughts.web.play.places import (
    Data,
    landings_of,
    page_game,
    position_data,
    positions_of,
    rng_of,
    turn_data,
)
from noughts.web.play.values import TIE, Judge, Judged, costliest

KEPT_AGENTS = 12  # that a worker remembers, with what they have loaded


class Workshop:
    """What a worker keeps between two pieces of work: agents, whose tables and networks load once.

    An agent is reset before each request, so nothing that it thought earlier matters.
    """

    def __init__(self, runs: Path) -> None:
        self.runs = runs
        self._agents: OrderedDict[str, Agent] = OrderedDict()

    def agent(self, spec: str) -> Agent:
        """A page's agent, as good as new."""
        found = self._agents.pop(spec, None) or page_agent(spec, self.runs)
        self._agents[spec] = found
        while len(self._agents) > KEPT_AGENTS:
            self._agents.popitem(last=False)
        found.reset()
        return found


def move_task(workshop: Workshop, data: Data) -> Data:
    """An agent's move and how it landed."""
    positions = positions_of(data)
    position, ply, seed = positions[-1], len(positions) - 1, int(data["seed"])
    agent = workshop.agent(data["agent"])
    check_player(agent, position)
    move = position.check_move(agent.choose(position, rng_of(seed, ply, 1)))
    landing, after = position.sample(move, rng_of(seed, ply, 0))
    return {
        "agent": str(agent),
        "turn": turn_data(position, move, landing, after, ply),
        "seed": seed,
        "thought": thought_data(agent.last),
        "position": position_data(after, ply + 1),
        "compiled": not is_interpreted(),
    }


def thought_data(thought: Thought | None) -> Data | None:
    """What an agent tells of its last choice."""
    if thought is None:
        return None
    return {
        "nodes": int(thought.nodes),
        "depth": int(thought.depth),
        "seconds": float(thought.seconds),
        "memory": int(thought.memory),
        "value": None if thought.value is None else float(thought.value),
        "exact": bool(thought.is_exact),
        "note": thought.note,
    }


def values_task(workshop: Workshop, data: Data) -> Data:
    """What every legal move is worth."""
    position = positions_of(data)[-1]
    if position.result is not None:
        raise NoughtsError("The game is over; there are no moves to value.")
    began = time.perf_counter()
    is_quick = bool(data.get("quick"))
    judged = Judge(workshop.agent, data["agent"], position.game, is_quick=is_quick).judge(position)
    cells = position.game
    return {
        "agent": judged.agent,
        "source": judged.source,
        "exact": judged.is_exact,
        "value": judged.value,
        "seconds": time.perf_counter() - began,
        "values": [
            {
                "move": move,
                "cell": cells.cell_of(move),
                "wait": cells.wait_of(move),
                "value": value,
                "exact": move in judged.exact_moves,
                "best": move in judged.best,
                **known_data(judged.found.known.get(move)),
            }
            for move, value in judged.values.items()
        ],
        "best": list(judged.best),
        "line": judged.line,
        "note": judged.note,
        "compiled": not is_interpreted(),
    }


def known_data(known: Known | None) -> Data:
    """What is certain about a move: bounds, where they are from, and how soon a win is over."""
    if known is None:
        return {"low": -1.0, "high": 1.0, "known": None, "plies": None}
    return {"low": known.low, "high": known.high, "known": known.source, "plies": known.plies}


def analysis_task(workshop: Workshop, data: Data) -> Data:
    """The evaluation of a whole game, and what every choice lost."""
    positions = positions_of(data)
    landings = landings_of(data, positions)
    judge = Judge(workshop.agent, data["agent"], positions[0].game, share=len(positions))
    judged = [judge.judge(position) if position.result is None else None for position in positions]
    curve = []
    for ply, (position, found) in enumerate(zip(positions, judged, strict=True)):
        value = _result_value(position) if found is None else found.value
        is_exact = found is None or found.is_exact
        curve.append({"ply": ply, "turn": position.turn, "value": value, "exact": is_exact})
    moves = []
    for ply in range(len(landings)):
        found, before = judged[ply], positions[ply]
        assert found is not None, "a move follows a running position"
        move = data["moves"][ply]
        value, is_exact = judge.value_of(before, move, found), move in found.exact_moves
        if not before.game.risk.is_risky and curve[ply + 1]["exact"]:
            value, is_exact = float(curve[ply + 1]["value"]), True
        regret = max((found.value - value) * (1.0 if before.turn == "X" else -1.0), 0.0)
        if regret <= TIE:
            regret = 0.0
        moves.append(
            {
                "ply": ply,
                "turn": before.turn,
                "move": move,
                "value": value,
                "best": list(found.best),
                "best_value": found.value,
                "regret": regret,
                "luck": _luck(before, curve[ply + 1]["value"], value),
                "exact": found.is_exact and is_exact,
            }
        )
    return {
        "agent": judge.agent_name,
        "source": _sources(judged),
        "exact": all(point["exact"] for point in curve) and all(move["exact"] for move in moves),
        "curve": curve,
        "moves": moves,
        "costliest": costliest(moves),
    }


def _sources(judged: Sequence[Judged | None]) -> str:
    """Who says so, over a whole game: what is not known weighs most."""
    said = [found for found in judged if found is not None]
    estimated = [found for found in said if not found.is_exact]
    return (estimated or said)[-1].source if said else "the end of the game"


def _result_value(position: Position) -> float:
    return {"X": 1.0, "O": -1.0, "draw": 0.0}[position.result or "draw"]


def _luck(before: Position, after: Any, value: float) -> float:
    """What the landing gave X beyond what the choice was worth; nothing where nothing is risky."""
    return float(after) - value if before.game.risk.is_risky else 0.0


def plan_task(workshop: Workshop, data: Data) -> Data:
    """The checked plan of a job: from a form, or from the config of a run that was stopped."""
    if "config" in data:
        config = data["config"] if isinstance(data["config"], dict) else {}
        return plan_of_config(config, workshop.runs)
    return plan_job(data["kind"], data["options"], workshop.runs)


def warm_task(_: Workshop, data: Data) -> Data:
    """Compile what an agent needs for a game."""
    from noughts.warm import Step, warm

    [(_step, seconds)] = warm((Step("", data["game"], data["agent"]),))
    return {"seconds": seconds}


def load_task(*_: Any) -> Data:
    """Load what any work needs: kernels, and numba where they are compiled.

    Who interprets is the first to answer: it thinks once about next to nothing, which loads the
    rest, so that nobody waits for that.
    """
    from noughts.kernels.rules import lines

    if is_interpreted():
        for game in ("3x3:flip=0.1", "ultimate"):
            page_agent("uct:simulations=1", Path()).values(page_game(game).start())
        page_agent("optimal", Path()).values(page_game("1x3").start())
    return {"loaded": lines.__name__}


TASKS: dict[str, Callable[[Workshop, Data], Any]] = {
    "move": move_task,
    "values": values_task,
    "analysis": analysis_task,
    "fits": lambda _, data: learned_refusals(page_game(data["game"])),
    "kinds": lambda *_: {"kinds": [kind.to_dict() for kind in job_kinds()]},
    "plan": plan_task,
    "warm": warm_task,
    "load": load_task,
    "learn-begin": lambda _, data: lesson_tasks.learn_begin(data),
    "learn-look": lambda _, data: lesson_tasks.learn_look(data),
    "learn-move": lambda _, data: lesson_tasks.learn_move(data),
    "learn-game": lambda _, data: lesson_tasks.learn_game(data),
}
