"""Exact odds, best responses and simulation: against linear equations, and against each other."""

import math
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from exact_reference import (
    SIGN,
    Case,
    Player,
    Recursion,
    best_player,
    chain_odds,
    iterate_strategies,
    random_player,
    weighted_player,
)
from reference import Lines, State

import noughts
from noughts.solve import share_interval
from noughts.stats.means import Sample, mean_interval

WEIGHTS = {4: "1/2/0/3", 3: "1/0/2", 6: "3/1/0/2/0/1"}
CASES = [
    Case(1, 3, 2),
    Case(2, 2, 2, flip="0.2"),
    Case(2, 3, 3, flip="0.9/0.3/0.5/0.2/0.95/0"),
    Case(2, 3, 2, is_misere=True, flip="0.3"),
    Case(2, 2, 2, flip="0.1", fizzle="0.2/0.5/0/0.9"),
    Case(2, 2, 2, fizzle="0.3", is_misere=True),
    Case(2, 2, 2, fade="0.3/0.1/0/0.2"),
    Case(2, 2, 2, flip="0.2", fizzle="0.1", fade="0.1", is_misere=True),
    Case(2, 2, 2, hazard="0.5/0.1/1/0.2", limit="2", ticks=3),
    Case(2, 2, 2, hazard="0.5", turn_limit="1", ticks=2, is_misere=True),
    Case(
        1, 3, 2, flip="0.1", fizzle="0.3/0.5/0.2", hazard="0.5", limit="2", turn_limit="1", ticks=4
    ),
    Case(1, 3, 3, flip="0.1", fade="0.2", hazard="0.5", limit="2", ticks=2),
]


# After a fizzle it may be better to wait than to repeat the move, and a turn's wait is limited.
SHORT_TURNS = Case(
    1, 3, 2, is_misere=True, flip="0/0.2/0", fizzle="0.1/0.4/0.5", hazard="1/1/5", limit="6",
    turn_limit="1", ticks=6,
)  # fmt: skip


def value_of(case: Case) -> Callable[[State], float]:
    """The exact value for X of any running state of a case."""
    if case.fade == "0":
        recursion = Recursion(case)
        return lambda state: float(recursion.value(state))
    states = [s for tick in range(case.last_tick() + 1) for s in case.running(tick)]
    values = iterate_strategies(case.rules, states)
    return lambda state: values[state]


def players(case: Case, ties: str) -> dict[str, Player]:
    """The same players as in specs, in plain Python."""
    weights = WEIGHTS[case.cells]
    classic = Case(case.rows, case.columns, case.k, case.is_misere)
    tie = 1e-9 if case.fade != "0" else 1e-12
    classic_best = best_player(classic.rules, value_of(classic), ties, 1e-12)
    return {
        "optimal": best_player(case.rules, value_of(case), ties, tie),
        "random": random_player(case.rules),
        f"fixed:weights={weights}": weighted_player(
            case.rules, [float(word) for word in weights.split("/")]
        ),
        f"optimal:of={classic}".replace(",", "_"): lambda s: classic_best(s._replace(tick=0)),
    }


@pytest.mark.parametrize("ties", ["lowest", "uniform"])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_odds_are_what_the_linear_equations_say(case: Case, ties: str) -> None:
    plain = players(case, ties)
    classic = noughts.solve(str(Case(case.rows, case.columns, case.k, case.is_misere)))
    for (x_name, x), (o_name, o) in product(plain.items(), repeat=2):
        # A comma in a spec would end `of`, so the classic player is handed over as a solution.
        named = [classic if name.startswith("optimal:") else name for name in (x_name, o_name)]
        odds = noughts.odds(str(case), named[0], named[1], ties)
        truth = chain_odds(case.rules, x, o)
        found = {"X": odds.x, "draw": odds.draw, "O": odds.o}
        assert found == pytest.approx(truth, abs=1e-11), (x_name, o_name)
        assert abs(odds.x + odds.draw + odds.o - 1.0) <= 1e-12
        assert odds.value == odds.x - odds.o


WORLDS = [
    "3x3",
    "3x3:misere",
    "3x3:flip=stochastic",
    "3x3:flip=noisy-classic,seed=1",
    "3x3:flip=reverse",
    "3x3:flip=0.1,fizzle=0.2",
    "3x3:k=2,fade=0.05",
    "2x3:k=3,flip=random,seed=2,fade=0.02,fizzle=0.1",
    "3x3:hazard=0.2,limit=2,ticks=5",
    "2x3:k=2,hazard=0.3,turn_limit=2,ticks=3",
    "4x3:k=3,flip=0.2",
]


@pytest.mark.parametrize("spec", WORLDS)
def test_optimal_players_share_the_value_of_the_game(spec: str) -> None:
    solution = noughts.solve(spec)
    for ties in ("lowest", "uniform"):
        odds = noughts.odds(spec, solution, solution, ties)
        exact = solution.value(solution.game.start())
        # In a fading game each turn may give away what counts as a tie.
        assert odds.value == pytest.approx(exact, abs=1e-12 + 100 * solution.bound)
        assert abs(odds.x + odds.draw + odds.o - 1.0) <= 1e-12


@pytest.mark.parametrize("spec", WORLDS)
def test_exact_odds_lie_inside_the_interval_of_simulation(spec: str) -> None:
    weights = "/".join(str(cell % 3) for cell in range(noughts.game(spec).cells))
    names = ("optimal", "random", f"fixed:weights={weights}")
    table = {name: noughts.policy(spec, name) for name in names}
    for (i, x), (j, o) in product(enumerate(table.values()), repeat=2):
        odds = noughts.odds(spec, x, o)
        played = noughts.simulate(spec, x, o, games=20_000, seed=10 * i + j)
        assert played.games == 20_000
        for outcome in ("x", "draw", "o"):
            low, high = played.interval(outcome, 0.999)
            assert low - 1e-12 <= getattr(odds, outcome) <= high + 1e-12, (x.name, o.name, outcome)


@pytest.mark.slow
@pytest.mark.parametrize(
    "risk",
    [
        *("flip=stochastic", "flip=classic", "flip=reverse", "flip=blind", "flip=random,seed=7"),
        *("fade=0.05", "flip=random,seed=2,fade=0.02,fizzle=0.1", "hazard=0.3,limit=3,ticks=30"),
    ],
)
def test_a_hundred_thousand_games_in_many_worlds(risk: str) -> None:
    spec = f"3x3:{risk}"
    for x, o in product(("optimal", "random"), repeat=2):
        odds, played = noughts.odds(spec, x, o), noughts.simulate(spec, x, o, seed=1)
        for outcome in ("x", "draw", "o"):
            low, high = played.interval(outcome, 0.999)
            assert low - 1e-12 <= getattr(odds, outcome) <= high + 1e-12


@pytest.mark.parametrize("spec", WORLDS)
def test_a_best_response_does_at_least_as_well_as_the_optimal_player(spec: str) -> None:
    solution = noughts.solve(spec)
    slack = 1e-12 + 100 * solution.bound
    cells = solution.game.cells
    weights = "/".join(str((cell * 5) % 7) for cell in range(cells))
    optimal = noughts.policy(spec, solution)
    for opponent in ("random", f"fixed:weights={weights}"):
        table = noughts.policy(spec, opponent)
        as_x = noughts.best_response(spec, table, "X")
        assert as_x.seat == "X"
        assert as_x.value >= noughts.odds(spec, optimal, table).value - slack
        as_o = noughts.best_response(spec, table, "O")
        assert as_o.value <= noughts.odds(spec, table, optimal).value + slack
        again = noughts.odds(spec, as_x.policy, table)
        assert again == as_x.odds
    value = solution.value(solution.game.start())
    for seat in ("X", "O"):
        reply = noughts.best_response(spec, optimal, seat)  # type: ignore[arg-type]
        assert reply.value == pytest.approx(value, abs=slack)


@pytest.mark.parametrize(
    ("case", "weights"),
    [
        (Case(2, 2, 2, flip="0.2"), "1/2/0/3"),
        (Case(2, 2, 2, flip="0.1", fizzle="0.2/0.5/0/0.9"), "1/2/0/3"),
        (Case(2, 2, 2, fade="0.3/0.1/0/0.2"), "1/2/0/3"),
        (Case(1, 3, 2, hazard="0.5/0.1/1", limit="2", ticks=3), "1/0/2"),
        (SHORT_TURNS, "1/1/1"),
    ],
    ids=str,
)
def test_a_best_response_is_the_best_of_all_tables(case: Case, weights: str) -> None:
    """When no change of a single move does better, nothing does."""
    opponent = weighted_player(case.rules, [float(weight) for weight in weights.split("/")])
    reply = noughts.best_response(str(case), f"fixed:weights={weights}", "X")
    assert reply.value == pytest.approx(plain_best_response(case.rules, opponent), abs=1e-11)


def plain_best_response(rules: Lines, o: Player) -> float:
    """Policy iteration: solve the chain, take better moves, until there are none."""
    chosen: dict[State, int] = {}

    def x(state: State) -> dict[int, float]:
        return {chosen.setdefault(state, rules.moves(state)[0]): 1.0}

    while True:
        values = chain_values(rules, x, o)
        changed = False
        for state in [s for s in values if s.turn == "X"]:
            worth = {m: expected(rules, values, state, m) for m in rules.moves(state)}
            best = max(worth, key=lambda move: worth[move])
            if worth[best] > worth[chosen[state]] + 1e-13:
                chosen[state], changed = best, True
        if not changed:
            return values[rules.start()]


def expected(rules: Lines, values: dict[State, float], state: State, move: int) -> float:
    return sum(
        p * (values[s] if s.result is None else SIGN[s.result])
        for p, s in rules.landings(state, move)
    )


def chain_values(rules: Lines, x: Player, o: Player) -> dict[State, float]:
    """The value for X, with these players, of every state that any play can lead to."""
    number: dict[State, int] = {rules.start(): 0}
    queue = [rules.start()]
    while queue:
        state = queue.pop()
        for move in rules.moves(state):
            for _, after in rules.landings(state, move):
                if after.result is None and after not in number:
                    number[after] = len(number)
                    queue.append(after)
    matrix, earned = np.eye(len(number)), np.zeros(len(number))
    for state, i in number.items():
        for move, chance in (x if state.turn == "X" else o)(state).items():
            for p, after in rules.landings(state, move):
                if after.result is None:
                    matrix[i, number[after]] -= chance * p
                else:
                    earned[i] += chance * p * SIGN[after.result]
    values = np.linalg.solve(matrix, earned)
    return {state: float(values[i]) for state, i in number.items()}


def test_ties_are_broken_as_told() -> None:
    """Every first move of the classic game draws: the lowest is cell 0, or each has one ninth."""
    lowest, uniform = (noughts.policy("3x3", "optimal", ties) for ties in ("lowest", "uniform"))
    assert lowest.masks[0, 0] == 1
    assert uniform.masks[0, 0] == 0b111111111
    spelled = noughts.policy("3x3", "optimal:ties=uniform", "lowest")
    np.testing.assert_array_equal(spelled.masks, uniform.masks)
    assert noughts.odds("3x3", lowest, "random") != noughts.odds("3x3", uniform, "random")


def test_weights_of_zero_are_for_when_nothing_else_is_left() -> None:
    """Only the middle of 1x3 has weight: O takes it if X did not, and then what is left."""
    spec = "1x3:k=2"
    middle = noughts.policy(spec, "fixed:weights=0/1/0")
    assert noughts.odds(spec, middle, "random").x == 1.0
    # X takes an end, O the middle, and X the other end.
    ends = noughts.odds(spec, "fixed:weights=1/0/1", middle)
    assert (ends.x, ends.draw, ends.o) == pytest.approx((0.0, 1.0, 0.0), abs=1e-15)
    nothing = noughts.odds("3x3", "fixed:weights=0/0/0/0/0/0/0/0/0", "random")
    everything = noughts.odds("3x3", "random", "random")
    assert (nothing.x, nothing.o) == pytest.approx((everything.x, everything.o), abs=1e-14)
    played = noughts.simulate(spec, middle, "random", games=1000, seed=2)
    assert played.x == 1000


def test_random_play_of_the_classic_game() -> None:
    """The published odds of random tic-tac-toe: 737/1260, 8/63 and 121/420."""
    odds = noughts.odds("3x3", "random", "random")
    assert odds.x == pytest.approx(737 / 1260, abs=1e-14)
    assert odds.draw == pytest.approx(8 / 63, abs=1e-14)
    assert odds.o == pytest.approx(121 / 420, abs=1e-14)


def test_a_classic_player_in_a_risky_world() -> None:
    spec = "3x3:flip=quarter"
    value = noughts.solve(spec).value(noughts.game(spec).start())
    classic = noughts.odds(spec, "optimal:of=3x3", "optimal").value
    assert classic <= value + 1e-12
    assert noughts.odds(spec, "optimal", "optimal:of=3x3").value >= value - 1e-12
    ruined = noughts.odds("3x3:flip=reverse", "optimal:of=3x3", "optimal")
    assert ruined.value < -0.9
    clock = "3x3:hazard=0.5,limit=2,ticks=4"
    by_chance = noughts.odds(clock, "random", "random").value
    assert noughts.odds(clock, "optimal:of=3x3", "random").value > by_chance + 0.1
    assert abs(sum(vars(noughts.odds(clock, "optimal:of=3x3", "optimal")).values()) - 1) < 1e-12


def last_cell(position: noughts.Position, rng: np.random.Generator) -> int:
    return position.moves[-1]


def test_a_plain_function_can_be_asked() -> None:
    case = Case(2, 3, 3, flip="0.2", fizzle="0.1")
    asked = noughts.policy(str(case), last_cell)
    assert asked.name == "last_cell"
    odds = noughts.odds(str(case), last_cell, "random")
    truth = chain_odds(
        case.rules,
        lambda state: {max(case.rules.moves(state)): 1.0},
        weighted_player(case.rules, [1.0] * 6),
    )
    assert (odds.x, odds.draw, odds.o) == pytest.approx(tuple(truth.values()), abs=1e-12)
    assert noughts.odds(str(case), asked, "random") == odds


def test_an_agent_is_asked_for_its_own_seat() -> None:
    """The optimal agent, asked move by move, is the optimal table."""
    spec = "2x3:k=3,flip=0.3"
    agent = noughts.agent("optimal")
    for other in ("random", "optimal"):
        assert noughts.odds(spec, agent, other) == noughts.odds(spec, "optimal", other)
        assert noughts.odds(spec, other, agent) == noughts.odds(spec, other, "optimal")


def test_a_function_that_cheats_is_caught() -> None:
    with pytest.raises(noughts.IllegalMove, match="Cell 0 holds"):
        noughts.odds("2x2", lambda position, rng: 0, "random")


@pytest.mark.parametrize(
    "spec",
    [
        "3x3:fizzle=1/0/0/0/0/0/0/0/0",
        "3x3:fizzle=1/1/0.5/0/0/0/0/0/0",
        "2x3:k=3,misere,fizzle=1/0/0/0/0/0.5",
        "2x3:k=2,fade=1/0.1/0.1/0.1/0.1/0.1",
    ],
)
def test_optimal_players_do_not_pass_a_win_by_for_ever(spec: str) -> None:
    """Where a cell always fizzles or empties one may pass; a win that is sure must be collected."""
    solution = noughts.solve(spec)
    slack = 1e-12 + 100 * solution.bound
    for ties in ("lowest", "uniform"):
        odds = noughts.odds(spec, "optimal", "optimal", ties)
        assert odds.value == pytest.approx(solution.value(solution.game.start()), abs=slack)
        reply = noughts.best_response(spec, "optimal", "X", ties)
        assert reply.value == pytest.approx(solution.value(solution.game.start()), abs=slack)


def test_games_that_never_end_are_draws() -> None:
    assert vars(noughts.odds("2x2:fizzle=1", "random", "random")) == {"x": 0, "draw": 1, "o": 0}
    fading = noughts.odds("2x2:fade=1", "random", "random")
    assert (fading.x, fading.draw, fading.o) == (0.0, 1.0, 0.0)
    assert noughts.simulate("2x2:fizzle=1", "random", "random", games=3).draw == 3


@pytest.mark.parametrize("spec", ["3x3:flip=0.2", "3x3:fade=0.1", "3x3:hazard=0.2,limit=2,ticks=5"])
def test_simulation_is_the_same_for_any_number_of_threads(spec: str) -> None:
    x, o = noughts.policy(spec, "random"), noughts.policy(spec, "optimal")
    runs = [noughts.simulate(spec, x, o, 40_000, seed=3, threads=t) for t in (1, 2, 7, None)]
    assert runs[1:] == runs[:-1]
    assert noughts.simulate(spec, x, o, 40_000, seed=4) != runs[0]


def test_intervals_of_shares_that_are_known() -> None:
    """Published values for 95% (Newcombe 1998, method 5), and the closed form at the ends."""
    assert share_interval(81, 263) == pytest.approx((0.2527, 0.3676), abs=5e-5)
    assert share_interval(15, 148) == pytest.approx((0.0578, 0.1617), abs=5e-5)
    assert share_interval(0, 20) == pytest.approx((0.0, 0.1684), abs=5e-5)
    assert share_interval(1, 29) == pytest.approx((0.0009, 0.1776), abs=5e-5)
    assert share_interval(7, 7, 0.90) == pytest.approx((0.05 ** (1 / 7), 1.0), abs=1e-12)
    assert share_interval(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("successes", "trials"), [(3, 4), (41, 60), (499, 500), (37, 3000)])
def test_the_interval_of_a_share_is_that_of_a_mean_of_zeros_and_ones(
    successes: int, trials: int
) -> None:
    """One by a continued fraction, the other by a Fourier transform."""
    values = np.repeat([1.0, 0.0], [successes, trials - successes])
    by_mean = mean_interval(Sample(values, np.ones(trials), step=1.0))
    assert share_interval(successes, trials) == pytest.approx(by_mean, abs=1e-6)


@pytest.mark.parametrize("trials", [1, 5, 20, 74])
def test_intervals_of_shares_hold_at_every_share(trials: int) -> None:
    """The exact probability of covering, by the binomial formula; Wilson's falls to 84%."""
    ends = [share_interval(k, trials) for k in range(trials + 1)]
    for p in (0.0005, 0.00238, 0.00888, 0.05, 0.3, 0.5, 0.9, 0.9976):
        chances = [math.comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(trials + 1)]
        assert (
            sum(c for c, (low, high) in zip(chances, ends, strict=True) if low <= p <= high) > 0.95
        )


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: noughts.odds("3x3", "nobody"), "'nobody' is not an agent"),
        (lambda: noughts.odds("3x3", "fixed:weights=1/2"), "weights has 2 values, but 3x3"),
        (
            lambda: noughts.odds("3x3", "fixed:weights=1/2/3/4/5/6/7/8/x"),
            "weights=x is not",
        ),
        (lambda: noughts.odds("3x3", ties="highest"), "ties=highest is not known"),
        (lambda: noughts.odds("3x3", "optimal:ties=best"), "ties=best is not known"),
        (lambda: noughts.odds("3x3", "optimal:of=4x4"), "4x4 and 3x3 have different boards"),
        (lambda: noughts.odds("3x3", "optimal:of=3x3:hazard=1"), "hazard needs a clock"),
        (lambda: noughts.odds("3x3", "random:x=1"), "'random' has no option 'x'"),
        (lambda: noughts.odds("4x3", last_cell), "asked about every board of 4x3"),
        (lambda: noughts.odds("5x5"), "5x5 has 25 cells"),
        (lambda: noughts.odds("3x3", noughts.policy("2x2", "random")), "random is a player of 2x2"),
        (lambda: noughts.best_response("3x3", "random", "Z"), "seat=Z is not known"),  # type: ignore[arg-type]
        (lambda: noughts.simulate("3x3", games=-1), "games=-1 is not a whole number"),
        (lambda: noughts.simulate("3x3", games=9).interval("win"), "outcome=win is not known"),
        (lambda: noughts.simulate("3x3", games=9).interval("x", 1.0), r"confidence=1\.0 is not"),
        (lambda: noughts.simulate("3x3", threads=-2), "threads=-2 is not a whole number"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(call: Callable[[], object], words: str) -> None:
    with pytest.raises(noughts.NoughtsError, match=words):
        call()
