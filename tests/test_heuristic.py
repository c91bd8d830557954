"""R4's evaluation, number by number, and the search that trusts it."""

import numpy as np
import pytest

import noughts
from noughts.games.line_game import LineGame, LinePosition
from noughts.search.engines.negamax import AlphaBetaEngine
from noughts.search.heuristic import HeuristicAgent, evaluate, heuristic_rules, whole_rows


def _position(spec: str, text: str) -> LinePosition:
    position = noughts.game(spec).parse(text)
    assert isinstance(position, LinePosition)
    return position


@pytest.mark.parametrize(
    ("spec", "text", "x", "o"),
    [
        # Eight empty lines.
        ("3x3", ".../.../...", 80, 80),
        # The centre: 30, four lines of one own mark, four empty lines.
        ("3x3", ".../.X./...", 30 + 4 * 10 + 4 * 10, -30 - 4 * 10 + 4 * 10),
        # A corner: 20, three lines with a mark.
        ("3x3", "X../.../...", 20 + 3 * 10 + 5 * 10, -20 - 3 * 10 + 5 * 10),
        # Two of three count double; then X's other three lines, O's two, two empty ones.
        ("3x3", "XX./..O/...", 20 + 40 + 3 * 10 - 2 * 10 + 2 * 10, None),
        # The middle column is mixed, one each; the row of O is one short of winning.
        ("3x3", "XX./.OO/...", 20 - 30 + 40 - 40 + 10 + 0 + 10 - 10 - 10 + 0, None),
        ("3x3", "XXX/OO./...", 1000, -1000),
        # 4×4 with three in a row: 4 rows, 4 columns, 2 + 4 diagonals of at least three cells.
        ("4x4:k=3", "..../..../..../....", 140, 140),
        # Four centre cells; two X in one row are one short of winning; 13 other lines of 10.
        ("4x4:k=3", "..../.XX./..../....", 2 * 30 + 40 + 13 * 10, None),
    ],
)
def test_evaluation(spec: str, text: str, x: int, o: int | None) -> None:
    position = _position(spec, text)
    assert evaluate(position, "X") == x
    if o is not None:
        assert evaluate(position, "O") == o


def test_rows_run_from_edge_to_edge() -> None:
    game = noughts.game("4x4:k=3")
    assert isinstance(game, LineGame)
    rows = whole_rows(game.board, 3)
    assert (0, 1, 2, 3) in rows
    assert (1, 6, 11) in rows
    assert sorted(map(len, rows)) == [3] * 4 + [4] * 10


def _plain(position: LinePosition, depth: int, mark: str) -> float:
    """Depth-limited minimax, the textbook way; wins outrank evaluations, quick ones most."""
    if position.result is not None:
        won = {"draw": 0, mark: 1}.get(position.result, -1)
        return won * (1e6 + depth)
    if depth == 0:
        return evaluate(position, mark)  # type: ignore[arg-type]
    values = [_plain(position.play(move), depth - 1, mark) for move in position.moves]
    return max(values) if position.turn == mark else min(values)


@pytest.mark.parametrize("spec", ["3x3", "3x3:misere", "4x4:k=3", "3x4", "3x3x3"])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_search_equals_plain_minimax(spec: str, depth: int) -> None:
    rng = np.random.default_rng(7)
    game = noughts.game(spec)
    for _ in range(6 if depth < 3 else 2):
        position = game.start()
        for _ in range(int(rng.integers(2, 6))):
            if position.result is None:
                position = position.play(int(rng.choice(position.moves)))
        if position.result is not None:
            continue
        assert isinstance(position, LinePosition)
        mark = position.turn
        move = HeuristicAgent(depth=depth).choose(position, rng)
        wanted = _plain(position, depth, mark)
        assert _plain(position.play(move), depth - 1, mark) == wanted
        rules = heuristic_rules(position.game, mark)
        score = AlphaBetaEngine(position.game, 1, rules=rules).search(position, depth)[0]
        if abs(wanted) < 1e5:
            assert score == wanted


def test_it_says_what_it_cannot_play() -> None:
    with pytest.raises(noughts.NoughtsError, match="without risk"):
        HeuristicAgent().choose(noughts.game("3x3:flip=0.1").start(), np.random.default_rng(0))
