"""The frozen set of Ultimate endgames: what it holds is recomputed; the study runs on it."""

import numpy as np
import pytest

from noughts.games.ultimate import UltimatePosition
from noughts.report import Table
from noughts.studies import study, study_parameters
from noughts.studies.players.ultimate_endgames import ask_agent, make_report
from noughts.studies.players.ultimate_endgames_set import (
    FEWEST,
    MOST,
    all_endgames,
    free_cells,
    make_endgame,
    solve_endgame,
)


def minimax(position: UltimatePosition, memory: dict[UltimatePosition, float]) -> float:
    """Every line of play, with positions remembered; shares nothing with the kernels."""
    if position.result is not None:
        return {"X": 1.0, "O": -1.0, "draw": 0.0}[position.result]
    if position not in memory:
        values = [minimax(position.play(move), memory) for move in position.moves]
        memory[position] = max(values) if position.turn == "X" else min(values)
    return memory[position]


def test_the_set_is_large_and_every_position_is_a_decision() -> None:
    found = all_endgames()
    assert len(found) >= 1000
    assert len({endgame.position for endgame in found}) == len(found)
    for endgame in found:
        assert endgame.position.result is None
        assert free_cells(endgame.position) <= MOST
        assert len(set(endgame.values.values())) > 1
        assert tuple(endgame.values) == endgame.position.moves
    assert {endgame.value for endgame in found} == {-1.0, 0.0, 1.0}


def test_a_sample_is_solved_again() -> None:
    rng = np.random.default_rng(2)
    endgames = all_endgames()
    for place in rng.choice(len(endgames), 12, replace=False):
        endgame = endgames[place]
        assert solve_endgame(endgame.position) == endgame.values


def test_small_ones_agree_with_plain_minimax() -> None:
    small = [e for e in all_endgames() if free_cells(e.position) <= FEWEST - 4][:3]
    small += sorted(all_endgames(), key=lambda e: free_cells(e.position))[:3]
    for endgame in small:
        memory: dict[UltimatePosition, float] = {}
        for move, value in endgame.values.items():
            assert minimax(endgame.position.play(move), memory) == value


def test_the_first_game_gives_the_first_position() -> None:
    index = 0
    while (found := make_endgame(1, index)) is None:
        index += 1
    assert found == all_endgames()[0]


def test_the_study_ranks_exact_search_first() -> None:
    parameters = study_parameters("ultimate-endgames", positions=30, time=0.05)
    agents = ("random", "flat:playouts=100", "alphabeta:depth=30")
    results = {
        unit.key: {"cannot": "left out"} for unit in study("ultimate-endgames").units(parameters)
    }
    results |= {agent: ask_agent(agent, 30, 1) for agent in agents[:2]}
    results["alphabeta:depth=6"] = ask_agent(agents[2], 30, 1)
    report = make_report(parameters, results)
    table = report.tables[0]
    assert isinstance(table, Table)
    rows = {row[0]: dict(zip(table.columns, row, strict=True)) for row in table.rows}
    assert rows["alphabeta:depth=6"]["regret"] == 0.0
    assert rows["alphabeta:depth=6"]["results right"] == 1.0
    assert rows["random"]["regret"] > rows["flat:playouts=100"]["regret"]
    assert rows["random"]["results right"] is None


def test_regret_is_for_the_player_on_turn() -> None:
    endgame = next(e for e in all_endgames() if e.position.turn == "O")
    worst = max(endgame.values, key=lambda move: endgame.values[move])
    assert endgame.regret(worst) == max(endgame.values.values()) - endgame.value > 0.0
    assert min(endgame.regret(move) for move in endgame.values) == pytest.approx(0.0)
