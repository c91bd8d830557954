"""Nobody asks what class a game is, and nobody takes two players for granted.

    python tests/house/classes.py        every finding on one line; none: silence

Every file of the package is read as a syntax tree. Outside the rooms that are made for one family
nobody may

    class    name a class of games, positions, rules or states of one family
    spec     compare the spec of a game with a literal
    hasattr  ask a game or a position whether it has an attribute
    read     read what only some games have: `.lines .forced .x_mask .o_mask .owners .risk`
    two      compute a seat as `3 - seat`, take `% 2` of plies, or write X and O as a literal pair,
             as marks or as the numbers of seats, also as `X if … else O`

Whoever needs to know something of a game asks the game (`games/facts.py`) or its family
(`kernels/rules/protocol.py`). Exceptions stand below with their reasons, and one that is not needed
is a finding, too.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parent.parent.parent / "src" / "noughts"

# Rooms that are made for one family.
ROOMS = (
    "games",
    "kernels/rules",
    "kernels/proof",
    "prove",
    "studies",
    "kernels/zero",  # the folded Ultimate player
    "learn/zero/folded",
)

_SWEEP = "the sweep of all boards is made for lines, their risk and two players"
_ENCODING = "an encoding that shipped learners depend on, bit for bit"

ALLOWED: dict[str, dict[str, str]] = {
    "class": {},
    "spec": {},
    "hasattr": {},
    "read": {
        "solve": _SWEEP,
        "testing.py": "checks that a game's landings are those of the risk that it states",
        "learn/frame/features.py": _ENCODING,
    },
    "two": {
        "solve": _SWEEP,
        "kernels/policies.py": _SWEEP,
        "learn/frame/features.py": _ENCODING,
    },
}

FAMILIES = re.compile(r"\b(Line|Mask|Ultimate)(Game|Position|Rules|State|Search|Tables)\b")
SOME_HAVE = {"lines", "forced", "x_mask", "o_mask", "owners", "risk"}
OTHER_THINGS = {
    "self",
    "board",
    "card",
    "log",
    "seen",
    "samples",
    "batch",
}  # not a game or position
A_GAME = re.compile(r"(^|_)(game|position|start|before|after)s?$")
PLIES = re.compile(r"(^|_)(ply|plies|turns?|depth|step|tick|filled|moves|opening)$")


ASKING = ("hasattr", "getattr", "vars", "dir")


class Finding(NamedTuple):
    """Something that nobody should write."""

    kind: str
    line: int
    what: str


def findings_in(source: str) -> Iterator[Finding]:
    """Everything in a file that asks for a class or takes two players for granted."""
    tree = ast.parse(source)
    texts, specs = _constant_texts(tree), _spec_names(tree)
    docstrings = set(_docstrings(tree))
    for node in ast.walk(tree):
        if id(node) in docstrings:
            continue
        for kind, what in (*_asks_class(node), *_asks_game(node, texts, specs), *_two(node)):
            yield Finding(kind, getattr(node, "lineno", 0), what)


def _asks_class(node: ast.AST) -> Iterator[tuple[str, str]]:
    names: list[str] = []
    if isinstance(node, ast.Name):
        names = [node.id]
    elif isinstance(node, ast.Attribute):
        names = [node.attr]
    elif isinstance(node, ast.alias):
        names = [node.name]
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        names = [node.value]  # an annotation in quotes
    for name in names:
        if found := FAMILIES.search(name):
            yield "class", found[0]


def _asks_game(node: ast.AST, texts: set[str], specs: set[str]) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        if any(_is_spec(s, specs) for s in sides) and any(_is_text(s, texts) for s in sides):
            yield "spec", ast.unparse(node)
    if isinstance(node, ast.Match) and _is_spec(node.subject, specs):
        yield "spec", f"match {ast.unparse(node.subject)}"
    is_dict = isinstance(node, ast.Attribute) and node.attr == "__dict__"
    if is_dict and A_GAME.search(_last_name(node.value)):
        yield "hasattr", ast.unparse(node)
    if isinstance(node, ast.Call):
        called = node.func
        asked = _last_name(node.args[0]) if node.args else ""
        if _last_name(called) in ASKING and A_GAME.search(asked):
            yield "hasattr", ast.unparse(node)
        is_cut = isinstance(called, ast.Attribute) and called.attr in ("startswith", "endswith")
        if is_cut and _is_spec(called, specs) and any(_is_text(a, texts) for a in node.args):
            yield "spec", ast.unparse(node)
    is_some = isinstance(node, ast.Attribute) and node.attr in SOME_HAVE
    if is_some and _last_name(node.value) not in OTHER_THINGS:
        yield "read", ast.unparse(node)


def _two(node: ast.AST) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Add) and _is_pair([node.left, node.right]):  # X + O - turn
            yield "two", ast.unparse(node)
        if isinstance(node.op, ast.Sub) and _constant(node.left) == 3 and _is_seat(node.right):
            yield "two", ast.unparse(node)
        inside = (_last_name(part) for part in ast.walk(node.left))
        halved = {ast.Mod: 2, ast.BitAnd: 1}.get(type(node.op))
        is_bit = isinstance(node.left, ast.BinOp) and isinstance(node.left.op, ast.RShift)
        is_parity = halved is not None and _constant(node.right) == halved and not is_bit
        if is_parity and any(PLIES.search(name) for name in inside):
            yield "two", ast.unparse(node)
    if isinstance(node, ast.Tuple | ast.List | ast.Set) and _is_pair(node.elts):
        yield "two", ast.unparse(node)
    if isinstance(node, ast.Dict) and _is_pair([key for key in node.keys if key is not None]):
        yield "two", ast.unparse(node)
    if isinstance(node, ast.IfExp) and _is_pair([node.body, node.orelse]):
        yield "two", ast.unparse(node)
    if isinstance(node, ast.Call) and {"X", "O"} <= {word.arg for word in node.keywords}:
        yield "two", ast.unparse(node)
    if isinstance(node, ast.Constant) and node.value in ("XO", "OX", ".XO", ".OX"):
        yield "two", ast.unparse(node)


def _is_seat(node: ast.expr) -> bool:
    """A name, or what a call or an index gives: not a number that is computed."""
    return bool(_last_name(node)) or isinstance(node, ast.Subscript | ast.Call)


def _is_pair(elements: Iterable[ast.expr]) -> bool:
    """X and O and no third mark; a draw and an empty cell are no marks."""
    found = [_constant(e) or _last_name(e) for e in elements]
    marks = [value for value in found if value not in ("draw", ".", "-")]
    return sorted(map(str, marks)) == ["O", "X"]


def _constant(node: ast.expr) -> object:
    return node.value if isinstance(node, ast.Constant) else None


def _last_name(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _is_spec(node: ast.expr, specs: Iterable[str] = ()) -> bool:
    """Whether the text of a game is in it: `str(game).partition(":")[0]`, or a name for it."""
    return any(
        (isinstance(part, ast.Name) and part.id in specs)
        or any(A_GAME.search(_last_name(game)) for game in _written(part))
        for part in ast.walk(node)
    )


def _written(node: ast.AST) -> Sequence[ast.expr]:
    """What is made a text of: by a function, by its method, in braces."""
    if isinstance(node, ast.FormattedValue):
        return [node.value]
    if isinstance(node, ast.Call) and _last_name(node.func) in ("str", "format"):
        return node.args[:1]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return [node.func.value] if node.func.attr in ("__str__", "__format__") else []
    return []


def _spec_names(tree: ast.Module) -> set[str]:
    """The names that are given the text of a game, and nothing else of it."""
    given: list[tuple[ast.expr, ast.expr]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.NamedExpr):
            given.append((node.target, node.value))
        elif isinstance(node, ast.Assign):
            given += [(target, node.value) for target in node.targets]
    return {
        target.id
        for target, value in given
        if isinstance(target, ast.Name)
        and any(A_GAME.search(_last_name(game)) for game in _written(value))
    }


def _is_text(node: ast.expr, texts: set[str]) -> bool:
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return any(_is_text(element, texts) for element in node.elts)
    if isinstance(node, ast.Name):
        return node.id in texts
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _constant_texts(tree: ast.Module) -> set[str]:
    """The names of the module that stand for a text."""
    pairs: list[tuple[ast.expr, ast.expr]] = []
    for node in tree.body:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs += zip(target.elts, node.value.elts, strict=False)
                else:
                    pairs.append((target, node.value))
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            pairs.append((node.target, node.value))
    return {_last_name(name) for name, value in pairs if isinstance(_constant(value), str)}


def _docstrings(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield id(node.value)


def violations(
    files: Mapping[str, str], allowed: Mapping[str, Mapping[str, str]] = ALLOWED
) -> list[str]:
    """What is wrong with these files of the package, {path inside it: source}."""
    found, used = [], set()
    for path, source in sorted(files.items()):
        if _listed(path, ROOMS):
            continue
        for kind, line, what in findings_in(source):
            excuse = _listed(path, allowed[kind])
            if excuse is None:
                found.append(f"{path}:{line}: {kind}: {what}")
            else:
                used.add((kind, excuse))
    idle = [f"{kind} of {path}" for kind, paths in allowed.items() for path in paths
            if (kind, path) not in used]  # fmt: skip
    return found + [f"the exception for {name} is not needed" for name in idle]


def _listed(path: str, places: Iterable[str]) -> str | None:
    """The place of a list, a folder or a file, in which a path is."""
    return next((place for place in places if path == place or path.startswith(f"{place}/")), None)


def package_files() -> dict[str, str]:
    """The sources of the package."""
    return {
        path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8")
        for path in PACKAGE.rglob("*.py")
    }


if __name__ == "__main__":
    found = violations(package_files())
    sys.stdout.writelines(f"{line}\n" for line in found)
    sys.exit(bool(found))
