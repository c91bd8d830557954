"""`noughts solve` and `noughts odds`: what they print, what they write, and what they refuse."""

import csv
import json
import os
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.cli import main


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


def test_solve_says_everything_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    facts = run_json(capsys, "solve", "3x3:flip=stochastic")
    assert facts["game"] == "3x3:flip=stochastic"
    assert facts["value"] == pytest.approx(2991541 / 25000000, abs=1e-15)
    solution = noughts.solve("3x3:flip=stochastic")
    start = solution.game.start()
    assert facts["best"] == list(solution.best_moves(start))
    assert {int(move): value for move, value in facts["values"].items()} == solution.values(start)
    assert (facts["method"], facts["bound"]) == ("sweep", 0.0)
    assert (facts["running_boards"], facts["states"]) == (11_093, 2 * 3**9)
    assert facts["seconds"] > 0.0
    assert "sweeps" not in facts


def test_solve_prints_for_the_eye(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "3x3:flip=quarter", "--threads", "1"]) == 0
    printed = capsys.readouterr()
    assert "3x3:flip=0.25: +0.0657653808594 for X" in printed.out
    assert "11,093 running boards, 39,366 states" in printed.out
    assert "states/s) by sweep" in printed.out
    solution = noughts.solve("3x3:flip=quarter")
    best = solution.best_moves(solution.game.start())
    assert f"best: {', '.join(map(str, best))}\n" in printed.out
    assert printed.out.count("+0.0658*") == len(best) < 9
    assert printed.err == ""


def test_the_memory_of_a_large_solve_is_told_before_it_starts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noughts.commands.exact.solve.WORTH_SAYING", 0)
    assert main(["solve", "3x3:flip=quarter"]) == 0
    told = capsys.readouterr().err
    assert told.startswith("3x3:flip=0.25 needs 0.2 MB, ")
    assert told.endswith(" are free.\n")


def test_solve_prints_the_log_of_sweeps(capsys: pytest.CaptureFixture[str]) -> None:
    facts = run_json(capsys, "solve", "3x3:flip=stochastic", "--method", "value-iteration")
    log = facts["sweeps"]
    assert [row["max_difference"] for row in log][:2] == pytest.approx([0.95, 0.9], abs=1e-12)
    assert log[8]["mean_difference"] == pytest.approx(2.434657982511494e-05, abs=1e-12)
    assert len(log) == 10
    assert log[0]["position"].startswith("noughts.game('3x3:flip=stochastic').parse(")
    assert main(["solve", "3x3:flip=stochastic", "--method", "value-iteration"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["sweep", "max", "difference", "mean", "difference", "where"]
    assert lines[9].split()[:3] == ["9", "0.27007661", "2.43465798e-05"]


def test_solve_of_a_fading_game_names_its_bound(capsys: pytest.CaptureFixture[str]) -> None:
    facts = run_json(capsys, "solve", "2x2:fade=0.1", "--tolerance", "1e-4")
    assert facts["method"] == "interval-iteration"
    assert 0.0 < facts["bound"] <= 1e-4
    assert main(["solve", "2x2:fade=0.1", "--tolerance", "1e-4"]) == 0
    assert " ± " in capsys.readouterr().out


def test_solve_with_a_clock_says_what_ticks_cost(capsys: pytest.CaptureFixture[str]) -> None:
    facts = run_json(capsys, "solve", "2x3:k=3,hazard=1,limit=2,ticks=4")
    finer = noughts.solve("2x3:k=3,hazard=1,limit=2,ticks=8")
    change = finer.value(finer.game.start()) - facts["value"]
    assert facts["change_with_twice_the_ticks"] == pytest.approx(change, abs=1e-15)
    assert main(["solve", "2x3:k=3,hazard=1,limit=2,ticks=4"]) == 0
    printed = capsys.readouterr().out
    assert "with twice the ticks:" in printed
    assert "best: " in printed
    assert " after " not in printed  # whoever waits here loses by it, so no best move does


def test_solve_saves_and_dumps(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    saved, dumped = tmp_path / "solution.noughts", tmp_path / "states.csv"
    facts = run_json(capsys, "solve", "3x3:flip=blind", "--save", str(saved), "--dump", str(dumped))
    solution = noughts.Solution.load(saved)
    assert solution.value(solution.game.start()) == facts["value"] == 3 / 256
    with dumped.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 22_186
    assert list(rows[0]) == ["board", "turn", "value", "move"]
    assert rows[0]["board"] == "." * 9
    assert float(rows[0]["value"]) == 3 / 256
    assert {entry.name for entry in tmp_path.iterdir()} == {"solution.noughts", "states.csv"}


def test_odds_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    facts = run_json(capsys, "odds", "3x3", "--x", "random", "--o", "random")
    assert facts["x"] == pytest.approx(737 / 1260, abs=1e-14)
    assert facts["draw"] == pytest.approx(8 / 63, abs=1e-14)
    assert facts["value"] == facts["x"] - facts["o"]
    assert (facts["x_player"], facts["o_player"]) == ("random", "random")


def test_odds_with_a_simulation_beside_them(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["odds", "3x3:flip=0.1", "--o", "random", "--simulate", "5000", "--seed", "3"]
    facts = run_json(capsys, *words)
    played = noughts.simulate("3x3:flip=0.1", "optimal", "random", 5000, seed=3)
    assert facts["simulation"] == {"x": played.x, "draw": played.draw, "o": played.o}
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("3x3:flip=0.1: X optimal, O random\n")
    assert "of 5,000 games (95%:" in printed
    assert f"X wins  {facts['x']:.12f}" in printed


def test_odds_of_a_best_response(capsys: pytest.CaptureFixture[str]) -> None:
    weights = "fixed:weights=1/2/1/2/3/2/1/2/1"
    facts = run_json(capsys, "odds", "3x3:flip=0.1", "--x", weights, "--best-response", "O")
    reply = noughts.best_response("3x3:flip=0.1", weights, "O")
    assert (facts["x"], facts["draw"], facts["o"]) == (
        reply.odds.x, reply.odds.draw, reply.odds.o,
    )  # fmt: skip
    assert facts["o_player"] == f"best response to {weights}"


def test_odds_with_ties_and_a_classic_player(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["odds", "3x3:flip=quarter", "--x", "optimal:of=3x3", "--ties", "uniform"]
    facts = run_json(capsys, *words)
    odds = noughts.odds("3x3:flip=quarter", "optimal:of=3x3", "optimal", "uniform")
    assert (facts["x"], facts["draw"], facts["o"]) == (odds.x, odds.draw, odds.o)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["solve", "5x5"], "5x5 has 25 cells"),
        (["solve", "ultimate"], "ultimate is not a line game"),
        (["solve", "3x3:flip=2"], "flip=2 is not a number from 0 to 1"),
        (["solve", "3x3:fade=0.1", "--method", "sweep"], "Marks fade"),
        (["solve", "3x3", "--method", "gauss-seidel", "--dtype", "float32"], "float64 only"),
        (["solve", "3x3", "--dump", "states.pdf"], "its ending must be .csv, .parquet, .txt"),
        (["solve", "2x2:fizzle=0.1,hazard=1,turn_limit=1"], "never stops; add limit=T"),
        (["odds", "3x3", "--x", "nobody"], "'nobody' is not an agent"),
        (["odds", "3x3", "--x", "fixed:weights=1/2"], "weights has 2 values"),
        (["odds", "3x3", "--x", "optimal:of=4x4"], "have different boards"),
        (["match", "3x3", "optimal:of=4x4", "random"], "have different boards"),
        (["match", "2x3:players=3", "zero", "random", "random"], "zero is for two players"),
        (["odds", "2x3:players=3", "--x", ""], "has no name"),
        (["solve", "3x3", "--save", "/"], "cannot be written"),
        (["solve", "3x3", "--save", os.devnull], "cannot be written"),
        (["odds", "6x6"], "6x6 has 36 cells"),
        (["odds", "4x3", "--x", "minimax"], "asked about every board"),
    ],
)
def test_bad_input_is_one_sentence(
    capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert words in printed.err
    assert printed.err.startswith("noughts: ")
    assert printed.err.rstrip().endswith(".")
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve"],
        ["solve", "3x3", "--method", "newton"],
        ["solve", "3x3", "--dtype", "int8"],
        ["solve", "3x3", "--threads", "0"],
        ["solve", "3x3", "--tolerance", "small"],
        ["odds", "3x3", "--simulate", "0"],
        ["odds", "3x3", "--seed", "-1"],
        ["odds", "3x3", "--best-response", "Z"],
        ["odds", "3x3", "--ties", "highest"],
    ],
)
def test_bad_words_are_told_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    printed = capsys.readouterr().err
    assert printed.startswith(f"noughts {arguments[0]}: ")
    assert printed.count("\n") == 1


def test_a_misspelt_command_is_asked_about(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["pley", "3x3"])
    assert stop.value.code == 2
    printed = capsys.readouterr().err
    assert printed.startswith("noughts: COMMAND is one of games, agents, play, ")
    assert "not 'pley' (did you mean 'play'?). 'noughts --help' explains." in printed


def test_a_refusal_for_lack_of_memory(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from noughts.solve import limits

    monkeypatch.setattr(limits, "free_memory", lambda: 10**9)
    assert main(["solve", "5x4:flip=0.1"]) == 2
    printed = capsys.readouterr().err
    assert "needs 13.9 GB, 1.0 GB are free" in printed.splitlines()[-1]


def test_a_tolerance_out_of_range(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "3x3", "--tolerance", "2"]) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == "noughts: tolerance=2.0 is not a number from 0 to below 1."


def test_interrupting_is_no_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Control-C while the table is written: exit code 130, and no file."""
    from noughts.solve import solution

    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(solution, "save_arrays", interrupted)
    assert main(["solve", "2x2", "--save", str(tmp_path / "never")]) == 130
    assert capsys.readouterr().err.endswith("noughts: stopped.\n")
    assert list(tmp_path.iterdir()) == []
