"""The grammar of specs: what is read, how it is written back, and what is said about the rest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import noughts
from noughts.games.boards import MAX_CELLS, MAX_SIDE, grid_board
from noughts.games.grammar import Spec, parse_spec
from noughts.games.risk import STOCHASTIC

CANONICAL = [
    ("3x3", "3x3"),
    (" 3x3\n", "3x3"),
    ("3x3:k=3", "3x3"),
    ("03x03:k=03", "3x3"),
    ("6x5:k=5", "6x5"),
    ("6x5:k=4", "6x5:k=4"),
    ("3x3x3", "3x3x3"),
    ("4x4x4", "qubic"),
    ("4x4x4:k=4", "qubic"),
    ("4x4x4:k=3", "4x4x4:k=3"),
    ("qubic:misere", "qubic:misere"),
    ("3x3x1", "3x3x1"),
    ("3x3:misere,k=2", "3x3:k=2,misere"),
    ("ultimate:won=closed,tiebreak=draw", "ultimate"),
    ("ultimate:tiebreak=boards,won=open", "ultimate:won=open,tiebreak=boards"),
    ("3x3:flip=0", "3x3"),
    ("3x3:flip=-0.0", "3x3"),
    ("3x3:flip=classic", "3x3"),
    ("3x3:flip=.10", "3x3:flip=0.1"),
    ("3x3:flip=1e-3", "3x3:flip=0.001"),
    ("3x3:flip=blind", "3x3:flip=0.5"),
    ("3x3:flip=quarter", "3x3:flip=0.25"),
    ("3x3:flip=reverse", "3x3:flip=1"),
    ("2x2:flip=0.1/0.1/0.1/0.1", "2x2:flip=0.1"),
    ("2x2:flip=0.1/0.2/0.30/1", "2x2:flip=0.1/0.2/0.3/1"),
    ("3x3:flip=0.9/0.3/0.5/0.2/0.95/0.7/0.6/0.45/0.1", "3x3:flip=stochastic"),
    ("4x4:seed=7,flip=random", "4x4:flip=random,seed=7"),
    ("4x4:flip=random", "4x4:flip=random,seed=0"),
    ("3x3:fade=0.1,fizzle=0.2,flip=0.3", "3x3:flip=0.3,fizzle=0.2,fade=0.1"),
    ("3x3:hazard=0.2,limit=10.0", "3x3:hazard=0.2,limit=10,ticks=100"),
    ("3x3:ticks=5,limit=1,turn_limit=0.5,hazard=1", "3x3:hazard=1,limit=1,turn_limit=0.5,ticks=5"),
    ("3x3:hazard=0,limit=10,ticks=3", "3x3"),
    ("ultimate:flip=0.1", "ultimate:flip=0.1"),
]


@pytest.mark.parametrize(("written", "canonical"), CANONICAL)
def test_canonical_spec(written: str, canonical: str) -> None:
    game = noughts.game(written)
    assert str(game) == canonical
    assert noughts.game(canonical) == game
    assert hash(noughts.game(canonical)) == hash(game)
    assert repr(game) == f"noughts.game({canonical!r})"


@pytest.mark.parametrize("listing", noughts.listed_games(), ids=lambda listing: listing.spec)
def test_listed_games_are_canonical(listing: object) -> None:
    spec = listing.spec  # type: ignore[attr-defined]
    assert str(noughts.game(spec)) == spec


# (spec, what the sentence must say): the bad part and what is allowed.
BAD = [
    ("", ["has no name", "name:key=value"]),
    ("   ", ["has no name"]),
    (":k=3", ["has no name"]),
    ("3x", ["'3x' is not a game", "ROWSxCOLUMNS"]),
    ("3", ["'3' is not a game"]),
    ("x3", ["'x3' is not a game"]),
    ("3x3x3x3", ["'3x3x3x3' is not a game"]),
    ("-3x3", ["'-3x3' is not a game"]),
    ("3.5x3", ["is not a game"]),
    ("٣x٣", ["is not a game"]),
    ("3x3²", ["is not a game"]),
    ("chess", ["'chess' is not a game", "noughts games"]),
    ("Ultimat", ["'ultimat' is not a game"]),
    ("21x21", ["Side 21", "1 to 20"]),
    ("0x3", ["Side 0", "1 to 20"]),
    ("999999999x3", ["Side 999999999"]),
    ("9" * 5000 + "x3", ["is not a game"]),
    ("20x20x2", ["800 cells", "400"]),
    ("3x3:", ["ends after ':'"]),
    ("3x3:k=9", ["k=9", "1 to 3"]),
    ("3x3:k=0", ["k=0", "1 to 20"]),
    ("3x3:k=-1", ["k=-1", "1 to 20"]),
    ("3x3:k=2.0", ["k=2.0", "whole number"]),
    ("3x3:k=٣", ["k=٣", "whole number"]),
    ("3x3:k=²", ["k=²", "whole number"]),
    ("3x3:k=" + "9" * 5000, ["whole number"]),
    ("3x3:k=" + "0" * 5000, ["whole number"]),
    ("3x3:k=", ["'k='", "neither key=value nor a flag"]),
    ("3x3:k", ["k=", "whole number from 1 to 20"]),
    ("3x3:k=3,k=3", ["'k' is given twice"]),
    ("3x3:,", ["''", "neither key=value nor a flag"]),
    ("3x3:misere,", ["neither key=value nor a flag"]),
    ("3x3:=3", ["'=3'"]),
    ("3x3:misere=1", ["'misere' is a flag", "'1'"]),
    ("3x3:mysterious", ["no option 'mysterious'", "misere", "flip"]),
    ("3x3: misere", ["no option ' misere'"]),
    ("3x3:won=open", ["no option 'won'"]),
    ("qubic:k=3", ["'qubic' has no option 'k'"]),
    ("ultimate:k=3", ["'ultimate' has no option 'k'", "tiebreak"]),
    ("ultimate:won=maybe", ["won=maybe", "closed, open"]),
    ("ultimate:won", ["won=", "closed, open"]),
    ("ultimate:tiebreak=coin", ["tiebreak=coin", "draw, boards"]),
    ("3x3:flip", ["'flip' needs a value", "flip=0.1"]),
    ("3x3:flip=1.5", ["flip=1.5", "from 0 to 1"]),
    ("3x3:flip=-0.1", ["flip=-0.1", "from 0 to 1"]),
    ("3x3:flip=nan", ["flip=nan", "worlds"]),
    ("3x3:flip=inf", ["flip=inf", "worlds"]),
    ("3x3:flip=1e999", ["flip=1e999", "from 0 to 1"]),
    ("3x3:flip=0,1", ["no option '1'"]),
    ("3x3:flip=0_1", ["flip=0_1", "from 0 to 1"]),
    ("3x3:flip= 0.1", ["flip= 0.1", "from 0 to 1"]),
    ("3x3:flip=٠", ["flip=٠", "from 0 to 1"]),
    ("3x3:flip=0x1", ["flip=0x1"]),
    ("3x3:flip=1e", ["flip=1e"]),
    ("3x3:flip=dreadful", ["flip=dreadful", "stochastic", "noisy-classic"]),
    ("3x3:flip=0.1/0.2", ["flip has 2 values", "9 cells"]),
    ("2x2:flip=0.1/0.2/0.3/", ["flip="]),
    ("2x2:flip=0.1/0.2/0.3/nan", ["flip=nan"]),
    ("2x2:flip=0.1/0.2/0.3/1.1", ["flip=1.1"]),
    ("4x4:flip=stochastic", ["stochastic", "9 cells", "16"]),
    ("3x3:flip=0.6,fizzle=0.5", ["flip + fizzle is 1.1", "cell 0"]),
    ("2x2:flip=0.6,fizzle=0/0/0.5/0", ["cell 2"]),
    ("3x3:fade=2", ["fade=2", "from 0 to 1"]),
    ("3x3:seed=3", ["seed", "noisy-reverse"]),
    ("3x3:flip=0.1,seed=3", ["seed", "random"]),
    ("3x3:flip=random,seed=-1", ["seed=-1"]),
    ("3x3:flip=random,seed=4294967296", ["seed=4294967296", "4294967295"]),
    ("3x3:flip=random,seed=000000000000999999999999999", ["seed=0000"]),
    ("3x3:hazard=0.2", ["limit=T", "turn_limit=U"]),
    ("3x3:hazard=blind,limit=1", ["hazard=blind"]),
    ("3x3:hazard=1e7,limit=1", ["hazard=1e7", "1e+06"]),
    ("3x3:hazard=0.2,limit=0", ["limit=0"]),
    ("3x3:hazard=0.2,limit=inf", ["limit=inf"]),
    ("3x3:hazard=0.2,limit", ["limit=nothing"]),
    ("3x3:hazard=0.2,limit=1,ticks=0", ["ticks=0", "1 to 100000"]),
    ("3x3:limit=3", ["limit", "hazard=RATE"]),
    ("3x3:ticks=3", ["ticks", "hazard=RATE"]),
]


@pytest.mark.parametrize(("spec", "words"), BAD, ids=[spec[:40] or "empty" for spec, _ in BAD])
def test_a_bad_spec_gets_one_sentence(spec: str, words: list[str]) -> None:
    with pytest.raises(noughts.ParseError) as caught:
        noughts.game(spec)
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    for word in words:
        assert word in sentence


@pytest.mark.parametrize("spec", [None, 3, b"3x3", ["3x3"], 3.5])
def test_a_spec_is_a_text(spec: object) -> None:
    with pytest.raises(noughts.ParseError, match="not"):
        noughts.game(spec)  # type: ignore[arg-type]


@given(st.text(alphabet="0123456789x:=,./kflipmserazdtw-+ e٣", max_size=30))
def test_any_text_is_a_game_or_a_parse_error(text: str) -> None:
    try:
        game = noughts.game(text)
    except noughts.ParseError:
        return
    assert noughts.game(str(game)) == game


probabilities = st.floats(0.0, 1.0)


@given(st.lists(probabilities, min_size=4, max_size=4), st.booleans())
def test_every_vector_survives_its_spec(vector: list[float], is_misere: bool) -> None:
    flip = "/".join(map(repr, vector))
    game = noughts.game(f"2x2:flip={flip}" + (",misere" if is_misere else ""))
    assert game.risk.flip == tuple(vector)
    assert noughts.game(str(game)) == game
    assert str(noughts.game(str(game))) == str(game)


@given(st.integers(1, 20), st.integers(1, 20), st.integers(1, 4), st.integers(1, 20))
def test_every_size_is_allowed_or_refused_for_its_reason(
    rows: int, columns: int, layers: int, k: int
) -> None:
    spec = f"{rows}x{columns}x{layers}:k={k}"
    if rows * columns * layers > MAX_CELLS or k > max(rows, columns, layers):
        with pytest.raises(noughts.ParseError):
            noughts.game(spec)
    else:
        game = noughts.game(spec)
        assert game.cells == rows * columns * layers
        assert noughts.game(str(game)) == game


def test_a_game_is_its_own_spec() -> None:
    game = noughts.game("3x3")
    assert noughts.game(game) is game


def test_different_options_are_different_games() -> None:
    specs = [
        *("3x3", "3x3:misere", "3x3:k=2", "3x3:flip=0.1", "3x3:fizzle=0.1", "3x3:fade=0.1"),
        *("3x3:flip=random,seed=1", "3x3:flip=random,seed=2", "3x3:fizzle=random,seed=1"),
        *("3x3:hazard=0.1,limit=1", "3x3:hazard=0.1,limit=2", "3x3:hazard=0.1,turn_limit=1"),
        *("3x3:hazard=0.1,limit=1,ticks=9", "3x3x1", "ultimate", "ultimate:won=open"),
    ]
    assert len({noughts.game(spec) for spec in specs}) == len(specs)


def test_drawn_worlds_depend_only_on_their_seed() -> None:
    random = noughts.game("3x3:flip=random,seed=4").risk.flip
    assert random == noughts.game("3x3:flip=random,seed=4,misere").risk.flip
    assert len(set(random)) == 9
    assert all(0.0 <= p <= 0.1 for p in noughts.game("4x4:flip=noisy-classic,seed=1").risk.flip)
    assert all(0.9 <= p <= 1.0 for p in noughts.game("4x4:flip=noisy-reverse,seed=1").risk.flip)
    both = noughts.game("3x3:flip=noisy-classic,fizzle=noisy-classic,seed=1").risk
    assert both.flip != both.fizzle


def test_the_published_world() -> None:
    assert noughts.game("3x3:flip=stochastic").risk.flip == STOCHASTIC


def test_lines_of_each_board() -> None:
    """Every straight window of k cells."""
    lines = {"3x3": 8, "4x4": 10, "3x3x3": 49, "qubic": 76, "4x4:k=3": 24, "1x5:k=2": 4}
    for spec, count in lines.items():
        assert len(noughts.game(spec).lines) == count  # type: ignore[attr-defined]
    big = noughts.game("15x15:k=5").lines  # type: ignore[attr-defined]
    assert len(big) == 2 * 15 * 11 + 2 * 11 * 11
    assert all(len(line) == 5 for line in big)
    assert (grid_board((2, 3), 2).lines) == (
        *((0, 1), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (1, 5), (2, 4), (2, 5)),
        *((3, 4), (4, 5)),
    )


def test_the_default_k() -> None:
    """The side when all are equal, else the shortest."""
    for spec, k in (("3x3", 3), ("20x20", 20), ("6x5", 5), ("3x3x3", 3), ("4x5x3", 3)):
        assert {len(line) for line in noughts.game(spec).lines} == {k}  # type: ignore[attr-defined]


def test_the_largest_boards() -> None:
    assert noughts.game(f"{MAX_SIDE}x{MAX_SIDE}").cells == MAX_CELLS
    assert noughts.game("20x20x1").cells == MAX_CELLS
    assert noughts.game("1x20x20").cells == MAX_CELLS


def test_a_spec_is_taken_apart_and_put_together() -> None:
    spec = parse_spec("uct:simulations=600,fast")
    assert spec == Spec("uct", {"simulations": "600", "fast": ""})
    assert str(spec) == "uct:simulations=600,fast"
    assert str(parse_spec("random")) == "random"


def test_an_agent_without_options_says_so() -> None:
    with pytest.raises(noughts.ParseError, match="'random' has no option 'k'; it takes no options"):
        parse_spec("random:k=3").allow(())


@pytest.mark.parametrize(
    ("shape", "lines", "words"),
    [
        ((1, 3, 1), (), "no lines"),
        ((1, 3, 1), ((),), "empty or repeats"),
        ((1, 3, 1), ((0, 0),), "empty or repeats"),
        ((1, 3, 1), ((0, 3),), "cells are 0 to 2"),
        ((1, 3, 1), ((-1, 0),), "cells are 0 to 2"),
        ((0, 3, 1), ((0, 1),), "three sides"),
        ((3, 3), ((0, 1),), "three sides"),
    ],
)
def test_a_board_refuses_lines_that_cannot_be(
    shape: tuple[int, int, int], lines: tuple[tuple[int, ...], ...], words: str
) -> None:
    with pytest.raises(noughts.NoughtsError, match=words):
        noughts.Board("mine", shape, lines)


def test_a_board_puts_its_lines_in_order() -> None:
    board = noughts.Board("mine", (1, 4, 1), ((3, 1), (2, 0), (0, 2)))
    assert board.lines == ((0, 2), (1, 3))


@pytest.mark.parametrize("text", ["3X3:Misere", "3×3:misère", " 3x3:MISERE"])
def test_games_are_read_as_people_spell_them(text: str) -> None:
    assert str(noughts.game(text)) == "3x3:misere"


def test_a_slip_of_the_pen_is_asked_about() -> None:
    with pytest.raises(noughts.ParseError, match="did you mean 'flip'"):
        noughts.game("3x3:flpi=0.1")
    with pytest.raises(noughts.ParseError, match="did you mean 'alphabeta'"):
        noughts.agent("alphbeta")
