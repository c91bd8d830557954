"""The house asks games for facts, not for classes: the check of it finds one of each kind."""

import pytest
from house.classes import ALLOWED, PACKAGE, package_files, violations

NOTHING_ALLOWED = {kind: dict[str, str]() for kind in ALLOWED}

PLANTED = {
    "an import": ("class", "from noughts.games.line_game import LineGame\n"),
    "a look at a class": (
        "class",
        "def f(game):\n    return isinstance(game, g.UltimateGame)\n",
    ),
    "an annotation in quotes": ("class", "def f(position: 'LinePosition | None'):\n    pass\n"),
    "rules": ("class", "from noughts.kernels.rules.masks import MaskRules as Rules\n"),
    "a spec": ("spec", "def f(game):\n    return str(game) == 'qubic'\n"),
    "a spec among some": ("spec", "def f(self):\n    return str(self.game) in ('3x3', '4x4')\n"),
    "a spec by a name": (
        "spec",
        "A = '3x3'\n\n\ndef f(game):\n    return A != str(game)\n",
    ),
    "one of two names": (
        "spec",
        "A, B = 'cube', 1\n\n\ndef f(game):\n    return str(game) == A\n",
    ),
    "a part of a spec": ("spec", "def f(game):\n    return str(game).partition(':')[0] == 'x'\n"),
    "how a spec begins": ("spec", "def f(game):\n    return str(game).startswith('ultimate')\n"),
    "a spec by a local name": (
        "spec",
        "def f(game):\n    told = str(game)\n    return told in ('3x3', '4x4')\n",
    ),
    "a spec in braces": ("spec", "def f(game):\n    return f'{game}' == 'qubic'\n"),
    "a spec by its method": ("spec", "def f(game):\n    return game.__str__() == 'qubic'\n"),
    "cases of a spec": (
        "spec",
        "def f(game):\n    match str(game):\n        case 'qubic':\n            return 1\n",
    ),
    "a case of a class": (
        "class",
        "def f(game):\n    match game:\n        case g.LineGame():\n            return 1\n",
    ),
    "the name of a class": (
        "class",
        "def f(game):\n    return type(game).__name__ == 'LineGame'\n",
    ),
    "a class under another name": (
        "class",
        "import noughts.games as g\n\nKind = g.LineGame\n",
    ),
    "vars": ("hasattr", "def f(game):\n    return 'lines' in vars(game)\n"),
    "dir": ("hasattr", "def f(game):\n    return 'lines' in dir(game)\n"),
    "a dictionary": ("hasattr", "def f(position):\n    return position.__dict__['x_mask']\n"),
    "hasattr": ("hasattr", "def f(game):\n    return hasattr(game, 'lines')\n"),
    "getattr": ("hasattr", "def f(p):\n    return getattr(p.game, 'is_misere', False)\n"),
    "lines": ("read", "def f(game):\n    return len(game.lines)\n"),
    "a forced board": ("read", "def f(position):\n    return position.forced\n"),
    "a mask": ("read", "def f(self):\n    return self.position.x_mask\n"),
    "owners": ("read", "def f(after):\n    return after.owners[0]\n"),
    "risk": ("read", "def f(game):\n    return game.risk.is_risky\n"),
    "three minus a seat": ("two", "def f(turn):\n    return 3 - turn\n"),
    "three minus a seat in a row": ("two", "def f(row):\n    return 3 - row[-1]\n"),
    "both seats minus one": ("two", "def f(turn):\n    return X + O - turn\n"),
    "one mark or the other": ("two", "def f(turn):\n    return 'O' if turn == 'X' else 'X'\n"),
    "two marks by keywords": ("two", "WORTH = dict(X=1.0, O=-1.0)\n"),
    "the last bit of the ply": ("two", "def f(ply):\n    return ply & 1\n"),
    "parity of the ply": ("two", "def f(ply):\n    return 1 if ply % 2 == 0 else -1\n"),
    "parity of the moves": ("two", "def f(record):\n    return len(record.moves) % 2\n"),
    "a pair of marks": ("two", "SEATS = ('X', 'O')\n"),
    "values of two marks": ("two", "WORTH = {'X': 1.0, 'O': -1.0, 'draw': 0.0}\n"),
    "numbers of two seats": ("two", "WORTH = {X: 1.0, O: -1.0}\n"),
    "two letters": ("two", "def f(position):\n    return 'XO'.index(position.turn)\n"),
}


def test_nobody_asks_for_a_class_or_takes_two_players_for_granted() -> None:
    assert (PACKAGE / "games" / "facts.py").exists()
    assert violations(package_files()) == []


@pytest.mark.parametrize("name", PLANTED)
def test_one_that_is_planted_is_found(name: str) -> None:
    kind, source = PLANTED[name]
    found = violations({"arena/planted.py": source}, NOTHING_ALLOWED)
    assert found, f"{name} was not found"
    assert all(line.startswith("arena/planted.py:") and f": {kind}: " in line for line in found)


@pytest.mark.parametrize("path", ["games/new_game.py", "kernels/rules/new_family.py"])
def test_families_may(path: str) -> None:
    sources = "\n\n".join(source for _, source in PLANTED.values())
    assert violations({path: sources}, NOTHING_ALLOWED) == []


def test_what_is_no_question_about_a_class_is_left_alone() -> None:
    source = '''"""About LineGame, in words."""


def f(game, log, cells):
    title = f"{game} is a LineGam"
    return [*log.lines, str(game), cells % 2, game.marks, ("X", "O", "T"), 4 - cells, title]
'''
    assert violations({"arena/fine.py": source}, NOTHING_ALLOWED) == []


def test_an_exception_that_nobody_needs_is_a_finding() -> None:
    allowed = NOTHING_ALLOWED | {"read": {"arena/old.py": "it drew the risk once"}}
    found = violations({"arena/old.py": "def f(game):\n    return game.cells\n"}, allowed)
    assert found == ["the exception for read of arena/old.py is not needed"]
