"""Qubic: the two forced-win searches, the shipped certificate, and who plays by it."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from qubic_reference import proven_move, proven_winner

import noughts
from noughts.cli import main
from noughts.games.line_game import LineGame, LinePosition
from noughts.prove.book import Book, shipped_book, smallest_image
from noughts.prove.check import check_book
from noughts.prove.line import forced_line, reader_of
from noughts.prove.soundness import compare_searches

CORNER, EDGE = 0, 1  # the two kinds of cells
EASY = 63  # a reply that takes little to answer
LIKE_A_CORNER = (0, 3, 12, 15, 21, 22, 25, 26, 37, 38, 41, 42, 48, 51, 60, 63)


@cache
def qubic() -> LineGame:
    game = noughts.game("qubic")
    assert isinstance(game, LineGame)
    return game


def position_of(*cells: int) -> LinePosition:
    """The position after these moves in turn."""
    position = qubic().start()
    for cell in cells:
        position = position.play(cell)
    return position


# ---- forced wins ----


def test_the_fast_search_claims_only_true_wins() -> None:
    found = compare_searches(5000, seed=3)
    assert found.positions == 5000
    assert found.false == 0
    assert found.zones_broken == 0
    assert found.zones_tried > 500
    assert found.found > 1000
    assert found.missed < 0.1 * found.wins


@pytest.mark.slow
def test_the_fast_search_claims_only_true_wins_on_many_positions() -> None:
    found = compare_searches(300_000, seed=4)
    assert (found.false, found.zones_broken) == (0, 0)
    assert found.zones_tried > 50_000


def test_a_fork_is_a_forced_line() -> None:
    # Layer 0 of X:  X X . .
    #                X X . .
    position = position_of(0, 63, 1, 62, 4, 59, 5, 57)
    line = forced_line(position)
    assert line
    assert len(line) % 2 == 1
    end = position
    for cell in line:
        end = end.play(cell)
    assert end.result == "X"
    assert proven_winner(position) == "X"


def test_every_forced_line_wins_against_its_only_replies() -> None:
    rng = np.random.default_rng(5)
    reader = reader_of(qubic())
    wins = 0
    for _ in range(60):
        cells = [int(cell) for cell in rng.permutation(64)[:16]]
        position = qubic().start()
        for cell in cells:
            if position.result is None:
                position = position.play(cell)
        line = forced_line(position)
        for i, cell in enumerate(line):
            own, other = position.x_mask, position.o_mask
            if position.turn == "O":
                own, other = other, own
            if i % 2 == 1:  # the reply blocks: the attacker would complete a line there
                assert cell in reader.completing(other, own)
            position = position.play(cell)
        if line:
            wins += 1
            assert position.result is not None
    assert wins > 20


def test_no_forced_line_at_the_start() -> None:
    assert forced_line(qubic().start()) == []
    assert forced_line(position_of(0)) == []
    with pytest.raises(noughts.NoughtsError, match="boards of lines"):
        forced_line(noughts.game("ultimate").start())


# ---- the certificate ----


@pytest.mark.slow
def test_the_shipped_certificate_has_no_holes() -> None:
    report = check_book(shipped_book())
    assert report.holes == []
    assert report.is_proof
    assert report.moves_used == report.moves_listed == len(shipped_book())
    assert report.positions > 50 * report.moves_used
    assert 20 < report.deepest <= 64


def test_a_part_of_the_certificate_has_no_holes() -> None:
    """Everything below one first reply of O, the easiest to answer."""
    report = check_book(shipped_book(), start=position_of(CORNER, EASY))
    assert report.holes == []
    assert report.moves_used > 20
    assert report.positions > 30 * report.moves_used


def test_the_certificate_is_small_and_round_trips(tmp_path: Path) -> None:
    path = tmp_path / "copy.proof"
    shipped_book().save(path)
    assert path.stat().st_size < 200_000
    loaded = Book.load(path)
    assert loaded.game == "qubic"
    assert loaded.entries == shipped_book().entries


def test_entries_are_smallest_images() -> None:
    book = shipped_book()
    keys = list(book.entries)
    assert keys == sorted(keys)
    for x, o in keys[:: len(keys) // 50]:
        assert smallest_image(qubic(), x, o)[:2] == (x, o)
        assert (x | o) >> book.entries[x, o] & 1 == 0
        assert x.bit_count() == o.bit_count()


def late_part() -> tuple[Book, LinePosition]:
    """The shipped book, and a position late in it."""
    book = shipped_book()
    x, o = max(book.entries, key=lambda key: (key[0].bit_count(), key))
    letters = "".join("X" if x >> c & 1 else "O" if o >> c & 1 else "." for c in range(64))
    return book, qubic().position_from_dict({"board": letters, "turn": "X"})


def without(book: Book, position: LinePosition) -> Book:
    """The book with one entry removed."""
    lost = (position.x_mask, position.o_mask)
    return Book.from_entries("qubic", {p: m for p, m in book.entries.items() if p != lost})


def test_a_removed_entry_is_a_hole() -> None:
    book, position = late_part()
    assert check_book(book, start=position).is_proof
    report = check_book(without(book, position), start=position)
    assert report.hole_count == 1
    assert report.holes == [f"{position.board}: no move is listed"]
    assert not report.is_proof


@pytest.mark.slow
def test_a_removed_entry_is_found_from_the_empty_board() -> None:
    book, position = late_part()
    report = check_book(without(book, position))
    assert report.hole_count == 1
    assert "no move is listed" in report.holes[0]


@pytest.mark.parametrize("kind", ["filled", "off the board", "pointless"])
def test_a_corrupted_entry_is_a_hole(kind: str) -> None:
    book, position = late_part()
    x, o = position.x_mask, position.o_mask
    wrong = {"filled": x.bit_length() - 1, "off the board": 200}.get(kind)
    if wrong is None:
        empties = [cell for cell in position.moves if cell != book.entries[x, o]]
        wrong = min(empties, key=lambda cell: _alive_lines(cell, o))
    spoilt = Book.from_entries("qubic", {**book.entries, (x, o): wrong})
    report = check_book(spoilt, start=position)
    assert report.hole_count > 0
    assert ("no empty cell" in report.holes[0]) == (kind != "pointless")


def _alive_lines(cell: int, o: int) -> int:
    return sum(1 for mask in qubic().board.masks_through[cell] if not mask & o)


def test_an_empty_book_proves_nothing() -> None:
    report = check_book(Book.from_entries("qubic", {}))
    assert report.hole_count == 1
    assert report.holes[0] == "." * 64 + ": no move is listed"
    first_only = Book.from_entries("qubic", {(0, 0): CORNER})
    assert check_book(first_only).hole_count == 12


def test_a_book_of_another_game_is_refused() -> None:
    with pytest.raises(noughts.NoughtsError, match="about qubic"):
        check_book(shipped_book(), "4x4")
    with pytest.raises(noughts.NoughtsError, match="plain board"):
        check_book(replace(shipped_book(), game="ultimate"))


def test_the_command_checks(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "holed.proof"
    Book.from_entries("qubic", {(0, 0): CORNER}).save(path)
    assert main(["check", str(path), "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert (data["result"], data["hole_count"]) == (None, 12)
    assert main(["check", str(path)]) == 1
    assert "12 holes" in capsys.readouterr().out
    raw = bytearray(path.read_bytes())
    raw[4096] ^= 1
    path.write_bytes(raw)
    assert main(["check", str(path)]) == 2
    assert "damaged" in capsys.readouterr().err
    path.write_text("{}")
    assert main(["check", str(path)]) == 2
    assert "not a file that Noughts wrote" in capsys.readouterr().err


# ---- the player ----


def test_first_cells_are_the_corners_and_the_centre() -> None:
    agent = noughts.agent("optimal:ties=uniform")
    rng = np.random.default_rng(1)
    chosen = {agent.choose(qubic().start(), rng) for _ in range(200)}
    assert chosen == set(LIKE_A_CORNER)
    assert noughts.agent("optimal").choose(qubic().start(), rng) in LIKE_A_CORNER


@pytest.mark.parametrize("first", LIKE_A_CORNER)
def test_x_wins_from_every_like_cell(first: int) -> None:
    """Against replies at random, from each of the sixteen."""
    agent, rng = noughts.agent("optimal"), np.random.default_rng(first)
    position = position_of(first)
    while position.result is None:
        if position.turn == "O":
            move = int(rng.choice(position.moves))
        else:
            move = agent.choose(position, rng)
            assert agent.last is not None
            assert agent.last.is_exact
            assert agent.last.value == 1.0
        position = position.play(move)
    assert position.result == "X"


def test_what_is_known_of_a_position() -> None:
    start = qubic().start()
    assert proven_winner(start) == "X"
    assert proven_winner(position_of(CORNER)) == "X"
    assert proven_winner(position_of(EDGE)) is None
    assert proven_move(position_of(CORNER)) is None
    agent = noughts.agent("optimal")
    assert agent.values(start) == dict.fromkeys(LIKE_A_CORNER, 1.0)
    assert agent.values_are_exact


def test_o_takes_a_forced_win_and_blocks() -> None:
    agent, rng = noughts.agent("optimal"), np.random.default_rng(1)
    # O has 0 1 2: he completes the row.
    assert agent.choose(position_of(63, 0, 60, 1, 40, 2, 17), rng) == 3
    # X has 0 1 2: O must block.
    assert agent.choose(position_of(0, 63, 1, 60, 2), rng) == 3
    agent.check_game(qubic())
    with pytest.raises(noughts.NoughtsError, match="table"):
        agent.check_game(noughts.game("5x5x5:k=5"))
