"""What is known is right: it agrees with tables, proofs and endgames, and sources can be added."""

import warnings
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from typing import Any

import numpy as np
import pytest
from qubic_reference import proven_move, proven_winner

import noughts
from noughts.agents import agent as read_agent
from noughts.errors import NoughtsWarning
from noughts.games.game import Position
from noughts.knowledge import Known, Source, add_source, known, known_moves, limits, sources
from noughts.knowledge.asking import alike
from noughts.knowledge.certificates import Certificates
from noughts.knowledge.sources import FunctionSource
from noughts.knowledge.tables import Tables, is_at_hand, table_at_hand
from noughts.knowledge.theorems import Theorems, holds
from noughts.prove.line import forced_line
from noughts.solve.written.stored import solution_path
from noughts.studies.players.ultimate_endgames_set import all_endgames

SOLVED = (
    "3x3", "3x3:misere", "3x3:flip=0.1", "3x3:flip=stochastic", "3x3:flip=0.1,fizzle=0.1",
    "3x3:fade=0.05", "3x3:hazard=0.2,limit=10,ticks=20", "4x3:k=3", "5x2:k=2",
)  # fmt: skip
LARGER = ("4x4", "4x4:flip=0.1", "4x4:misere", "5x3:k=3")
USUAL = limits.USUAL
LIKE_A_CORNER = (0, 3, 12, 15, 21, 22, 25, 26, 37, 38, 41, 42, 48, 51, 60, 63)


def random_positions(spec: str, count: int, seed: int) -> Iterator[Position]:
    """Positions of games that random players play, dice included, finished ones too."""
    game, rng = noughts.game(spec), np.random.default_rng(seed)
    for _ in range(count):
        position = game.start()
        for _ in range(int(rng.integers(0, game.cells + 1))):
            if position.result is None:
                _, position = position.sample(int(rng.choice(position.moves)), rng)
        yield position


def contains(told: Known | None, value: float) -> bool:
    return told is None or told.low - 1e-6 <= value <= told.high + 1e-6


# ---- it agrees ----


def agrees_with_the_table(spec: str, count: int) -> None:
    solution = noughts.solve(spec)
    for position in random_positions(spec, count, 1):
        told = known(position)
        assert told is not None
        assert told.is_exact
        assert told.value == pytest.approx(solution.value(position), abs=1e-6)
        assert told.source == ("table" if position.result is None else "ended")
        moves = {move: one.value for move, one in known_moves(position).items()}
        assert moves == pytest.approx(solution.values(position), abs=1e-6)


@pytest.mark.parametrize("spec", SOLVED)
def test_known_agrees_with_the_table(spec: str) -> None:
    agrees_with_the_table(spec, 200)


@pytest.mark.slow
@pytest.mark.parametrize("spec", [*SOLVED, *LARGER])
def test_known_agrees_with_the_table_on_a_thousand_positions(spec: str) -> None:
    agrees_with_the_table(spec, 1000)


@pytest.mark.parametrize(
    "spec", ["3x3", "3x3:misere", "4x3:k=3", "4x4:k=3", "4x4", "4x3:k=3,misere"]
)
def test_what_needs_no_table_agrees_with_the_table(spec: str) -> None:
    """Theorems and searches, asked as if there were no tables."""
    solution = noughts.solve(spec)
    others = [source for source in sources.sources() if not isinstance(source, Tables)]
    telling = 0
    for position in random_positions(spec, 150, 2):
        for source in others:
            told = source.known(position, USUAL)
            telling += told is not None
            assert contains(told, solution.value(position)), (source.name, position)
            values = solution.values(position)
            for move, one in source.moves(position, USUAL).items():
                assert contains(one, values[move]), (source.name, position, move)
    assert telling > 100


def in_qubic(count: int, seed: int) -> Iterator[Position]:
    """Positions of games in which X plays by the proof and O at random, both seats on turn."""
    game, rng = noughts.game("qubic"), np.random.default_rng(seed)
    found = 0
    while found < count:
        position = game.start()
        image = game.symmetries()[int(rng.integers(len(game.symmetries())))]
        while position.result is None and found < count:
            yield position.permuted(image)
            found += 1
            move = int(rng.choice(position.moves))
            if position.turn == "X":
                move = (forced_line(position) or [proven_move(position)])[0]
            position = position.play(move)


def is_won_in_the_proof(count: int, seed: int) -> None:
    for position in in_qubic(count, seed):
        told = known(position)
        assert told is not None, position
        assert (told.low, told.high) == (1.0, 1.0)
        assert told.source in ("certificate", "threats")
        if position.turn == "X":
            assert any(one.low == 1.0 for one in known_moves(position).values())


def test_x_wins_qubic_whoever_is_on_turn() -> None:
    is_won_in_the_proof(150, 3)


@pytest.mark.slow
def test_x_wins_qubic_in_a_thousand_positions() -> None:
    is_won_in_the_proof(1000, 4)


def test_the_certificate_is_read_as_plainly_written() -> None:
    """Off the proof, too: the masks of the room and the positions of the reference agree."""
    for position in random_positions("qubic", 60, 8):
        if position.result is None:
            told = Certificates().known(position, USUAL)
            winner = None if told is None else "X" if told.value > 0 else "O"
            assert winner == proven_winner(position), position


def agrees_with_another_search(spec: str, count: int, depth: int) -> None:
    """Wherever alpha-beta of its own proves a value, what is known agrees with it."""
    agent, compared = read_agent(f"alphabeta:depth={depth},threats=4"), 0
    for position in random_positions(spec, count, 5):
        told = known(position)
        if position.result is not None or told is None:
            continue
        agent.choose(position, np.random.default_rng(0))
        assert agent.last is not None
        if agent.last.is_exact:
            compared += 1
            assert contains(told, float(agent.last.value or 0.0)), position
    assert compared > count // 20


@pytest.mark.parametrize("spec", ["qubic", "3x3x3", "5x5:k=4", "ultimate"])
def test_known_agrees_with_another_search(spec: str) -> None:
    agrees_with_another_search(spec, 60, 5)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["qubic", "3x3x3"])
def test_known_agrees_with_another_search_a_thousand_times(spec: str) -> None:
    agrees_with_another_search(spec, 1000, 5)


def test_known_agrees_with_solved_endgames_of_ultimate() -> None:
    told = 0
    for endgame in all_endgames()[:40]:
        moves = known_moves(endgame.position)
        told += len(moves)
        for move, value in endgame.values.items():
            assert contains(moves.get(move), value), (endgame.position, move)
    assert told > 40


# ---- the famous ones ----


def test_sixteen_first_moves_win_qubic() -> None:
    start = noughts.game("qubic").start()
    assert known(start) == Known(1.0, 1.0, None, "certificate")
    moves = known_moves(start)
    assert tuple(moves) == LIKE_A_CORNER
    assert {(one.low, one.high, one.source) for one in moves.values()} == {(1, 1, "certificate")}


def test_the_centre_of_the_cube() -> None:
    start = noughts.game("3x3x3").start()
    moves = known_moves(start)
    assert {move: one.value for move, one in moves.items()} == {
        cell: 1.0 if cell == 13 else -1.0 for cell in range(27)
    }
    assert known(start.play(13).play(0)).value == 1.0
    assert known(start.play(0).play(13)).value == -1.0


def test_five_in_a_row_on_five_by_five_is_a_draw() -> None:
    start = noughts.game("5x5").start()
    assert known(start) == Known(0.0, 0.0, None, "theorem")
    assert known(noughts.game("5x5:k=4").start()) == Known(0.0, 1.0, None, "theorem")
    assert {one.value for one in known_moves(start).values()} == {0.0}


def test_not_known_is_an_answer() -> None:
    assert known(noughts.game("ultimate").start()) is None
    assert known_moves(noughts.game("ultimate").start()) == {}
    assert known_moves(noughts.game("3x3").parse("XXX/OO./... X wins, O next")) == {}
    with pytest.raises(noughts.NoughtsError, match="belongs to a position"):
        known("3x3")  # type: ignore[arg-type]


def test_a_forced_win_has_its_distance() -> None:
    position = noughts.game("qubic").parse("XXX./..../..../..../" + "..../" * 11 + "OOO. X to move")
    assert known(position) == Known(1.0, 1.0, 1, "threats")
    assert known_moves(position)[3] == Known(1.0, 1.0, 1, "threats")
    assert known_moves(position)[20].value == -1.0  # O completes his own


def test_no_move_is_better_than_the_position() -> None:
    lost = noughts.game("5x5:k=4").parse("...../.XXX./...../.OO../..... O to move")
    assert known(lost).value == 1.0
    moves = known_moves(lost)
    assert set(moves) == set(lost.moves)
    assert {one.value for one in moves.values()} == {1.0}


@pytest.mark.parametrize("spec", ["3x3", "qubic", "ultimate", "4x4:flip=random,seed=7", "3x3x3"])
def test_moves_are_alike_as_symmetries_say(spec: str) -> None:
    for position in random_positions(spec, 12, 6):
        images: dict[Any, int] = {}
        for move, kind in alike(position).items():
            after = position.play(move).canonical() if spec != "qubic" else kind
            assert images.setdefault((kind, after), kind) == kind
            assert kind <= move
    start = noughts.game("qubic").start()
    assert len(set(alike(start).values())) == 2


# ---- theorems ----


def test_a_hold_is_what_erdos_and_selfridge_count() -> None:
    lines = (0b111, 0b111000)
    assert holds(lines, 0, 0, is_on_turn=True)  # 1/8 + 1/8 < 1
    assert holds(lines, 0, 0, is_on_turn=False)  # 1/4 < 1/2
    assert not holds(lines, 0, 0b011, is_on_turn=False)  # 1/2 + 1/8
    assert holds(lines, 0, 0b011, is_on_turn=True)
    assert not holds(lines, 0, 0b011011, is_on_turn=True)  # 1/2 + 1/2 is not less than 1
    assert holds(lines, 0b001001, 0b110110, is_on_turn=False)  # no line is left


def test_theorems_are_about_plain_games_only() -> None:
    for spec in ("3x3x3:misere", "3x3x3:flip=0.1", "5x5:misere", "5x5:fade=0.1", "ultimate"):
        assert Theorems().known(noughts.game(spec).start(), USUAL) is None


# ---- limits, tables ----


def test_a_large_table_is_not_solved() -> None:
    assert not is_at_hand(noughts.game("5x4"))
    assert table_at_hand(noughts.game("5x4")) is None
    assert not is_at_hand(noughts.game("3x3:hazard=0.2,turn_limit=1,ticks=5,fade=0.1"))
    nobodys = noughts.game("4x4:flip=0.0123")  # no other test leaves its table behind
    assert is_at_hand(nobodys)
    assert not is_at_hand(nobodys, limits.HASTY)


def test_a_damaged_table_is_not_solved_again_when_that_takes_long() -> None:
    game = noughts.game("5x4:k=4")
    path = solution_path(game)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"nothing")
    assert is_at_hand(game)
    assert table_at_hand(game) is None
    assert not path.exists()


def test_a_table_on_the_disk_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    game = noughts.game("6x2:k=3")
    noughts.solve(game).save(solution_path(game))
    monkeypatch.setattr(limits, "BOARDS_PER_SECOND", 1.0)
    told = known(game.start(), limits.HASTY)
    assert told is not None
    assert told.source == "table"
    assert not is_at_hand(noughts.game("5x2:k=4"))


# ---- sources of others ----


def five_by_five_is_ours(position: Position) -> Known | None:
    return Known(0.25, 0.5, None, "ours") if str(position.game) == "6x6:k=3,flip=0.3" else None


def test_a_source_can_be_added_and_taken_out() -> None:
    position = noughts.game("6x6:k=3,flip=0.3").start()
    assert known(position) is None
    remove = add_source(five_by_five_is_ours)
    try:
        assert known(position) == Known(0.25, 0.5, None, "ours")
        assert all(one.high <= 0.5 for one in known_moves(position).values())
    finally:
        remove()
    assert known(position) is None


def test_sources_that_contradict_each_other_are_an_error() -> None:
    remove = add_source(lambda position: Known(-1.0, -1.0, None, "wrong"))
    try:
        with pytest.raises(noughts.NoughtsError, match=r"theorem says .* wrong says"):
            known(noughts.game("5x5:k=4").start())
    finally:
        remove()


class Raises(Source):
    name = "raises"

    def known(self, position: Position, budget: limits.Budget) -> Known | None:
        raise ZeroDivisionError("by nothing")


def test_a_source_that_raises_is_one_warning() -> None:
    position = noughts.game("6x6:k=5,flip=0.2").start()
    remove = add_source(Raises())
    try:
        with pytest.warns(NoughtsWarning, match="'raises' is left out: by nothing"):
            assert known(position) is None
        assert known(position.play(1)) is None  # it is not asked again: another warning would fail
    finally:
        remove()


def test_a_broken_entry_point_is_one_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("absent", "no.such.module:source", sources.ENTRY_POINTS),
        EntryPoint("fine", "test_known:five_by_five_is_ours", sources.ENTRY_POINTS),
        EntryPoint("number", "math:pi", sources.ENTRY_POINTS),
    ]
    monkeypatch.setattr(sources, "entry_points", lambda group: points)
    sources._of_other_packages.cache_clear()
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            assert known(noughts.game("6x6:k=3,flip=0.3").start()).source == "ours"
            known(noughts.game("3x3").start())
        words = [str(one.message) for one in told]
        assert len(words) == 2
        assert "'absent' is left out: No module named 'no'" in words[0]
        assert "'number' is left out" in words[1]
    finally:
        sources._of_other_packages.cache_clear()


def test_an_answer_that_is_no_knowledge_is_left_out() -> None:
    source = FunctionSource(lambda position: 0.5, "half")  # type: ignore[arg-type, return-value]
    with pytest.warns(NoughtsWarning, match="neither Known nor None"):
        assert source.known(noughts.game("3x3").start(), USUAL) is None


@pytest.mark.parametrize("wrong", [(0.5, 0.2, "x"), (-2.0, 0.0, "x"), (0.0, 0.0, "two words")])
def test_bounds_are_bounds(wrong: tuple[float, float, str]) -> None:
    low, high, source = wrong
    with pytest.raises(noughts.NoughtsError):
        Known(low, high, None, source)


def test_estimates_are_held_within_the_bounds() -> None:
    assert Known(0.0, 1.0, None, "x").clamp(-0.2) == 0.0
    assert Known(0.0, 1.0, None, "x").clamp(0.3) == 0.3
    assert Known(1.0, 1.0, None, "x").clamp(0.3) == 1.0


@pytest.mark.parametrize("spec", ["3x3:fade=0.6", "3x3:fade=0.999"])
def test_a_table_that_takes_long_or_says_nothing_is_not_known(spec: str) -> None:
    position = noughts.game(spec).start()
    assert not is_at_hand(position.game)
    assert noughts.known(position) is None
    assert noughts.known_moves(position) == {}


def test_moves_that_are_alike_end_alike() -> None:
    """Whoever counts the moves of a win may stop at some of the images of a move."""
    told = known_moves(noughts.game("3x3").parse(".../.X./... O to move"))
    assert len({told[cell] for cell in (1, 3, 5, 7)}) == 1
    assert told[1].plies is not None


@pytest.mark.parametrize(
    ("spec", "board"),
    [("3x3", "XOX/XOO/OX."), ("5x5:misere", "XXOOX/OOXXO/XXOOX/OOXXO/XXOO.")],
)
def test_a_draw_has_no_distance(spec: str, board: str) -> None:
    """Whether a table says so or the end of the game, which comes with this very move."""
    position = noughts.game(spec).parse(f"{board} X to move")
    (told,) = known_moves(position, limits.HASTY).values()
    assert (told.value, told.plies) == (0.0, None)
