"""The player who sometimes gives in: between the optimal and the random one."""

import numpy as np
import pytest

import noughts

BLUNDER = "XX./OO./... X to move"  # only cell 2 wins


@pytest.mark.parametrize(
    ("errs", "least", "most"), [(0, 1.0, 1.0), (0.5, 0.5, 0.75), (1, 0.1, 0.35)]
)
def test_it_errs_as_often_as_it_is_told(errs: float, least: float, most: float) -> None:
    position = noughts.game("3x3").parse(BLUNDER)
    agent = noughts.agent(f"fallible:errs={errs}")
    rng = np.random.default_rng(1)
    best = np.mean([agent.choose(position, rng) == 2 for _ in range(300)])
    assert least <= best <= most
    assert not agent.is_deterministic


def test_it_refuses_what_cannot_be_solved() -> None:
    with pytest.raises(noughts.NoughtsError):
        noughts.agent("fallible").check_game(noughts.game("15x15:k=5"))
