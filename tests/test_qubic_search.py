"""The proof search: it can be stopped anywhere and stays within its memory."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import noughts
from noughts.cli import main
from noughts.games.line_game import LineGame
from noughts.prove.check import check_book
from noughts.prove.layers import breaker_holds, is_drawn_by_layers
from noughts.prove.search import ThreatSearch, prove_by_threats
from noughts.prove.storage import SearchSettings

SMALL = 64  # megabytes


def signature(search: ThreatSearch) -> tuple[int, ...]:
    """What an identical search would have, too."""
    n = int(search.graph.facts[0])
    proof = np.abs(search.graph.proof[:n].astype(np.int64)).sum()
    return search.proof, search.disproof, search.expanded, n, int(proof)


def test_a_search_in_slices_is_the_same_search(tmp_path: Path) -> None:
    whole = ThreatSearch(megabytes=SMALL)
    assert not whole.advance(900)
    sliced = ThreatSearch(megabytes=SMALL)
    for expansions in (1, 99, 200):
        sliced.advance(expansions)
    path = tmp_path / "search.noughts"
    sliced.save(path)
    del sliced  # as if killed
    resumed = ThreatSearch(megabytes=SMALL)
    resumed.resume(path)
    assert resumed.expanded == 300
    resumed.advance(600)
    assert signature(resumed) == signature(whole)


def test_a_checkpoint_of_another_search_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "search.noughts"
    ThreatSearch(megabytes=SMALL).save(path)
    with pytest.raises(noughts.ParseError, match="another search"):
        ThreatSearch(megabytes=SMALL, first_cell=1).resume(path)
    with pytest.raises(noughts.ParseError, match="another search"):
        ThreatSearch(megabytes=SMALL, settings=SearchSettings(zone_share=4)).resume(path)
    ThreatSearch(megabytes=SMALL, first_cell=63).resume(path)  # a corner like the other
    path.write_bytes(path.read_bytes()[:-1] + b"\x07")
    with pytest.raises(noughts.ParseError, match="damaged"):
        ThreatSearch(megabytes=SMALL).resume(path)


def test_a_full_memory_stops_the_search(tmp_path: Path) -> None:
    with pytest.raises(noughts.NoughtsError, match="memory is full"):
        prove_by_threats(megabytes=16)
    with pytest.raises(noughts.NoughtsError, match="megabytes"):
        ThreatSearch(megabytes=1)


def test_stopping_keeps_a_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "search.noughts"

    def stop(done: int, total: int, text: str) -> None:
        assert "proof" in text
        if done >= 1000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prove_by_threats(megabytes=SMALL, checkpoint=path, progress=stop)
    search = ThreatSearch(megabytes=SMALL)
    search.resume(path)
    assert search.expanded == 1000


def test_a_search_gives_up_where_nobody_can_win() -> None:
    with pytest.raises(noughts.NoughtsError, match="gave up"):
        prove_by_threats("4x4", megabytes=SMALL)
    with pytest.raises(noughts.NoughtsError, match="gave up"):
        prove_by_threats("4x4x2:k=4", megabytes=SMALL)


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("3x3x3", "lines of four"),
        ("6x6:k=4", "one cell"),
        ("qubic:misere", "not one"),
        ("qubic:flip=0.1", "not one"),
        ("ultimate", "board of lines"),
    ],
)
def test_boards_that_it_cannot_hold(game: str, message: str) -> None:
    with pytest.raises(noughts.NoughtsError, match=message):
        ThreatSearch(game, megabytes=SMALL)


def test_a_search_that_is_not_over_has_no_result() -> None:
    search = ThreatSearch(megabytes=SMALL)
    search.advance(10)
    with pytest.raises(noughts.NoughtsError, match="no proof"):
        search.result()
    with pytest.raises(noughts.NoughtsError, match="64"):
        ThreatSearch(megabytes=SMALL, first_cell=64)


def test_the_command_refuses_bad_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "qubic", "--first", "64"]) == 2
    assert "cell of qubic" in capsys.readouterr().err
    assert main(["prove", "qubic", "--memory", "1"]) == 2
    assert "megabytes" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("spec", "is_drawn"),
    [
        ("4x4", True),
        ("4x4x2:k=4", True),
        ("4x4x3:k=4", True),
        ("qubic", False),  # lines cross its layers
        ("4x4:k=3", False),  # X wins
        ("3x3x2:k=3", False),  # odd layers: an answer in the same one may be missing
    ],
)
def test_boards_of_independent_layers(spec: str, is_drawn: bool) -> None:
    board = noughts.game(spec)
    assert isinstance(board, LineGame)
    assert is_drawn_by_layers(board) == is_drawn


@pytest.mark.parametrize("spec", ["3x3", "3x4:k=3", "2x2"])
def test_who_only_stops_lines_holds_as_plain_search_says(spec: str) -> None:
    board = noughts.game(spec)
    assert isinstance(board, LineGame)
    masks = board.board.line_masks

    @cache
    def holds(x: int, o: int) -> bool:
        if any(mask & x == mask for mask in masks):
            return False
        empties = [1 << c for c in range(board.cells) if not (x | o) >> c & 1]
        if x.bit_count() > o.bit_count():
            return not empties or any(holds(x, o | bit) for bit in empties)
        return all(holds(x | bit, o) for bit in empties)

    assert breaker_holds(masks, board.cells) == holds(0, 0)


@pytest.mark.slow
def test_qubic_is_proven_from_nothing() -> None:
    found = prove_by_threats()
    assert len(found.first_cells) == 16
    report = check_book(found.book)
    assert report.is_proof
    assert report.moves_used == len(found.book)
