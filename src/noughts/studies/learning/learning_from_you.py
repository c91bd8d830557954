"""The self-taught table against a simulated person: what does he have to be like to teach it?

The person plays optimally, at random, sometimes gives in (a random move now and then), or changes:
random for half of the games, optimal from then on. The table has the published settings; then a
constant step; then a draw worth ½ too; then all that `table` has by default. On the way its greedy
player is graded exactly: odds against the optimal and the random player, and what its moves lose.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noughts.games.registry import game as read_game
from noughts.learn.frame.grading.grader import Grader
from noughts.learn.frame.registry import learner as read_learner
from noughts.options import number, whole
from noughts.report import Answer, Block, Figure, Heading, Report, Table, Text, Unit, draw_figure
from noughts.report.charts import in_percent, legend_below, look
from noughts.studies.study import Results, Study, StudyParameters

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

GAME = "3x3"
SETTINGS = {
    "published": "table:r3",
    "constant step": "table:r3,step=0.1,shrink=0",
    "draw is ½": "table:r3,step=0.1,shrink=0,draw=0.5",
    "default table": "table:step=0.1",
}
SEATS = {"x": "X", "o": "O"}
PARTS = 10  # gradings on the way

Point = dict[str, Any]


@dataclass
class Parameters(StudyParameters):
    games: int = whole(1000, PARTS, 10**7, "Games with each person.")
    errs: float = number(0.3, 0.0, 1.0, "How often the person who sometimes gives in does so.")
    repeats: int = whole(3, 1, 1000, "Tables that are taught alike, from seeds of their own.")


def persons(parameters: Parameters) -> dict[str, tuple[str, str]]:
    """Who plays in the first half of the games, and who in the second."""
    fallible = f"fallible:errs={parameters.errs:g}"
    return {
        "optimal": ("optimal:ties=uniform",) * 2,
        "gives in": (fallible,) * 2,
        "random": ("random",) * 2,
        "random, then optimal": ("random", "optimal:ties=uniform"),
    }


def plan_units(parameters: Parameters) -> list[Unit]:
    units = []
    for person, (first, second) in persons(parameters).items():
        for step, spec in SETTINGS.items():
            for seat in SEATS:
                for repeat in range(parameters.repeats):
                    told = {"learner": f"{spec},seat={seat}", "first": first, "second": second}
                    more = {"games": parameters.games, "seat": seat}
                    seed = {"seed": parameters.seed + repeat}
                    key = f"{person}: {step}, {SEATS[seat]}, {repeat}"
                    units.append(Unit(key, teach, told | more | seed))
    return units


def teach(learner: str, first: str, second: str, games: int, seat: str, seed: int) -> list[Point]:
    """One table and one person: how their games go, and how good the table is by then."""
    rules = read_game(GAME)
    grader = Grader(rules, seed)
    made = read_learner(learner)
    made.begin(rules, first, seed)
    curve: list[Point] = []
    for part in range(PARTS):
        if part == PARTS // 2 and second != first:
            made.restore(rules, second, made.arrays())
        count = games * (part + 1) // PARTS - games * part // PARTS
        told = made.learn(count)
        grades = grader.grade(made.player())
        won, lost = ("X wins", "O wins") if seat == "x" else ("O wins", "X wins")
        curve.append(
            {
                "games": games * (part + 1) // PARTS,
                "with the person": [told[won], told["draws"], told[lost]],
                "optimal": grades[f"optimal_{seat}"],
                "random": grades[f"random_{seat}"],
                "regret": grades["regret_mean"],
            }
        )
    return curve


def make_report(parameters: Parameters, results: Results) -> Report:
    found = {
        (person, step, seat): [
            results[f"{person}: {step}, {SEATS[seat]}, {repeat}"]
            for repeat in range(parameters.repeats)
        ]
        for person in persons(parameters)
        for step in SETTINGS
        for seat in SEATS
    }
    blocks: list[Block] = [
        Answer(_answer(parameters, found)),
        _table(found),
        Heading("What the table has learned"),
        lessons_figure(found, list(persons(parameters)), list(SETTINGS)),
        Text(
            "The published table counts a draw as 0, like a loss. Whoever never errs lets every "
            "game end in one of the two, so nothing tells its good moves from its bad ones. With a "
            "draw worth ½ they differ. And its step, which shrinks by 0.01 per game, is 0 after a "
            "hundred games, whoever comes then: its curves are flat from there on."
        ),
        Heading("The games with the person"),
        games_figure(found, list(persons(parameters)), list(SETTINGS)),
        Text("In these games the table also probes: with 5% of its moves, by default with 30%."),
    ]
    return Report(
        "Learning from you",
        f"The self-taught table on 3×3, {parameters.games:,} games with a simulated person; "
        + ("one table." if parameters.repeats == 1 else f"means of {parameters.repeats} tables."),
        blocks,
    )


Found = dict[tuple[str, str, str], list[list[Point]]]  # by person, step and seat


def last_mean(curves: list[list[Point]], key: str, place: int) -> float:
    """The mean over tables of one share at the end."""
    return float(sum(curve[-1][key][place] for curve in curves) / len(curves))


def _losses(found: Found, person: str, step: str) -> tuple[float, float]:
    """Games lost to optimal and to random at the end, the mean of both seats."""
    pairs = [
        (last_mean(curves, "optimal", 2), last_mean(curves, "random", 2))
        for (who, how, _), curves in found.items()
        if (who, how) == (person, step)
    ]
    return sum(p[0] for p in pairs) / len(pairs), sum(p[1] for p in pairs) / len(pairs)


def _answer(parameters: Parameters, found: Found) -> str:
    ends = {
        (person, step): _losses(found, person, step)
        for person in persons(parameters)
        for step in SETTINGS
    }
    best = min(ends, key=lambda key: sum(ends[key]))
    told = []
    for step in SETTINGS:
        to_optimal, to_random = ends["gives in", step]
        told.append(f"`{step}` {to_optimal:.1%} to optimal and {to_random:.1%} to random")
    return (
        f"**After {parameters.games:,} games with a person who sometimes gives in the table loses: "
        f"{'; '.join(told)}.** Of all teachers and settings `{best[0]}` and `{best[1]}` leave the "
        f"least to lose: {ends[best][0]:.1%} and {ends[best][1]:.1%} (exact odds of the greedy "
        "player, mean of both seats)."
    )


def _table(found: Found) -> Table:
    rows: list[list[Any]] = []
    for (person, step, seat), curves in found.items():
        row: list[Any] = [person, step, SEATS[seat]]
        for key in ("optimal", "random"):
            row += [last_mean(curves, key, place) for place in (0, 1, 2)]
        row.append(sum(curve[-1]["regret"] for curve in curves) / len(curves))
        rows.append(row)
    columns = ["person", "setting", "seat", "beats optimal", "draws optimal", "loses to optimal",
               "beats random", "draws random", "loses to random", "regret"]  # fmt: skip
    formats = dict.fromkeys(columns[3:9], ".1%") | {"regret": ".4f"}
    caption = "Exact odds of the greedy player at the end; mean regret over all positions."
    return Table("lessons", columns, rows, formats, caption)


def _losing(curves: list[list[dict[str, Any]]], key: str) -> tuple[list[int], list[float]]:
    """Games, and the mean over tables of the share that is lost."""
    games = [point["games"] for point in curves[0]]
    shares = [sum(curve[i][key][2] for curve in curves) / len(curves) for i in range(len(games))]
    return games, shares


def _draw_persons(axes: "Axes", found: Found, persons: list[str], step: str, key: str) -> None:
    for i, person in enumerate(persons):
        both = [_losing(found[person, step, seat], key) for seat in ("x", "o")]
        mean = [(a + b) / 2 for a, b in zip(both[0][1], both[1][1], strict=True)]
        axes.plot(both[0][0], mean, label=person, **look(i))
    in_percent(axes.yaxis)


def lessons_figure(found: Found, persons: list[str], steps: list[str]) -> Figure:
    """Games that the greedy player loses to optimal and to random, exactly."""

    def draw(canvas: "Canvas") -> None:
        grid = canvas.subplots(2, len(steps), sharex=True, sharey="row")
        for row, key in enumerate(("optimal", "random")):
            for column, step in enumerate(steps):
                axes = grid[row][column]
                _draw_persons(axes, found, persons, step, key)
                axes.set_title(f"{step}, against {key}" if row == 0 else f"against {key}")
            grid[row][0].set_ylabel("games lost")
            grid[row][0].set_ylim(bottom=-0.02)  # now that all curves of the row are there
        for axes in grid[1]:
            axes.set_xlabel("games")
        legend_below(canvas, grid[0][0])

    caption = "What the greedy player of the table loses, exactly; the mean of both seats."
    return draw_figure("lessons", caption, draw, width=2.9 * len(steps), height=5.6)


def games_figure(found: Found, persons: list[str], steps: list[str]) -> Figure:
    """Games that the table loses to the person who teaches it."""

    def draw(canvas: "Canvas") -> None:
        panels = canvas.subplots(1, len(steps), sharey=True)
        for axes, step in zip(panels, steps, strict=True):
            _draw_persons(axes, found, persons, step, "with the person")
            axes.set_title(step)
            axes.set_xlabel("games")
        panels[0].set_ylabel("games lost")
        panels[0].set_ylim(bottom=-0.02)
        legend_below(canvas, panels[0])

    caption = "The share of its games with the person that the table loses; the mean of both seats."
    return draw_figure("games", caption, draw, width=2.9 * len(steps), height=3.6)


STUDY = Study(Parameters, quick={"games": 100, "repeats": 1}, units=plan_units, report=make_report)
