"""The rules of Ultimate: where you are sent, what is closed, who wins, and what risk changes."""

import pytest

import noughts
from noughts.games import UltimatePosition

EMPTY_ULTIMATE = "/".join(["........."] * 9)


def play_all(spec: str, moves: list[int]) -> UltimatePosition:
    position = noughts.game(spec).start()
    for move in moves:
        position = position.play(move)
    assert isinstance(position, UltimatePosition)
    return position


def cells_of(*minis: int) -> tuple[int, ...]:
    return tuple(9 * mini + cell for mini in minis for cell in range(9))


def test_the_cell_names_the_next_mini_board() -> None:
    position = play_all("ultimate", [40])
    assert position.forced == 4
    assert position.moves == tuple(cell for cell in cells_of(4) if cell != 40)
    assert play_all("ultimate", [40, 9 * 4 + 7]).moves == cells_of(7)


def x_wins_mini_board_0(spec: str) -> UltimatePosition:
    """X takes the diagonal of mini board 0; O, sent to 4 and to 8, sends him back each time."""
    return play_all(spec, [4, 9 * 4, 8, 9 * 8, 0])


def test_a_won_mini_board_takes_no_more_marks() -> None:
    position = x_wins_mini_board_0("ultimate")
    assert position.owners == "X........"
    # X's last cell points to the mini board that he just won, so O may play anywhere else.
    assert position.forced == 9
    assert set(position.moves) == set(cells_of(*range(1, 9))) - {36, 72}


def test_an_open_mini_board_takes_marks_until_it_is_full() -> None:
    position = x_wins_mini_board_0("ultimate:won=open")
    assert position.owners == "X........"
    assert position.forced == 0
    assert position.moves == (1, 2, 3, 5, 6, 7)


def test_a_won_mini_board_stays_with_its_winner() -> None:
    position = noughts.game("ultimate:won=open").parse(
        f"XXXOO..../{EMPTY_ULTIMATE[10:]} O to move in mini board 0; won X........"
    )
    after = position.play(5)
    assert isinstance(after, UltimatePosition)
    assert (after.board[:9], after.owners) == ("XXXOOO...", "X........")


def test_three_mini_boards_in_a_line_win() -> None:
    letters = ["XXX......", "XXX......", "XX.......", *["........."] * 6]
    position = noughts.game("ultimate").parse("/".join(letters) + " X to move in mini board 2")
    after = position.play(9 * 2 + 2)
    assert isinstance(after, UltimatePosition)
    assert (after.result, after.moves, after.winning_line) == ("X", (), (0, 1, 2))
    # O has a mark of his own land there: nothing is won yet.
    assert position.play(9 * 2 + 2, noughts.Landing("O")).result is None


# Every mini board full or won, no line of them: X has two, O has one.
#   X . O
#   . . .        and one cell left in the last
#   . X .
FULL = "XOXXOOOXX"
STUCK = ["XXX.OO...", FULL, "OOOXX....", FULL, FULL, FULL, FULL, "XXXOO....", "XOXXOOOX."]


@pytest.mark.parametrize(
    ("spec", "result"), [("ultimate", "draw"), ("ultimate:tiebreak=boards", "X")]
)
def test_when_no_move_is_left(spec: str, result: str) -> None:
    position = noughts.game(spec).parse("/".join(STUCK) + " X to move in mini board 8")
    assert position.moves == (80,)
    after = position.play(80)
    assert (after.result, after.moves) == (result, ())
    # In an open game the won mini boards go on.
    wide = noughts.game("ultimate:won=open").parse("/".join(STUCK) + " X to move in mini board 8")
    assert wide.play(80).result is None


def test_a_full_mini_board_sends_anywhere() -> None:
    letters = ["XOXXOOOX.", *["........."] * 8]
    position = noughts.game("ultimate").parse("/".join(letters) + " X to move in mini board 0")
    after = position.play(8)
    assert isinstance(after, UltimatePosition)
    assert after.forced == 8
    there = after.play(9 * 8 + 0)
    assert isinstance(there, UltimatePosition)
    assert there.forced == 9
    assert there.moves == tuple(cell for cell in cells_of(*range(1, 9)) if cell != 72)


def test_a_fizzle_still_sends_the_opponent() -> None:
    position = noughts.game("ultimate:fizzle=0.5").start().play(40 + 2, noughts.Landing(None))
    assert isinstance(position, UltimatePosition)
    assert (position.board, position.turn, position.forced) == ("." * 81, "O", 6)


def test_a_flip_can_win_a_mini_board_for_the_opponent() -> None:
    position = noughts.game("ultimate:flip=0.5").parse(
        f"OO......./{EMPTY_ULTIMATE[10:]} X to move in mini board 0"
    )
    after = position.play(2, noughts.Landing("O"))
    assert isinstance(after, UltimatePosition)
    assert after.owners == "O........"


def test_marks_in_a_won_mini_board_do_not_fade() -> None:
    position = noughts.game("ultimate:fade=0.1").parse(
        f"XXX....../O......../{EMPTY_ULTIMATE[20:]} X to move in mini board 1"
    )
    fading = {landing.faded for _, landing in position.outcomes(9 + 4)}
    assert fading == {(), (9,), (13,), (9, 13)}
    assert sum(p for p, _ in position.outcomes(9 + 4)) == pytest.approx(1.0)


def test_a_faded_mini_board_is_open_again() -> None:
    """X's cell points to a full mini board; when a mark there fades, O is sent there after all."""
    letters = [FULL, "X........", *["........."] * 7]
    position = noughts.game("ultimate:fade=0.1").parse("/".join(letters) + " X to move anywhere")
    kept = position.play(9 * 2 + 0)
    faded = position.play(9 * 2 + 0, noughts.Landing("X", (4,)))
    assert isinstance(kept, UltimatePosition)
    assert isinstance(faded, UltimatePosition)
    assert (kept.forced, faded.forced) == (9, 0)
    assert faded.moves == (4,)
