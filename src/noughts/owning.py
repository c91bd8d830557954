"""One owner: whoever works on a run folder or a file holds a lock of the operating system on it.

    with own(folder):                  # a second comer is told who is there
        ...
    with own(path, wait=600.0):        # or waits for its turn

The lock goes with the process that holds it, however that ends, so none is ever left behind by a
kill; the hidden file `.lock` (`.NAME.lock` beside a file) stays and means nothing by itself. The
text beside it names process and host for the sentence that a second comer gets; nobody decides
anything by it. Within a process the thread that owns a path may own it again.
"""

import os
import socket
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from noughts.errors import NoughtsError

BRIEFLY = 1.0  # seconds; somebody who only looks whether a path is free holds it for a moment


class Busy(NoughtsError):
    """Somebody else works there."""


class Ownership:
    """Lasts until it is released, or nobody refers to it any more."""

    def __init__(self, path: Path) -> None:
        self._path: Path | None = path

    def release(self) -> None:
        """Let others work there."""
        path, self._path = self._path, None
        if path is not None:
            _release(path)

    def __enter__(self) -> "Ownership":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()

    def __del__(self) -> None:
        self.release()


class _Held:
    """A lock of this process: by which thread, and how many times."""

    def __init__(self, lock: Any) -> None:
        self.lock, self.thread, self.count = lock, threading.get_ident(), 1


_HELD: dict[Path, _Held] = {}
_GUARD = threading.RLock()  # released objects may be found by the collector of garbage at any time


def own(path: Path, wait: float = BRIEFLY) -> Ownership:
    """Be the only one who works on a folder or a file; raises Busy, or OSError.

    `wait` is how many seconds somebody else may still take to leave.
    """
    import filelock

    path = path.resolve()
    with _GUARD:
        held = _HELD.get(path)
        if held is not None and held.thread == threading.get_ident():
            held.count += 1
            return Ownership(path)
    lock = filelock.FileLock(_lock_path(path), thread_local=False)
    try:
        lock.acquire(timeout=wait, poll_interval=0.02)
    except filelock.Timeout:
        raise Busy(f"{path} is being worked on{_told_owner(path)}; wait until it ends.") from None
    with _GUARD:
        _HELD[path] = _Held(lock)
    with suppress(OSError):  # it is only for the sentence
        _owner_path(path).write_text(f"process {os.getpid()} on {socket.gethostname()}\n", "utf-8")
    return Ownership(path)


def is_owned(path: Path) -> bool:
    """Whether somebody works there right now."""
    path = path.resolve()
    with _GUARD:
        if path in _HELD:
            return True
    if not _lock_path(path).exists():
        return False
    import filelock

    lock = filelock.FileLock(_lock_path(path), thread_local=False)
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        return True
    except OSError:  # a folder that may only be read, or has gone: nobody works there
        return False
    lock.release()
    return False


def _release(path: Path) -> None:
    with _GUARD:
        held = _HELD[path]
        held.count -= 1
        if held.count == 0:
            del _HELD[path]
            with suppress(OSError):
                _owner_path(path).unlink()
            with suppress(OSError):
                held.lock.release()


def _lock_path(path: Path) -> Path:
    return path / ".lock" if path.is_dir() else path.with_name(f".{path.name}.lock")


def _owner_path(path: Path) -> Path:
    return _lock_path(path).with_suffix(".owner")


def _told_owner(path: Path) -> str:
    """Who it is, as far as anybody knows."""
    try:
        return f" by {_owner_path(path).read_text('utf-8')[:200].strip()}"
    except (OSError, ValueError):
        return ""
