"""The environments, held against the test suites of PettingZoo and Gymnasium, unmodified."""

import itertools
import types
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import noughts
import noughts.adapters
from noughts.adapters import aec
from noughts.adapters.names import NAMED, env_id

with warnings.catch_warnings():  # it loads a game of PettingZoo's in a way that it calls old
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, performance_benchmark, seed_test

SPECS = [
    "3x3",
    "3x3x3:flip=0.1",
    "3x3:fizzle=0.1,fade=0.05",
    "2x3:hazard=0.3,limit=3,ticks=4",
    "ultimate",
]

# What PettingZoo says of every board game but its own: a dict is what it recommends for masks.
known = [
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",  # at the end of a game
]


def ignoring(test):  # type: ignore[no-untyped-def]
    for warning in known:
        test = pytest.mark.filterwarnings(warning)(test)
    return test


@ignoring
@pytest.mark.parametrize("spec", SPECS)
def test_pettingzoo_api(spec: str) -> None:
    api_test(noughts.adapters.pettingzoo_env(spec), num_cycles=30)
    api_test(aec.raw_env(spec), num_cycles=30)


@pytest.mark.parametrize("spec", SPECS)
def test_pettingzoo_seed(spec: str) -> None:
    seed_test(lambda: noughts.adapters.pettingzoo_env(spec), num_cycles=50)


def test_pettingzoo_performance(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = itertools.count(step=0.02)  # seconds: it plays for five, and looks at its clock
    clock = types.SimpleNamespace(time=lambda: next(looks))
    monkeypatch.setitem(performance_benchmark.__globals__, "time", clock)
    performance_benchmark(aec.raw_env("3x3"))
    assert "turns per second" in capsys.readouterr().out


def test_pettingzoo_rewards_and_masks() -> None:
    env = noughts.adapters.pettingzoo_env("3x3", render_mode="ansi")
    env.reset(seed=1)
    for move in (0, 3, 1, 4):
        seen, reward, terminated, _, info = env.last()
        assert reward == 0
        assert not terminated
        assert np.array_equal(seen["action_mask"], info["action_mask"])
        waiting = next(agent for agent in env.agents if agent != env.agent_selection)
        assert not env.observe(waiting)["action_mask"].any()
        env.step(move)
    assert env.render().startswith("X X .\nO O .")
    env.step(2)
    assert env.rewards == {"player_0": 1, "player_1": -1}
    assert all(env.terminations.values())


def test_pettingzoo_illegal_moves() -> None:
    raw = aec.raw_env("3x3")
    raw.reset(seed=1)
    raw.step(4)
    with pytest.raises(noughts.IllegalMove, match="Cell 4 holds X; open cells: 0, 1"):
        raw.step(4)
    with pytest.raises(noughts.IllegalMove, match="A move is a whole number, not None"):
        raw.step(None)
    wrapped = noughts.adapters.pettingzoo_env("3x3")
    wrapped.reset(seed=1)
    wrapped.step(4)
    wrapped.step(4)
    assert wrapped.terminations == {"player_0": True, "player_1": True}
    assert wrapped.rewards["player_1"] == -1


@pytest.mark.parametrize("name", NAMED)
def test_gymnasium_checks_every_name(name: str) -> None:
    check_env(gymnasium.make(env_id(name), seat="both").unwrapped)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("opponent", ["random", "heuristic"])
def test_gymnasium_checks_every_game(spec: str, opponent: str) -> None:
    if opponent == "heuristic" and (spec == "ultimate" or ":" in spec):
        opponent = "fixed:weights=" + "/".join("1" * noughts.game(spec).cells)
    env = gymnasium.make(env_id("Game"), game=spec, opponent=opponent, seat="O")
    check_env(env.unwrapped)


def test_an_opponent_of_ours_plays_well_and_by_the_seed() -> None:
    games = []
    for _ in range(2):
        env = gymnasium.make(env_id("3x3"), opponent="optimal", seat="both").unwrapped
        rewards = []
        for episode in range(20):
            env.reset(seed=7 if episode == 0 else None)
            rng, is_over = np.random.default_rng(episode), False
            while not is_over:
                move = rng.choice(np.flatnonzero(env.action_masks()))
                _, reward, is_over, _, _ = env.step(move)
            rewards.append(reward)
        games.append(rewards)
    assert games[0] == games[1]
    assert max(games[0]) <= 0.0
    assert min(games[0]) == -1.0


def test_illegal_actions_lose_or_raise_and_say_why() -> None:
    env = noughts.adapters.gymnasium_env("3x3")
    env.reset(seed=1)
    env.step(4)
    _, reward, terminated, _, info = env.step(4)
    assert (reward, terminated) == (-1.0, True)
    assert "Cell 4 holds X" in info["illegal"]
    with pytest.raises(noughts.IllegalMove, match="no move is allowed"):
        env.step(0)
    strict = noughts.adapters.gymnasium_env("3x3", illegal="raise")
    strict.reset(seed=1)
    strict.step(4)
    with pytest.raises(noughts.IllegalMove, match="Cell 4 holds X"):
        strict.step(4)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"game": "3x3:k=1", "seat": "O"}, "X's first move; the seat must be X, not O"),
        ({"game": "1x1", "seat": "both"}, "X's first move; the seat must be X, not both"),
        ({"seat": "Z"}, "seat=Z is not known; allowed: X, O, both"),
        ({"illegal": "shrug"}, "illegal=shrug is not known"),
        ({"render_mode": "human"}, "render_mode=human is not known; allowed: ansi, rgb_array"),
        ({"opponent": "nobody"}, "'nobody' is not an agent"),
    ],
)
def test_wrong_words_are_refused(options: dict[str, str], message: str) -> None:
    with pytest.raises(noughts.NoughtsError, match=message):
        noughts.adapters.gymnasium_env(**{"game": "3x3", **options})


def test_no_seat_without_a_move() -> None:
    """One mark of X wins, so O would be asked for a move in a game that is over."""
    with pytest.raises(noughts.NoughtsError, match="the seat must be X, not O"):
        noughts.adapters.vector_env("3x3:k=1", 2, seat="O")
    both = noughts.adapters.vector_env("3x3:k=1", 2, opponent="self", seat="both")
    both.reset(seed=1)
    assert both.step(np.array([4, 0]))[1].tolist() == [1.0, 1.0]


@pytest.mark.parametrize("spec", ["3x3:flip=0.1", "ultimate"])
@pytest.mark.parametrize("opponent", ["random", "self"])
def test_the_vector_environment_keeps_the_protocol(spec: str, opponent: str) -> None:
    """Rewards only at the end, a fresh game one step later, and observations inside their space."""
    envs = gymnasium.make_vec(
        env_id("Game"), num_envs=64, game=spec, opponent=opponent, seat="both"
    )
    seen, _ = envs.reset(seed=3)
    rng = np.random.default_rng(1)
    was_done, ended = np.zeros(64, bool), 0
    for _ in range(90):
        masks = envs.unwrapped.action_masks()
        actions = (rng.random(masks.shape) * masks).argmax(axis=1)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        assert envs.observation_space.contains(seen)
        assert "illegal" not in info
        assert not (terminated & was_done).any()
        assert not rewards[~terminated].any()
        fresh = seen[was_done][..., 0].sum(axis=(1, 2)) + seen[was_done][..., 1].sum(axis=(1, 2))
        assert (fresh <= 1).all()
        was_done = terminated | truncated
        ended += int(was_done.sum())
    assert ended > 20


def test_the_vector_environment_is_seeded_and_reports_illegal_actions() -> None:
    runs = []
    for _ in range(2):
        envs = noughts.adapters.vector_env("3x3:flip=0.2", 16)
        envs.reset(seed=5)
        seen = [envs.step(np.full(16, move))[0] for move in range(6)]
        runs.append(np.stack(seen))
    np.testing.assert_array_equal(runs[0], runs[1])
    envs = noughts.adapters.vector_env("3x3", 4)
    envs.reset(seed=1)
    envs.step(np.full(4, 4))
    _, rewards, terminated, _, info = envs.step(np.full(4, 4))
    assert rewards.tolist() == [-1.0] * 4
    assert terminated.all()
    assert info["illegal"].all()


def win_rate(envs, choose) -> float:  # type: ignore[no-untyped-def]
    """The mean reward of the games that end in 40 steps of every environment."""
    seen, _ = envs.reset(seed=11)
    total, ended = 0.0, 0
    for _ in range(40):
        seen, rewards, terminated, _, _ = envs.step(choose(seen, envs.action_masks()))
        total += float(rewards[terminated].sum())
        ended += int(terminated.sum())
    return total / ended


def test_a_policy_gradient_of_thirty_lines_learns_through_the_vector_environment() -> None:
    """REINFORCE with a linear softmax policy over the observation, in plain NumPy."""
    size, rng = 512, np.random.default_rng(0)
    envs = noughts.adapters.vector_env("3x3", size)
    weights = np.zeros((28, 9))

    def features(seen):  # type: ignore[no-untyped-def]
        return np.hstack([seen.reshape(len(seen), -1), np.ones((len(seen), 1))])

    def policy(seen, masks):  # type: ignore[no-untyped-def]
        masks = masks | ~masks.any(axis=1, keepdims=True)  # a game that is over takes any action
        logits = np.where(masks, features(seen) @ weights, -np.inf)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return odds / odds.sum(axis=1, keepdims=True)

    def sample(seen, masks):  # type: ignore[no-untyped-def]
        return (policy(seen, masks).cumsum(axis=1) > rng.random((len(seen), 1))).argmax(axis=1)

    before = win_rate(envs, sample)
    for _ in range(60):
        seen, _ = envs.reset()
        running, steps, score = np.ones(size, bool), [], np.zeros(size)
        while running.any():
            masks = envs.action_masks()
            odds = policy(seen, masks)
            actions = (odds.cumsum(axis=1) > rng.random((size, 1))).argmax(axis=1)
            steps.append((features(seen), odds, actions, running.copy()))
            seen, rewards, terminated, _, _ = envs.step(actions)
            score[running] += rewards[running]
            running &= ~terminated
        advantage = score - score.mean()
        for inputs, odds, actions, active in steps:
            push = np.eye(9)[actions] - odds
            weights += 0.3 / size * inputs.T @ (push * (advantage * active)[:, None])
    after = win_rate(envs, sample)
    assert before < 0.4
    assert after > before + 0.25
