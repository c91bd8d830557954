"""Run every benchmark once, one after the other, and write docs/benchmarks.md from what they print.

    python benchmarks/write_docs.py [--only WORD]

Nothing on that page is typed by hand. Run it on a machine that does nothing else. With --only the
sections that have the word in their title are measured again, and the others stay.
"""

import argparse
import os
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from noughts.files import replacing

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "benchmarks.md"

BENCHMARKS = (
    (
        "Speed and signature",
        "noughts bench",
        [sys.executable, "-m", "noughts.cli", "bench"],
        "A fixed amount of work on one core. The signature is a digest of the results: only a "
        "change of rules or of random streams may alter it.",
    ),
    (
        "Random playouts against OpenSpiel",
        "python benchmarks/playouts.py",
        [sys.executable, "benchmarks/playouts.py"],
        "One core each, in one run.",
    ),
    (
        "Solving against value iteration",
        "python benchmarks/solve.py",
        [sys.executable, "benchmarks/solve.py"],
        "The sweep against the value iterations that a student would write.",
    ),
    (
        "UCT against OpenSpiel",
        "python benchmarks/uct.py",
        [sys.executable, "benchmarks/uct.py"],
        "Simulations per second of one search from the start, one core each, in one run.",
    ),
    (
        "UCT against the truth",
        "python benchmarks/uct_convergence.py",
        [sys.executable, "benchmarks/uct_convergence.py"],
        "The error of the root value on risky 3×3, where the exact value is known. "
        "![The error falls with the simulations](figures/uct-convergence.svg)",
    ),
    (
        "UCT against the truth when three play",
        "python benchmarks/uct_seats.py",
        [sys.executable, "benchmarks/uct_seats.py"],
        "What UCT's choices lose against the equilibrium in which tied moves count alike, in 1,000 "
        "positions of random games. With at most three empty cells every choice is a best one. "
        "![The regret falls with the simulations](figures/uct-seats.svg)",
    ),
    (
        "Against other packages",
        "python benchmarks/compare.py",
        [sys.executable, "benchmarks/compare.py"],
        "What a user would take otherwise, on the same work, in one run; `benchmarks/peers.py` "
        "says what each of them does. Then how our own time grows with boards and simulations.",
    ),
    (
        "Exact endgames of Ultimate",
        "python benchmarks/ultimate_endgames.py",
        [sys.executable, "benchmarks/ultimate_endgames.py"],
        "How many free cells alpha-beta solves in one second, on positions of random play.",
    ),
    (
        "The network inside the search",
        "python benchmarks/zero.py",
        [sys.executable, "benchmarks/zero.py"],
        "The network `noughts` on Ultimate, one core; an evaluation includes its part of the tree.",
    ),
    (
        "R5's own method",
        "python benchmarks/zero_r5.py",
        [sys.executable, "benchmarks/zero_r5.py"],
        "R5's network and its 600 simulations a move: its report names 700 games in two weeks.",
    ),
)


def processor() -> str:
    """The name of the processor, where the system tells it."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


def sections(page: Path) -> dict[str, str]:
    """What the page says now, by title."""
    parts = page.read_text(encoding="utf-8").split("\n## ")[1:] if page.exists() else []
    return {part.partition("\n")[0]: f"## {part.rstrip()}" for part in parts}


def main() -> int:
    """Write the page; the exit code says whether every benchmark met its goals."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", metavar="WORD")
    word = parser.parse_args().only.lower()
    if not any(word in title.lower() for title, _, _, _ in BENCHMARKS):
        parser.error(f"no section has {word!r} in its title")
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "open_spiel"))
    page = [
        "# Benchmarks",
        "Written by `python benchmarks/write_docs.py`; each section has the command that makes it.",
        f"Python {platform.python_version()}, {packages}; {processor()}, {os.cpu_count()} cores.",
    ]
    missed, before = 0, sections(PAGE)
    for title, command, arguments, about in BENCHMARKS:
        if word not in title.lower():
            page += [before[title]] if title in before else []
            continue
        print(command, flush=True)
        ran = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True)
        missed += ran.returncode != 0
        page += [f"## {title}", about, f"```\n$ {command}\n{ran.stdout.rstrip()}\n```"]
    with replacing(PAGE) as file:
        file.write("\n\n".join(page) + "\n")
    return min(missed, 1)


if __name__ == "__main__":
    sys.exit(main())
