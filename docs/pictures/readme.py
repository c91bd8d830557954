"""The numbers of the README: written from what commands print, and checked against it by a test.

A part of the README between `<!-- name -->` and `<!-- end name -->` is one function below, which
turns the output of its command into the text. Commands that take seconds are run again by the test;
of the others (LONG) the output is kept in `output/`, as `make pictures` last saw it, and
`make test-all` runs the proofs.
"""

import contextlib
import io
import os
import platform
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
README = ROOT / "README.md"
OUTPUT = HERE / "output"

CHECK = "noughts check qubic"
CURVE = "noughts study danger-curve"
SPEED = "python benchmarks/compare.py --contests"
LONG = {CHECK: "check-qubic.txt", CURVE: "danger-curve.txt", SPEED: "speed.txt"}
Output = Callable[[str], str]  # a command gives what it prints


def filled(readme: str, output: Output) -> str:
    """The README with all its numbers as the commands give them."""
    for name, write in PARTS.items():
        found = re.search(rf"(<!-- {name} -->\n)(.*?)(<!-- end {name} -->)", readme, re.DOTALL)
        assert found is not None, f"The README has no part {name}."
        written = f"{found[1]}\n{write(found[2], output)}\n\n{found[3]}"
        readme = readme.replace(found[0], written)
    return readme


def python(part: str, output: Output) -> str:
    """A block of Python, and what it prints."""
    code = re.findall(r"```python\n(.*?)```", part, re.DOTALL)[0]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "README.md", "exec"), {})
    return f"```python\n{code}```\n\n```text\n{printed.getvalue()}```"


def claims(part: str, output: Output) -> str:
    """Three claims, each with its command."""
    cube = "noughts prove 3x3x3"
    taken(r"^3x3x3: X wins\nwinning first moves: 13\n", output(cube))  # 13 is the centre
    checked = taken(r"^qubic: X wins\nchecked ([\d,]+) positions", output(CHECK))
    taken(r"no holes: every reply is answered", output(CHECK))
    risky = "noughts solve 4x4:flip=0.1"
    value = float(taken(r"^4x4:flip=0\.1: ([+-][\d.]+) for X$", output(risky)))
    states = taken(r" ([\d,]+) states in ", output(risky))
    rows = (
        ("**X wins Qubic** (4×4×4): "
         f"a proof, checked in {checked} positions with every reply tried", CHECK),
        ("**X wins 3×3×3**, and only by taking the centre", cube),
        (f"**Risky 4×4 is worth {value:+.4f}** to who moves first: {states} states, exactly",
         risky),
    )  # fmt: skip
    head = "| proved | by |\n| --- | --- |"
    return "\n".join([head, *(f"| {claim} | `{command}` |" for claim, command in rows)])


def curve(part: str, output: Output) -> str:
    """What the figure of the danger curve shows."""
    told = " ".join(output(CURVE).split())
    half = taken(r"result is 0 at p = 0 and (-\d+/\d+) as X", told)
    end = float(taken(r"As X its result goes from -[\d.]+ to (-[\d.]+)", told))
    words = textwrap.fill(
        "A *classic* player, perfect at plain tic-tac-toe, where every mark flips with probability "
        f"p, against one who knows p. As X it gets 0 at p = 0, {half} at ½ and {end:.0f} at 1.",
        98,
        break_on_hyphens=False,
    )
    return f"{words}\n`{CURVE}`"


def speed(part: str, output: Output) -> str:
    """Medians beside OpenSpiel and Pgx, with the machine and the date."""
    text = output(SPEED)
    machine = text.splitlines()[0]
    rows = ["| work | Noughts | other | ours is faster |", "| --- | ---: | ---: | ---: |"]
    for work, other in (
        ("exact 3×3, plain", "OpenSpiel"),
        ("exact risky 2×3, both players", "OpenSpiel"),
        ("playouts of 3×3", "OpenSpiel"),
        ("UCT on 3×3", "OpenSpiel"),
        ("env steps, 4,096 games", "Pgx"),
    ):
        unit, ours, _ = row_of(text, work, "noughts")
        _, theirs, times = row_of(text, work, other)
        rows.append(
            f"| {work} | {measure(ours, unit)} | {other} {measure(theirs, unit)} "
            f"| {times.removesuffix(' x')}× |"
        )
    about = f"`{SPEED}`; {machine}. [All measurements](docs/benchmarks.md), the lost ones too."
    return "\n".join([*rows, "", about])


def measure(number: str, unit: str) -> str:
    """A median as one reads it: 74.2 µs, 14.2 million games/s."""
    value = float(number.replace(",", ""))
    if unit == "s":
        factor, prefix = (1e6, "µs") if value < 1e-3 else (1e3, "ms") if value < 1 else (1, "s")
        return f"{value * factor:.3g} {prefix}"
    return f"{value / 1e6:.3g} million {unit}"


def row_of(table: str, work: str, who: str) -> tuple[str, str, str]:
    """Unit, median and the last column of one row of `compare.py`."""
    for line in table.splitlines():
        words = re.split(r" {2,}", line.strip())
        if words[:2] == [work, who]:
            return words[3], words[2], words[-1]
    raise AssertionError(f"No row {work}, {who} in the table of {SPEED}.")


def taken(pattern: str, text: str) -> str:
    """The group of a pattern that must be there."""
    found = re.search(pattern, text, re.MULTILINE)
    assert found is not None, f"{pattern!r} is not in:\n{text}"
    return found[found.re.groups]


PARTS: dict[str, Callable[[str, Output], str]] = {
    "python": python,
    "claims": claims,
    "curve": curve,
    "speed": speed,
}


def stored(command: str) -> str:
    """What a long command printed when `make pictures` last ran it."""
    return (OUTPUT / LONG[command]).read_text(encoding="utf-8")


def printed(command: str) -> str:
    """Run a command of the README now."""
    program, *words = command.split()
    module = ["-m", "noughts.cli"] if program == "noughts" else []
    done = subprocess.run(
        [sys.executable, *module, *words], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout


def take_proof() -> None:
    """Check the proof of Qubic, and keep what was printed."""
    _keep(CHECK, printed(CHECK))


def take_curve() -> None:
    """Run the study of the danger curve; keep its words and its figure."""
    from boards import at_night

    with tempfile.TemporaryDirectory() as folder:
        text = printed(f"{CURVE} --out {folder}/run")
        figure = (Path(folder) / "run" / "figures" / "classic.svg").read_text(encoding="utf-8")
    _keep(CURVE, "\n".join(line for line in text.splitlines() if folder not in line) + "\n")
    (HERE / "danger-light.svg").write_text(figure, encoding="utf-8")
    (HERE / "danger-dark.svg").write_text(at_night(figure), encoding="utf-8")


def take_speed() -> None:
    """Measure against the others, on this machine, today."""
    today = datetime.now(UTC).date().isoformat()
    _keep(SPEED, f"{_processor()}, {os.cpu_count()} cores, {today}\n{printed(SPEED)}")


def take_readme() -> None:
    """Write the README's numbers from what is stored, and from short commands run now."""
    text = README.read_text(encoding="utf-8")
    README.write_text(
        filled(text, lambda command: stored(command) if command in LONG else printed(command)),
        encoding="utf-8",
    )


def _keep(command: str, text: str) -> None:
    OUTPUT.mkdir(exist_ok=True)
    (OUTPUT / LONG[command]).write_text(text, encoding="utf-8")


def _processor() -> str:
    with contextlib.suppress(OSError):
        told = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        names = re.findall(r"^model name\s*: (.+)$", told, re.MULTILINE)
        if names:
            return str(names[0]).strip()
    return platform.processor() or platform.machine()
