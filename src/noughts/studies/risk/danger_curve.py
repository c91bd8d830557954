"""One risk p for all cells, from 0 to 1: the whole curve, and the answer to an open question.

The question: "with uniform noise growing to 0.5 the classic player does better and better against
the optimal one, and beyond 0.5 it is ruined." Two facts carry most of the answer.

Mirror. Rename the marks: a world in which marks flip with 1-p is the misère game in which they flip
with p. So everything to the right of ½ is misère under noise, and the classic player, who goes for
lines, goes for what loses.

Coin. At p = ½ a mark is a fair coin whoever plays it. If play went on to the full board, the final
colouring would be uniform over all 2^9 whatever the players do. A colouring without a line is a
draw in any order, and one in which only X has a line is won by X in any order. So the odds of a
draw are the same for all players, and skill can only decide colourings in which both have a line.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from noughts.errors import ParseError
from noughts.games import game as read_game
from noughts.options import whole
from noughts.report import Report, Unit
from noughts.solve import Odds, best_response, odds, policy, solve
from noughts.studies.risk import danger_report
from noughts.studies.risk.fractions import FULL, RiskyBoard, duel, has_line
from noughts.studies.risk.pairings import PLAYERS
from noughts.studies.study import Results, Study, StudyParameters

CLASSES = {"corner": 0, "edge": 1, "centre": 4}  # the first moves that differ on a 3×3 board
FRACTIONS = ("0", "1/10", "1/4", "3/10", "2/5", "1/2", "3/5", "3/4", "1")
_CHUNKS = 10
_PRECISION = 1e-9


@dataclass
class Parameters(StudyParameters):
    steps: int = whole(100, 4, 10_000, "How many equal steps lead from risk 0 to risk 1; even.")
    scan: int = whole(1000, 20, 100_000, "Risks at which first moves are compared.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.steps % 2:
            raise ParseError(f"steps={self.steps} is odd; risk 1/2 has to be a point of the curve.")


def plan_units(parameters: Parameters) -> list[Unit]:
    grid = [(i, parameters.steps) for i in range(parameters.steps + 1)]
    units = [Unit(f"p={i}/{n}", risk_point, {"numerator": i, "steps": n}) for i, n in grid]
    scan = parameters.scan
    for chunk in range(_CHUNKS):
        first, last = scan * chunk // _CHUNKS, min(scan * (chunk + 1) // _CHUNKS, scan - 1)
        arguments = {"first": first, "last": last, "scan": scan}
        units.append(Unit(f"changes {chunk}", find_changes, arguments))
    units += [Unit(f"fractions {p}", exact_duels, {"p": p}) for p in FRACTIONS]
    units.append(Unit("colourings", count_colourings))
    units.append(Unit("near ties", near_ties))
    return units


def risky(p: float) -> str:
    """The 3×3 game with this risk everywhere."""
    return f"3x3:flip={p!r}"


def risk_point(numerator: int, steps: int) -> dict[str, Any]:
    """Everything about one risk."""
    p = numerator / steps
    game = read_game(risky(p))
    solution = solve(game)
    start = solution.game.start()
    values = solution.values(start)
    mirror = solve(f"3x3:misere,flip={(steps - numerator) / steps!r}")
    found: dict[str, Any] = {
        "p": p,
        "value": solution.value(start),
        "first": {name: values[cell] for name, cell in CLASSES.items()},
        "best": [name for name, cell in CLASSES.items() if cell in solution.best_moves(start)],
        "mirror": mirror.value(mirror.game.start()),
    }
    players = {name: policy(game, player) for name, player in PLAYERS.items()}
    found["lowest"] = {
        f"{x}–{o}": _listed(odds(game, players[x], players[o])) for x in players for o in players
    }
    even = {name: policy(game, PLAYERS[name], "uniform") for name in ("optimal", "classic")}
    found["uniform"] = {
        f"{x}–{o}": _listed(odds(game, even[x], even[o]))
        for x, o in (("classic", "optimal"), ("optimal", "classic"))
    }
    # The worst that can happen to the classic player: an opponent who knows it.
    found["replies"] = {
        "classic–reply": _listed(best_response(game, players["classic"], "O").odds),
        "reply–classic": _listed(best_response(game, players["classic"], "X").odds),
    }
    return found


def _listed(found: Odds) -> list[float]:
    return [found.x, found.draw, found.o]


def find_changes(first: int, last: int, scan: int) -> dict[str, Any]:
    """Where the best kind of first move changes, and where the value changes sign.

    Risks (i + ½)/scan are compared with their neighbours: none of them is a risk at which all moves
    tie. What differs is bisected.
    """
    moves, zeros = [], []
    before = _first_moves((first + 0.5) / scan)
    for i in range(first, last):
        low, high = (i + 0.5) / scan, (i + 1.5) / scan
        after = _first_moves(high)
        old, new = _best(before), _best(after)
        if old != new:
            moves.append([_bisect(low, high, old, new), old, new])
        if (before[old] > 0) != (after[new] > 0):
            zeros.append(_bisect(low, high))
        before = after
    return {"moves": moves, "zeros": zeros}


def _first_moves(p: float) -> dict[str, float]:
    solution = solve(risky(p))
    values = solution.values(solution.game.start())
    return {name: values[cell] for name, cell in CLASSES.items()}


def _best(values: dict[str, float]) -> str:
    return max(values, key=lambda name: values[name])


def _bisect(low: float, high: float, one: str | None = None, two: str | None = None) -> float:
    """Where one first move becomes worse than another; without names, where the value is 0."""

    def sign(p: float) -> bool:
        values = _first_moves(p)
        if one is None or two is None:
            return max(values.values()) > 0
        return values[one] > values[two]

    at_low = sign(low)
    while high - low > _PRECISION / 2:
        middle = (low + high) / 2
        low, high = (middle, high) if sign(middle) == at_low else (low, middle)
    return (low + high) / 2


def exact_duels(p: str) -> dict[str, str]:
    """Exact fractions at one risk: best play, and the classic player in both seats."""
    world = RiskyBoard(Fraction(p))
    return {
        "optimal–optimal": str(world.value()),
        "classic–optimal": str(duel(world, "X")),
        "optimal–classic": str(duel(world, "O")),
    }


def count_colourings() -> dict[str, int]:
    """The 512 ways to fill the board with X and O, by who has a line."""
    counts = {"nobody": 0, "only X": 0, "only O": 0, "both": 0}
    for x in range(FULL + 1):
        names = {(False, False): "nobody", (True, False): "only X", (False, True): "only O"}
        counts[names.get((has_line(x), has_line(FULL ^ x)), "both")] += 1
    return counts


def near_ties() -> dict[str, Any]:
    """First moves beside the risks at which all of them tie, in exact arithmetic."""
    found = {}
    tiny = Fraction(1, 10**9)
    for name, p in (("0 + 1e-9", tiny), ("1/2 - 1e-9", Fraction(1, 2) - tiny),
                    ("1/2 + 1e-9", Fraction(1, 2) + tiny)):  # fmt: skip
        values = RiskyBoard(p).move_values()
        found[name] = {kind: float(values[cell] - values[0]) for kind, cell in CLASSES.items()}
    tied = RiskyBoard(Fraction(1, 2)).move_values()
    found["1/2"] = {kind: float(tied[cell] - tied[0]) for kind, cell in CLASSES.items()}
    return found


def make_report(parameters: Parameters, results: Results) -> Report:
    points = [results[f"p={i}/{parameters.steps}"] for i in range(parameters.steps + 1)]
    changes = [results[f"changes {chunk}"] for chunk in range(_CHUNKS)]
    duels = {p: results[f"fractions {p}"] for p in FRACTIONS}
    return danger_report.build(points, changes, duels, results["colourings"], results["near ties"])


STUDY = Study(Parameters, plan_units, make_report, quick={"steps": 20, "scan": 100})
