"""What the studies of learning claim, on runs of seconds."""

import pytest
from quick_studies import LEARNING, QuickRuns, check_files, check_nothing_again

from noughts.studies import study, study_parameters
from noughts.studies.learning.cube_learning import _outcome, judge_learner
from noughts.studies.learning.cube_learning import milestones as cube_milestones
from noughts.studies.learning.learning_from_you import teach
from noughts.studies.learning.learning_race import LEARNERS, milestones, race


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> QuickRuns:
    return QuickRuns(tmp_path_factory.mktemp("runs"))


@pytest.mark.parametrize("name", LEARNING)
def test_files_exist_and_parse(name: str, runs: QuickRuns) -> None:
    check_files(name, runs)


@pytest.mark.parametrize("name", LEARNING)
def test_a_finished_run_works_on_nothing_again(
    name: str, runs: QuickRuns, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_nothing_again(name, runs, monkeypatch)


def test_the_published_step_is_spent_after_a_hundred_games() -> None:
    """The curves of the table of R3 are flat from there on; a constant step goes on learning."""
    words = {"first": "random", "second": "optimal:ties=uniform", "games": 300, "seat": "o"}
    published = teach("table:r3,seat=o", **words, seed=1)
    assert [point["games"] for point in published] == list(range(30, 301, 30))
    regrets = [point["regret"] for point in published]
    assert regrets[0] != regrets[3]
    assert len(set(regrets[3:])) == 1
    constant = teach("table:r3,step=0.1,shrink=0,seat=o", **words, seed=1)
    assert len({point["regret"] for point in constant[3:]}) > 1


def test_whoever_never_errs_never_loses_to_the_table() -> None:
    words = {"first": "optimal:ties=uniform", "second": "optimal:ties=uniform", "seat": "x"}
    for point in teach("table:r3,seat=x", **words, games=60, seed=1):
        assert point["with the person"][0] == 0.0
        assert point["optimal"][0] == 0.0


def test_the_race_is_exact_and_can_be_run_again() -> None:
    assert milestones(600) == [125, 250, 500, 600]
    words = ("3x3:flip=stochastic", LEARNERS["td-table"], 2000, 1)
    curves = [race(*words) for _ in range(2)]
    timeless = [[{**point, "seconds": 0} for point in curve] for curve in curves]
    assert timeless[0] == timeless[1]
    assert timeless[0][-1]["regret_mean"] < timeless[0][0]["regret_mean"]
    seconds = [point["seconds"] for point in curves[0]]
    assert seconds == sorted(seconds)


def test_the_tuned_cube_learner_opens_in_the_centre() -> None:
    found = judge_learner("3x3x3", "td-quadratic:preset=tuned", 1500, 20, 1)
    assert found["first"] == 13
    assert found["x"] == [20, 0, 0]
    assert sum(found["o"]) == 20
    seen, taken = found["chances"]
    assert taken > 0.9 * seen > 0


def test_the_cube_report_does_not_boast() -> None:
    won, even, lost = ([3, 0, 1], [2, 0, 2]), ([1, 0, 3], [3, 0, 1]), ([2, 0, 2], [0, 0, 4])
    verbs = [_outcome(dict(zip("xo", seats, strict=True))) for seats in (won, even, lost)]
    assert verbs == ["beats", "ties with", "loses to"]
    assert cube_milestones(1000)[-1] == 1000
    names = [unit.key for unit in study("cube-learning").units(study_parameters("cube-learning"))]
    assert "random: long" in names
    assert "risk-free: Q quadratic" in names
