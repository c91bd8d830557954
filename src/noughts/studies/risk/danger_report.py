"""The report of `danger-curve`: verdicts, tables and figures from the computed points."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from noughts.report import Answer, Block, Heading, Report, Table, Text
from noughts.studies.risk import danger_figures

Point = Mapping[str, Any]
_STEP = 1e-12  # a step in the wrong direction that is larger than rounding
SEATS = {"X": "classic–optimal", "O": "optimal–classic"}
REPLIES = {"X": "classic–reply", "O": "reply–classic"}


@dataclass(frozen=True)
class Measure:
    """One way to say how well the classic player does at a risk."""

    name: str
    at: Callable[[Point, str], float]  # (point, seat) -> number


def _wins(odds: Sequence[float], seat: str) -> float:
    return odds[0] if seat == "X" else odds[2]


def _result(odds: Sequence[float], seat: str) -> float:
    return odds[0] - odds[2] if seat == "X" else odds[2] - odds[0]


WINS = Measure("wins", lambda point, seat: _wins(point["lowest"][SEATS[seat]], seat))
RESULT = Measure("result", lambda point, seat: _result(point["lowest"][SEATS[seat]], seat))
EVEN = Measure("result, ties even", lambda p, seat: _result(p["uniform"][SEATS[seat]], seat))
KNOWN = Measure("result, foreseen", lambda p, seat: _result(p["replies"][REPLIES[seat]], seat))
LAG = Measure(
    "result, behind optimal",
    lambda p, seat: RESULT.at(p, seat) - _result(p["lowest"]["optimal–optimal"], seat),
)
MEASURES = (WINS, RESULT, EVEN, KNOWN, LAG)


@dataclass(frozen=True)
class Verdict:
    """Whether one measure keeps its direction over half of the curve."""

    seat: str
    measure: Measure
    half: str
    points: Sequence[Point]
    sign: float  # +1: said to rise, -1: said to fall

    @property
    def series(self) -> list[float]:
        return [self.measure.at(point, self.seat) for point in self.points]

    @property
    def breaks(self) -> list[tuple[float, float]]:
        """The stretches on which it goes the other way."""
        found: list[tuple[float, float]] = []
        series = self.series
        for i in range(len(series) - 1):
            if self.sign * (series[i + 1] - series[i]) < -_STEP:
                low, high = self.points[i]["p"], self.points[i + 1]["p"]
                if found and found[-1][1] == low:
                    low = found.pop()[0]
                found.append((low, high))
        return found

    def extreme(self, pick: Callable[..., Any]) -> tuple[float, float]:
        """(value, risk) of the largest or the smallest."""
        place = pick(range(len(self.points)), key=lambda i: self.series[i])
        return self.series[place], self.points[place]["p"]

    @property
    def where(self) -> str:
        return ", ".join(f"{low:g}–{high:g}" for low, high in self.breaks)


def verdicts(points: Sequence[Point]) -> list[Verdict]:
    """All measures, both seats, both halves."""
    middle = len(points) // 2
    halves = (("0 to ½", points[: middle + 1], 1.0), ("½ to 1", points[middle:], -1.0))
    return [
        Verdict(seat, measure, half, part, sign)
        for half, part, sign in halves
        for measure in MEASURES
        for seat in SEATS
    ]


def build(
    points: Sequence[Point],
    changes: Sequence[Mapping[str, Any]],
    duels: Mapping[str, Mapping[str, str]],
    colourings: Mapping[str, int],
    near_ties: Mapping[str, Mapping[str, float]],
) -> Report:
    judged = verdicts(points)
    moves = [change for found in changes for change in found["moves"]]
    zeros = [zero for found in changes for zero in found["zeros"]]
    blocks: list[Block] = [
        *_answers(judged, duels),
        _verdict_table(judged),
        danger_figures.classic_figure(points, RESULT, KNOWN, EVEN),
        danger_figures.outcome_figure(points),
        Text(
            "“Result” is P(win) - P(loss) of the classic player against the optimal one; both take "
            "the lowest of equal moves, or with “ties even” each of them equally often. "
            "“Foreseen” is its result against the exact best reply, which knows how it plays. The "
            "curves against the optimal player jump where the optimal player changes its mind: "
            "it plays for the value of the game, not for the mistakes of this opponent. The curve "
            "against the best reply is continuous."
        ),
        Heading("The numbers that decide it, as fractions"),
        _fraction_table(points, duels),
        Heading("Why ½ is special"),
        *_coin_blocks(points, colourings),
        Heading("Why the right half is another game"),
        _mirror_text(points, zeros),
        Heading("The value of the game and the best first move"),
        *_value_blocks(points, moves, zeros, near_ties),
        danger_figures.pairing_figure(points),
        Heading("Every point"),
        _curve_table(points),
    ]
    return Report(
        "The danger curve",
        "Every cell of a 3×3 board flips the mark with the same probability p. From p = 0 (the "
        "classic game) to p = 1 (every mark is the opponent's): exact values and odds, and what "
        "becomes of a player who goes on playing the classic game.",
        blocks,
    )


def _answers(judged: Sequence[Verdict], duels: Mapping[str, Mapping[str, str]]) -> list[Answer]:
    def verdict(half: str, measure: Measure, seat: str) -> Verdict:
        return next(v for v in judged if (v.half, v.measure, v.seat) == (half, measure, seat))

    up = {seat: verdict("0 to ½", RESULT, seat) for seat in SEATS}
    wins = {seat: verdict("0 to ½", WINS, seat) for seat in SEATS}
    down = {seat: verdict("½ to 1", RESULT, seat) for seat in SEATS}
    even = {seat: verdict("½ to 1", EVEN, seat) for seat in SEATS}
    known = {seat: verdict("½ to 1", KNOWN, seat) for seat in SEATS}
    mild = even["O"].extreme(max)
    peak = {seat: wins[seat].extreme(max) for seat in SEATS}
    is_false = any(up[seat].breaks for seat in SEATS)
    x_half, o_half = duels["1/2"]["classic–optimal"], _negated(duels["1/2"]["optimal–classic"])
    first = (
        f"**Does the classic player do better and better as the risk grows to ½? "
        f"{'No' if is_false else 'Yes'}.** Against the optimal player its expected result is 0 at "
        f"p = 0 and {x_half} as X, {o_half} as O at p = ½: worse, and not even in one direction. "
        f"As X it is {_shown(duels['3/10']['classic–optimal'])} at p = 3/10, "
        f"{_shown(duels['2/5']['classic–optimal'])} at 2/5 and "
        f"{_shown(duels['1/2']['classic–optimal'])} at ½; on the grid it falls on "
        f"{up['X'].where} as X and on {up['O'].where} as O. What does grow is the share of games "
        f"it wins, from 0 to {peak['X'][0]:.1%} as X (at p = {peak['X'][1]:g}) and to "
        f"{peak['O'][0]:.1%} as O (at p = {peak['O'][1]:g}), because draws vanish. Its losses "
        f"grow more."
    )
    second = (
        f"**Is it ruined beyond ½? As X yes, as O in the end.** As X its result goes from "
        f"{down['X'].series[0]:+.4f} to {down['X'].series[-1]:+.4f} and {_course(down['X'])}; as "
        f"O from {down['O'].series[0]:+.4f} to {down['O'].series[-1]:+.4f}, and "
        f"{_course(down['O'])}. "
        f"How it treats ties matters: choosing evenly among equal moves it "
        f"ends at {even['X'].series[-1]:+.4f} as X and only {even['O'].series[-1]:+.4f} as O, "
        f"where at p = {mild[1]:g} it still does as well as {mild[0]:+.4f}. An opponent who "
        f"foresees its moves ruins it steadily: against that one its result {_course(known['X'])} "
        f"beyond ½ as X, and {_course(known['O'])} as O."
    )
    return [Answer(first), Answer(second)]


def _course(verdict: Verdict) -> str:
    return f"falls except on {verdict.where}" if verdict.breaks else "falls at every step"


def _negated(fraction: str) -> str:
    return str(-Fraction(fraction))


def _shown(fraction: str) -> str:
    return f"{fraction} ≈ {float(Fraction(fraction)):+.4f}"


def _verdict_table(judged: Sequence[Verdict]) -> Table:
    rows: list[list[Any]] = []
    for verdict in judged:
        highest, lowest = verdict.extreme(max), verdict.extreme(min)
        rows.append(
            [
                f"{verdict.half}, {'rises' if verdict.sign > 0 else 'falls'}",
                verdict.seat,
                verdict.measure.name,
                not verdict.breaks,
                verdict.series[0],
                verdict.series[-1],
                *lowest,
                *highest,
                verdict.where,
            ]
        )
    columns = ["claim", "seat", "measure", "holds", "first", "last"]
    columns += ["lowest", "at", "highest", "at p", "fails on"]
    formats = dict.fromkeys(("first", "last", "lowest", "highest"), "+.4f")
    return Table(
        "hypothesis",
        columns,
        rows,
        formats | {"at": "g", "at p": "g"},
        "The classic player against the optimal one: does each measure keep its direction at "
        "every step of the grid?",
    )


def _fraction_table(points: Sequence[Point], duels: Mapping[str, Mapping[str, str]]) -> Table:
    rows = []
    for p, found in duels.items():
        row: list[Any] = [p]
        for pairing in ("optimal–optimal", "classic–optimal", "optimal–classic"):
            row += [found[pairing], float(Fraction(found[pairing]))]
        rows.append(row)
    columns = ["p", "optimal–optimal", "≈", "classic–optimal", "≈ ", "optimal–classic", "≈  "]
    return Table(
        "fractions",
        columns,
        rows,
        {name: "+.6f" for name in columns if name.startswith("≈")},
        "Values for X in exact fractions, X's player first, computed apart from everything else by "
        "plain recursion; the lowest of equal moves is played.",
    )


def _coin_blocks(points: Sequence[Point], colourings: Mapping[str, int]) -> list[Block]:
    middle = points[len(points) // 2]
    draws = [odds[1] for odds in middle["lowest"].values()]
    apart = max(draws) - min(draws)
    both, nobody, only = colourings["both"], colourings["nobody"], colourings["only X"]
    value, lost = middle["value"], _result(middle["lowest"]["random–optimal"], "X")
    return [
        Text(
            f"At p = ½ a mark is a fair coin, whoever plays it. Suppose play went on until the "
            f"board is full: the colouring is then uniform over all 512, whatever the players "
            f"choose. {nobody} colourings have no line and are draws in any order of play; in "
            f"{only} only X has one and X wins in any order, in {colourings['only O']} only O. "
            f"Only in the other {both} does the order decide, that is, the players' choices. So "
            f"**at p = ½ every pair of players draws with exactly {Fraction(nobody, 512)}**, and "
            f"no pair has a result further from 0 than {Fraction(both, 512)} ≈ {both / 512:.4f}. "
            f"The nine pairings computed here draw equally often to within {apart:.1g}."
        ),
        Text(
            f"It does not follow that all players are equal at ½: a line ends the game, and who "
            f"is on turn chooses which line is tried. The value is 3/256 ≈ {value:+.4f}, and the "
            f"random player as X gets {lost:+.4f} from the optimal one."
        ),
    ]


def _mirror_text(points: Sequence[Point], zeros: Sequence[float]) -> Text:
    last = points[-1]["first"]
    crossings = " and ".join(f"{zero:.4f}" for zero in zeros)
    apart = max(abs(point["value"] - point["mirror"]) for point in points)
    return Text(
        "In the world 1 - p a mark lands as the opponent's with 1 - p. Now rename the marks: call "
        "every X an O and every O an X. It lands as one's own with 1 - p and flips with p, but a "
        "line of one's own mark is a win for the other: **the world 1 - p is the misère game in "
        "the world p**, with the same values and best moves, and so it is cell by cell for any "
        "vector of risks. The classic player keeps trying to complete lines; right of ½ that is "
        "the way to lose. On the grid the values of "
        f"the two games differ by at most {apart:.1g}. At p = 1 nothing is left to chance: X, who "
        f"now wants to avoid lines, gets {last['centre']:g} after the centre, {last['edge']:g} "
        f"after an edge and {last['corner']:g} after a corner, where the classic player begins. "
        f"Within the ordinary game p and 1 - p are not symmetric: its value is "
        f"positive up to p = {crossings} and negative beyond."
    )


def _value_blocks(
    points: Sequence[Point],
    moves: Sequence[tuple[float, str, str]],
    zeros: Sequence[float],
    near_ties: Mapping[str, Mapping[str, float]],
) -> list[Block]:
    top = max(points, key=lambda point: float(point["value"]))
    bottom = min(points, key=lambda point: float(point["value"]))
    crossings = ", ".join(f"{zero:.9f}" for zero in zeros)
    rows: list[list[Any]] = [["0", "all nine tie", "centre", "only at 0 itself"]]
    for p, old, new in moves:
        note = "at ½ itself all nine tie" if abs(p - 0.5) < 1e-8 else ""
        rows.append([f"{p:.9f}", old, new, note])
    tiny = near_ties["0 + 1e-9"]
    return [
        danger_figures.value_figure(points, [p for p, _, _ in moves]),
        Text(
            f"On the grid X's advantage is largest at p = {top['p']:g} ({top['value']:+.6f}) and "
            f"its disadvantage at p = {bottom['p']:g} ({bottom['value']:+.6f}). Inside the curve "
            f"the value is 0 at p = {crossings}."
        ),
        Table(
            "first-moves",
            ["p", "best before", "best after", "note"],
            rows,
            caption="Where the best first move changes, bisected to 1e-9. In exact fractions, at "
            f"p = 1e-9 the centre is ahead of a corner by {tiny['centre']:.1e} and an edge by "
            f"{tiny['edge']:.1e}, so the tie at 0 ends at once; at ½ all nine are worth 3/256.",
        ),
    ]


def _curve_table(points: Sequence[Point]) -> Table:
    pairings = list(points[0]["lowest"])
    columns = ["p", "value", "corner", "edge", "centre", "best first"]
    for pairing in pairings:
        columns += [f"{pairing} {outcome}" for outcome in ("X", "draw", "O")]
    columns += [f"{name} value" for name in points[0]["replies"]]
    columns += [f"{name} value, ties even" for name in points[0]["uniform"]]
    rows = []
    for point in points:
        row: list[Any] = [point["p"], point["value"], *point["first"].values()]
        row.append(" ".join(point["best"]))
        for pairing in pairings:
            row += point["lowest"][pairing]
        row += [_result(odds, "X") for odds in point["replies"].values()]
        row += [_result(odds, "X") for odds in point["uniform"].values()]
        rows.append(row)
    formats = {name: ".6f" for name in columns if name not in ("p", "best first")}
    return Table("curve", columns, rows, formats, "Exact values and odds at every risk.")
