"""Nobody but `noughts.knowledge` calls a value exact or proven.

Every file above that room is read as a syntax tree. These give away somebody who decides on his own
what is certain:

    he fetches tables, certificates or forced lines where they are made, not from the room, by an
    import, a dotted name or a text; or he solves a game himself;
    he reads or states that something is exact (`is_exact`, `values_are_exact`, "exact": …) without
    having asked the room;
    he states it as a constant (`exact=True`), even if he has asked the room about something else;
    he prints a value as exact or proven without having asked;
    he has a limit of his own for what can be solved in a moment.

Below the room proofs are made: `solve`, `search`, `prove`, `kernels`. What is allowed above has a
reason.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "noughts"
BELOW = ("kernels", "games", "solve", "search", "prove", "knowledge", "agents.py", "effort.py")

MAKERS = re.compile(
    r"noughts\.(solve\.(written\.stored|distance|ahead)|prove\.\w"
    r"|search\.(threats|shortcuts|engines\.(choice|listed|negamax)))"
)
CLAIMS = re.compile(r"^(is_exact|exact|is_proven|proven|values_are_exact|are_exact)$")
SAYS = re.compile(r"\b(exact|exactly|proven)\b", re.IGNORECASE)
LIMITS = re.compile(r"^_?(SOLVED|SOLVABLE|EXACT|VALUED|PROVEN|ALWAYS_EXACT)\w*$")

ALLOWED = {
    "learn/zero": "a search: what its own tree has proven, which the room asks like any agent's",
    "bench/net.py": "signatures of searches, their flags included; nobody is told a value",
    "studies/players/four_algorithms": "measures whether agents prove, and says it of the agent",
    "studies/openings/qubic.py": "makes the certificate again, and reports on that very search",
    "studies/openings/opening_atlas.py": "proves the first moves that it reports on",
    "studies/players/ultimate_endgames_set.py": "makes the set of endgames by a search of its own",
    "studies/risk": "`exact` names odds that are computed beside odds that are counted",
    "commands/exact/check.py": "checks certificates, which is where they come from",
    "commands/exact/prove.py": "proves, and prints that very proof",
    "jobs/proving.py": "the proof itself, as a job",
    "web/models.py": "the shape of an answer",
    "web/play/models.py": "the shape of an answer",
    "web/play/streams.py": "keeps back a line that says less than the one on show; it adds nothing",
    "web/work/tasks.py": "passes on what an agent thought, in its own words",
    "web/learn/tasks.py": "states that a table that learns is not exact",
}

SOLVING = {
    "studies": "a study reports on tables that it solves, and describes them in words",
    "jobs/solving.py": "the solve itself, as a job",
    "commands/exact/solve.py": "solves, and prints that very table",
}


def claims_in(source: str) -> Iterator[str]:
    """What in a file decides on its own what is certain, or would if the room were not asked."""
    tree = ast.parse(source)
    modules = {name for node in ast.walk(tree) for name in imported(node)}
    asks = any(module.startswith("noughts.knowledge") for module in modules)
    yield from (f"imports {module}" for module in sorted(modules) if MAKERS.match(module))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            yield f"line {node.lineno}: a relative import, which hides where it leads"
        if MAKERS.match(named(node)):
            yield f"line {node.lineno}: {named(node)}"
        for name in constant_claims(node):
            yield f"line {node.lineno}: {name} as a constant"
        for name in stated(node):
            if CLAIMS.match(name) and not (asks or isinstance(node, ast.Name)):
                yield f"line {node.lineno}: {name} without asking"
            if LIMITS.match(name):
                yield f"line {node.lineno}: the limit {name}"
        if asks and isinstance(node, ast.Attribute) and node.attr == "values_are_exact":
            yield f"line {node.lineno}: an agent's own flag beside what is known"


def solving_in(source: str) -> Iterator[str]:
    """Where a file solves or loads a table itself, or prints of a value that it is exact."""
    tree = ast.parse(source)
    modules = {name for node in ast.walk(tree) for name in imported(node)}
    asks = any(module.startswith("noughts.knowledge") for module in modules)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and re.fullmatch(
            r"solve|(noughts|solving)\.solve|([\w.]+\.)?Solution\.load", ast.unparse(node.func)
        ):
            yield f"line {node.lineno}: {ast.unparse(node.func)}"
        if isinstance(node, ast.JoinedStr) and not asks:
            words = [part.value for part in node.values if isinstance(part, ast.Constant)]
            if any(SAYS.search(str(word)) for word in words):
                yield f"line {node.lineno}: {ast.unparse(node)}"


def named(node: ast.AST) -> str:
    """A dotted name, or a text that may be one."""
    if isinstance(node, ast.Attribute):
        return ast.unparse(node)
    return node.value if isinstance(node, ast.Constant) and type(node.value) is str else ""


def constant_claims(node: ast.AST) -> Iterator[str]:
    """The names of claims that are simply said to be true."""
    pairs: list[tuple[str, ast.expr]] = []
    if isinstance(node, ast.Call):
        pairs += [(keyword.arg or "", keyword.value) for keyword in node.keywords]
        if ast.unparse(node.func) == "setattr" and len(node.args) == 3:
            pairs.append((text_of(node.args[1]), node.args[2]))
    elif isinstance(node, ast.Dict):
        pairs += [(text_of(key), value) for key, value in zip(node.keys, node.values, strict=True)]
    elif isinstance(node, ast.Assign):
        pairs += [(name, node.value) for target in node.targets for name in stated(target)]
    for name, value in pairs:
        if CLAIMS.match(name) and isinstance(value, ast.Constant) and value.value is True:
            yield name


def text_of(node: ast.AST | None) -> str:
    return node.value if isinstance(node, ast.Constant) and type(node.value) is str else ""


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
        yield from map(text_of, node.keys)
    elif isinstance(node, ast.Subscript):
        yield text_of(node.slice)
    elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("getattr", "setattr"):
        yield from map(text_of, node.args[1:2])


def files_above() -> list[Path]:
    return [
        path
        for path in sorted(PACKAGE.rglob("*.py"))
        if not str(path.relative_to(PACKAGE)).startswith(BELOW)
    ]


def is_among(path: Path, places: Iterable[str]) -> bool:
    return any(path.relative_to(PACKAGE).is_relative_to(place) for place in places)


@pytest.mark.parametrize("path", files_above(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_nobody_else_says_exact(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert is_among(path, ALLOWED) or not list(claims_in(source))
    assert is_among(path, {**ALLOWED, **SOLVING}) or not list(solving_in(source))


@pytest.mark.parametrize("place", ALLOWED)
def test_what_is_allowed_is_there_and_needed(place: str) -> None:
    files = [path for path in files_above() if is_among(path, [place])]
    assert files
    assert any(list(claims_in(path.read_text(encoding="utf-8"))) for path in files)


@pytest.mark.parametrize("place", SOLVING)
def test_who_may_solve_does(place: str) -> None:
    files = [path for path in files_above() if is_among(path, [place])]
    assert any(list(solving_in(path.read_text(encoding="utf-8"))) for path in files)


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
        "from noughts.knowledge import known\ndef f(value): return {'value': value, 'exact': True}",
        "from noughts.knowledge import known\ndef f(make): return make(is_exact=True)",
        "from noughts.knowledge import known\ndef f(row): row['exact'] = True",
        "from noughts.knowledge import known\ndef f(row): setattr(row, 'is_exact', True)",
        "def f(row, found): row['exact'] = found",
        "def f(agent): return getattr(agent, 'values_are_exact')",
        "from ..solve.written import stored",
        "import noughts.solve\ndef f(game): return noughts.solve.written.stored.load_stored(game)",
        "def f(load): return load('noughts.prove.book').shipped_book()",
        "from noughts.solve.distance import plies_to_win",
        "from noughts.search.engines.choice import make_engine",
        "from noughts.prove.who_wins import prove",
    ],
)
def test_one_who_does_is_found(planted: str) -> None:
    assert list(claims_in(planted))


@pytest.mark.parametrize(
    "planted",
    [
        "import noughts\ndef f(position): return noughts.solve(position.game).value(position)",
        "from noughts.solve import solve\ndef f(position): return solve(position.game)",
        "from noughts.solve import Solution\ndef f(path): return Solution.load(path)",
        "def f(value): return f'{value:+.3f} (exact)'",
        "def f(value): return f'Proven: {value:+.3f}'",
    ],
)
def test_one_who_solves_or_says_so_is_found(planted: str) -> None:
    assert list(solving_in(planted))


@pytest.mark.parametrize(
    "fine",
    [
        "from noughts.knowledge import known\ndef f(p): return known(p).is_exact",
        "'The exact odds, not sampled'",
        "from noughts.solve import solve",
    ],
)
def test_one_who_asks_is_not(fine: str) -> None:
    assert not [*claims_in(fine), *solving_in(fine)]
