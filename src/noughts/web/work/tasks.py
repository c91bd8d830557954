"""What workers do: choose a move, value every move, judge a game. Plain data in, plain data out."""

from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from noughts.agents import Agent, Thought, check_player
from noughts.errors import NoughtsError
from noughts.kernels.mode import is_interpreted
from noughts.kernels.rules import lines
from noughts.warm import Step, warm
from noughts.web.lab.forms import job_kinds
from noughts.web.lab.plans import plan_job, plan_of_config
from noughts.web.learn import tasks as lesson_tasks
from noughts.web.play.agents import page_agent
from noughts.web.play.answers import analysis_data
from noughts.web.play.described import learned_refusals
from noughts.web.play.places import (
    Data,
    landings_of,
    page_game,
    position_data,
    positions_of,
    rng_of,
    turn_data,
)
from noughts.web.play.values import QUICK_SECONDS, Judge
from noughts.web.work.drip import Drip

KEPT_AGENTS = 12  # that a worker remembers, with what they have loaded


class Workshop:
    """What a worker keeps between two pieces of work: agents, whose tables and networks load once.

    An agent is reset before each request, so nothing that it thought earlier matters. `tell` sends
    something ahead of the answer.
    """

    def __init__(self, runs: Path, tell: Callable[[Data], None] = lambda _: None) -> None:
        self.runs, self.tell = runs, tell
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
    is_quick, drip = bool(data.get("quick")), Drip(position, workshop.tell)
    seconds = float(data.get("seconds", QUICK_SECONDS))
    judge = Judge(workshop.agent, data["agent"], position.game, 1, is_quick, seconds)
    judged = judge.judge(position, drip if data.get("stream") else None)
    return drip.data(judged, is_final=not is_quick or judged.exact_moves >= set(judged.values))


def analysis_task(workshop: Workshop, data: Data) -> Data:
    """The evaluation of a whole game, and what every choice lost."""
    positions = positions_of(data)
    judge = Judge(workshop.agent, data["agent"], positions[0].game, share=len(positions))
    return analysis_data(judge, positions, data["moves"], landings_of(data, positions))


def plan_task(workshop: Workshop, data: Data) -> Data:
    """The checked plan of a job: from a form, or from the config of a run that was stopped."""
    if "config" in data:
        config = data["config"] if isinstance(data["config"], dict) else {}
        return plan_of_config(config, workshop.runs)
    return plan_job(data["kind"], data["options"], workshop.runs)


def warm_task(_: Workshop, data: Data) -> Data:
    """Compile what an agent needs for a game."""
    [(_step, seconds)] = warm((Step("", data["game"], data["agent"]),))
    return {"seconds": seconds}


def load_task(*_: Any) -> Data:
    """Load what any work needs: kernels, and numba where they are compiled.

    Who interprets is the first to answer: it thinks once about next to nothing, which loads the
    rest, so that nobody waits for that.
    """
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
    "kinds": lambda *_: {"kinds": job_kinds()},
    "plan": plan_task,
    "warm": warm_task,
    "load": load_task,
    "learn-begin": lambda _, data: lesson_tasks.learn_begin(data),
    "learn-look": lambda _, data: lesson_tasks.learn_look(data),
    "learn-move": lambda _, data: lesson_tasks.learn_move(data),
    "learn-game": lambda _, data: lesson_tasks.learn_game(data),
}
