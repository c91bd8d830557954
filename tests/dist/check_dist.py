"""`make dist`: is what lies in dist/ a package that could be released?

python tests/dist/check_dist.py [--python PATH]... [--one]

The wheel is installed into an empty environment of every Python from 3.11 on that is found (on the
PATH, and where pyenv keeps them), one of each version; --one stays with the Python that runs this.
There, far from the sources, it plays, solves, loads every network that comes with it, and serves
the page. The sdist must hold what a build needs, and neither holds what is not meant for it.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from urllib.request import urlopen

ROOT = Path(__file__).parent.parent.parent
DIST = ROOT / "dist"
OLDEST = (3, 11)
NETWORKS = "noughts/learn/zero/data/"
IN_WHEEL = ("noughts/py.typed", "noughts/web/static/index.html", "noughts/prove/qubic.proof")
IN_SDIST = ("pyproject.toml", "README.md", "LICENSE", "CITATION.cff", "src/noughts/__init__.py")
SECONDS = 300  # that a cold first call may take on a busy machine

LOAD = """
import sys, numpy, noughts
assert "site-packages" in noughts.__file__, noughts.__file__
agent = noughts.agent("zero:simulations=20")
for spec in sys.argv[1:]:
    start = noughts.game(spec).start()
    move = agent.choose(start, numpy.random.default_rng(1))
    assert move in start.moves
    print(f"  zero opens {spec} in {move}")
"""


def main() -> None:
    """Check both files, then the wheel in each Python."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", action="append", help="only this one (may be repeated)")
    parser.add_argument("--one", action="store_true", help="only the Python that runs this")
    options = parser.parse_args()
    wheel, sdist = the_only(DIST.glob("*.whl")), the_only(DIST.glob("*.tar.gz"))
    specs = check_files(wheel, sdist)
    pythons = options.python or ([sys.executable] if options.one else found_pythons())
    for python in pythons:
        try_wheel(wheel, python, specs)


def the_only(found) -> Path:
    """The one file of its kind."""
    files = sorted(found)
    if len(files) != 1:
        raise SystemExit(f"dist/ should hold one wheel and one sdist; there are {len(files)}.")
    return files[0]


def check_files(wheel: Path, sdist: Path) -> list[str]:
    """What is in them; gives the games whose networks come with the wheel."""
    packed = zipfile.ZipFile(wheel).namelist()
    with tarfile.open(sdist) as archive:
        source = [name.partition("/")[2] for name in archive.getnames()]
    for kind, names, wanted in (("wheel", packed, IN_WHEEL), ("sdist", source, IN_SDIST)):
        missing = [name for name in wanted if name not in names]
        if missing:
            raise SystemExit(f"The {kind} lacks {', '.join(missing)}.")
    stray = [name for name in packed if not name.startswith(("noughts/", "noughts-"))]
    stray += [name for name in source if name.startswith((".ci/", "runs/", "site/", "build/"))]
    if stray:
        raise SystemExit(f"Not meant to be published: {', '.join(stray)}.")
    networks = [Path(name).stem for name in packed if re.match(rf"{NETWORKS}.*\.safetensors", name)]
    if not networks:
        raise SystemExit("The wheel has no networks.")
    return [game_of(name) for name in sorted(networks)]


def game_of(network: str) -> str:
    """The game that a file of weights is named for: 4x4-flip-0-1 is 4x4:flip=0.1."""
    name = network.removesuffix("-noughts")
    board, dash, risk = name.partition("-")
    return f"{board}:flip={risk.removeprefix('flip-').replace('-', '.')}" if dash else board


def found_pythons() -> list[str]:
    """One Python of each version from 3.11 on."""
    places = [Path(folder) for folder in os.get_exec_path()]
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    places += sorted(path / "bin" for path in pyenv.glob("*"))
    candidates = [sys.executable]
    candidates += [str(path) for place in places for path in sorted(place.glob("python3.[1-9][0-9]"))]
    found: dict[tuple[int, ...], str] = {}
    for candidate in candidates:
        version = version_of(candidate)
        if version >= OLDEST:
            found.setdefault(version, candidate)
    return [found[version] for version in sorted(found)]


def version_of(python: str) -> tuple[int, ...]:
    """(3, 12), or nothing if it does not run."""
    code = "import sys, venv; print(*sys.version_info[:2])"
    try:
        done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    except OSError:
        return ()
    return tuple(map(int, done.stdout.split())) if done.returncode == 0 else ()


def try_wheel(wheel: Path, python: str, specs: list[str]) -> None:
    """An empty environment, the wheel, and what a user does first."""
    print(f"Python {'.'.join(map(str, version_of(python)))}:")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        run = Runner(home, python)
        run.install(str(wheel))
        run("noughts", "--version")
        run("noughts", "play", "3x3", "--x", "alphabeta", "--o", "random", "--seed", "1")
        print("  plays 3x3")
        told = run("noughts", "solve", "3x3:flip=0.5")
        assert "+0.01171875 for X" in told, told
        print("  solves 3x3:flip=0.5")
        print(run("python", "-c", LOAD, *specs), end="")
        run.install(f"{wheel}[web]")
        run.serve()
        print("  serves the page")


class Runner:
    """An environment in a folder, and commands in it that know nothing of the sources."""

    def __init__(self, home: Path, python: str) -> None:
        self.home, self.bin = home, home / "venv" / "bin"
        self.uv = shutil.which("uv", path=str(Path(sys.executable).parent))
        pip = ["--without-pip"] if self.uv else []
        subprocess.run([python, "-m", "venv", *pip, str(home / "venv")], check=True)
        kept = {key: text for key, text in os.environ.items() if not key.startswith("PYTHON")}
        self.environment = {**kept, "NOUGHTS_HOME": str(home / "data")}

    def install(self, what: str) -> None:
        """Put a package into the environment."""
        python = str(self.bin / "python")
        command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", what]
        if self.uv:
            command = [self.uv, "pip", "install", "--quiet", "--python", python, what]
        subprocess.run(command, check=True, cwd=self.home)

    def __call__(self, program: str, *words: str) -> str:
        done = subprocess.run(
            [str(self.bin / program), *words],
            cwd=self.home,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
        if done.returncode != 0:
            raise SystemExit(f"{program} {' '.join(words[:3])} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def serve(self) -> None:
        """The page and its API answer."""
        process = subprocess.Popen(
            [str(self.bin / "noughts"), "serve", "--port", "0", "--no-browser"],
            cwd=self.home,
            env=self.environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        try:
            address = re.findall(r"http://127\.0\.0\.1:[0-9]+/", process.stdout.readline())[0]
            for place, word in (("", "<title>"), ("api/status", '"version"'), ("api/games", "3x3")):
                with urlopen(address + place, timeout=SECONDS) as answer:
                    assert word in answer.read().decode(), place
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=SECONDS)
            process.stdout.close()


if __name__ == "__main__":
    main()
