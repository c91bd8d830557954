"""The study of the Ultimate network, and the log of its training that comes with it."""

import json
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.errors import ParseError
from noughts.learn.frame.runs import TrainingLog
from noughts.learn.zero.folded.files import SHIPPED
from noughts.learn.zero.folded.training_record import (
    NAME,
    Chunk,
    Rating,
    TrainingRecord,
    chunks_of,
    read_record,
    save_record,
    shipped_record,
)
from noughts.report import Table
from noughts.studies import study_parameters
from noughts.studies.learning import ultimate_zero as study
from noughts.studies.learning.ultimate_zero_figures import GAP, corner, score_bounds, score_of
from noughts.studies.learning.ultimate_zero_units import (
    VARIANTS,
    first_moves,
    play_variant,
    train_small,
)

DATA = Path(noughts.learn.zero.folded.files.__file__).parents[1] / "data"


@pytest.fixture(scope="module")
def moves() -> list[dict[str, Any]]:
    return first_moves(simulations=300, seed=1)


def columns(table: Table, name: str) -> list[Any]:
    return [row[table.columns.index(name)] for row in table.rows]


def test_the_log_is_that_of_the_network_beside_it() -> None:
    from noughts.learn.frame.safetensors import load_tensors

    metadata, _ = load_tensors(DATA / SHIPPED)
    record = shipped_record()
    assert record.made_by == metadata["made_by"]
    games = [chunk.games for chunk in record.chunks]
    assert games == sorted(set(games))
    assert record.games >= 100_000
    assert all(0 < rating.games <= record.games for rating in record.rated)
    assert record.minutes_at(record.games) == pytest.approx(record.seconds / 60)
    assert len(record.gates) >= 10


def test_a_record_comes_back_from_its_file_and_damage_is_seen(tmp_path: Path) -> None:
    chunk = Chunk(20, 1.5, None, 0.9, 0.4, 0.3, 47.0, 2e5, 0.55, 1.0)
    rating = Rating(20, 0.03, (3, 2, 1), (1, 4, 1))
    record = TrainingRecord("noughts train", [chunk], [rating], {"zero": "zero", "uct": "uct"})
    path = tmp_path / NAME
    save_record(path, record)
    text = path.read_text()
    assert read_record(text, NAME) == record
    for broken in (text[:-20], text.replace('"seconds"', '"second"'), "[]", "7"):
        with pytest.raises(ParseError, match="damaged"):
            read_record(broken, NAME)
    with pytest.raises(ParseError, match="version 1"):
        read_record(text.replace('"version": 1', '"version": 2'), NAME)


def test_a_log_is_cut_where_its_network_was_taken(tmp_path: Path) -> None:
    for games in (4, 8, 12):
        curves = {"policy loss": games / 3, "drawn": 0.5, "is best": 1.0, "else": 7.0}
        log = TrainingLog(tmp_path, "a run")
        log.append(2.0, {"games": games, "curves": curves, "grades": None})
    chunks = chunks_of(TrainingLog(tmp_path, "a run"), 8)
    assert [chunk.games for chunk in chunks] == [4, 8]
    assert chunks[0].policy_loss == 1.33333
    assert chunks[0].score is None
    assert TrainingRecord("", chunks).minutes_at(8) == pytest.approx(4 / 60)


def test_fifteen_first_moves_stand_for_all(moves: list[dict[str, Any]]) -> None:
    assert len(moves) == 15
    assert sorted(cell for row in moves for cell in row["cells"]) == list(range(81))
    assert sum(row["prior"] for row in moves) == pytest.approx(1.0, abs=1e-4)
    for row in moves:
        assert row["reply"] // 9 == row["cells"][0] % 9  # in the mini board that was named
        assert abs(row["network"] - row["search"]) < 0.3
    # The centre of the centre is better for X than the centre of an edge.
    values = {row["cells"][0]: row["search"] for row in moves}
    assert values[40] > values[13]
    assert moves == first_moves(simulations=300, seed=1)


def test_cells_are_drawn_where_they_lie() -> None:
    assert corner(0) == (0, 0)
    assert corner(9 * 1 + 3) == (3 + GAP, 1)
    assert corner(80) == (8 + 2 * GAP, 8 + 2 * GAP)


def test_a_score_counts_draws_by_half() -> None:
    assert score_of((3, 2, 5)) == 0.4
    low, high = score_bounds((3, 2, 5))
    assert 0.0 < low < 0.4 < high < 1.0
    assert score_bounds((10, 0, 0))[1] == 1.0


def test_the_network_beats_uct_at_its_own_game() -> None:
    found = play_variant("ultimate", simulations=60, games=8, seed=1)
    assert sum(found["tally"]) == 8
    assert score_of(found["tally"]) >= 0.75
    assert found == play_variant("ultimate", simulations=60, games=8, seed=1)


def made_up() -> dict[str, Any]:
    stage = {"games": 30, "seconds": 6.0, "tally": [2, 1, 1], "policy_loss": 1.9, "value_loss": 1.0}
    stages = [{"games": 0, "seconds": 0.0, "tally": [1, 1, 2]}, {**stage, "score": 0.6}]
    variants = {
        game: {"tally": [i, 4, 4 - i], "interval": [0, 1]} for i, game in enumerate(VARIANTS)
    }
    return {**variants, "training": {"stages": stages}}


def test_the_report_says_what_was_found(moves: list[dict[str, Any]]) -> None:
    parameters = study_parameters("ultimate-zero", True)
    report = study.make_report(parameters, {"first moves": moves, **made_up()})
    tables = {table.name: table for table in report.tables}
    pace = tables["pace"]
    assert columns(pace, "games per hour")[0] == pytest.approx(700 / 336)
    assert columns(pace, "games per hour")[1] > 1000 * 700 / 336
    assert columns(pace, "games per hour")[2] == pytest.approx(30 * 600)
    best = columns(tables["first-moves"], "search")
    assert best == sorted(best, reverse=True)
    assert columns(tables["variants"], "score") == [2 / 8, 3 / 8, 4 / 8]
    assert columns(tables["training"], "wins - losses") == [None, 20]
    assert columns(tables["log"], "wins - losses")[0] is None
    assert [gate.games for gate in shipped_record().gates] == columns(tables["log"], "games")


def test_without_jax_the_report_says_why(
    moves: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    record = shipped_record()
    bare = TrainingRecord(record.made_by, record.chunks)
    monkeypatch.setattr(study, "shipped_record", lambda: bare)
    results = {"first moves": moves, **made_up(), "training": {"cannot": "Training needs JAX."}}
    report = study.make_report(study_parameters("ultimate-zero", True), results)
    texts = [getattr(block, "text", "") for block in report.blocks]
    assert "Training needs JAX." in texts
    assert any("not been rated" in text for text in texts)
    assert len(report.tables[0].rows) == 2


@pytest.mark.slow
def test_a_small_training_lowers_its_losses() -> None:
    pytest.importorskip("jax")
    found = train_small(games=400, simulations=20, match_games=4, seed=1)
    stages = json.loads(json.dumps(found))["stages"]
    assert [stage["games"] for stage in stages] == [0, 133, 266, 400]
    assert stages[3]["policy_loss"] < stages[2]["policy_loss"]
