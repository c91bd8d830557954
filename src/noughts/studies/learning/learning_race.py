"""All learners on the seven 3×3 worlds: exact regret against games, and against seconds.

Every learner plays itself. At each milestone its greedy player is asked for its move in every
position that play can lead to, and the exact solution says what those moves lose. Seconds are
those that the processor spent on learning, without compiling and grading; nothing else depends on a
clock.
"""

import time
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from noughts.games.registry import game as read_game
from noughts.learn.frame.grading.grader import Grader
from noughts.learn.frame.learner import SELF
from noughts.learn.frame.registry import learner as read_learner
from noughts.options import whole
from noughts.report import Answer, Block, Figure, Heading, Report, Table, Text, Unit, draw_figure
from noughts.report.charts import look
from noughts.studies.risk.seven_worlds import WORLDS
from noughts.studies.study import Results, Study, StudyParameters

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

LEARNERS = {
    "table": "table",
    "td-table": "td-table",
    "q-table": "q-table",
    "td-quadratic, published": "td-quadratic:lookahead=expect",
    "td-quadratic, tuned": "td-quadratic:preset=tuned",
    "q-quadratic, tuned": "q-quadratic:preset=tuned",
    "q-net": "q-net:rate=0.003",
}
FIRST = 125  # games before the first grading

Point = dict[str, Any]


@dataclass
class Parameters(StudyParameters):
    games: int = whole(32_000, 1, 10**9, "Games each learner learns from.")
    worlds: int = whole(7, 1, 7, "How many of the seven worlds.")


def racers() -> dict[str, str]:
    """The learners that can be trained here: the network needs JAX and optax."""
    has_jax = find_spec("jax") is not None and find_spec("optax") is not None
    return {label: spec for label, spec in LEARNERS.items() if has_jax or label != "q-net"}


def game_of(world: str, seed: int) -> str:
    """The 3×3 game of a world."""
    drawn = world in ("noisy-classic", "noisy-reverse", "random")
    return f"3x3:flip={world},seed={seed}" if drawn else f"3x3:flip={world}"


def milestones(games: int) -> list[int]:
    """125, 250, 500, … and all."""
    found = []
    step = FIRST
    while step < games:
        found.append(step)
        step *= 2
    return [*found, games]


def plan_units(parameters: Parameters) -> list[Unit]:
    return [
        Unit(
            f"{world}: {label}",
            race,
            {"game": game_of(world, parameters.seed), "learner": spec, "games": parameters.games,
             "seed": parameters.seed},
        )
        for world in WORLDS[: parameters.worlds]
        for label, spec in racers().items()
    ]  # fmt: skip


def race(game: str, learner: str, games: int, seed: int) -> list[Point]:
    """One learner in one world: its exact regret at every milestone."""
    rules = read_game(game)
    warm = read_learner(learner)
    warm.begin(rules, SELF, seed)
    warm.learn(300)  # so that nothing is compiled on the clock
    grader = Grader(rules, seed)
    made = read_learner(learner)
    made.begin(rules, SELF, seed)
    curve: list[Point] = []
    played, seconds = 0, 0.0
    for goal in milestones(games):
        began = time.process_time()
        made.learn(goal - played)
        seconds += time.process_time() - began
        played = goal
        grades = grader.grade(made.player())
        kept = ("regret_mean", "regret_worst", "optimal_share", "own_regret")
        curve.append({"games": played, "seconds": seconds, **{key: grades[key] for key in kept}})
    return curve


def make_report(parameters: Parameters, results: Results) -> Report:
    chosen = WORLDS[: parameters.worlds]
    curves = {
        world: {label: results[f"{world}: {label}"] for label in racers()} for world in chosen
    }
    blocks: list[Block] = [
        Answer(_answer(parameters, curves)),
        _final_table(curves),
        Heading("Regret against games"),
        race_figure("games", curves),
        Heading("Regret against seconds"),
        race_figure("seconds", curves),
        Text(
            "Regret is what a choice loses of the exact value, for the player who chose, averaged "
            "over every position that play can lead to. A table needs to have seen a position; a "
            "quadratic form speaks of all of them after a few games, and then stays at what a "
            "quadratic form can say."
        ),
        _curve_table(curves),
    ]
    return Report(
        "The learning race",
        "Seven learners in the seven worlds on 3×3. The game is solved, so that what each of them "
        "still gets wrong is known exactly.",
        blocks,
    )


def _means(curves: dict[str, dict[str, list[Point]]], key: str) -> dict[str, float]:
    """The mean over worlds at the end, by learner; the best first."""
    labels = next(iter(curves.values()))
    found = {
        label: sum(world[label][-1][key] for world in curves.values()) / len(curves)
        for label in labels
    }
    return dict(sorted(found.items(), key=lambda item: item[1]))


def _answer(parameters: Parameters, curves: dict[str, dict[str, list[Point]]]) -> str:
    regrets, own = _means(curves, "regret_mean"), _means(curves, "own_regret")
    seconds = _means(curves, "seconds")
    best, worst = next(iter(regrets)), list(regrets)[-1]
    return (
        f"**After {parameters.games:,} games `{best}` loses the least: {regrets[best]:.4f} of the "
        f"value per choice over all positions** (mean of {len(curves)} worlds), `{worst}` the most "
        f"with {regrets[worst]:.4f}. In their own games `{next(iter(own))}` loses the least, "
        f"{next(iter(own.values())):.4f} per move. `{next(iter(seconds))}` takes the least time, "
        f"`{list(seconds)[-1]}` the most."
    )


def _final_table(curves: dict[str, dict[str, list[Point]]]) -> Table:
    rows: list[list[Any]] = []
    for label in _means(curves, "regret_mean"):
        ends = [world[label][-1] for world in curves.values()]
        row: list[Any] = [label, *(end["regret_mean"] for end in ends)]
        for key in ("regret_mean", "own_regret", "optimal_share", "seconds"):
            row.append(sum(end[key] for end in ends) / len(ends))
        rows.append(row)
    means = ["mean", "own games", "optimal choices", "seconds"]
    columns = ["learner", *curves, *means]
    formats = dict.fromkeys(columns[1:], ".4f") | {"optimal choices": ".1%", "seconds": ".2f"}
    return Table("race", columns, rows, formats, "Mean regret over all positions, at the end.")


def _curve_table(curves: dict[str, dict[str, list[Point]]]) -> Table:
    keys = ["games", "seconds", "regret_mean", "regret_worst", "optimal_share", "own_regret"]
    rows = [
        [world, label, *(point[key] for key in keys)]
        for world, learners in curves.items()
        for label, points in learners.items()
        for point in points
    ]
    formats = {"games": ",", "seconds": ".3f", "optimal_share": ".1%"}
    formats |= dict.fromkeys(("regret_mean", "regret_worst", "own_regret"), ".4f")
    return Table("curves", ["world", "learner", *keys], rows, formats, "Every grading.")


Curves = dict[str, dict[str, list[dict[str, Any]]]]  # by world and learner

COLUMNS = 4
SMALLEST = 1e-5  # a logarithm has no place for zero


def race_figure(key: str, curves: Curves) -> Figure:
    """One panel for each world: mean regret against games or seconds."""
    columns = min(COLUMNS, len(curves) + 1)
    rows = -(-(len(curves) + 1) // columns)

    def draw(canvas: "Canvas") -> None:
        from matplotlib.ticker import NullFormatter

        panels = list(canvas.subplots(rows, columns, sharex=True, sharey=True).flat)
        for axes, (world, learners) in zip(panels, curves.items(), strict=False):
            for i, (label, points) in enumerate(learners.items()):
                axes.plot(
                    [max(point[key], 1e-4) for point in points],
                    [max(point["regret_mean"], SMALLEST) for point in points],
                    label=label, linewidth=1.5, **look(i),
                )  # fmt: skip
            axes.set_xscale("log")
            axes.set_yscale("log")
            axes.set_title(world)
            axes.xaxis.set_minor_formatter(NullFormatter())
            axes.tick_params(labelbottom=True)
        for axes in panels[len(curves) :]:
            axes.set_axis_off()
        handles, names = panels[0].get_legend_handles_labels()
        panels[len(curves)].legend(handles, names, loc="center", fontsize=8.5)
        canvas.supxlabel("games" if key == "games" else "seconds of learning", fontsize=9.5)
        canvas.supylabel("mean regret", fontsize=9.5)

    against = "games" if key == "games" else "seconds of one processor"
    caption = f"Mean regret over all positions against {against}, in each world."
    return draw_figure(
        f"regret-by-{key}", caption, draw, width=2.5 * columns, height=2.6 * rows + 0.4
    )


STUDY = Study(Parameters, quick={"games": 500, "worlds": 1}, units=plan_units, report=make_report)
