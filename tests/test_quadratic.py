"""Quadratic learners: the form, its gradient, kernels against plain Python, and what they learn."""

from typing import Any

import numpy as np
import pytest

import noughts
from noughts.errors import NoughtsError, ParseError
from noughts.learn.frame.features import Encoder
from noughts.learn.quadratic.learner import QQuadratic, QuadraticLearner, TdQuadratic
from noughts.learn.quadratic.plain import Quadratic
from noughts.learn.quadratic.terms import make_terms

RISKY = "3x3:flip=0.2,fizzle=0.1,fade=0.05"
CLOCK = "3x3:hazard=0.3,limit=4,ticks=3"
LEARNERS: list[tuple[type[QuadraticLearner], dict[str, Any]]] = [
    (TdQuadratic, {}),
    (TdQuadratic, {"features": "cells", "step": "scaled", "rate": 0.1, "symmetric": "yes"}),
    (TdQuadratic, {"preset": "tuned", "epsilon": 0.5}),
    (QQuadratic, {}),
    (QQuadratic, {"preset": "tuned", "epsilon": 0.5}),
]


def begun(
    learner: type[QuadraticLearner], options: dict[str, Any], game: str, opponent: str = "self"
) -> QuadraticLearner:
    made = learner(**options)
    made.begin(noughts.game(game), opponent, seed=3)
    return made


def some_positions(spec: str, many: int) -> list[noughts.Position]:
    game, rng = noughts.game(spec), np.random.default_rng(4)
    found: list[noughts.Position] = []
    while len(found) < many:
        position = game.start()
        while position.result is None:
            found.append(position)
            _, position = position.sample(int(rng.choice(position.moves)), rng)
    return found[:many]


def random_function(spec: str, kind: str, rows: int = 1, is_symmetric: bool = True) -> Quadratic:
    encoder = Encoder(noughts.game(spec), kind)
    terms, size = make_terms(encoder, rows, is_symmetric)
    rng = np.random.default_rng(5)
    weights = rng.normal(size=size)
    if not is_symmetric:  # M begins symmetric and stays so
        product = terms.product[0]
        weights[product] = (weights[product] + weights[product].T) / 2
    return Quadratic(encoder, terms, weights)


def test_r1_has_one_constant_n_inputs_and_n_squared_products() -> None:
    learner = begun(TdQuadratic, {}, "3x3x3")
    assert learner.function.weights.size == 1 + 28 + 28**2
    x = learner.function.encoder.encode(noughts.game("3x3x3").start().play(13))
    assert x[13] == 3
    assert set(x[:13]) == {2}
    assert x[27] == -1
    course = learner.course
    assert (course.rate, course.epsilon, course.epsilon_decay, course.epsilon_floor) == (
        1e-5, 1.0, 0.9998, 0.1,
    )  # fmt: skip
    assert course.samples
    assert not course.backs_up_best
    assert not course.scales


@pytest.mark.parametrize("kind", ["raw", "cells", "lines"])
@pytest.mark.parametrize("spec", ["3x3", CLOCK, "ultimate"])
def test_the_value_is_the_quadratic_form(spec: str, kind: str) -> None:
    function = random_function(spec, kind)
    terms, weights = function.terms, function.weights
    for position in some_positions(spec, 6):
        x = function.encoder.encode(position)
        form = weights[terms.constant[0]] + weights[terms.linear[0]] @ x
        form += x @ weights[terms.product[0]] @ x
        assert function.value(position) == pytest.approx(function.encoder.sign(position) * form)


@pytest.mark.parametrize("scales", [False, True])
@pytest.mark.parametrize("kind", ["raw", "lines"])
def test_a_step_follows_the_gradient(kind: str, scales: bool) -> None:
    """weights += rate · error · ∂v/∂weights, by central differences of v."""
    function = random_function("3x3", kind)
    position = some_positions("3x3", 12)[-1]
    before, small = function.weights.copy(), 1e-4
    gradient = np.empty_like(before)
    for k in range(before.size):
        around = []
        for step in (small, -small):
            function.weights[k] = before[k] + step
            around.append(function.value(position))
        function.weights[k] = before[k]
        gradient[k] = (around[0] - around[1]) / (2 * small)
    learner = begun(TdQuadratic, {"rate": 0.01}, "3x3")
    course = learner.course._replace(scales=scales)
    error = 1.0 - function.value(position)
    function.step(position, 0, 1.0, course, 0)
    factor = 0.01 / (gradient @ gradient) if scales else 0.01
    moved = function.weights - before
    np.testing.assert_allclose(moved, factor * error * gradient, rtol=1e-5, atol=1e-9)
    if scales:  # the share `rate` of the error is gone
        assert 1.0 - function.value(position) == pytest.approx(0.99 * error)


@pytest.mark.parametrize("spec", ["3x3", RISKY, CLOCK, "3x3:misere", "4x3:k=3"])
@pytest.mark.parametrize(("learner", "options"), LEARNERS)
@pytest.mark.parametrize("opponent", ["self", "random"])
def test_kernels_learn_as_plain_python(
    learner: type[QuadraticLearner], options: dict[str, Any], spec: str, opponent: str
) -> None:
    options = {**options, "epsilon_decay": 0.7}
    fast = begun(learner, options, spec, opponent)
    slow = begun(learner, options, spec, opponent)
    fast.learn(6)
    tally = np.zeros(6)
    slow.learn_plainly(6, tally)
    assert (fast.rng == slow.rng).all()
    assert np.abs(fast.function.weights).max() > 0
    np.testing.assert_allclose(fast.function.weights, slow.function.weights, atol=1e-10)


@pytest.mark.parametrize("kind", ["raw", "cells", "lines"])
@pytest.mark.parametrize("spec", ["3x3", "3x3x3", "ultimate"])
def test_shared_weights_see_no_orientation(spec: str, kind: str) -> None:
    function = random_function(spec, kind)
    alone = random_function(spec, kind, is_symmetric=False)
    for position in some_positions(spec, 5)[1:]:
        values = [
            [f.value(position.permuted(p)) for p in position.game.symmetries()]
            for f in (function, alone)
        ]
        assert np.ptp(values[0]) < 1e-9
        assert np.ptp(values[1]) > 1e-3


def test_moves_share_weights_with_their_images() -> None:
    function = random_function("3x3", "lines", rows=9)
    position = noughts.game("3x3").start().play(1).play(0)
    values = function.values(position, position.moves)
    for p in position.game.symmetries():
        image = position.permuted(p)
        turned = function.values(image, image.moves)
        assert {p[m]: v for m, v in values.items()} == pytest.approx(turned)


@pytest.mark.parametrize("spec", ["3x3", RISKY, "ultimate"])
def test_eyes_of_the_player_on_turn_know_no_seat(spec: str) -> None:
    """The same board with marks and turn exchanged has the opposite value."""
    function = random_function(spec, "lines")
    for position in some_positions(spec, 8):
        data = position.to_dict()
        swap = str.maketrans("XO", "OX")
        for key in ("board", "turn", "owners"):
            if key in data:
                data[key] = data[key].translate(swap)
        mirror = position.game.position_from_dict(data)
        assert function.value(mirror) == pytest.approx(-function.value(position))


@pytest.mark.parametrize("opponent", ["self", "random", "flat:playouts=5"])
@pytest.mark.parametrize(("learner", "options"), LEARNERS[1:4])
def test_a_restored_learner_goes_on_bit_by_bit(
    learner: type[QuadraticLearner], options: dict[str, Any], opponent: str
) -> None:
    game = noughts.game("3x3:flip=0.1")
    whole, first, second = learner(**options), learner(**options), learner(**options)
    whole.begin(game, opponent, seed=7)
    whole.learn(6)
    whole.learn(6)
    first.begin(game, opponent, seed=7)
    first.learn(6)
    kept = first.arrays()
    first.learn(3)  # what was handed out stays as it was
    second.restore(game, opponent, kept)
    second.learn(6)
    for key, array in whole.arrays().items():
        assert (array == second.arrays()[key]).all(), key


def test_another_seed_is_another_run() -> None:
    runs = []
    for seed in (1, 2):
        learner = TdQuadratic()
        learner.begin(noughts.game("3x3"), "self", seed)
        learner.learn(5)
        runs.append(learner.function.weights.copy())
    assert (runs[0] != runs[1]).any()


@pytest.mark.parametrize(("learner", "options"), LEARNERS)
@pytest.mark.parametrize("spec", ["ultimate", "ultimate:won=open,flip=0.1"])
def test_ultimate_is_learned_through_positions(
    learner: type[QuadraticLearner], options: dict[str, Any], spec: str
) -> None:
    if learner is QQuadratic and options:
        options = {"features": "cells"}
    made = begun(learner, options, spec)
    told = made.learn(1)
    assert told["x"] + told["o"] + told["draw"] == 1
    player = made.player()
    position = made.game.start().play(40)
    assert player.choose(position, np.random.default_rng(1)) in position.moves


@pytest.mark.parametrize("seat", ["x", "o"])
def test_a_learner_keeps_its_seat(seat: str) -> None:
    """The first random mover loses to a heuristic player, whichever seat the learner has."""
    options = {"seat": seat, "epsilon": 1.0, "epsilon_decay": 1.0}
    made = begun(TdQuadratic, options, "3x3", "heuristic:depth=4")
    told = made.learn(8)
    lost = "o" if seat == "x" else "x"
    assert told[lost] >= 0.75
    assert told[seat] == 0


@pytest.mark.parametrize("spec", ["3x3", "3x3:flip=0.1"])
@pytest.mark.parametrize("learner", [TdQuadratic, QQuadratic])
def test_choices_in_bulk_are_those_one_by_one(learner: type[QuadraticLearner], spec: str) -> None:
    made = begun(learner, {"preset": "tuned"}, spec)
    made.learn(50)
    player: Any = made.player()
    rng = np.random.default_rng(0)
    for position in some_positions(spec, 30):
        own = position.turn
        digits = [0 if c == "." else 1 if c == own else 2 for c in position.board]
        number = sum(d * 3**i for i, d in enumerate(digits))
        (bulk,) = player.choices(np.array([number]), own)
        values = player.values(position)
        sign = 1 if own == "X" else -1
        assert bulk == player.choose(position, rng)
        assert sign * values[int(bulk)] == pytest.approx(max(sign * v for v in values.values()))


def test_values_weigh_all_landings() -> None:
    made = begun(TdQuadratic, {"preset": "tuned"}, RISKY)
    made.learn(50)
    player: Any = made.player()
    for position in some_positions(RISKY, 20):
        by_hand = {m: made.function.ahead(position, m, None) for m in position.moves}
        assert player._values(position, None) == pytest.approx(by_hand)
    assert player.is_deterministic
    sampling = begun(TdQuadratic, {}, RISKY).player()
    assert not sampling.is_deterministic


def test_the_tuned_learner_hardly_ever_loses_value_on_3x3() -> None:
    learner = begun(TdQuadratic, {"preset": "tuned"}, "3x3:flip=0.1")
    learner.learn(4000)
    solution = noughts.solve("3x3:flip=0.1")
    player, rng, lost = learner.player(), np.random.default_rng(1), []
    for position in some_positions("3x3:flip=0.1", 400):
        values, sign = solution.values(position), 1 if position.turn == "X" else -1
        best = max(sign * v for v in values.values())
        lost.append(best - sign * values[player.choose(position, rng)])
    assert np.mean(lost) < 0.02


def test_wrong_input_is_told_in_a_sentence() -> None:
    with pytest.raises(ParseError, match="features=words is not known"):
        TdQuadratic(features="words")
    with pytest.raises(NoughtsError, match="at most"):
        TdQuadratic(features="lines").check_game(noughts.game("15x15:k=5"))
    learner = TdQuadratic()
    learner.begin(noughts.game("3x3"), "self", 1)
    with pytest.raises(NoughtsError, match="cannot play"):
        learner.player().choose(noughts.game("4x4").start(), np.random.default_rng(0))
    loud = TdQuadratic(rate=1.0)
    loud.begin(noughts.game("3x3"), "self", 1)
    with pytest.raises(NoughtsError, match="lower rate"):
        loud.learn(200)
