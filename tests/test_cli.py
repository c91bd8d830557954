"""The command line: instant help, one sentence for bad input, and what each command prints."""

import json
import os
import subprocess
import sys

import pytest

from noughts.cli import main

BAD_SPECS = {
    "3x": "'3x' is not a game",
    "3x3:k=9": "k=9",
    "3x3:flip=1.5": "flip=1.5",
    "3x3:flip=0.1/0.2": "2 values, but the board has 9 cells",
    "21x21": "Side 21",
    "ultimate:won=maybe": "won=maybe",
}


@pytest.mark.parametrize(("spec", "named"), BAD_SPECS.items())
@pytest.mark.parametrize("command", [["perft", "SPEC", "1"], ["solve", "SPEC"], ["games", "SPEC"]])
def test_bad_spec_is_one_sentence_and_exit_code_2(capsys, spec, named, command):
    code = main([word.replace("SPEC", spec) for word in command])
    printed = capsys.readouterr()
    assert code == 2
    assert printed.out == ""
    assert named in printed.err
    assert printed.err.startswith("noughts: ")
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [[], ["fly"], ["perft", "3x3"], ["perft", "3x3", "-1"], ["perft", "3x3", "deep"]],
)
def test_bad_words_exit_with_code_2(capsys, arguments):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


def test_help_imports_neither_numba_nor_numpy():
    code = (
        "import sys\n"
        "from noughts.cli import main\n"
        "try:\n"
        "    main(['--help'])\n"
        "except SystemExit:\n"
        "    print(sorted({'numba', 'numpy', 'matplotlib'} & set(sys.modules)))\n"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ
    ).stdout
    assert printed.splitlines()[-1] == "[]"


def test_every_command_has_help(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    listed = capsys.readouterr().out
    for command in ("games", "agents", "play", "solve", "odds", "study", "perft", "bench"):
        assert f"\n    {command} " in listed
        with pytest.raises(SystemExit) as stop:
            main([command, "--help"])
        assert stop.value.code == 0
        assert f"usage: noughts {command}" in capsys.readouterr().out


def test_games_lists_and_describes(capsys):
    assert main(["games", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert {"3x3", "qubic", "ultimate"} <= {row["game"] for row in listed}
    assert main(["games", "qubic", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts == {"game": "qubic", "cells": 64, "symmetries": 192, "moves": 64, "lines": 76}


def test_options_of_ours_are_not_promised_for_games_of_others(capsys):
    assert main(["games"]) == 0
    assert "\nOptions of every game of ours: flip, " in capsys.readouterr().out


def test_perft_prints_every_depth(capsys):
    assert main(["perft", "3x3", "4", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["perft"]
    assert [row["count"] for row in rows] == [1, 9, 72, 504, 3024]


def test_bench_signature_is_the_same_every_time():
    from noughts.bench.speed import Row, signature

    rows = [Row("playouts 3x3", 10, 0.5, "Tally(x=5)")]
    slower = [Row("playouts 3x3", 10, 5.0, "Tally(x=5)")]
    other = [Row("playouts 3x3", 10, 0.5, "Tally(x=6)")]
    assert signature(rows) == signature(slower) != signature(other)
    network = Row("learn 3x3 q-net", 10, 0.5, "")  # not there without JAX
    assert signature([*rows, network]) == signature(rows)


def test_bench_leaves_networks_out_where_they_cannot_be_trained(monkeypatch):
    from noughts.bench import speed as bench

    monkeypatch.setattr(bench, "find_spec", lambda name: None)
    monkeypatch.setattr(bench, "PLAYOUTS", {"3x3": 10})
    monkeypatch.setattr(bench, "PERFT", {})
    monkeypatch.setattr(bench, "LEARNERS", ())
    assert "noughts[learn]" in bench.left_out()
    assert [row.work for row in bench.run_bench()] == ["playouts 3x3"]


def test_a_path_that_cannot_be_written_is_one_sentence(capsys):
    assert main(["solve", "2x2", "--save", "/dev/null/solution"]) == 2
    assert "/dev/null/solution cannot be written" in capsys.readouterr().err


def test_a_reader_who_leaves_early_is_no_error():
    command = f"{sys.executable} -m noughts.cli games | true"
    ended = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, env=os.environ
    )
    assert (ended.returncode, ended.stderr) == (0, "")
