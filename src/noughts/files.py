"""Files that are whole or absent: atomic, versioned, checksummed. No pickle.

An array file is one line of JSON (padded with spaces to a multiple of 4096 bytes) and then the raw
bytes of its arrays, each starting at a multiple of 4096, so that large tables can be memory-mapped.
The header names the arrays, their types, shapes and places, and starts with the SHA-256 of the
whole file, taken while the digits of the checksum itself were zeros.
"""

import errno
import hashlib
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from noughts.errors import NoughtsError, ParseError

fcntl: Any
try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

FORMAT = "noughts-arrays"
VERSION = 1
_PAGE = 4096
_CHUNK = 1 << 24
_NO_CHECKSUM = "0" * 64


def check_writable(path: Path) -> None:
    """Refuse a path that cannot be written, before hours of work are spent on its contents."""
    whole = path.absolute()
    parent = next((folder for folder in whole.parents if folder.exists()), whole)
    is_other = path.exists() and not path.is_file()  # a folder, a device
    if not parent.is_dir() or not os.access(parent, os.W_OK) or is_other:
        raise NoughtsError(f"{path} cannot be written; choose a file in a folder that you may use.")


@contextmanager
def replacing(path: Path, mode: str = "w") -> Iterator[IO[Any]]:
    """Write a file beside `path` and rename it into place only when all of it is on the disk.

    The rename is on the disk, too, when this returns. A temporary file whose writer was killed is
    nobody's; `sweep` removes it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary, opened = _open_temporary(path, mode)
    except OSError as error:  # it would name a file of which the user knows nothing
        raise NoughtsError(f"{path} cannot be written: {error.strerror}.") from None
    try:
        with opened as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise NoughtsError(f"{path} cannot be written: {error.strerror or error}.") from None
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Let a new name in a folder survive a power cut, where the system can promise that."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some file systems cannot sync a folder
            raise
    finally:
        os.close(handle)


def sweep(folder: Path) -> int:
    """Remove temporary files that a killed process left in a folder; how many there were.

    A writer holds a lock on its temporary file, which goes with it, so no living one is disturbed.
    """
    found = 0
    for path in folder.glob(".*.tmp"):
        try:
            with path.open("rb") as file:
                if not _lock(file):
                    continue
                path.unlink()
            found += 1
        except OSError:  # it is gone, or is not ours to remove
            continue
    return found


def _open_temporary(path: Path, mode: str) -> tuple[Path, IO[Any]]:
    """A new file beside `path`, locked as long as it is open."""
    encoding = None if "b" in mode else "utf-8"
    while True:
        temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
        opened = temporary.open(mode, encoding=encoding, newline="" if encoding else None)
        if _lock(opened) and temporary.exists():  # else it was swept before it was locked
            return temporary, opened
        opened.close()


def _lock(file: IO[Any]) -> bool:
    """Whether nobody else holds the file; from now on we do. Windows keeps open files anyway."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks: who sweeps there must leave it alone
        return "r" not in file.mode
    return True


def save_arrays(
    path: Path, kind: str, facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Write named arrays and the facts about them."""
    places, offset = {}, 0
    for name, array in arrays.items():
        places[name] = {"dtype": array.dtype.str, "shape": list(array.shape), "offset": offset}
        offset += _padded(array.nbytes)
    header = {"sha256": _NO_CHECKSUM, "format": FORMAT, "version": VERSION, "kind": kind}
    line = json.dumps({**header, "facts": dict(facts), "arrays": places}).encode()
    line += b" " * (_padded(len(line) + 1) - len(line) - 1) + b"\n"
    digest = hashlib.sha256(line)
    for chunk in _contents(arrays):
        digest.update(chunk)
    with replacing(path, "wb") as file:
        file.write(line.replace(_NO_CHECKSUM.encode(), digest.hexdigest().encode(), 1))
        for chunk in _contents(arrays):
            file.write(chunk)


@contextmanager
def reading(path: Path | str) -> Iterator[None]:
    """Whatever a file holds, who reads it gets what was written or a ParseError.

    A file may be damaged, of another program, or signed anew by somebody: lists in place of
    numbers, a thousand levels, shapes that no file could fill.
    """
    try:
        yield
    except NoughtsError:
        raise
    except OSError as error:
        raise ParseError(f"{path} cannot be read: {error.strerror or error}.") from None
    except _UNREADABLE as error:
        words = " ".join(str(error).split())[:100]
        raise ParseError(f"{path} cannot be read: {type(error).__name__} {words}.") from None


_UNREADABLE: tuple[type[Exception], ...] = (
    ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError,
    MemoryError, AssertionError,
)  # fmt: skip


def load_arrays(path: Path, kind: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The facts and the memory-mapped arrays of a file, after checking every byte of it."""
    with reading(path):
        return _load_arrays(path, kind)


def _load_arrays(path: Path, kind: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    with path.open("rb") as file:
        line = file.readline(1 << 20)
        header = _read_header(path, kind, line)
        checksum = str(header.get("sha256"))
        digest = hashlib.sha256(line.replace(checksum.encode(), _NO_CHECKSUM.encode(), 1))
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
        if digest.hexdigest() != checksum:
            raise ParseError(f"{path} is damaged: its contents do not match its checksum.")
        arrays: dict[str, NDArray[Any]] = {
            name: np.memmap(
                file,
                dtype=_plain_type(place["dtype"]),
                mode="r",
                offset=len(line) + place["offset"],
                shape=tuple(place["shape"]),
            )
            for name, place in header["arrays"].items()
        }
    return header["facts"], arrays


def _plain_type(name: Any) -> Any:
    """The type of an array of numbers; anything else would be addresses of nothing."""
    found = np.dtype(str(name))
    if found.kind not in "biuf":
        raise ParseError(f"An array of type {name} is not read from a file.")
    return found


def kind_of(path: Path) -> str | None:
    """What a file of ours says that it holds; None of any other file. Nothing else is checked."""
    header = _header_of(path)
    return str(header.get("kind")) if header else None


def game_of(path: Path) -> str | None:
    """The game that a file of ours says it is about; None where it says none."""
    facts = _header_of(path).get("facts")
    found = facts.get("game") if isinstance(facts, dict) else None
    return found if isinstance(found, str) else None


def _header_of(path: Path) -> dict[str, Any]:
    """The first line of a file of ours, unchecked; nothing of any other file."""
    with path.open("rb") as file, suppress(ValueError, TypeError, RecursionError):
        header = json.loads(file.readline(1 << 20))
        if isinstance(header, dict) and header.get("format") == FORMAT:
            return header
    return {}


def check_regular(path: Path) -> None:
    """Refuse what is there and no file: who reads a pipe waits for ever."""
    if path.exists() and not path.is_file():
        raise ParseError(f"{path} is not a file.")


def _read_header(path: Path, kind: str, line: bytes) -> dict[str, Any]:
    try:
        header: dict[str, Any] = json.loads(line)
        is_ours = header["format"] == FORMAT and line.endswith(b"\n")
        is_ours &= all(isinstance(header[key], dict) for key in ("facts", "arrays"))
    except (ValueError, KeyError, TypeError, RecursionError):
        is_ours = False
    if not is_ours:
        raise ParseError(f"{path} is not a file that Noughts wrote.")
    if header.get("version") != VERSION:
        raise ParseError(f"{path} has version {header.get('version')}; this reads {VERSION}.")
    if header.get("kind") != kind:
        raise ParseError(f"{path} holds a {header.get('kind')}, not a {kind}.")
    return header


def _padded(size: int) -> int:
    return -(-size // _PAGE) * _PAGE


def _contents(arrays: Mapping[str, NDArray[Any]]) -> Iterator[memoryview | bytes]:
    """What follows the header, in pieces."""
    for array in arrays.values():
        view = array.reshape(-1).data.cast("B")
        for first in range(0, len(view), _CHUNK):
            yield view[first : first + _CHUNK]
        yield bytes(_padded(array.nbytes) - array.nbytes)
