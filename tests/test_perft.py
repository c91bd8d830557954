"""Perft: how many sequences of n moves there are, numbers that anybody can recompute.

The counts are in `golden/perft.json`. Those of 3×3 and of Ultimate are published; all were computed
by the kernels, and `reference.py` repeats them as deep as plain Python can go.
"""

import itertools
import json
from functools import cache
from math import perm
from pathlib import Path

import numpy as np
import pytest
import reference
from reference import Lines, Reference, State, Ultimate

import noughts
from noughts.games import UltimatePosition

GOLDEN: dict[str, list[int]] = json.loads(
    (Path(__file__).parent / "golden" / "perft.json").read_text(encoding="utf-8")
)
REFERENCES: dict[str, Reference] = {
    "1x1": Lines(rows=1, columns=1, k=1),
    "2x2x2:k=2": Lines(rows=2, columns=2, layers=2, k=2),
    "3x3": Lines(),
    "3x3:misere": Lines(is_misere=True),
    "3x3x3": Lines(layers=3),
    "4x4": Lines(rows=4, columns=4, k=4),
    "4x4:k=3": Lines(rows=4, columns=4, k=3),
    "5x3": Lines(rows=5, columns=3, k=3),
    "6x5:k=4": Lines(rows=6, columns=5, k=4),
    "15x15:k=5": Lines(rows=15, columns=15, k=5),
    "qubic": Lines(rows=4, columns=4, layers=4, k=4),
    "ultimate": Ultimate(),
    "ultimate:won=open": Ultimate(won="open"),
    "ultimate:tiebreak=boards": Ultimate(tiebreak="boards"),
}
FAST, SLOW, BY_HAND = 60_000_000, 10**9, 60_000  # leaves that may be counted


@pytest.mark.parametrize("spec", GOLDEN)
def test_counts(spec: str) -> None:
    depths = [depth for depth, count in enumerate(GOLDEN[spec]) if count <= FAST]
    assert [noughts.perft(spec, depth) for depth in depths] == [GOLDEN[spec][d] for d in depths]


@pytest.mark.slow
@pytest.mark.parametrize("spec", [s for s, counts in GOLDEN.items() if max(counts) > FAST])
def test_deep_counts(spec: str) -> None:
    for depth, count in enumerate(GOLDEN[spec]):
        if FAST < count <= SLOW:
            assert noughts.perft(spec, depth) == count


@pytest.mark.parametrize("spec", REFERENCES)
def test_the_reference_counts_the_same(spec: str) -> None:
    counts = list(itertools.takewhile(lambda count: count <= BY_HAND, GOLDEN[spec]))
    assert len(counts) >= 3
    assert [reference.perft(REFERENCES[spec], depth) for depth in range(len(counts))] == counts


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["ultimate", "ultimate:won=open"])
def test_the_reference_counts_ultimate_to_depth_six(spec: str) -> None:
    assert reference.perft(REFERENCES[spec], 6) == GOLDEN[spec][6]


@pytest.mark.parametrize("spec", REFERENCES)
def test_counts_from_random_positions(spec: str) -> None:
    """Late in a game lines are completed and mini boards are closed, unlike near the start."""
    rng = np.random.default_rng(3)
    start = noughts.game(spec).start()
    depth = 2 if start.game.cells > 30 else 3
    for _ in range(12):
        position = start
        for _ in range(int(rng.integers(start.game.cells))):
            after = position.play(int(rng.choice(position.moves)))
            if after.result is not None:
                break
            position = after
        state = State(tuple(position.board), position.turn)
        if isinstance(position, UltimatePosition):
            forced = None if position.forced == 9 else position.forced
            state = state._replace(forced=forced, owners=tuple(position.owners))
        assert noughts.perft(position, depth) == reference.perft(REFERENCES[spec], depth, state)


def test_open_mini_boards_matter_from_depth_six_on() -> None:
    closed, won_open = GOLDEN["ultimate"], GOLDEN["ultimate:won=open"]
    assert closed[:6] == won_open[:6]
    assert all(a != b for a, b in zip(closed[6:], won_open[6:], strict=True))


def test_counts_are_falling_factorials_until_a_line_can_be_there() -> None:
    """With k in a row nobody has won before move 2k - 1, so until then every order counts."""
    for spec, cells, k in (("qubic", 64, 4), ("15x15:k=5", 225, 5), ("3x3x3", 27, 3)):
        for depth, count in enumerate(GOLDEN[spec]):
            is_free = depth < 2 * k
            assert (count == perm(cells, depth)) == is_free


def test_there_are_255168_games() -> None:
    """Of n-move sequences those that can be continued are perft(n+1) / (9-n); the others ended."""
    counts = GOLDEN["3x3"]
    ended = [counts[n] - counts[n + 1] // (9 - n) for n in range(9)] + [counts[9]]
    assert ended == [0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872]
    assert sum(ended) == 255_168

    @cache
    def games(position: noughts.Position) -> int:
        if position.result is not None:
            return 1
        return sum(games(position.play(move)) for move in position.moves)

    assert games(noughts.game("3x3").start()) == 255_168


def reachable(start: noughts.Position) -> set[noughts.Position]:
    seen, waiting = {start}, [start]
    while waiting:
        position = waiting.pop()
        for move in position.moves:
            for _, after in position.landings(move):
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
    return seen


def test_there_are_5478_positions_and_765_up_to_symmetry() -> None:
    positions = reachable(noughts.game("3x3").start())
    assert len(positions) == 5_478
    assert len({position.canonical() for position in positions}) == 765
    results = [position.result for position in positions]
    assert [results.count(r) for r in ("X", "O", "draw", None)] == [626, 316, 16, 4_520]


def test_counts_do_not_depend_on_threads() -> None:
    assert noughts.perft("4x4:k=3", 6, threads=1) == noughts.perft("4x4:k=3", 6, threads=3)
