"""Where compiled kernels are kept. Light: it imports no numba, so that anybody may look.

Each kernel file has a folder of its own, named after a digest of that file and of every kernel file
it imports, near or far: an edit recompiles what depends on it and nothing else. An edit of the
compiler, `lean`, recompiles everything.
"""

import hashlib
import re
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path

from noughts.folders import cache_folder

_PACKAGE = "noughts.kernels"
_ROOT = Path(__file__).parent
_COMPILER = _ROOT / "lean.py"  # imported where something is compiled, so no import line names it
_IMPORTS = re.compile(r"^from noughts\.kernels([\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)


@cache
def kernel_cache_folder() -> Path:
    """The folder above all compiled kernels of this Noughts and this numba."""
    return cache_folder() / f"kernels-{version('noughts')}-numba-{version('numba')}"


@cache
def module_cache_folder(module: str) -> Path:
    """The folder of one kernel module's machine code, which belongs to exactly these sources."""
    return kernel_cache_folder() / f"{module.rpartition('.')[2]}-{source_digest(module)}"


def source_digest(module: str) -> str:
    """A digest of a module, of every kernel file that it imports, and of how they are compiled."""
    digest = hashlib.sha256()
    for source in sorted(_with_imports(_source(module)) | {_COMPILER}):
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def is_noted(kernels: str) -> bool:
    """Whether somebody noted that these kernels, as they are written now, are in the cache."""
    return _note(kernels).exists()


def note_compiled(kernels: str) -> None:
    """Note it. A folder that cannot be written keeps no notes, and no machine code either."""
    try:
        _note(kernels).parent.mkdir(parents=True, exist_ok=True)
        _note(kernels).touch()
    except OSError:
        return


def _note(kernels: str) -> Path:
    return kernel_cache_folder() / f"compiled-{_all_sources()}" / kernels.replace(" ", "-")


@cache
def _all_sources() -> str:
    digest = hashlib.sha256()
    for source in sorted(_ROOT.rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _source(module: str) -> Path:
    """The file of a module: one of ours, or one of another package that is loaded."""
    if module != _PACKAGE and not module.startswith(_PACKAGE + "."):
        return Path(str(sys.modules[module].__file__))
    return _ROOT.joinpath(*module.removeprefix(_PACKAGE).split(".")).with_suffix(".py")


@cache
def _with_imports(source: Path) -> frozenset[Path]:
    found = {source}
    for imported in _imported(source):
        if imported not in found:
            found |= _with_imports(imported)
    return frozenset(found)


def _imported(source: Path) -> list[Path]:
    """The kernel files that a file names in its import lines."""
    found = []
    for package, names in _IMPORTS.findall(source.read_text(encoding="utf-8")):
        place = _source(_PACKAGE + package)
        if place.is_file():
            found.append(place)
        else:  # a package: the names are modules
            words = re.findall(r"\w+", names)
            modules = [_source(f"{_PACKAGE}{package}.{word}") for word in words]
            found += [path for path in modules if path.is_file()]
    return found
