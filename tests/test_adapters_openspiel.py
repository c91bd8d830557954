"""OpenSpiel's own tests and algorithms, unmodified, on our games."""

import warnings
from typing import Any

import numpy as np
import pytest

import noughts
import noughts.adapters

pyspiel = pytest.importorskip("pyspiel")
from open_spiel.python import rl_environment  # noqa: E402
from open_spiel.python.algorithms import minimax, random_agent, tabular_qlearner  # noqa: E402

SPECS = [
    "3x3",
    "3x3:flip=0.1,fizzle=0.2",
    "2x2:fade=0.1",
    "2x2:hazard=0.5,limit=2,ticks=3",
    "ultimate:won=open,flip=0.1",
]


@pytest.mark.parametrize("spec", SPECS)
def test_openspiel_random_simulation(spec: str) -> None:
    game = noughts.adapters.openspiel_game(spec)
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


def test_chance_is_told_apart_from_certainty() -> None:
    modes = pyspiel.GameType.ChanceMode
    plain = noughts.adapters.openspiel_game("3x3")
    assert plain.get_type().chance_mode == modes.DETERMINISTIC
    risky = pyspiel.load_game("noughts(spec=3x3:flip~0.1;fizzle~0.2)")
    assert risky.get_type().chance_mode == modes.EXPLICIT_STOCHASTIC
    state = risky.new_initial_state()
    state.apply_action(4)
    assert state.is_chance_node()
    expected = noughts.game("3x3:flip=0.1,fizzle=0.2").start().landings(4)
    assert [chance for _, chance in state.chance_outcomes()] == [chance for chance, _ in expected]
    state.apply_action(1)
    assert state.position == expected[1][1]


@pytest.fixture(scope="module")
def value_iteration() -> Any:
    """Loaded when it is needed: it brings cvxpy, which takes seconds."""
    with warnings.catch_warnings():  # cvxpy warns about what is not installed
        warnings.simplefilter("ignore")
        from open_spiel.python.algorithms import value_iteration

        return value_iteration


def iterate(value_iteration: Any, spec: str) -> dict[str, float]:
    game = noughts.adapters.openspiel_game(spec)
    # A state that was met before is not walked through again; this is what the option is for.
    return value_iteration.value_iteration(game, -1, 1e-13, cyclic_game=True)


@pytest.mark.parametrize(
    "spec",
    [
        "2x3:flip=0.1/0.9/0.3/0.2/0.4/0.6",
        "1x4:k=2,flip=0.1,fizzle=0.2",
        "2x2:k=2,fizzle=0.3,misere",
        "2x2:k=2,fade=0.2",
        "3x3:k=2,flip=0/0/0/0/0.3/0/0/0/0",
        pytest.param("3x3:flip=stochastic", marks=pytest.mark.slow),
    ],
)
def test_openspiel_value_iteration_agrees_on_every_state(value_iteration: Any, spec: str) -> None:
    solution = noughts.solve(spec)
    values = iterate(value_iteration, spec)
    assert len(values) > 20
    for text, value in values.items():
        position = solution.game.parse(text)
        assert value == pytest.approx(solution.value(position), abs=1e-9 + 2 * solution.bound)


@pytest.mark.parametrize(
    ("spec", "moves"),
    [
        ("2x2:k=2,flip=0.1/0.9/0.3/0.2", []),
        ("2x3:k=3,flip=0.1/0.9/0.3/0.2/0.4/0.6", [1]),
        ("3x3:flip=0.1/0/0/0.3/0.2/0/0/0/0.4", [4, 0, 8, 2]),
        ("3x3:flip=stochastic", [0, 8, 2, 1, 7]),
        pytest.param("3x3:flip=stochastic", [4, 0, 2], marks=pytest.mark.slow),
    ],
)
def test_openspiel_expectiminimax_agrees(spec: str, moves: list[int]) -> None:
    solution = noughts.solve(spec)
    state = noughts.adapters.openspiel_game(spec).new_initial_state()
    for move in moves:
        state.apply_action(move)
        if state.is_chance_node():
            state.apply_action(0)
    assert state.position.result is None
    value, move = minimax.expectiminimax(state, 20, None, 0)
    assert value == pytest.approx(solution.value(state.position), abs=1e-12)
    if state.current_player() == 0:
        assert move in solution.best_moves(state.position)


def test_openspiel_q_learning_beats_random_through_the_adapter() -> None:
    """OpenSpiel's tabular Q-learner, trained on a risky game of ours against a random player."""
    env = rl_environment.Environment(noughts.adapters.openspiel_game("3x3:flip=0.05"))
    env.seed(1)
    np.random.seed(1)  # OpenSpiel's agents draw from NumPy's global generator
    learner = tabular_qlearner.QLearner(0, 9, step_size=0.3, discount_factor=1.0)
    opponent = random_agent.RandomAgent(1, 9)
    baseline = noughts.odds("3x3:flip=0.05", "random", "random").value
    play(env, learner, opponent, games=800, is_evaluation=False)
    score = play(env, learner, opponent, games=300, is_evaluation=True)
    assert score > baseline + 0.2  # four standard errors


def play(env, learner, opponent, games: int, is_evaluation: bool) -> float:  # type: ignore[no-untyped-def]
    """The mean reward of the learner."""
    total = 0.0
    for _ in range(games):
        step = env.reset()
        while not step.last():
            mover = (learner, opponent)[step.observations["current_player"]]
            step = env.step([mover.step(step, is_evaluation=is_evaluation).action])
        learner.step(step, is_evaluation=is_evaluation)
        total += step.rewards[0]
    return total / games
