"""Two versions of this package side by side: whose interpreter runs them, and in which folders.

A checkout is a folder with the sources of one commit. It is run by the interpreter of its own
virtual environment where it has one, else by the one that runs this script; either way the sources
are its own. Nothing that an earlier run left behind is seen: kernels, tables and the working
directory are in a folder that the caller makes, and no variable of the person's own reaches it.
"""

import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
PRIVATE = ("NOUGHTS_", "NUMBA_", "PYTHON")  # variables that would change what is measured


@dataclass(frozen=True)
class Checkout:
    """The sources of one commit."""

    folder: Path

    @property
    def interpreter(self) -> str:
        own = self.folder / ".venv" / "bin" / "python"
        return str(own) if own.exists() else sys.executable

    def environment(self, home: Path, is_new_user: bool = False) -> dict[str, str]:
        """The variables of a run whose kernels and tables are kept in `home`.

        A new user has no home directory of before either: nothing of any program is in it.
        """
        kept = {key: text for key, text in os.environ.items() if not key.startswith(PRIVATE)}
        if is_new_user:
            kept = {key: text for key, text in kept.items() if not key.startswith("XDG_")}
            kept["HOME"] = str(home)
        return kept | {
            "NOUGHTS_CACHE": str(home / "cache"),
            "NOUGHTS_HOME": str(home / "data"),
            "PYTHONPATH": str(self.folder / "src"),
        }

    def write_bytecode(self) -> None:
        """Translate the sources, so that no run does it while a clock is running."""
        sources = str(self.folder / "src")
        subprocess.run([self.interpreter, "-m", "compileall", "-q", sources], check=False)

    @property
    def commit(self) -> str:
        """The short name of its commit, marked where files were changed since."""
        asked = ["git", "-C", str(self.folder), "describe", "--always", "--dirty", "--exclude=*"]
        told = subprocess.run(asked, capture_output=True, text=True, check=False)
        return told.stdout.strip() or self.folder.name


def clean_up_when_stopped() -> None:
    """Let a request to end be an exception, so that nothing is left running or lying about.

    Whoever asks may ask twice, as `timeout` does; the second time must not end the cleaning up.
    """

    def stop(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sys.exit(128 + signal.SIGTERM)

    signal.signal(signal.SIGTERM, stop)


def checkout(text: str) -> Checkout:
    """The checkout that an argument names."""
    folder = Path(text).resolve()
    if not (folder / "src" / "noughts").is_dir():
        raise ValueError(f"{text} is not a checkout: it has no src/noughts.")
    return Checkout(folder)
