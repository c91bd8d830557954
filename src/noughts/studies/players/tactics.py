"""Every agent on the tactical suite, by budget.

The suite (`data/tactics.json`) holds positions with their best moves, found by looking at every
move and reply or read off exact solutions:

    win     somebody can win at once
    block   the opponent threatens one cell
    fork    a move makes two threats at once
    avoid   some moves lose, most of them to a fork
    chain   threats lead to a win, but not at once
    risk    the best move of the plain game is wrong in this risky world

An agent that draws at random is asked several times with seeds of its own, and has solved a
position when it found a best move every time. So each position counts once, and the exact interval
is about positions like these.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from noughts.agents import agent as read_agent
from noughts.errors import NoughtsError
from noughts.games import game as read_game
from noughts.games.grammar import format_number
from noughts.games.svg.ink import FAINT, INK, SHEET
from noughts.options import number, whole
from noughts.report import (
    Answer,
    Block,
    Cell,
    Figure,
    Heading,
    Report,
    Table,
    Text,
    Unit,
    draw_figure,
    unit_seed,
)
from noughts.report.charts import ramp
from noughts.report.figure import DRAW_COLOUR, PALETTE, X_COLOUR
from noughts.solve import share_interval
from noughts.studies.study import Results, Study, StudyParameters

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

Entry = Mapping[str, Any]  # game, kind, position, best

# By family, from the smallest budget to the largest; {} is the time of alphabeta.
FAMILIES = {
    "random": ("random",),
    "minimax": ("minimax:depth=2", "minimax:depth=4"),
    "heuristic": tuple(f"heuristic:depth={depth}" for depth in (1, 2, 3, 4)),
    "flat, no lookahead": tuple(f"flat:playouts={n},lookahead=0" for n in (100, 300, 900)),
    "flat": tuple(f"flat:playouts={n}" for n in (100, 300, 900)),
    "uct": tuple(f"uct:simulations={n}" for n in (100, 1000, 10_000)),
    "alphabeta": ("alphabeta:time={}", "alphabeta:time={}"),
    "optimal": ("optimal",),
}
STATED = ("win", "block", "fork", "avoid")  # what the published comparison was judged on


@dataclass
class Parameters(StudyParameters):
    each: int = whole(100, 1, 100, "At most so many positions of each game and kind.")
    repeats: int = whole(3, 1, 1000, "How often agents that draw at random are asked.")
    time: float = number(1.0, 0.001, 60, "Alphabeta's seconds; a tenth of them is tried too.")


def agents_of(parameters: Parameters) -> dict[str, list[str]]:
    """The agents of every family, by the specs that name them."""
    times = [format_number(seconds) for seconds in (parameters.time / 10, parameters.time)]
    found = {family: list(specs) for family, specs in FAMILIES.items()}
    found["alphabeta"] = [
        spec.format(seconds) for spec, seconds in zip(FAMILIES["alphabeta"], times, strict=True)
    ]
    return found


@cache
def whole_suite() -> tuple[Entry, ...]:
    """Every position of the suite."""
    data = files("noughts.studies").joinpath("data", "tactics.json").read_text(encoding="utf-8")
    return tuple(json.loads(data))


def chosen_suite(each: int) -> dict[str, list[Entry]]:
    """The first positions of each game and kind, by game."""
    found: dict[str, list[Entry]] = {}
    for entry in whole_suite():
        before = found.setdefault(entry["game"], [])
        if sum(other["kind"] == entry["kind"] for other in before) < each:
            before.append(entry)
    return found


def plan_units(parameters: Parameters) -> list[Unit]:
    units: list[Unit] = []
    for specs in agents_of(parameters).values():
        for spec in specs:
            for game in chosen_suite(parameters.each):
                arguments = {
                    "agent": spec,
                    "game": game,
                    "each": parameters.each,
                    "repeats": parameters.repeats,
                    "seed": unit_seed(parameters.seed, len(units)),
                }
                units.append(Unit(f"{spec} on {game}", ask_agent, arguments))
    return units


def ask_agent(agent: str, game: str, each: int, repeats: int, seed: int) -> dict[str, Any]:
    """What an agent plays in every position of one game; why not, where it cannot."""
    player, rules = read_agent(agent), read_game(game)
    times = 1 if player.is_deterministic else repeats
    chosen: list[list[int]] = []
    seconds: list[float] = []
    try:
        for place, entry in enumerate(chosen_suite(each)[game]):
            position, moves = rules.parse(entry["position"]), []
            for repeat in range(times):
                player.reset()
                moves.append(player.choose(position, np.random.default_rng([seed, place, repeat])))
                seconds.append(player.last.seconds if player.last else 0.0)
            chosen.append(moves)
    except NoughtsError as error:
        return {"cannot": str(error)}
    return {"chosen": chosen, "seconds": [round(taken, 6) for taken in seconds]}


@dataclass(frozen=True)
class Trial:
    """One agent in one position."""

    agent: str
    entry: Entry
    moves: Sequence[int]

    @property
    def hits(self) -> float:
        """The share of its choices that were best moves."""
        return sum(move in self.entry["best"] for move in self.moves) / len(self.moves)

    @property
    def is_solved(self) -> bool:
        return self.hits == 1.0


def trials_of(agent: str, parameters: Parameters, results: Results) -> list[Trial]:
    """Everything that one agent was asked."""
    return [
        Trial(agent, entry, moves)
        for game, entries in chosen_suite(parameters.each).items()
        if "chosen" in results[f"{agent} on {game}"]
        for entry, moves in zip(entries, results[f"{agent} on {game}"]["chosen"], strict=True)
    ]


def make_report(parameters: Parameters, results: Results) -> Report:
    families = agents_of(parameters)
    agents = [spec for specs in families.values() for spec in specs]
    trials = {agent: trials_of(agent, parameters, results) for agent in agents}
    suite = chosen_suite(parameters.each)
    kinds = list(dict.fromkeys(entry["kind"] for entries in suite.values() for entry in entries))
    by_kind = _shares_table("kinds", "kind", kinds, trials)
    by_game = _shares_table("games", "game", list(suite), trials)
    agents_table = _agents_table(parameters, results, trials)
    blocks: list[Block] = [
        Answer(_answer(families, trials)),
        agents_table,
        draw_shares("shares", families, agents_table),
        Heading("By kind and by game"),
        draw_heat("by-kind", "Share of positions solved, by kind.", agents, kinds, by_kind),
        draw_heat("by-game", "Share of positions solved, by game.", agents, list(suite), by_game),
        Text(
            "An empty place means that the agent cannot play the game: minimax and heuristic know "
            "no risk and no Ultimate, and optimal needs a table of all positions. Optimal loses no "
            "value, but to it a win is as good later as at once, and a loss as bad."
        ),
        by_kind,
        by_game,
        Heading("What the largest budgets miss"),
        _missed_table(families, trials),
    ]
    return Report(
        "Tactics",
        f"{sum(map(len, suite.values()))} positions with known best moves in {len(suite)} games, "
        "put to every agent with small and large budgets.",
        blocks,
    )


def _answer(families: Mapping[str, Sequence[str]], trials: Mapping[str, list[Trial]]) -> str:
    words = []
    for family in ("flat", "uct"):
        agent = families[family][-1]
        stated = [trial for trial in trials[agent] if trial.entry["kind"] in STATED]
        solved = sum(trial.is_solved for trial in stated)
        words.append(f"`{agent}` solves **{solved} of {len(stated)}**")
    plain = families["flat, no lookahead"][-1]
    stated = [trial for trial in trials[plain] if trial.entry["kind"] in STATED]
    missed = sum(not trial.is_solved for trial in stated)
    solved_by = {
        specs[-1]: sum(trial.is_solved for trial in trials[specs[-1]])
        for family, specs in families.items()
        if family != "optimal"
    }
    most = max(solved_by.values())
    best = " and ".join(f"`{agent}`" for agent, solved in solved_by.items() if solved == most)
    asked = max(map(len, trials.values()))
    return (
        f"Win now, block now, make a fork, avoid one: {' and '.join(words)}. Flat Monte Carlo "
        f"without lookahead (`{plain}`) misses {missed}. Over all kinds the most are solved by "
        f"{best}: {most} of {asked}."
    )


def _share_cells(trials: Iterable[Trial]) -> list[Cell]:
    """Positions, solved, share and its 95% interval; empty where there is nothing."""
    solved = [trial.is_solved for trial in trials]
    if not solved:
        return [0, None, None, None, None]
    low, high = share_interval(sum(solved), len(solved))
    return [len(solved), sum(solved), sum(solved) / len(solved), low, high]


_WILSON = ["positions", "solved", "share", "95% low", "95% high"]
_SHARES = dict.fromkeys(("share", "95% low", "95% high"), ".1%")


def _agents_table(
    parameters: Parameters, results: Results, trials: Mapping[str, list[Trial]]
) -> Table:
    rows: list[list[Cell]] = []
    for agent, tried in trials.items():
        found = [results[f"{agent} on {game}"] for game in chosen_suite(parameters.each)]
        seconds = [taken for result in found for taken in result.get("seconds", ())]
        hits = sum(trial.hits for trial in tried) / max(1, len(tried))
        rows.append([agent, *_share_cells(tried), hits, median(seconds)])
    return Table(
        "agents",
        ["agent", *_WILSON, "best moves", "median seconds"],
        rows,
        {**_SHARES, "best moves": ".1%", "median seconds": ".5f"},
        "Positions solved, with 95% intervals, among those that the agent can play; agents "
        f"that draw at random must find a best move {parameters.repeats} times of "
        f"{parameters.repeats}. 'best moves' is the share of single choices; the seconds are "
        "those of one choice.",
    )


def _shares_table(
    name: str, key: str, groups: Sequence[str], trials: Mapping[str, list[Trial]]
) -> Table:
    rows: list[list[Cell]] = [
        [agent, group, *_share_cells(t for t in tried if t.entry[key] == group)]
        for agent, tried in trials.items()
        for group in groups
    ]
    caption = f"The same by {key}."
    return Table(name, ["agent", key, *_WILSON], rows, _SHARES, caption)


def _missed_table(
    families: Mapping[str, Sequence[str]], trials: Mapping[str, list[Trial]]
) -> Table:
    rows: list[list[Cell]] = [
        [
            trial.agent,
            trial.entry["game"],
            trial.entry["kind"],
            trial.entry["position"],
            " ".join(map(str, trial.entry["best"])),
            " ".join(map(str, trial.moves)),
        ]
        for family, specs in families.items()
        if family != "random"
        for trial in trials[specs[-1]]
        if not trial.is_solved
    ]
    columns = ["agent", "game", "kind", "position", "best", "played"]
    return Table(
        "missed", columns, rows, {}, "Positions that were not solved, and what was played."
    )


def draw_shares(name: str, families: Mapping[str, Sequence[str]], shares: Table) -> Figure:
    """One dot with an interval for each agent, families apart and in their own colours."""
    rows: dict[str, dict[str, Any]]
    rows = {str(row[0]): dict(zip(shares.columns, row, strict=True)) for row in shares.rows}

    def draw(canvas: "Canvas") -> None:
        axes = canvas.subplots()
        height, places, labels = 0.0, [], []
        for family, specs in enumerate(families.values()):
            colour = (DRAW_COLOUR, *PALETTE)[family]
            for spec in specs:
                row = rows[spec]
                axes.plot([row["95% low"], row["95% high"]], [height] * 2, color=colour, alpha=0.45,
                          linewidth=4, solid_capstyle="round")  # fmt: skip
                axes.plot(row["share"], height, "o", color=colour, markersize=6, clip_on=False)
                axes.text(1.03, height, f"{row['solved']} of {row['positions']}", va="center",
                          fontsize=8.5, color=FAINT)  # fmt: skip
                places.append(height)
                labels.append(spec)
                height -= 1.0
            height -= 0.5
        axes.set_yticks(places, labels)
        axes.set_xlim(-0.02, 1.0)
        axes.xaxis.set_major_formatter("{x:.0%}")
        axes.tick_params(length=0)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel("positions solved")

    count = sum(map(len, families.values()))
    caption = "Positions solved among those an agent can play, with 95% intervals."
    return draw_figure(name, caption, draw, 9.0, 1.0 + 0.27 * count)


def draw_heat(
    name: str, caption: str, agents: Sequence[str], groups: Sequence[str], shares: Table
) -> Figure:
    """The share of every agent in every group; a place without positions stays empty."""
    cells = {(str(row[0]), str(row[1])): row[4] for row in shares.rows}

    def draw(canvas: "Canvas") -> None:
        axes = canvas.subplots()
        found = np.full((len(agents), len(groups)), np.nan)
        for i, agent in enumerate(agents):
            for j, group in enumerate(groups):
                share = cells[agent, group]
                if not isinstance(share, float):
                    continue
                found[i, j] = share
                ink = "white" if share > 0.75 else INK
                axes.text(j, i, f"{share:.0%}", ha="center", va="center", color=ink, fontsize=8.5)
        colours = ramp(SHEET, "#cfdcea", X_COLOUR)
        axes.imshow(found, cmap=colours, vmin=0.0, vmax=1.0, aspect="auto")
        axes.set_xticks(range(len(groups)), [_broken(group) for group in groups], fontsize=8.5)
        axes.xaxis.tick_top()
        axes.set_yticks(range(len(agents)), agents)
        axes.set_xticks(np.arange(-0.5, len(groups)), minor=True)
        axes.set_yticks(np.arange(-0.5, len(agents)), minor=True)
        axes.grid(visible=False)
        axes.grid(visible=True, which="minor", color=SHEET, linewidth=2)
        axes.tick_params(which="both", length=0)
        for spine in axes.spines.values():
            spine.set_visible(False)

    return draw_figure(name, caption, draw, 9.0, 0.6 + 0.27 * len(agents))


def _broken(spec: str) -> str:
    """A spec on several short lines."""
    return spec.replace(":", ":\n").replace(",", ",\n").replace("flip=", "flip=\n")


STUDY = Study(Parameters, plan_units, make_report, quick={"each": 2, "repeats": 1, "time": 0.05})
