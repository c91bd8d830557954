"""What somebody who writes his first game leaves out or gets wrong is told him in one sentence.

Marks is a game in one file, right as it stands here; each test spoils one line of it.
"""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import plugged
import pytest
from test_docs import ROOT, blocks

import noughts
from noughts.cli import main
from noughts.testing import check_game, check_kernels
from noughts.web.play.values import Judge

MARKS = """
from dataclasses import dataclass, replace
from noughts.games.game import Game, Position, other


def marks(spec):
    spec.allow(())
    return ThreeMarks()


@dataclass(frozen=True, repr=False)
class ThreeMarks(Game):
    shape = (1, 3, 1)
    cells = 3

    def __str__(self):
        return "marks"

    def start(self):
        return self.position_from_row([0, 0, 0, 1])

    def symmetries(self):
        return ((0, 1, 2), (2, 1, 0))

    def position_from_row(self, row):
        letters = "".join(".XO"[number] for number in row[:3])
        result = None if "." in letters else "draw"
        return Marks(game=self, turn="XO"[row[3] - 1], letters=letters, result=result)

    @property
    def rules(self):
        from marks_kernels import MarksRules

        return MarksRules(3)


@dataclass(frozen=True, kw_only=True, repr=False)
class Marks(Position):
    letters: str

    @property
    def board(self):
        return self.letters

    @property
    def moves(self):
        return tuple(cell for cell in range(3) if self.letters[cell] == ".")

    def _after(self, move, landing):
        letters = self.letters[:move] + self.turn + self.letters[move + 1 :]
        result = None if "." in letters else "draw"
        return replace(self, letters=letters, turn=other(self.turn), result=result, last=move)

    def to_row(self):
        return [".XO".index(letter) for letter in self.letters + self.turn]

    def permuted(self, p):
        return replace(self, letters="".join(self.letters[p.index(cell)] for cell in range(3)))
"""

KERNELS = """
from typing import Any, NamedTuple

import numpy as np

from noughts.kernels.rules.codes import DRAW, RUNNING
from noughts.kernels.rules.protocol import Facts, family, verb


class MarksRules(NamedTuple):
    cells: int


class State(NamedTuple):
    row: Any


def facts(rules):
    return Facts(
        seats=2, moves=3, most_open=3, most_outcomes=1, row_size=4, undo_size=4, settles=False,
        repeats=False, longest=3, key_is_exact=False, images=1,
    )


def new(rules):
    return State(np.zeros(4, np.int32))


@verb
def load(rules, row, state):
    kept = state.row
    for i in range(4):
        kept[i] = row[i]
    return state


@verb
def save(rules, state, row):
    for i in range(4):
        row[i] = state.row[i]


@verb
def turn(rules, state):
    return np.int64(state.row[3])


@verb
def result(rules, state):
    for cell in range(3):
        if state.row[cell] == 0:
            return np.int64(RUNNING)
    return np.int64(DRAW)


@verb
def open_moves(rules, state, moves):
    n = np.int64(0)
    for cell in range(3):
        if state.row[cell] == 0:
            moves[n] = cell
            n += 1
    return n


@verb
def land(rules, state, move, outcome):
    row = state.row
    row[move] = row[3]
    row[3] = 3 - row[3]
    return state


family(
    MarksRules, facts=facts, new=new, load=load, save=save, turn=turn, result=result,
    open_moves=open_moves, land=land,
)
"""

Spoil = Callable[..., None]


@pytest.fixture
def spoiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Publish Marks with some words put in place of others."""

    def spoil(*changes: tuple[str, str]) -> None:
        game, kernels = MARKS, KERNELS
        for old, new in changes:
            assert (game + kernels).count(old) == 1, old
            game, kernels = game.replace(old, new), kernels.replace(old, new)
        (tmp_path / "marks_game.py").write_text(game)
        (tmp_path / "marks_kernels.py").write_text(kernels)
        groups = {"noughts.games": {"marks": "marks_game:marks"}}
        plugged.plug_in(monkeypatch, plugged.publish(tmp_path, "marks", groups))

    yield spoil
    monkeypatch.undo()
    plugged.forget()
    for name in ("marks_game", "marks_kernels"):
        sys.modules.pop(name, None)


def test_as_it_stands_it_passes(spoiled: Spoil) -> None:
    spoiled()
    check_game("marks", positions=40)
    check_kernels("marks", positions=20)


@pytest.mark.parametrize(
    ("old", "new", "missing"),
    [
        ("    cells = 3\n", "", "ThreeMarks does not say `cells`."),
        ("def _after(", "def after(", "Marks does not say `_after`."),
    ],
)
def test_what_a_class_must_say(
    spoiled: Spoil, capsys: pytest.CaptureFixture[str], old: str, new: str, missing: str
) -> None:
    spoiled((old, new))
    assert main(["match", "marks", "random", "random", "--games", "2"]) == 2
    told = f"noughts: The game 'marks' of another package cannot be made: {missing}\n"
    assert capsys.readouterr().err == told


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("return tuple(cell", "return list(cell", "Moves are a list, not a tuple."),
        ("def to_row(", "def row(", "refused with 'Marks does not say `to_row`.'"),
        ("def permuted(", "def image(", "refused with 'Marks does not say `permuted`.'"),
        (
            "    cells = 3\n",
            "    cells = 3\n    longest = 2\n",
            "A game lasted 3 moves or more, and yet longest is 2.",
        ),
        (
            "letters = self.letters[:move] + self.turn + self.letters[move + 1 :]",
            'letters = "..." if self.turn == "O" else ".X."',
            "A position came again, and yet can_repeat is not True.",
        ),
    ],
)
def test_what_check_game_says(spoiled: Spoil, old: str, new: str, sentence: str) -> None:
    spoiled((old, new))
    with pytest.raises(AssertionError) as caught:
        check_game("marks", positions=40)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("repeats=False", "repeats=True", "The repeats are True to kernels, False else."),
        ("longest=3", "longest=0", "The longest games are 0 to kernels, 3 else."),
    ],
)
def test_what_check_kernels_says(spoiled: Spoil, old: str, new: str, sentence: str) -> None:
    spoiled((old, new))
    with pytest.raises(AssertionError) as caught:
        check_kernels("marks", positions=20)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("family(\n", "lambda: family(\n", "MarksRules is no family; call family(MarksRules, …)."),
        (
            "import numpy as np\n",
            "import no_such_module\n",
            "The game 'marks' of another package cannot be loaded: No module named "
            "'no_such_module'.",
        ),
    ],
)
def test_kernels_that_cannot_be_had(spoiled: Spoil, old: str, new: str, sentence: str) -> None:
    spoiled((old, new))
    start = noughts.game("marks").start()
    for spec in ("alphabeta", "uct:simulations=9", "flat:playouts=9"):
        with pytest.raises(noughts.NoughtsError) as caught:
            noughts.agent(spec).choose(start, np.random.default_rng(1))
        assert str(caught.value) == sentence
    with pytest.raises(noughts.NoughtsError) as caught:
        noughts.playouts("marks", 1)
    assert str(caught.value) == sentence


def test_a_row_of_letters(spoiled: Spoil) -> None:
    spoiled()
    game = noughts.game("marks")
    with pytest.raises(noughts.ParseError, match="The row a/b is not whole numbers of up to nine"):
        game.parse("... X to move; row a/b")
    with pytest.raises(noughts.ParseError, match="does not say whose turn it is"):
        game.parse("... Y to move; row a/b")


def test_a_game_is_tried_without_installing_it(tmp_path: Path) -> None:
    """As the page says it."""
    page = ROOT / "docs" / "extend" / "game.md"
    (tmp_path / "my_package.py").write_text(blocks(page, "python")[0])
    (recipe,) = blocks(page, "bash")
    python = f"'{sys.executable}' -m noughts"
    done = subprocess.run(
        ["sh", "-ec", recipe.replace("PYTHONPATH=. noughts", f"PYTHONPATH=. {python}")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "game        fano\ncells       7\n" in done.stdout


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            "def marks(spec):\n",
            "raise SystemExit(3)\n\n\ndef marks(spec):\n",
            "The game 'marks' of another package cannot be loaded: it ends the program.",
        ),
        (
            "def marks(spec):\n    spec.allow(())\n",
            "def marks():\n",
            "The game 'marks' of another package cannot be made: TypeError: marks() takes 0 "
            "positional arguments but 1 was given.",
        ),
        (
            "    spec.allow(())\n",
            '    raise KeyError("size")\n',
            "The game 'marks' of another package cannot be made: KeyError: 'size'.",
        ),
        (
            'return "marks"',
            'return "3x3"',
            "The plug-in game 'marks' calls itself '3x3', which is not read back as it; its spec "
            "must begin with 'marks'.",
        ),
    ],
)
def test_a_function_that_gives_no_game(
    spoiled: Spoil, capsys: pytest.CaptureFixture[str], old: str, new: str, sentence: str
) -> None:
    spoiled((old, new))
    assert main(["games", "marks"]) == 2
    assert capsys.readouterr().err == f"noughts: {sentence}\n"
    assert main(["games"]) == 0  # everybody else's are still there
    assert "qubic" in capsys.readouterr().out


def test_an_agent_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "needy_agent.py").write_text(
        "import noughts\n\n\nclass Needy(noughts.Agent):\n    name = 'needy'\n\n"
        "    def __init__(self, n):\n        self.n = n\n\n"
        "    def choose(self, position, rng):\n        return position.moves[0]\n"
    )
    groups = {"noughts.agents": {"needy": "needy_agent:Needy"}}
    plugged.plug_in(monkeypatch, plugged.publish(tmp_path, "needy", groups))
    with pytest.raises(noughts.ParseError, match="'needy' of another package cannot be made: Type"):
        noughts.agent("needy")
    monkeypatch.undo()
    plugged.forget()


def test_the_page_asks_the_plain_search_where_no_kernel_knows_the_rules(spoiled: Spoil) -> None:
    spoiled(("    def rules(self):\n", "    def unused(self):\n"))
    judge = Judge(noughts.agent, "auto", noughts.game("marks"))
    assert judge.agent_name == "alphabeta:time=1"
    assert set(judge.judge(noughts.game("marks").start()).values.values()) == {0.0}
    for other in (replace(judge, is_quick=True), replace(judge, share=9)):
        assert other.agent_name.startswith("alphabeta:time=0.")
