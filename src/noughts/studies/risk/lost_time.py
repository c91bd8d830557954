"""Three ways to lose time on 3×3: marks that fizzle, marks that fade, and a clock.

    fizzle f    nothing lands and the turn is lost
    fade q      at the start of every turn each mark disappears with probability q
    hazard λ    a mark placed at time t flips with 1 - exp(-λt); players may wait

Each is a curve: the exact value and the best first move against the parameter. For the clock, which
is cut into ticks, the change when the ticks double says how close to continuous time it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noughts.games.svg.ink import FAINT
from noughts.options import number, whole
from noughts.report import Answer, Block, Figure, Heading, Report, Table, Text, Unit, draw_figure
from noughts.report.figure import DASHES, PALETTE
from noughts.solve import solve
from noughts.studies.study import Results, Study, StudyParameters

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

KINDS = {0: "corner", 1: "edge", 2: "corner", 3: "edge", 4: "centre",
         5: "edge", 6: "corner", 7: "edge", 8: "corner"}  # fmt: skip
MARKERS = {"centre": "o", "edge": "s", "corner": "^", "any": "*"}
FLIPS = (0.0, 0.1, 0.25)
HIGHEST_FADE = 0.3
HIGHEST_RATE = 1.0
_BOUND = 1e-8  # what the certified bound of the fading games is brought below

Point = dict[str, Any]


@dataclass
class Parameters(StudyParameters):
    points: int = whole(20, 2, 1000, "Into how many steps each family's range is cut.")
    limit: float = number(10.0, 0.001, 1e6, "How long the clock of the hazard games runs.")
    ticks: int = whole(50, 1, 10_000, "Ticks of that clock; twice and four times as many follow.")


def plan_units(parameters: Parameters) -> list[Unit]:
    n = parameters.points
    units = []
    for flip in FLIPS:
        for i in range(n):
            if flip + i / n <= 1.0:
                arguments = {"flip": flip, "key": "fizzle", "amount": i / n}
                units.append(Unit(f"fizzle {flip:g} {i}/{n}", risk_point, arguments))
    for flip in FLIPS[:2]:
        for i in range(n + 1):
            amount = round(HIGHEST_FADE * i / n, 12)
            arguments = {"flip": flip, "key": "fade", "amount": amount}
            units.append(Unit(f"fade {flip:g} {i}/{n}", risk_point, arguments))
    for i in range(n + 1):
        rate = round(HIGHEST_RATE * i / n, 12)
        clock = {"rate": rate, "limit": parameters.limit, "ticks": parameters.ticks}
        units.append(Unit(f"hazard {i}/{n}", clock_point, clock))
    return units


def risk_point(flip: float, key: str, amount: float) -> Point:
    """One game without a clock."""
    game = f"3x3:flip={flip!r},{key}={amount!r}"
    solution = solve(game, tolerance=_BOUND if key == "fade" and amount > 0 else None)
    start = solution.game.start()
    return {
        "flip": flip,
        "amount": amount,
        "value": solution.value(start),
        "bound": solution.bound,
        "best": best_kind(solution.best_moves(start)),
    }


def best_kind(cells: Sequence[int]) -> str:
    """Which kinds of cell a set of first moves holds."""
    kinds = sorted({KINDS[cell] for cell in cells})
    return "any" if len(kinds) == 3 else " or ".join(kinds)


def clock_point(rate: float, limit: float, ticks: int) -> Point:
    """One hazard rate with three clocks, each twice as fine as the one before."""
    values, waits, best = [], [], ""
    for fine in (ticks, 2 * ticks, 4 * ticks):
        clock = f"hazard={rate!r},limit={limit!r},ticks={fine}" if rate else "flip=0"
        solution = solve(f"3x3:{clock}")
        start = solution.game.start()
        moves = solution.best_moves(start)
        shortest = min(solution.game.wait_of(move) for move in moves)
        at_once = [move for move in moves if solution.game.wait_of(move) == shortest]
        best = best_kind([solution.game.cell_of(move) for move in at_once])
        values.append(solution.value(start))
        waits.append(shortest * limit / fine)
    return {"rate": rate, "values": values, "waits": waits, "best": best}


def make_report(parameters: Parameters, results: Results) -> Report:
    families = {
        name: [found for key, found in results.items() if key.startswith(f"{name} ")]
        for name in ("fizzle", "fade", "hazard")
    }
    blocks: list[Block] = [
        Answer(_answer(families, parameters)),
        _extremes_table(families),
        Heading("Fizzle: the turn is lost"),
        _risk_figure("fizzle", families["fizzle"]),
        Text(
            "Without flips, the next mark to land is that of the player on turn with probability "
            "1/(1 + f). As f goes to 1 this goes to ½: a coin decides who places each mark, being "
            "first is worth nothing, and the value goes to 0."
        ),
        _risk_table("fizzle", families["fizzle"]),
        Heading("Fade: marks disappear"),
        _risk_figure("fade", families["fade"]),
        Text(
            "A game with fading marks has no longest length, so its value is squeezed between a "
            f"table from below and one from above; they are at most {2 * _BOUND:g} apart."
        ),
        _risk_table("fade", families["fade"]),
        Heading("Hazard: the clock makes moves risky"),
        _clock_figure(families["hazard"], parameters.ticks),
        Text(
            "Time is shared: whoever waits makes every later mark of both players less sure. At "
            "rate 0 waiting changes nothing."
        ),
        _clock_table(families["hazard"], parameters.ticks),
    ]
    return Report(
        "Lost time",
        "What risk does when it costs time: marks that do not land, marks that do not stay, and "
        "marks that get riskier while the clock runs. Exact values on 3×3.",
        blocks,
    )


def _answer(families: dict[str, list[Point]], parameters: Parameters) -> str:
    fizzle = _top([point for point in families["fizzle"] if point["flip"] == 0])
    fade = _top([point for point in families["fade"] if point["flip"] == 0])
    clock = max(families["hazard"], key=lambda point: float(point["values"][-1]))
    change = max(abs(point["values"][2] - point["values"][1]) for point in families["hazard"])
    return (
        f"**A little lost time helps who moves first.** The classic draw becomes "
        f"{fizzle['value']:+.4f} for X when marks fizzle with {fizzle['amount']:g}, and "
        f"{fade['value']:+.4f} when they fade with {fade['amount']:g}: the largest values on the "
        f"grid. With a clock of {parameters.limit:g} the largest is {clock['values'][-1]:+.4f} at "
        f"a rate of {clock['rate']:g}; doubling {2 * parameters.ticks} ticks changes no value by "
        f"more than {change:.2g}."
    )


def _top(points: list[Point]) -> Point:
    return max(points, key=lambda point: float(point["value"]))


def _extremes_table(families: dict[str, list[Point]]) -> Table:
    rows: list[list[Any]] = []
    for name in ("fizzle", "fade"):
        for flip in FLIPS:
            points = [point for point in families[name] if point["flip"] == flip]
            if points:
                top, last = _top(points), points[-1]
                rows.append([name, flip, top["value"], top["amount"], last["value"],
                             last["amount"], _changes(points, "amount")])  # fmt: skip
    clock = [{**point, "value": point["values"][-1]} for point in families["hazard"]]
    top, last = _top(clock), clock[-1]
    rows.append(["hazard", 0.0, top["value"], top["rate"], last["value"], last["rate"],
                 _changes(clock, "rate")])  # fmt: skip
    columns = ["family", "flip", "largest value", "at", "last value", "at end", "best first move"]
    formats = {"largest value": "+.4f", "last value": "+.4f", "flip": "g", "at": "g", "at end": "g"}
    return Table("extremes", columns, rows, formats, "Where each curve is highest and ends.")


def _changes(points: list[Point], key: str) -> str:
    """The best first move, and from where on it is another."""
    words = []
    before = None
    for point in points:
        if point["best"] != before:
            words.append(f"{point['best']} from {point[key]:g}")
        before = point["best"]
    return ", ".join(words)


def _mark_best(
    axes: "Axes", x: list[float], points: list[Point], y: list[float], **ink: Any
) -> None:
    """Points whose shape says which first move is best."""
    for kind, marker in MARKERS.items():
        chosen = [i for i, point in enumerate(points) if point["best"].split(" ")[0] == kind]
        axes.plot([x[i] for i in chosen], [y[i] for i in chosen], linestyle="none",
                  marker=marker, markersize=8 if marker == "*" else 4.5, **ink)  # fmt: skip


def _best_legend(canvas: "Canvas", axes: "Axes") -> None:
    from matplotlib.lines import Line2D

    marks = [
        Line2D([], [], color=FAINT, linestyle="none", marker=marker, label=f"{kind} first")
        for kind, marker in MARKERS.items()
    ]
    canvas.legend(handles=[*axes.get_legend_handles_labels()[0], *marks],
                  loc="outside right upper")  # fmt: skip


def _risk_figure(name: str, points: list[Point]) -> Figure:
    def draw(canvas: "Canvas") -> None:
        axes = canvas.subplots()
        for i, flip in enumerate(FLIPS):
            chosen = [point for point in points if point["flip"] == flip]
            if not chosen:
                continue
            x, y = [p["amount"] for p in chosen], [p["value"] for p in chosen]
            colour = PALETTE[(0, 1, 3)[i]]
            axes.plot(x, y, color=colour, linestyle=DASHES[i], label=f"flip {flip:g}")
            _mark_best(axes, x, chosen, y, color=colour)
        axes.axhline(0, color=FAINT, linewidth=0.8)
        axes.set_xlabel(name)
        axes.set_ylabel("value for X")
        _best_legend(canvas, axes)

    caption = f"The value against {name}; the shape of a point is the best first move."
    return draw_figure(name, caption, draw)


def _risk_table(name: str, points: list[Point]) -> Table:
    rows = [[p["flip"], p["amount"], p["value"], p["best"], p["bound"]] for p in points]
    columns = ["flip", name, "value", "best first move", "bound"]
    return Table(
        name,
        columns,
        rows,
        {"flip": "g", name: "g", "value": "+.8f", "bound": ".1e"},
        "Exact values; where marks fade, to within the certified bound.",
    )


def _clock_figure(points: list[Point], ticks: int) -> Figure:
    def draw(canvas: "Canvas") -> None:
        left, right = canvas.subplots(1, 2)
        rates = [point["rate"] for point in points]
        for i, fine in enumerate((ticks, 2 * ticks, 4 * ticks)):
            colour = PALETTE[(3, 1, 0)[i]]
            left.plot(rates, [point["values"][i] for point in points], color=colour,
                      linestyle=DASHES[2 - i], label=f"{fine} ticks")  # fmt: skip
            right.plot(rates, [point["waits"][i] for point in points], color=colour,
                       linestyle=DASHES[2 - i], label=f"{fine} ticks")  # fmt: skip
        left.set_title("value for X")
        right.set_title("how long X waits before the first move")
        left.legend(loc="lower right")
        for axes in (left, right):
            axes.set_xlabel("hazard rate")
            axes.set_ylim(bottom=0)

    caption = "The value and X's first wait by hazard rate; the clock is cut finer and finer."
    return draw_figure("hazard", caption, draw, width=9.0, height=4.0)


def _clock_table(points: list[Point], ticks: int) -> Table:
    rows = []
    for point in points:
        coarse, fine, finest = point["values"]
        rows.append([point["rate"], coarse, fine, finest, fine - coarse, finest - fine,
                     point["best"], point["waits"][2]])  # fmt: skip
    columns = ["rate", f"{ticks} ticks", f"{2 * ticks} ticks", f"{4 * ticks} ticks"]
    columns += ["change", "next change", "best first move", "wait"]
    formats = dict.fromkeys(columns[1:6], "+.6f")
    return Table(
        "hazard",
        columns,
        rows,
        formats | {"rate": "g", "wait": ".2f"},
        "Values for X, what doubling the ticks changes, and the best first move with the time "
        "to wait before it.",
    )


STUDY = Study(Parameters, plan_units, make_report, quick={"points": 4, "ticks": 10})
