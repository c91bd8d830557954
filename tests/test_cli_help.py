"""`--help` is enough to use a command: every option is explained, every default is named."""

import argparse
import shlex
from pathlib import Path

import pytest

from noughts.cli import build_parser, main
from noughts.commands.work.study import _study_parser
from noughts.studies import listed_studies


def commands() -> dict[str, argparse.ArgumentParser]:
    subparsers = next(a for a in build_parser()._actions if a.dest == "command")
    return dict(subparsers.choices)


STUDIES = [listing.name for listing in listed_studies()]


@pytest.mark.parametrize("name", commands())
def test_the_example_of_a_command_is_one(name: str) -> None:
    epilog = commands()[name].epilog or ""
    words = shlex.split(epilog.removeprefix("Example: "))
    assert words[:2] == ["noughts", name]
    assert build_parser().parse_args(words[1:]).command == name


@pytest.mark.parametrize("name", [*commands(), *(f"study {study}" for study in STUDIES)])
def test_every_option_is_explained_with_its_default(name: str) -> None:
    is_study = name.startswith("study ")
    parser = _study_parser(name.removeprefix("study ")) if is_study else commands()[name]
    for action in parser._actions:
        assert action.help, f"{name} {action.dest} has no help"
        if action.default not in (None, False, argparse.SUPPRESS) and action.dest != "rest":
            shown = action.default if action.dest != "runs" else "./runs"
            assert str(shown) in action.help, f"{name} {action.dest} does not say {shown}"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("prove 3x3 --first 1", "--first is not for 3x3; allowed: --moves."),
        ("prove 3x3 --memory 64", "--memory is not for 3x3; allowed: --moves."),
        (
            "prove qubic --moves one",
            "--moves is not for qubic; allowed: --first, --memory, --checkpoint.",
        ),
        ("solve 2x2 --save ''", ". cannot be written; choose a file in a folder that you may use."),
        ("serve --runs notes.txt", "notes.txt is not a folder, so it holds no runs; choose anothe"),
    ],
)
def test_words_that_would_do_nothing_are_refused(
    words: str,
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if words.startswith("serve"):
        pytest.importorskip("fastapi")
    monkeypatch.chdir(tmp_path)
    Path("notes.txt").write_text("mine")
    assert main(shlex.split(words)) == 2
    assert sentence in capsys.readouterr().err
