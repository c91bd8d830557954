"""The studies of agents and openings, in their quick versions: what they claim is so."""

from pathlib import Path

import pytest
from quick_studies import ARENA, QuickRuns, check_files, check_nothing_again, table

import noughts
from noughts import ParseError
from noughts.arena.tables import RESULT_COLUMNS
from noughts.report import Answer
from noughts.report.charts import short_value
from noughts.studies import study, study_parameters
from noughts.studies.openings.atlas_figures import ramp_place
from noughts.studies.openings.opening_atlas import classes_of
from noughts.studies.players.four_algorithms.measures import running_positions
from noughts.studies.players.tactics import Trial, ask_agent, whole_suite


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> QuickRuns:
    return QuickRuns(tmp_path_factory.mktemp("runs"))


@pytest.mark.parametrize("name", ARENA)
def test_files_exist_and_parse(name: str, runs: QuickRuns) -> None:
    check_files(name, runs)


@pytest.mark.parametrize("name", ARENA)
def test_a_finished_run_works_on_nothing_again(
    name: str, runs: QuickRuns, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_nothing_again(name, runs, monkeypatch)


def test_the_published_pairings_are_repeated_under_their_headers(
    runs: QuickRuns,
) -> None:
    tables = {found.name: found for found in runs["four-algorithms"][1].tables}
    for name in ("published", "repeated"):
        assert tuple(tables[name].columns) == RESULT_COLUMNS
    counts = [sum(row[2:5]) for row in tables["repeated"].rows]
    assert counts == [1, 1, 30, 1, 30, 200]
    assert [sum(row[2:5]) for row in tables["published"].rows] == counts


def test_exact_players_draw_and_never_lose_to_tree_search(runs: QuickRuns) -> None:
    rows = {
        (row["Algorithm1"], row["Algorithm2"]): row
        for row in table(runs["four-algorithms"][1], "repeated")
    }
    assert rows["minimax", "alpha-beta"]["Tie"] == 1
    assert rows["minimax", "MCTS"]["Algorithm2_Wins"] == 0
    assert rows["MCTS", "alpha-beta"]["Algorithm1_Wins"] == 0
    robin = table(runs["four-algorithms"][1], "results")
    for row in robin:
        if row["Algorithm1"] in ("minimax", "alphabeta"):
            assert row["Algorithm2_Wins"] == 0


def test_alphabeta_looks_at_a_twentieth_of_what_minimax_does(runs: QuickRuns) -> None:
    """And is so much quicker, which a test cannot say: its machine has other things to do."""
    rows = {
        (row["agent"], row["board"]): row for row in table(runs["four-algorithms"][1], "scaling")
    }
    minimax, alphabeta = rows["minimax", "3x3"], rows["alphabeta", "3x3"]
    assert minimax["positions or simulations"] == 549_945
    assert 20 * alphabeta["positions or simulations"] <= 549_945
    assert minimax["seconds"] > 0 < alphabeta["seconds"]
    assert rows["minimax", "4x4"]["seconds"] is None
    assert "2e+13" in rows["minimax", "4x4"]["cannot"]


def test_what_does_not_come_out_is_said(runs: QuickRuns) -> None:
    """Claims that hold and claims that do not are both in the table, and the answer counts them."""
    report = runs["four-algorithms"][1]
    holds = {row["statement"]: row["holds"] for row in table(report, "claims")}
    assert holds["minimax and alpha-beta draw"]
    assert not holds["the evaluation beats MCTS"]
    assert report.answers[0].startswith(f"**{sum(holds.values())} of the {len(holds)}**")
    assert "published: 197/3/0" in report.answers[0]


def test_accuracy(runs: QuickRuns) -> None:
    assert len(running_positions()) == 4520  # 5,478 reachable, of which 958 are over
    rows = {row["agent"]: row for row in table(runs["four-algorithms"][1], "accuracy")}
    for agent in ("minimax", "alphabeta", "optimal"):
        assert rows[agent]["accuracy"] == 1.0
        assert rows[agent]["value lost per move"] == 0.0
    assert 0.4 < rows["random"]["accuracy"] < 0.8
    assert rows["heuristic"]["accuracy"] < 1.0


def test_alphabeta_branches_less_than_minimax(runs: QuickRuns) -> None:
    counted = {row["agent"]: row for row in table(runs["four-algorithms"][1], "depths")}
    assert counted["minimax"]["depth 2"] == 25 + 25 * 24
    assert counted["alphabeta"]["depth 4"] < counted["minimax"]["depth 4"] / 50


def test_games_of_four_algorithms_repeat_from_their_seed(tmp_path: Path) -> None:
    units = study("four-algorithms").units(study_parameters("four-algorithms", games=2))
    mcts = next(u for u in units if "uct" in str(u.arguments.get("players", "")))
    first, again = mcts.work(**mcts.arguments), mcts.work(**mcts.arguments)
    assert first["moves"] == again["moves"]
    assert first["check"] == again["check"]


def test_flat_and_uct_solve_the_stated_tactics(runs: QuickRuns) -> None:
    rows = {(row["agent"], row["kind"]): row for row in table(runs["tactics"][1], "kinds")}
    for agent in ("flat:playouts=900", "uct:simulations=10000"):
        for kind in ("win", "block", "fork", "avoid"):
            assert rows[agent, kind]["solved"] == rows[agent, kind]["positions"] > 0
    assert rows["minimax:depth=4", "risk"]["positions"] == 0  # it knows no risk
    for row in rows.values():
        if row["positions"]:
            assert row["95% low"] <= row["share"] <= row["95% high"]
    random = {row["agent"]: row for row in table(runs["tactics"][1], "agents")}["random"]
    assert random["share"] < 0.5


def test_a_position_is_solved_only_if_it_always_is() -> None:
    entry = {"game": "3x3", "kind": "win", "position": "", "best": [4]}
    assert Trial("random", entry, [4, 4, 4]).is_solved
    assert not Trial("random", entry, [4, 4, 2]).is_solved
    assert Trial("random", entry, [4, 2]).hits == 0.5


def test_agents_are_asked_again_alike_and_say_what_they_cannot_play() -> None:
    asked = [ask_agent("random", "3x3", each=2, repeats=3, seed=s)["chosen"] for s in (1, 1, 2)]
    assert asked[0] == asked[1] != asked[2]
    assert all(len(moves) == 3 for moves in asked[0])
    assert "ultimate" in ask_agent("minimax", "ultimate", each=1, repeats=1, seed=1)["cannot"]


def test_the_suite_is_read_from_the_package() -> None:
    suite = whole_suite()
    assert len(suite) > 100
    for entry in suite[::20]:
        position = noughts.game(entry["game"]).parse(entry["position"])
        assert set(entry["best"]) < set(position.moves)


def test_opening_atlas_values(runs: QuickRuns) -> None:
    report = runs["opening-atlas"][1]
    games = {row["game"]: row for row in table(report, "games")}
    answer = next(block.text for block in report.blocks if isinstance(block, Answer))
    assert "Among these games of chance, where values are means" in answer
    assert max(row["worst costs"] for row in games.values()) == 2.0
    assert "the largest of all is 2.0, in `3x4`, `3x3x3`" in answer
    assert games["3x3x3"]["best first cells"] == "13"
    assert (games["3x3x3"]["value"], games["3x3x3"]["by"]) == (1.0, "proof")
    assert (games["3x3:misere"]["value"], games["3x3:misere"]["best first cells"]) == (0.0, "4")
    assert games["3x3:flip=0.5"]["value"] == pytest.approx(3 / 256, abs=1e-12)
    assert games["3x3:flip=0.5"]["best first cells"] == "all"
    moves = {(row["game"], row["cell"]): row for row in table(report, "first-moves")}
    # A world in which every mark flips is the misère game.
    for cell in (0, 1, 4):
        assert moves["3x3:flip=1", cell]["value"] == moves["3x3:misere", cell]["value"]
    solution = noughts.solve("3x4:flip=0.25")
    values = solution.values(solution.game.start())
    found = [row for (game, _), row in moves.items() if game == "3x4:flip=0.25"]
    assert sum(row["cells alike"] for row in found) == 12
    for row in found:
        assert row["value"] == pytest.approx(values[row["cell"]], abs=1e-12)


@pytest.mark.parametrize(
    ("game", "classes"), [("3x3", 3), ("3x4", 4), ("4x4", 2), ("3x3x3", 4), ("4x4:k=3", 3)]
)
def test_classes_of_first_moves(game: str, classes: int) -> None:
    found = classes_of(noughts.game(game))
    assert len(found) == classes
    assert sorted(cell for cells in found for cell in cells) == list(
        range(noughts.game(game).cells)
    )


def test_atlas_refuses_boards_with_risk() -> None:
    with pytest.raises(ParseError, match="without risk"):
        study_parameters("opening-atlas", boards="3x3:flip=0.1")


def test_values_on_the_ramp() -> None:
    assert [ramp_place(value) for value in (-1, -0.25, 0, 1)] == [-1, -0.5, 0, 1]
    shown = [short_value(value) for value in (0.0, 1.0, -1.0, 0.0657, -0.164, 0.002, 1e-9)]
    assert shown == ["0", "+1", "-1", "+.07", "-.16", "+.002", "≈0"]
