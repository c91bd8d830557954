"""Nobody but `noughts.knowledge` calls a value exact or proven.

Every file above that room is read as a syntax tree. Three things give away somebody who decides on
his own what is certain:

    he fetches tables, certificates or forced lines where they are made, not from the room;
    he reads or states that something is exact (`is_exact`, `values_are_exact`, "exact": …) without
    having asked the room;
    he has a limit of his own for what can be solved in a moment.

Below the room proofs are made: `solve`, `search`, `prove`, `kernels`. What is allowed above has a
reason.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "noughts"
BELOW = ("kernels", "games", "solve", "search", "prove", "knowledge", "agents.py", "effort.py")

MAKERS = re.compile(
    r"noughts\.(solve\.written\.stored|search\.(threats|shortcuts)|prove\.(line|book))\b"
)
CLAIMS = re.compile(r"^(is_exact|exact|is_proven|proven|values_are_exact|are_exact)$")
LIMITS = re.compile(r"^_?(SOLVED|SOLVABLE|EXACT|VALUED|PROVEN|ALWAYS_EXACT)\w*$")

ALLOWED = {
    "learn/zero": "a search: what its own tree has proven, which the room asks like any agent's",
    "bench/net.py": "signatures of searches, their flags included; nobody is told a value",
    "studies/players/four_algorithms": "measures whether agents prove, and says it of the agent",
    "studies/openings/qubic.py": "makes the certificate again, and reports on that very search",
    "studies/risk/pairings.py": "`exact` names odds that are computed beside odds that are counted",
    "commands/exact/check.py": "checks certificates, which is where they come from",
    "web/models.py": "the shape of an answer",
    "web/play/models.py": "the shape of an answer",
    "web/work/tasks.py": "passes on what an agent thought, in its own words",
    "web/learn/tasks.py": "states that a table that learns is not exact",
}


def claims_in(source: str) -> Iterator[str]:
    """What in a file decides on its own what is certain, or would if the room were not asked."""
    tree = ast.parse(source)
    modules = {name for node in ast.walk(tree) for name in imported(node)}
    asks = any(module.startswith("noughts.knowledge") for module in modules)
    yield from (f"imports {module}" for module in sorted(modules) if MAKERS.match(module))
    for node in ast.walk(tree):
        for name in stated(node):
            if CLAIMS.match(name) and not (asks or isinstance(node, ast.Name)):
                yield f"line {node.lineno}: {name} without asking"
            if LIMITS.match(name):
                yield f"line {node.lineno}: the limit {name}"
        if asks and isinstance(node, ast.Attribute) and node.attr == "values_are_exact":
            yield f"line {node.lineno}: an agent's own flag beside what is known"


def imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.ImportFrom) and node.module:
        yield node.module
        yield from (f"{node.module}.{name.name}" for name in node.names)
    if isinstance(node, ast.Import):
        yield from (name.name for name in node.names)


def stated(node: ast.AST) -> Iterator[str]:
    """The names that a node reads, sets or passes, and the keys of plain data."""
    if isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.keyword) and node.arg:
        yield node.arg
    elif isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.Dict):
        yield from (
            k.value for k in node.keys if isinstance(k, ast.Constant) and type(k.value) is str
        )


def files_above() -> list[Path]:
    return [
        path
        for path in sorted(PACKAGE.rglob("*.py"))
        if not str(path.relative_to(PACKAGE)).startswith(BELOW)
    ]


def is_allowed(path: Path) -> bool:
    return any(path.relative_to(PACKAGE).is_relative_to(place) for place in ALLOWED)


@pytest.mark.parametrize("path", files_above(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_nobody_else_says_exact(path: Path) -> None:
    found = list(claims_in(path.read_text(encoding="utf-8")))
    assert is_allowed(path) or not found


@pytest.mark.parametrize("place", ALLOWED)
def test_what_is_allowed_is_there_and_needed(place: str) -> None:
    files = [path for path in files_above() if path.relative_to(PACKAGE).is_relative_to(place)]
    assert files
    assert any(list(claims_in(path.read_text(encoding="utf-8"))) for path in files)


@pytest.mark.parametrize(
    "planted",
    [
        "from noughts.solve.written.stored import stored_solution",
        "import noughts.search.threats",
        "from noughts.prove.line import forced_line",
        "from noughts.search import shortcuts",
        "def f(agent): return agent.values_are_exact",
        "def f(agent): return {'value': 1.0, 'exact': True}",
        "def f(make): return make(is_exact=True)",
        "SOLVED_CELLS = 16",
        "def f(game, EXACT_UP_TO=9): return game.cells <= EXACT_UP_TO",
        "from noughts.knowledge import known\ndef f(agent): return agent.values_are_exact",
    ],
)
def test_one_who_does_is_found(planted: str) -> None:
    assert list(claims_in(planted))


@pytest.mark.parametrize(
    "fine",
    [
        "from noughts.knowledge import known\ndef f(p): return known(p).is_exact",
        "'The exact odds, not sampled'",
        "from noughts.solve import solve",
    ],
)
def test_one_who_asks_is_not(fine: str) -> None:
    assert not list(claims_in(fine))
