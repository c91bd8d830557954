"""Risk: everything a move may turn into, how likely it is, and how to force it."""

import math

import numpy as np
import pytest

import noughts


def test_a_landing_can_be_forced() -> None:
    start = noughts.game("3x3:flip=0.1,fizzle=0.2").start()
    assert start.play(4).board == "....X...."
    assert start.play(4, noughts.Landing("O")).board == "....O...."
    fizzled = start.play(4, noughts.Landing(None))
    assert (fizzled.board, fizzled.turn, fizzled.last) == ("." * 9, "O", 4)


def test_a_flipped_mark_can_lose_the_game() -> None:
    position = noughts.game("3x3:flip=0.1").parse("OO./XX./... X to move")
    results = {after.result: p for p, after in position.landings(2)}
    assert results == pytest.approx({None: 0.9, "O": 0.1})


@pytest.mark.parametrize(
    ("spec", "landing", "words"),
    [
        ("3x3:fade=0.5", noughts.Landing("X", (1,)), r"Cells \[1\] cannot fade"),
        ("3x3:fade=0.5", noughts.Landing("X", (0, 99)), r"Cells \[0, 99\] cannot fade"),
        ("3x3", noughts.Landing("X", (0,)), r"Cells \[0\] cannot fade"),
        ("3x3", noughts.Landing("Z"), "A mark is 'X', 'O' or None, not 'Z'"),  # type: ignore[arg-type]
    ],
)
def test_an_impossible_landing_is_refused(spec: str, landing: noughts.Landing, words: str) -> None:
    position = noughts.game(spec).parse("O........ X to move")
    with pytest.raises(noughts.IllegalMove, match=words):
        position.play(4, landing)


def test_landings_without_risk_are_certain() -> None:
    start = noughts.game("3x3").start()
    assert start.landings(4) == [(1.0, start.play(4))]
    assert start.outcomes(4) == [(1.0, noughts.Landing("X"))]


def test_landings_carry_the_numbers_of_the_spec() -> None:
    start = noughts.game("3x3:flip=0.1,fizzle=0.2").start()
    assert [landing for _, landing in start.outcomes(4)] == [
        noughts.Landing("X"),
        noughts.Landing("O"),
        noughts.Landing(None),
    ]
    assert [p for p, _ in start.outcomes(4)] == pytest.approx([0.7, 0.1, 0.2], abs=1e-15)
    assert [p for p, _ in noughts.game("3x3:flip=0.9,fizzle=0.1").start().outcomes(4)] == [0.9, 0.1]


def test_in_the_reverse_world_play_is_not_among_the_landings() -> None:
    start = noughts.game("3x3:flip=reverse").start()
    [(p, after)] = start.landings(4)
    assert (p, after.board) == (1.0, "....O....")
    assert start.play(4).board == "....X...."


def test_marks_fade_before_the_next_turn() -> None:
    """X plays 4; then cell 0 and cell 4 may empty, each on its own."""
    position = noughts.game("3x3:fade=0.2").parse("O........ X to move")
    landings = {after.board: p for p, after in position.landings(4)}
    expected = {"O...X....": 0.64, "....X....": 0.16, "O........": 0.16, ".........": 0.04}
    assert landings == pytest.approx(expected)
    twice = position.play(4, noughts.Landing("X", (0, 0)))
    assert twice.board == "....X...."


def test_a_completed_line_does_not_fade() -> None:
    position = noughts.game("3x3:fade=0.2").parse("XX./OO./... X to move")
    [(p, after)] = position.landings(2)
    assert (p, after.result, after.board) == (1.0, "X", "XXXOO....")
    with pytest.raises(noughts.IllegalMove, match="cannot fade"):
        position.play(2, noughts.Landing("X", (0,)))


def test_a_full_board_is_a_draw_before_anything_fades() -> None:
    position = noughts.game("3x3:fade=0.2").parse("XOX/XOO/OX. X to move")
    [(p, after)] = position.landings(8)
    assert (p, after.result) == (1.0, "draw")


def test_too_many_fading_cells_are_sampled_but_not_listed() -> None:
    rng = np.random.default_rng(1)
    position = noughts.game("6x6:fade=0.001").start()
    while 36 - position.board.count(".") < 17:
        position = position.sample(int(rng.choice(position.moves)), rng)[1]
    with pytest.raises(noughts.NoughtsError, match=r"draw one with position\.sample"):
        position.landings(position.moves[0])
    landing, after = position.sample(position.moves[0], rng)
    assert after == position.play(position.moves[0], landing)


def test_samples_come_as_often_as_they_should() -> None:
    start = noughts.game("3x3:flip=0.3,fizzle=0.2,fade=0.5").start()
    rng = np.random.default_rng(0)
    draws = 20_000
    counts: dict[noughts.Landing, int] = {}
    for _ in range(draws):
        landing, after = start.sample(4, rng)
        assert after == start.play(4, landing)
        counts[landing] = counts.get(landing, 0) + 1
    expected = {landing: p for p, landing in start.outcomes(4)}
    assert counts.keys() == expected.keys()
    for landing, p in expected.items():
        assert abs(counts[landing] / draws - p) < 5 * math.sqrt(p * (1 - p) / draws)


def test_the_clock_makes_waiting_part_of_a_move() -> None:
    """hazard 0.2 on a clock of 10 in 5 ticks: a mark at tick t flips with 1 - exp(-0.4 t)."""
    game = noughts.game("3x3:hazard=0.2,limit=10,ticks=5")
    start = game.start()
    assert start.moves == tuple(range(9 * 6))
    assert game.move_at(4, wait=3) == 4 + 9 * 3
    assert (game.cell_of(31), game.wait_of(31)) == (4, 3)
    assert start.landings(4) == [(1.0, start.play(4))]
    landings = {after.board: p for p, after in start.landings(game.move_at(4, wait=3))}
    kept = math.exp(-0.2 * 6)
    assert landings == pytest.approx({"....X....": kept, "....O....": 1 - kept})
    later = start.play(game.move_at(4, wait=3))
    assert later.tick == 3
    assert later.moves == tuple(
        9 * wait + cell for wait in range(3) for cell in range(9) if cell != 4
    )
    last = later.play(game.move_at(0, wait=2))
    assert (last.tick, last.moves) == (5, (1, 2, 3, 5, 6, 7, 8))
    assert str(last).endswith("X to move at tick 5")
    with pytest.raises(noughts.IllegalMove, match="moves are 0 to 8"):
        last.play(game.move_at(1, wait=1))


def test_a_turn_can_be_limited() -> None:
    both = noughts.game("3x3:hazard=0.2,limit=10,ticks=5,turn_limit=4")
    assert len(both.start().moves) == 9 * 3
    end = both.parse("......... X to move at tick 4")
    assert len(end.moves) == 9 * 2
    turn_only = noughts.game("3x3:hazard=0.2,turn_limit=4,ticks=2")
    assert len(turn_only.parse("......... X to move at tick 1000").moves) == 9 * 3
    odd = noughts.game("3x3:hazard=1,limit=1,turn_limit=0.3,ticks=10")  # 0.3 / 0.1 < 3 in floats
    assert len(odd.start().moves) == 9 * 4


def test_hazard_joins_flip_and_fizzle() -> None:
    start = noughts.game("3x3:flip=0.1,fizzle=0.2,hazard=0.5,limit=2,ticks=2").start()
    odds = {landing.mark: p for p, landing in start.outcomes(9 + 4)}
    own = 0.7 * math.exp(-0.5)
    assert odds == pytest.approx({"X": own, "O": 0.8 - own, None: 0.2})


def test_every_risk_works_on_every_board() -> None:
    risk = "flip=0.1,fizzle=0.1,fade=0.1,hazard=0.1,limit=1,ticks=2"
    for board in ("3x3", "4x4:k=3", "3x3x3", "qubic", "ultimate", "ultimate:won=open"):
        game = noughts.game(board + ("," if ":" in board else ":") + risk)
        position = game.start().play(game.move_at(0, wait=1))
        move = game.move_at(position.game.cell_of(position.moves[-1]), wait=1)
        landings = position.landings(move)
        assert sum(p for p, _ in landings) == pytest.approx(1.0)
        assert len(landings) == 2 * 3  # the first mark may fade; the second is X, O or not there
