"""Exact values: every method against plain recursion in fractions, and the numbers of R1."""

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from exact_reference import Case, Recursion, iterate_strategies
from reference import State

import noughts
from noughts.solve.api import METHODS

STOCHASTIC = "0.9/0.3/0.5/0.2/0.95/0.7/0.6/0.45/0.1"
SIX = "0.9/0.3/0.5/0.2/0.95/0"
SIX_CASES = [(1, 3, 2), (2, 2, 2), (2, 3, 2), (2, 3, 3)]

WITHOUT_LOOPS = [
    *(Case(*board) for board in SIX_CASES),
    *(Case(*board, is_misere=True) for board in SIX_CASES),
    *(Case(*board, flip="0.1") for board in SIX_CASES),
    Case(1, 3, 2, flip="0.9/0.3/0.5", is_misere=True),
    Case(2, 3, 2, flip=SIX),
    Case(3, 2, 2, flip=SIX, is_misere=True),
    Case(2, 3, 3, flip="1"),
]
NINE_CELLS = [
    Case(3, 3, 3, flip="0.25"),
    Case(3, 3, 3, flip=STOCHASTIC),
    Case(3, 3, 2, flip=STOCHASTIC, is_misere=True),
    Case(3, 3, 3, flip="0.1", fizzle="0.2"),
    Case(3, 3, 3, fizzle="0.1", hazard="0.2", limit="1", ticks=1),
]
FIZZLES = [
    Case(1, 3, 2, fizzle="0.2"),
    Case(2, 2, 2, fizzle="0.1/0.9/0.5/0"),
    Case(2, 3, 2, flip="0.1", fizzle="0.3"),
    Case(2, 3, 3, flip=SIX, fizzle="0.05/0.7/0.25/0.8/0.05/0.99"),
    Case(2, 3, 2, fizzle="0.5/0.4/0.3/0.2/0.1/0", is_misere=True),
    Case(2, 3, 3, fizzle="0/0.3/0/0.8/0/0.99", is_misere=True),
]
CLOCKS = [
    Case(1, 3, 2, hazard="0.3", limit="2", ticks=3),
    Case(2, 2, 2, hazard="0.3/0/1.5/0.1", limit="2", ticks=4),
    Case(2, 2, 2, hazard="0.3/0.2/1.5/0.1", turn_limit="1", ticks=2),
    Case(2, 3, 2, hazard="0.5", limit="2", turn_limit="1", ticks=4),
    Case(2, 3, 3, flip=SIX, hazard="0.5", limit="2", ticks=2, is_misere=True),
    Case(1, 3, 2, flip="0.9/0.3/0.5", fizzle="0.1/0.2/0.3", hazard="0.4", limit="3", ticks=3),
    Case(2, 2, 2, fizzle="0.5", hazard="2/0.3/0.1/0", limit="3", turn_limit="1", ticks=6),
    Case(2, 3, 3, fizzle="0.2", hazard="0.4", limit="1", ticks=2),
]
FADES = [
    Case(1, 3, 2, fade="0.2"),
    Case(2, 2, 2, fade="0.05/0.5/0/0.3"),
    Case(2, 2, 2, flip="0.2", fizzle="0.1", fade="0.4", is_misere=True),
    Case(2, 3, 2, flip="0.2", fade="0.1"),
    Case(2, 3, 3, fade="0.05"),
    Case(1, 3, 3, flip="0.9/0.3/0.5", fade="0.1", hazard="0.4", limit="2", ticks=2),
    Case(
        2, 2, 2, fizzle="0.2", fade="0.1/0/0.2/0", hazard="0.4", limit="2", turn_limit="1", ticks=4
    ),
]


def position_of(game: noughts.Game, state: State) -> noughts.Position:
    data = {"board": "".join(state.board), "turn": state.turn, "tick": state.tick}
    return game.position_from_dict(data)


def largest_gap(solution: noughts.Solution, truth: dict[State, Any]) -> float:
    return max(
        abs(solution.value(position_of(solution.game, state)) - float(value))
        for state, value in truth.items()
    )


def exact_values(case: Case) -> dict[State, Fraction]:
    recursion = Recursion(case)
    states = [s for tick in range(case.last_tick() + 1) for s in case.running(tick)]
    sample = states if len(states) <= 2000 else random.Random(1).sample(states, 2000)
    return {state: recursion.value(state) for state in sample}


@pytest.mark.parametrize("case", WITHOUT_LOOPS + FIZZLES + CLOCKS, ids=str)
def test_all_methods_are_the_recursion_with_fractions(case: Case) -> None:
    truth = exact_values(case)
    for method in METHODS:
        # In loops an iteration that changes little may still be far away, so it goes to the end.
        tolerance = 1e-15 if method in ("value-iteration", "gauss-seidel") else None
        solution = noughts.solve(str(case), method, tolerance=tolerance)
        bound = 1e-10 if method == "interval-iteration" else 1e-12
        assert largest_gap(solution, truth) <= bound, method


@pytest.mark.parametrize("case", NINE_CELLS, ids=str)
def test_late_boards_of_3x3_are_the_recursion_with_fractions(case: Case) -> None:
    recursion = Recursion(case)
    states = [s for s in case.running() if s.board.count(".") <= (5 if case.k == 2 else 4)]
    truth = {s: recursion.value(s) for s in random.Random(2).sample(states, 100)}
    assert largest_gap(noughts.solve(str(case)), truth) <= 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("case", NINE_CELLS[:3], ids=str)
def test_all_boards_of_3x3_are_the_recursion_with_fractions(case: Case) -> None:
    recursion = Recursion(case)
    truth = {state: recursion.value(state) for state in case.running()}
    assert len(truth) == 2 * noughts.solve(str(case)).running_boards
    for method in METHODS:
        assert largest_gap(noughts.solve(str(case), method), truth) <= 1e-12, method


@pytest.mark.parametrize("case", FADES, ids=str)
def test_fading_games_are_what_strategy_iteration_finds(case: Case) -> None:
    states = [s for tick in range(case.last_tick() + 1) for s in case.running(tick)]
    truth = iterate_strategies(case.rules, states)
    assert len(truth) == len(states)
    interval = noughts.solve(str(case))
    assert interval.method == "interval-iteration"
    assert interval.bound <= 1e-10
    assert largest_gap(interval, truth) <= interval.bound + 1e-12
    for method in ("value-iteration", "gauss-seidel"):
        assert largest_gap(noughts.solve(str(case), method), truth) <= 1e-11, method


def test_the_two_references_agree() -> None:
    """Strategy iteration in floats and the recursion in fractions, where both apply."""
    case = Case(2, 2, 2, flip="0.1", fizzle="0.2", hazard="0.3", limit="2", ticks=2)
    recursion = Recursion(case)
    states = [s for tick in range(3) for s in case.running(tick)]
    for state, value in iterate_strategies(case.rules, states).items():
        assert value == pytest.approx(float(recursion.value(state)), abs=1e-12)


MAX_DIFFERENCES = [0.95, 0.9, 0.9, 0.9, 0.9, 0.820212, 0.7528356, 0.3744788, 0.27007661, 0.0]
MEAN_DIFFERENCES = [
    *(0.29935094203553664, 0.18552375371856858, 0.12448458487334439, 0.08418015865861354),
    *(0.03923012507887873, 0.013901889434778688, 0.0031635938564860736, 0.0003390430131614532),
    *(2.434657982511494e-05, 0.0),
]


def test_the_published_log_of_sweeps() -> None:
    solution = noughts.solve("3x3:flip=stochastic", "value-iteration")
    log = solution.sweeps
    assert [sweep.max_difference for sweep in log] == pytest.approx(MAX_DIFFERENCES, abs=1e-12)
    assert [sweep.mean_difference for sweep in log] == pytest.approx(MEAN_DIFFERENCES, abs=1e-12)
    assert 2 * solution.running_boards == 22_186
    for sweep in log:
        assert sweep.position.game == solution.game
        assert sweep.position.result is None


def test_the_first_largest_difference_is_where_it_is_said_to_be() -> None:
    """From v = 0 the first sweep makes v the best that X can get by ending the game at once."""
    solution = noughts.solve("3x3:flip=stochastic", "value-iteration")
    first = solution.sweeps[0]
    worth = [
        sum(p * {"X": 1, "O": -1}.get(after.result or "", 0) for p, after in landings)
        for landings in map(first.position.landings, first.position.moves)
    ]
    assert abs(max(worth)) == pytest.approx(first.max_difference, abs=1e-15)


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        ("3x3", Fraction(0)),
        ("3x3:flip=stochastic", Fraction(2991541, 25000000)),
        ("3x3:flip=blind", Fraction(3, 256)),
        ("3x3:flip=quarter", Fraction(2155, 32768)),
        ("3x3:misere", Fraction(0)),
        ("2x2", Fraction(1)),
        ("2x2:misere", Fraction(-1)),
        ("1x1", Fraction(1)),
        ("1x1:flip=0.25", Fraction(1, 2)),
    ],
)
def test_values_that_are_known(spec: str, value: Fraction) -> None:
    for method in METHODS:
        solution = noughts.solve(spec, method)
        assert solution.value(solution.game.start()) == pytest.approx(float(value), abs=1e-10)
    exact = noughts.solve(spec)
    assert exact.value(exact.game.start()) == pytest.approx(float(value), abs=1e-15)


def test_a_fizzle_that_can_be_repeated_by_hand() -> None:
    """One cell, which fizzles with f: X wins with 1/(1+f), for he is the first to try."""
    solution = noughts.solve("1x1:fizzle=0.25")
    start = solution.game.start()
    assert solution.value(start) == pytest.approx((1 - 0.25) / (1 + 0.25), abs=1e-15)


def test_players_who_need_not_move_do_not() -> None:
    """The last empty cell gives the game away in misère; a sure fizzle elsewhere passes for ever.

    X O X
    X O O   whoever is on turn loses when his mark lands in cell 8; nothing lands in cell 6
    . X .
    """
    sure = "3x3:misere,fizzle=0/0/0/0/0/0/1/0/0"
    game = noughts.game(sure)
    for turn in ("X", "O"):
        position = game.parse(f"XOX/XOO/.X. {turn} to move")
        solution = noughts.solve(game)
        assert solution.values(position)[6] == pytest.approx(0.0, abs=1e-15)
        assert solution.value(position) == 0.0


@pytest.mark.parametrize(
    ("spec", "boards"),
    [("1x1", 1), ("3x3", 11_093), ("3x3:flip=0.1,fizzle=0.2", 11_093), ("4x4:k=3", 10_189_319)],
)
def test_running_boards(spec: str, boards: int) -> None:
    assert noughts.solve(spec).running_boards == boards


@pytest.mark.slow
def test_risky_4x4() -> None:
    solution = noughts.solve("4x4:flip=0.1")
    assert solution.running_boards == 33_801_749
    assert solution.states == 86_093_442
    assert solution.table.dtype == np.float32
    check_expectations(solution, seed=3, tolerance=1e-6)


RISKY = [
    "3x3:flip=stochastic",
    "3x3:misere,flip=0.2",
    "4x3:k=3,flip=random,seed=3",
    "3x3:flip=0.1,fizzle=0.2",
    "2x3:k=2,fade=0.1,fizzle=0.1",
    "3x3:hazard=0.2,limit=2,ticks=4",
    "2x3:k=2,hazard=0.2,turn_limit=2,ticks=2",
]


@pytest.mark.parametrize("spec", RISKY)
def test_the_values_of_moves_are_expectations_over_landings(spec: str) -> None:
    check_expectations(noughts.solve(spec), seed=4, tolerance=1e-12)


def check_expectations(solution: noughts.Solution, seed: int, tolerance: float) -> None:
    """On random positions: moves, their values, the value, and the best moves fit together."""
    for position in random_positions(solution.game, 200, seed):
        values = solution.values(position)
        assert tuple(values) == position.moves
        for move, value in values.items():
            expected = sum(p * solution.value(after) for p, after in position.landings(move))
            assert value == pytest.approx(expected, abs=tolerance + solution.bound)
        best = max(values.values()) if position.turn == "X" else min(values.values())
        assert solution.value(position) == pytest.approx(best, abs=tolerance + 2 * solution.bound)
        good = [m for m, v in values.items() if abs(v - best) <= solution.tie]
        assert solution.best_moves(position) == tuple(good)
        assert solution.best(position) == good[0]


def random_positions(game: noughts.Game, count: int, seed: int) -> list[noughts.Position]:
    rng = np.random.default_rng(seed)
    found: list[noughts.Position] = []
    while len(found) < count:
        position = game.start()
        while position.result is None and len(found) < count:
            found.append(position)
            _, position = position.sample(int(rng.choice(position.moves)), rng)
    return found


def test_the_value_of_a_finished_game_is_its_result() -> None:
    solution = noughts.solve("3x3:flip=0.1")
    for text, value in [("XXX/OO./...", 1.0), ("OOO/XX./..X", -1.0), ("XOX/XOO/OXX", 0.0)]:
        position = solution.game.parse(text)
        assert solution.value(position) == value
        assert solution.values(position) == {}
        with pytest.raises(noughts.NoughtsError, match="over"):
            solution.best(position)


def test_best_moves_of_the_classic_game() -> None:
    solution = noughts.solve("3x3")
    start = solution.game.start()
    assert solution.best_moves(start) == tuple(range(9))
    corner = start.play(0)
    assert solution.best_moves(corner) == (4,)
    fork = solution.game.parse("X../.O./..X O to move")
    assert solution.best_moves(fork) == (1, 3, 5, 7)
    assert repr(solution) == "<Solution of 3x3: +0 for X>"


def test_a_move_that_waits_is_among_the_best() -> None:
    """In a world where every mark turns with time nobody waits; for a losing mark he does.

    X X .        it is misère: whoever completes a line loses, unless his mark turns
    O O .
    """
    solution = noughts.solve("2x3:k=3,misere,hazard=1,limit=3,ticks=3")
    game = solution.game
    position = game.parse("XX./OO. X to move")
    best = solution.best_moves(position)
    assert all(game.wait_of(move) > 0 for move in best if game.cell_of(move) == 2)
    honest = noughts.solve("2x3:k=3,hazard=1,limit=3,ticks=3")
    assert honest.best_moves(honest.game.parse("XX./OO. X to move")) == (2,)
