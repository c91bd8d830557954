"""Machine code from the disk is believed only if it is ours and whole.

Numba reads whatever lies in its cache: an empty index is a traceback, a damaged object crashes the
process, and a folder that others may write to is an invitation. So every file begins with a line
that holds the SHA-256 of the rest, which is compared before numba sees a byte; a file that does not
agree is not there, and its kernel is compiled anew and written over it. The folders are ours alone
(0700); where they belong to somebody else, or cannot be made, nothing is kept.
"""

import hashlib
import io
import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile

_MARK = b"noughts machine code "
_HEAD = len(_MARK) + 64 + 1


class CheckedFile(IndexDataCacheFile):
    """The index and the objects of one kernel, each with its checksum."""

    def __init__(self, cache_path: str, filename_base: str, source_stamp: Any) -> None:
        super().__init__(cache_path, filename_base, source_stamp)
        self._index_name = f"{filename_base}.index"
        self._index_path = str(Path(cache_path) / self._index_name)
        self._data_name_pattern = filename_base + ".{number:d}.code"

    def _load_index(self) -> Any:
        try:
            content = io.BytesIO(_read(Path(self._index_path)))
            if pickle.load(content) != self._version:  # noqa: S301  (its checksum is ours)
                return {}
            stamp, overloads = pickle.loads(content.read())  # noqa: S301
        except Exception:  # whatever is wrong with it, compiling is the answer
            return {}
        return overloads if stamp == self._source_stamp else {}

    def _load_data(self, name: str) -> Any:
        return pickle.loads(_read(Path(self._data_path(name))))  # noqa: S301

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        content = io.BytesIO()
        yield content
        body = content.getvalue()
        with super()._open_for_write(filepath) as file:
            file.write(_MARK + hashlib.sha256(body).hexdigest().encode() + b"\n" + body)


class CheckedCache(FunctionCache):
    """Numba's cache of one function, with checked files. A failure costs time, never an answer."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._cache_file = CheckedFile(
            self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp()
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # likewise
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(OSError):  # a full disk keeps nothing
            super().save_overload(sig, data)


def own_cache_folder(folder: Path) -> bool:
    """Make a folder for machine code that nobody else can write to; False where that fails."""
    try:
        for place in (folder.parent, folder):
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            if os.name == "posix":
                facts = place.stat()
                if facts.st_uid != os.geteuid():
                    return False
                if facts.st_mode & 0o077:
                    place.chmod(0o700)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def _read(path: Path) -> bytes:
    """What was written; OSError when the file is not what its checksum says."""
    content = path.read_bytes()
    head, body = content[:_HEAD], content[_HEAD:]
    if head != _MARK + hashlib.sha256(body).hexdigest().encode() + b"\n":
        raise OSError(f"{path} is damaged.")
    return body
