"""The self-taught table against a simulated person: what does he have to be like to teach it?

The person plays optimally, at random, sometimes gives in (a random move now and then), or changes:
random for half of the games, optimal from then on. The table has the published settings, once with
a step that shrinks by 0.01 per game and once with a constant one. Afterwards its greedy player is
graded exactly: odds against the optimal and the random player, and what its moves lose.
"""

from dataclasses import dataclass
from typing import Any

from noughts.games.registry import game as read_game
from noughts.learn.grading import Grader
from noughts.learn.registry import learner as read_learner
from noughts.options import number, whole
from noughts.report import Answer, Block, Heading, Report, Table, Text, Unit
from noughts.studies.learning_from_you_figures import games_figure, lessons_figure
from noughts.studies.study import Results, Study, StudyParameters

GAME = "3x3"
STEPS = {"shrinking step": "table:r3", "constant step": "table:r3,step=0.1,shrink=0"}
SEATS = {"x": "X", "o": "O"}
PARTS = 10  # gradings on the way

Point = dict[str, Any]


@dataclass
class Parameters(StudyParameters):
    games: int = whole(1000, PARTS, 10**7, "Games with each person.")
    errs: float = number(0.3, 0.0, 1.0, "How often the person who sometimes gives in does so.")
    repeats: int = whole(5, 1, 1000, "Tables that are taught alike, from seeds of their own.")


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
        for step, spec in STEPS.items():
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
        for step in STEPS
        for seat in SEATS
    }
    blocks: list[Block] = [
        Answer(_answer(parameters, found)),
        _table(found),
        Heading("What the table has learned"),
        lessons_figure(found, list(persons(parameters)), list(STEPS)),
        Text(
            "A table learns only about boards that it meets. A person who never errs shows it few "
            "of them and never rewards an attack; one who plays at random hardly punishes a "
            "mistake; one who sometimes gives in does both."
        ),
        Heading("The games with the person"),
        games_figure(found, list(persons(parameters)), list(STEPS)),
        Text(
            "With a step that shrinks by 0.01 per game a table has stopped learning after a "
            "hundred games, whoever comes then. In these games it also probes with 5% of its moves."
        ),
    ]
    return Report(
        "Learning from you",
        f"The self-taught table on 3×3, {parameters.games:,} games with a simulated person; means "
        f"of {parameters.repeats} tables.",
        blocks,
    )


Found = dict[tuple[str, str, str], list[list[Point]]]


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
    told = []
    for person in ("gives in", "optimal", "random"):
        to_optimal, to_random = _losses(found, person, "constant step")
        told.append(
            f"taught by `{person}` {to_optimal:.1%} to optimal and {to_random:.1%} to random"
        )
    shrinking = _losses(found, "gives in", "shrinking step")
    return (
        f"**With a constant step, after {parameters.games:,} games the table loses: "
        f"{'; '.join(told)}.** With the published shrinking step the one taught by `gives in` "
        f"loses {shrinking[0]:.1%} and {shrinking[1]:.1%} (exact odds of the greedy player, mean "
        "of both seats)."
    )


def _table(found: Found) -> Table:
    rows: list[list[Any]] = []
    for (person, step, seat), curves in found.items():
        row: list[Any] = [person, step, SEATS[seat]]
        for key in ("optimal", "random"):
            row += [last_mean(curves, key, place) for place in (0, 1, 2)]
        row.append(sum(curve[-1]["regret"] for curve in curves) / len(curves))
        rows.append(row)
    columns = ["person", "step", "seat", "beats optimal", "draws optimal", "loses to optimal",
               "beats random", "draws random", "loses to random", "regret"]  # fmt: skip
    formats = dict.fromkeys(columns[3:9], ".1%") | {"regret": ".4f"}
    caption = "Exact odds of the greedy player at the end; mean regret over all positions."
    return Table("lessons", columns, rows, formats, caption)


STUDY = Study(Parameters, quick={"games": 100, "repeats": 1}, units=plan_units, report=make_report)
