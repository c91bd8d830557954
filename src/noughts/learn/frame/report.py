"""What a run of training leaves to read: its learning curves as a table, figures and a page."""

from collections.abc import Sequence
from typing import Any

from noughts.jobs.job import VERSION
from noughts.learn.frame.training import Plan, Training
from noughts.report import Answer, Block, Figure, Heading, Report, Table, Text, draw_figure
from noughts.report.figure import DASHES, PALETTE

Panel = dict[str, list[tuple[int, float]]]  # the points of each curve

_SEATS = {"random_x": "as X against random", "random_o": "as O against random",
          "random_t": "as T against random", "random_s": "as S against random",
          "optimal_x": "as X against optimal", "optimal_o": "as O against optimal"}  # fmt: skip
_NUMBERS = {
    "regret_mean": "mean regret",
    "regret_worst": "worst regret",
    "optimal_share": "optimal moves",
    "own_regret": "regret in own games",
    "own_worst": "worst in own games",
    "score": "score against random",
}


def training_report(plan: Plan, training: Training) -> Report:
    """The page of a run."""
    curve, asked = training.curve, plan.asked
    graded = [line for line in curve if line["grades"]]
    blocks: list[Block] = [Answer(sentence) for sentence in grade_sentences(training.grades)]
    blocks.append(Heading("Learning curves"))
    blocks += _figures(curve, graded)
    blocks.append(_curve_table(graded))
    blocks.append(_log_table(curve))
    if training.grades.get("graded") == "all positions":
        blocks.append(
            Text(
                "Regret is what a move loses against the best one, in expected results from -1 to "
                "1; it is exact, because the game is solved."
            )
        )
    rate = training.games / max(training.seconds, 1e-9)
    return Report(
        title=f"{plan.learner} on {plan.game}",
        lead=f"{training.games:,} games against {asked.opponent}, seed {asked.seed}: "
        f"{training.seconds:.1f} s of learning, {rate:,.0f} games/s.",
        blocks=blocks,
        facts={"command": asked.command, "version": f"noughts {asked.config[VERSION]}"},
    )


def grade_sentences(grades: Any) -> list[str]:
    """The last grading in sentences."""
    found = []
    if "regret_mean" in grades:
        found.append(
            f"Over {grades['graded']} ({grades['positions']:,}): mean regret "
            f"{grades['regret_mean']:.5f}, worst {grades['regret_worst']:.3f}, "
            f"{grades['optimal_share']:.2%} of choices optimal{_own_games(grades)}."
        )
    for key, words in _SEATS.items():
        if key in grades:
            win, draw, loss = grades[key]
            exact = "" if "score" in grades else "exact odds "
            seat = f"{words[0].upper()}{words[1:]}"
            found.append(f"{seat}: {exact}wins {win:.2%}, draws {draw:.2%}, loses {loss:.2%}.")
    if "score" in grades:
        found.append(
            f"Score against random {grades['score']:.3f} "
            f"[{grades['score_low']:.3f}, {grades['score_high']:.3f}] "
            f"in {grades['games_played']:,} games."
        )
    return found


def _own_games(grades: Any) -> str:
    """What it lost in its own games; the logs of older versions say less of that, or nothing."""
    if "own_regret" not in grades:
        return ""
    worst = f", worst {grades['own_worst']:.3f}" if "own_worst" in grades else ""
    return f"; in its own games {grades['own_regret']:.5f} per move{worst}"


def _curve_table(graded: Sequence[dict[str, Any]]) -> Table:
    """One row per grading."""
    last = graded[-1]["grades"] if graded else {}
    numbers = [key for key in _NUMBERS if key in last]
    seats = [key for key in _SEATS if key in last]
    columns = ["games", *(_NUMBERS[key] for key in numbers)]
    columns += [f"{word} {_SEATS[key]}" for key in seats for word in ("wins", "draws", "loses")]
    rows = []
    for line in graded:
        grades = line["grades"]
        shares = [share for key in seats for share in grades.get(key, (None, None, None))]
        rows.append([line["games"], *(grades.get(key) for key in numbers), *shares])
    formats = {"games": ","} | {_NUMBERS[key]: ".5f" for key in numbers}
    formats |= {name: ".2%" for name in columns if name not in formats}
    caption = "Every grading of the run."
    return Table("grades", columns, rows, formats, caption)


def _log_table(curve: Sequence[dict[str, Any]]) -> Table:
    """One row per chunk: seconds, and the learner's own curves."""
    names = _curve_names(curve)
    rows = [[c["games"], c["seconds"], *(c["curves"].get(n) for n in names)] for c in curve]
    formats = {"games": ",", "seconds": ".3f"}
    return Table("chunks", ["games", "seconds", *names], rows, formats, "Every chunk of games.")


def _curve_names(curve: Sequence[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for line in curve for name in line["curves"]))


def _figures(curve: Sequence[dict[str, Any]], graded: Sequence[dict[str, Any]]) -> list[Figure]:
    """The grades, and what the learner itself reports; each where there is something."""
    panels = {
        "regret": {
            _NUMBERS[key]: _series(graded, key)
            for key in ("regret_mean", "own_regret", "regret_worst")
        },
        "share of games": {f"loses {w}": _series(graded, key, 2) for key, w in _SEATS.items()},
    }
    own: dict[str, Panel] = {}
    for name in _curve_names(curve):
        points = [(line["games"], line["curves"].get(name)) for line in curve]
        own[name] = {name: [(games, value) for games, value in points if value is not None]}
    drawings = (("grades", "How good the player was.", panels), ("curves", "Its own curves.", own))
    found = []
    for name, caption, parts in drawings:
        full = {label: {t: s for t, s in panel.items() if s} for label, panel in parts.items()}
        full = {label: panel for label, panel in full.items() if panel}
        if full:
            found.append(_draw(name, caption, full))
    return found


def _series(
    graded: Sequence[dict[str, Any]], key: str, place: int | None = None
) -> list[tuple[int, float]]:
    values = [(line["games"], line["grades"][key]) for line in graded if key in line["grades"]]
    return values if place is None else [(games, value[place]) for games, value in values]


def _draw(name: str, caption: str, panels: dict[str, Panel]) -> Figure:
    """Panels side by side, two in a row, over the games on a scale of ratios."""
    rows = -(-len(panels) // 2)

    def draw(canvas: Any) -> None:
        grid = canvas.subplots(rows, min(len(panels), 2), squeeze=False).flatten()
        for axes in grid[len(panels) :]:
            axes.set_visible(False)
        for axes, (label, panel) in zip(grid, panels.items(), strict=False):
            for index, (title, points) in enumerate(panel.items()):
                axes.plot(
                    *zip(*points, strict=True),
                    color=PALETTE[index % len(PALETTE)],
                    linestyle=DASHES[index % len(DASHES)],
                    label=title,
                )
            axes.set_xscale("log")
            axes.set_xlabel("games")
            axes.set_ylabel(label)
            if len(panel) > 1:
                axes.legend(loc="upper right", fontsize=8)

    return draw_figure(name, caption, draw, width=9, height=3.2 * rows)
