"""`check_game`: every game passes, a stranger's too, and every kind of broken game is caught."""

import subprocess
import sys
from collections.abc import Callable, Iterable
from importlib.metadata import EntryPoint
from types import SimpleNamespace

import pytest
from crooked_games import FAULTS, Crooked, Fine, SpecOfAnother, TooLikely, crooked

import noughts
from noughts import plugins
from noughts.errors import NoughtsWarning
from noughts.games import LineGame, LinePosition, registry
from noughts.games.grammar import Spec, parse_spec
from noughts.testing import check_game

MORE = [
    *("1x1", "1x2:k=2", "2x2x2:k=2", "5x5", "9x9:k=1", "3x3x3:misere"),
    *("3x3:flip=reverse", "3x3:fizzle=1", "3x3:fade=1", "3x3:flip=0.9,fizzle=0.1"),
    *("3x3:hazard=2,turn_limit=1,ticks=2", "qubic:flip=random,seed=1,fade=0.02"),
    "ultimate:won=open,fade=0.05",
    "ultimate:flip=0.2,fizzle=0.1,hazard=0.3,limit=4,ticks=3",
]


@pytest.mark.parametrize("spec", [*(row.spec for row in noughts.listed_games()), *MORE])
def test_every_game_passes(spec: str) -> None:
    check_game(spec, positions=40 if noughts.game(spec).cells > 30 else 80)


def fano(spec: Spec) -> noughts.Board:
    """The Fano plane: seven cells, seven lines of three, and every two cells share one.

    Its lines come in no order, as a stranger may write them.
    """
    lines = ((2, 1, 0), (0, 3, 4), (6, 5, 0), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5))
    return noughts.Board("fano", (1, 7, 1), lines)


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Iterable[Callable[[object], None]]:
    """Pretend that an installed package has this entry point."""

    def forget() -> None:
        registry._third_party.cache_clear()
        registry._build.cache_clear()

    def pretend(point: object) -> None:
        def found(group: str) -> list[object]:
            return [point] if group == "noughts.games" else []

        monkeypatch.setattr(plugins, "entry_points", found)
        forget()

    yield pretend
    monkeypatch.undo()
    forget()


Register = Callable[[object], None]


def test_a_board_from_another_package(register: Register) -> None:
    with pytest.raises(noughts.ParseError, match="'fano' is not a game"):
        noughts.game("fano")
    register(EntryPoint("fano", "test_check_game:fano", "noughts.games"))
    assert "fano" in [listing.spec for listing in noughts.listed_games()]
    game = noughts.game("fano")
    assert len(game.symmetries()) == 168
    for spec in ("fano", "fano:misere", "fano:flip=0.1,fade=0.2", "fano:hazard=1,limit=1,ticks=2"):
        assert str(noughts.game(spec)).startswith("fano")
        check_game(spec, positions=60)
    # Nobody can avoid a line for long: every two-colouring of the plane has one.
    assert noughts.playouts("fano", 1000).draws == 0
    assert noughts.perft("fano", 5) == 7 * 6 * 5 * 4 * 3
    with pytest.raises(noughts.ParseError, match="'fano' has no option 'k'"):
        noughts.game("fano:k=3")


def test_a_plug_in_must_give_a_game(register: Register) -> None:
    register(SimpleNamespace(name="nothing", load=lambda: lambda spec: 42))
    with pytest.raises(noughts.ParseError, match="plug-in game 'nothing' gave 42"):
        noughts.game("nothing")


def test_an_unregistered_game_is_caught() -> None:
    game = LineGame(noughts.Board("mine", (1, 3, 1), ((0, 1),)), False, noughts.game("1x3").risk)
    with pytest.raises(AssertionError, match="'mine' of this game; is it registered"):
        check_game(game)


def test_a_check_needs_no_compiler_and_no_asserts() -> None:
    """It loads no numba, and `python -O`, which drops asserts, does not disarm it."""
    script = (
        "import sys\n"
        "from noughts.games import LinePosition\n"
        "from noughts.testing import check_game\n"
        "check_game('3x3:flip=0.1', positions=20)\n"
        "assert False, 'this line is dropped'\n"
        "LinePosition.canonical = lambda self: self\n"
        "try:\n"
        "    check_game('3x3', positions=20)\n"
        "except AssertionError:\n"
        "    sys.exit(3 if 'numba' in sys.modules else 0)\n"
        "sys.exit(4)\n"
    )
    assert subprocess.run([sys.executable, "-O", "-c", script], check=False).returncode == 0


def test_checking_nothing_is_refused() -> None:
    with pytest.raises(noughts.NoughtsError, match="positions=0 checks nothing"):
        check_game("3x3", positions=0)


def test_the_same_seed_checks_the_same_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    read_back = noughts.Position.from_json

    def spy(text: str) -> noughts.Position:
        seen.append(text)
        return read_back(text)

    monkeypatch.setattr(noughts.Position, "from_json", staticmethod(spy))
    check_game("3x3:flip=0.3", positions=50, seed=1)
    first = seen.copy()
    seen.clear()
    check_game("3x3:flip=0.3", positions=50, seed=1)
    assert seen == first
    assert len(seen) == 50
    seen.clear()
    check_game("3x3:flip=0.3", positions=50, seed=2)
    assert seen != first


@pytest.mark.parametrize(
    ("game_class", "kind", "risk", "sentence"),
    FAULTS,
    ids=[f"{game.__name__}-{kind.__name__}" for game, kind, _, _ in FAULTS],
)
def test_a_broken_game_is_caught(
    register: Register,
    game_class: type[Crooked],
    kind: type[LinePosition],
    risk: str,
    sentence: str,
) -> None:
    register(SimpleNamespace(name="crooked", load=lambda: crooked(game_class, kind)))
    asked: noughts.Game | str = f"crooked:{risk}" if risk else "crooked"
    if game_class is SpecOfAnother:  # which cannot be had by its name
        asked = crooked(game_class, kind)(parse_spec("crooked"))
    with pytest.raises(AssertionError, match=sentence):
        check_game(asked)


def test_a_game_whose_spec_names_another_is_refused_by_name(register: Register) -> None:
    register(SimpleNamespace(name="crooked", load=lambda: crooked(SpecOfAnother, Fine)))
    with pytest.raises(noughts.ParseError, match="'crooked' calls itself '3x3', which is not read"):
        noughts.game("crooked")


@pytest.mark.parametrize("risk", ["", ":flip=0.5", ":fade=0.3", ":hazard=1,limit=1,ticks=3"])
def test_without_a_fault_the_same_game_passes(register: Register, risk: str) -> None:
    register(SimpleNamespace(name="crooked", load=lambda: crooked(Crooked, Fine)))
    check_game(f"crooked{risk}")


def test_the_message_names_the_position(register: Register) -> None:
    register(SimpleNamespace(name="crooked", load=lambda: crooked(Crooked, TooLikely)))
    with pytest.raises(AssertionError) as caught:
        check_game("crooked")
    sentence, position = str(caught.value).splitlines()
    assert sentence.endswith(".")
    assert eval(position, {"noughts": noughts}).game == noughts.game("crooked")


def test_a_name_of_ours_stays_ours(register: Register) -> None:
    register(EntryPoint("3x3", "test_check_game:fano", "noughts.games"))
    with pytest.warns(NoughtsWarning, match="'3x3' .* is left out: the name is taken"):
        game = noughts.game("3x3")
    assert game.cells == 9


def test_a_broken_game_of_another_package_is_one_sentence(register: Register) -> None:
    register(EntryPoint("lost", "no.such.module:game", "noughts.games"))
    sentence = "The game 'lost' of another package cannot be loaded: No module named 'no'."
    with pytest.raises(noughts.ParseError, match=sentence):
        noughts.game("lost")
    assert noughts.listed_games()[-1].summary == sentence
    assert noughts.game("3x3").cells == 9


def test_a_game_of_another_package_sums_itself_up(register: Register) -> None:
    register(EntryPoint("fano", "test_check_game:fano", "noughts.games"))
    assert noughts.listed_games()[-1].summary.startswith("the Fano plane")
