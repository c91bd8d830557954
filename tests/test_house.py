"""The house stays one that can be taken in: small folders, functions with few arguments.

Innermost kernels are the exception: numba compiles a call with many numbers as it is, and a tuple
made for every call would cost what the kernel saves. Each is named here.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "noughts"
MOST_FILES, MOST_ARGUMENTS = 15, 8
MARKERS = {"py.typed"}

INNERMOST = {
    "kernels/policies.py _move_odds",
    "kernels/search/expectimax.py search",
    "kernels/search/maxn.py _visit",
    "kernels/search/maxn.py search",
    "kernels/search/random_games.py playouts",
    "kernels/search/survey.py _survey",
    "kernels/sweep.py _solve_pairs",
    "kernels/sweep.py _sweep_block",
}
TYPED_BY_USERS = {  # what a notebook calls, with keywords; a job holds the same as one dataclass
    "arena/match.py match",
    "arena/tournament.py tournament",
    "learn/frame/training.py train",
    "solve/api.py simulate",
}


def folders() -> list[Path]:
    found = [PACKAGE, *(path for path in PACKAGE.rglob("*") if path.is_dir())]
    return [path for path in found if path.name != "__pycache__"]


def files_in(folder: Path) -> list[str]:
    names = (path.name for path in folder.iterdir() if path.is_file())
    return [name for name in names if name not in MARKERS and not name.startswith(".")]


def functions() -> Iterator[tuple[str, int]]:
    """Every function as "file name", and how many arguments it takes besides self and cls."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                taken = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                names = [argument.arg for argument in taken]
                count = len(names) - (names[:1] in (["self"], ["cls"]))
                yield f"{path.relative_to(PACKAGE).as_posix()} {node.name}", count


def test_no_folder_has_more_files_than_one_takes_in() -> None:
    crowded = {str(folder): len(files_in(folder)) for folder in folders()}
    assert {folder: count for folder, count in crowded.items() if count > MOST_FILES} == {}


def test_no_function_takes_more_arguments_than_one_remembers() -> None:
    long = {name for name, count in functions() if count > MOST_ARGUMENTS}
    allowed = INNERMOST | TYPED_BY_USERS
    assert sorted(long - allowed) == []
    assert sorted(allowed - long) == []  # an exception that is no more


@pytest.mark.parametrize(
    ("imported", "left_out"),
    [
        ("noughts", ("numpy", "numba", "matplotlib", "jax")),
        ("noughts.cli", ("numpy", "numba", "matplotlib", "jax")),
        ("noughts.stats.ratings, noughts.stats.sprt, noughts.stats.shares", ("numba",)),
        ("noughts.learn.frame.training, noughts.learn.frame.registry", ("numba", "jax")),
    ],
)
def test_what_is_heavy_is_loaded_by_whoever_needs_it(
    imported: str, left_out: tuple[str, ...]
) -> None:
    code = f"import {imported}, sys; print([m for m in {left_out!r} if m in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
