"""Three players: what each seat is worth, what it can be sure of, and who makes the king.

    worth        each player takes what is best for himself (an equilibrium, ties played `lowest`)
    guarantee    what a seat is sure of when the other two play as one against it
    kingmaking   whoever can gain nothing more still decides who else wins: the odds under `lowest`,
                 `uniform`, and with ties broken for or against a given seat

    learning     how much the choices of a table that taught itself lose, in exact worth

A win is worth 1, a lost game -1/2 to both losers, a draw 0. Boards whose table fits are solved; on
the others, and beside the solved ones, `uct` plays all three seats.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from noughts.agents import agent as read_agent
from noughts.errors import ParseError
from noughts.games import game as read_game
from noughts.games.grammar import parse_spec
from noughts.learn.frame.grading.grader import Grader
from noughts.learn.frame.learner import SELF
from noughts.learn.frame.registry import learner as read_learner
from noughts.options import text, whole
from noughts.report import Answer, Block, Heading, Report, Table, Text, Unit, unit_seed
from noughts.solve import share_interval, solve
from noughts.solve.seats.kingmaking import favoured_odds
from noughts.studies.seats.figures import (
    kingmaking_figure,
    learning_figure,
    risk_figure,
    worth_figure,
)
from noughts.studies.study import Results, Study, StudyParameters

SEATS = 3
TIES = ("lowest", "uniform")
RISKY = "3x3"  # the board of the curve over risks
TAUGHT = ",flip=0.1"  # where tables learn: without risk every game of best play is a draw
LEARNERS = ("table", "td-table")

Row = dict[str, Any]


@dataclass
class Parameters(StudyParameters):
    boards: str = text(
        "1x5:k=2/1x6:k=2/1x8:k=2/2x4:k=3/3x3/2x5:k=3/3x4:k=3",
        "Boards that are solved, with a slash between them.",
    )
    points: int = whole(20, 1, 1000, "Into how many steps the flips from 0 to 1 are cut.")
    searched: str = text("3x3/3x4:k=3/4x4:k=3", "Boards on which uct plays itself, likewise.")
    simulations: int = whole(20_000, 1, 10**9, "Of each move of uct.")
    games: int = whole(100, 1, 10**6, "Of uct with itself, on each board.")
    lessons: int = whole(1_000_000, 10, 10**9, "Games with itself from which each table learns.")

    def __post_init__(self) -> None:
        super().__post_init__()
        for board in (*self.boards.split("/"), *self.searched.split("/")):
            seated(board)


def seated(board: str, options: str = "") -> str:
    """The spec of a board for three; ParseError when it is none, or has a risk already."""
    if set(parse_spec(board).options) - {"k"}:
        raise ParseError(f"'{board}' is not a board without risk, such as 3x4:k=3.")
    spec = f"{board}{',' if ':' in board else ':'}players={SEATS}{options}"
    return str(read_game(spec))


def plan_units(parameters: Parameters) -> list[Unit]:
    units = [
        Unit(f"solve {board}", solve_board, {"game": seated(board)})
        for board in parameters.boards.split("/")
    ]
    units.append(Unit(f"solve {RISKY}:{TAUGHT[1:]}", solve_board, {"game": seated(RISKY, TAUGHT)}))
    n = parameters.points
    for i in range(n + 1):
        arguments: Row = {"game": seated(RISKY, f",flip={i / n!r}"), "flip": i / n}
        units.append(Unit(f"risk {i}/{n}", risk_point, arguments))
    for board in parameters.searched.split("/"):
        arguments = {
            "game": seated(board),
            "simulations": parameters.simulations,
            "games": parameters.games,
            "seed": unit_seed(parameters.seed, len(units)),
        }
        units.append(Unit(f"search {board}", search_board, arguments))
    for spec in LEARNERS:
        lessons: Row = {"learner": spec, "games": parameters.lessons, "seed": parameters.seed}
        units.append(Unit(f"learn {spec}", learn_table, {"game": seated(RISKY, TAUGHT), **lessons}))
    return units


def solve_board(game: str) -> Row:
    """Equilibria under six more tie rules than one, and guarantees."""
    rules: dict[str, list[float]] = {}
    sure: list[float] = []
    running = 0
    for ties in TIES:
        solution: Any = solve(game, ties=ties)
        start = solution.game.start()
        rules[ties] = list(solution.odds(start))
        sure, running = list(solution.guarantee(start)), solution.running_boards
        del solution  # before the next table is made
    played = read_game(game)
    for mark in played.marks:
        for is_for in (True, False):
            name = f"{'for' if is_for else 'against'} {mark}"
            rules[name] = list(favoured_odds(played, mark, is_for))
    return {"rules": rules, "guarantees": sure, "running": running}


def risk_point(game: str, flip: float) -> Row:
    """What a flip of this probability in every cell does to each seat."""
    solution: Any = solve(game)
    start = solution.game.start()
    return {
        "flip": flip,
        "worth": list(solution.worth(start)),
        "draw": solution.odds(start).draw,
        "guarantees": list(solution.guarantee(start)),
        "best": list(solution.best_moves(start)),
    }


def search_board(game: str, simulations: int, games: int, seed: int) -> Row:
    """How games end in which uct plays every seat."""
    player, played = read_agent(f"uct:simulations={simulations}"), read_game(game)
    counts = dict.fromkeys((*played.marks, "draw"), 0)
    for index in range(games):
        rng, position = np.random.default_rng([seed, index]), played.start()
        player.reset()
        while position.result is None:
            position = position.play(player.choose(position, rng))
        counts[position.result] += 1
    return {"counts": counts}


def learn_table(game: str, learner: str, games: int, seed: int) -> list[Row]:
    """A table that plays itself, and what its choices lose after every tenfold of games."""
    played, made = read_game(game), read_learner(learner)
    grader = Grader(played, seed)
    made.begin(played, SELF, seed)
    curve: list[Row] = []
    done, stops = 0, sorted({*(10**i for i in range(2, 10) if 10**i < games), games})
    for stop in stops:
        told = made.learn(stop - done)
        grades, done = grader.grade(made.player()), stop
        results = [told[name] for name in ("X wins", "O wins", "T wins", "draws")]
        regret = {"regret": grades["regret_mean"], "best": grades["optimal_share"]}
        curve.append({"games": stop, "results": results, **regret})
    return curve


def worth_of(odds: list[float]) -> list[float]:
    """What wins, X first, and then a draw are worth to each seat."""
    wins = odds[:-1]
    return [p - (sum(wins) - p) / (len(wins) - 1) for p in wins]


def make_report(parameters: Parameters, results: Results) -> Report:
    solved = {
        key.removeprefix("solve "): found
        for key, found in results.items()
        if key.startswith("solve ")
    }
    risks = [found for key, found in results.items() if key.startswith("risk ")]
    searched = {
        key.removeprefix("search "): found["counts"]
        for key, found in results.items()
        if key.startswith("search ")
    }
    learned = {spec: results[f"learn {spec}"] for spec in LEARNERS}
    blocks: list[Block] = [
        Answer(_answer(solved, risks)),
        Heading("What each seat is worth, and what it can be sure of"),
        worth_figure({board: _both(found) for board, found in solved.items()}),
        _worth_table(solved),
        Text(
            "Where a guarantee is -1/2 the other two, playing as one, always beat that seat. From "
            "players who think of themselves it has less to fear: the worth is never below the "
            "guarantee, and guarantees need not sum to nothing."
        ),
        Heading("Kingmaking"),
        kingmaking_figure({board: found["rules"] for board, found in solved.items()}),
        _kingmaking_table(solved),
        Text(
            "A player to whom several moves are worth the same decides who else wins. The rules "
            "'for' and 'against' look only at ties of the moment, and are not the extremes over "
            "all tie rules: what is played later decides what is tied before."
        ),
        Heading("Risk"),
        risk_figure(risks),
        _risk_table(risks),
        Heading("Search"),
        _search_table(searched, parameters),
        Heading("What a table learns"),
        learning_figure(learned),
        _learning_table(learned),
    ]
    return Report(
        "Three players",
        "Noughts and crosses and triangles: equilibria, guarantees, kingmaking, and risk.",
        blocks,
    )


def _both(found: Row) -> tuple[list[float], list[float]]:
    return worth_of(found["rules"]["lowest"]), found["guarantees"]


def _answer(solved: dict[str, Row], risks: list[Row]) -> str:
    beaten = [
        f"{mark} on {board}"
        for board, found in solved.items()
        for mark, value in zip("XOT", found["guarantees"], strict=True)
        if value == -0.5 and worth_of(found["rules"]["lowest"])["XOT".index(mark)] > -0.5
    ]
    kings = [board for board, found in solved.items() if max(_spread(found["rules"])) > 1e-9]
    top = max(risks, key=lambda row: float(row["worth"][0]))
    return (
        f"**Two opponents can beat a third who would otherwise hold his own:** "
        f"{', '.join(beaten) or 'nowhere here'}. The tie rule changes who wins on "
        f"{', '.join(kings) or 'none of the boards'}. On 3×3 "
        f"{risks[0]['draw']:.0%} of games are drawn without risk, and X gains most at flips of "
        f"{top['flip']:g}: {top['worth'][0]:+.4f}, O {top['worth'][1]:+.4f}, T "
        f"{top['worth'][2]:+.4f}."
    )


def _spread(rules: dict[str, list[float]]) -> list[float]:
    """How far apart the tie rules put each probability."""
    columns = zip(*rules.values(), strict=True)
    return [max(column) - min(column) for column in columns]


def _worth_table(solved: dict[str, Row]) -> Table:
    rows: list[list[Any]] = []
    for board, found in solved.items():
        odds, (worth, sure) = found["rules"]["lowest"], _both(found)
        rows.append([board, found["running"], *odds, *worth, *sure])
    columns = ["board", "running boards", "X wins", "O wins", "T wins", "draw"]
    columns += [f"worth {mark}" for mark in "XOT"] + [f"guarantee {mark}" for mark in "XOT"]
    formats = dict.fromkeys(columns[2:6], ".4f") | dict.fromkeys(columns[6:], "+.4f")
    return Table(
        "worth", columns, rows, formats, "Equilibria with ties played lowest, and guarantees."
    )


def _kingmaking_table(solved: dict[str, Row]) -> Table:
    rows = [
        [board, rule, *odds] for board, found in solved.items()
        for rule, odds in found["rules"].items()
    ]  # fmt: skip
    columns = ["board", "ties", "X wins", "O wins", "T wins", "draw"]
    return Table(
        "kingmaking", columns, rows, dict.fromkeys(columns[2:], ".4f"),
        "The odds under each tie rule.",
    )  # fmt: skip


def _risk_table(risks: list[Row]) -> Table:
    rows = [
        [row["flip"], *row["worth"], row["draw"], *row["guarantees"],
         " ".join(map(str, row["best"]))]
        for row in risks
    ]  # fmt: skip
    columns = ["flip", *(f"worth {mark}" for mark in "XOT"), "draw"]
    columns += [*(f"guarantee {mark}" for mark in "XOT"), "best first moves"]
    formats = {"flip": "g", "draw": ".4f"}
    formats |= {name: "+.4f" for name in columns if name.startswith(("worth", "guarantee"))}
    return Table("risk", columns, rows, formats, "3×3 with the same flip in every cell.")


def _search_table(searched: dict[str, dict[str, int]], parameters: Parameters) -> Table:
    rows: list[list[Any]] = []
    for board, counts in searched.items():
        for who, count in counts.items():
            low, high = share_interval(count, parameters.games)
            rows.append([board, who, count, count / parameters.games, low, high])
    columns = ["board", "result", "games", "share", "from", "to"]
    caption = (
        f"{parameters.games} games on each board with uct:simulations={parameters.simulations} in "
        "every seat; shares with 95% intervals."
    )
    return Table("search", columns, rows, dict.fromkeys(columns[3:], ".3f"), caption)


def _learning_table(learned: dict[str, list[Row]]) -> Table:
    rows: list[list[Any]] = [
        [spec, point["games"], point["regret"], point["best"], *point["results"]]
        for spec, curve in learned.items()
        for point in curve
    ]
    columns = [
        "learner",
        "games",
        "mean regret",
        "best moves",
        "X wins",
        "O wins",
        "T wins",
        "draws",
    ]
    formats = {"games": ",", "mean regret": ".4f"} | dict.fromkeys(columns[3:], ".3f")
    return Table(
        "learning", columns, rows, formats,
        f"Self-taught tables of {seated(RISKY, TAUGHT)}: how much worth a choice loses and how "
        "often it is best, in positions of random games; how its games with itself ended.",
    )  # fmt: skip


STUDY = Study(
    Parameters,
    plan_units,
    make_report,
    quick={
        "boards": "1x5:k=2/1x6:k=2/2x4:k=3/3x3",
        "points": 4,
        "searched": "3x3",
        "simulations": 100,
        "games": 4,
        "lessons": 1000,
    },
)
