"""The long version of the fuzz and fault tests, and the page that tells its numbers.

    python tests/fuzz/campaign.py                      2,000 damages and 20 kills of each kind
    python tests/fuzz/campaign.py --write              and docs/reliability.md from what it found

The exit code is 1 when anything crashed, answered wrongly or did not go on as if nothing had been.
"""

import argparse
import contextlib
import io
import os
import random
import sys
import tempfile
from pathlib import Path

import fuzz_damage
import fuzz_kills

from noughts.files import replacing

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"

ABOUT = """# Reliability

What Noughts reads is checked, what it writes is whole or absent, and what was killed goes on. This
page is written by the command below; the same checks, fewer of each, are part of `make test`.

```
$ python tests/fuzz/campaign.py --damages {damages} --kills {kills} --seed {seed} --write
```

## Damaged files

One good file of each kind, damaged at random: single bits, bytes, bursts of 16 bytes, cuts, holes,
stretches of zeros, repeated and swapped stretches, bytes too many, one digit for another.
*Refused*: one sentence that names the file. *Harmless*: everything that was written came back (a
space for a space, say). *Shortened*: a log without its last lines, which is what a log looks like
whose process died; the missing work is done again. *Crashed* is any other exception, *wrong* any
other answer.

{damage_table}

## Processes killed with SIGKILL

Killed at a random line of the log and a random moment after it, then started again with the same
command: the games and the checkpoints must be, byte by byte, those of a run that nobody disturbed.
Of a process that saves solutions again and again the file must be whole, or not there. What a kill
can leave behind is a hidden file `.NAME.PID-….tmp` beside the one that was being written; nothing
reads it.

{kill_table}

## State machines

Hypothesis walks through games by random moves, landings that are forced, illegal moves, texts and
JSON back and forth, and holds every position against rules written in plain lists; and it stops,
damages and resumes runs of matches, which must end with the games of a run that was left alone:
`pytest tests/fuzz`, with more of each under `pytest tests/fuzz -m slow`.
"""


def aligned(rows: list[tuple[str, ...]]) -> str:
    """A Markdown table; the first row is its head."""
    head, *rest = rows
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rest))


def damage_rows(damages: int, seed: int) -> tuple[list[tuple[str, ...]], list[str]]:
    rows = [("file", "damages", "refused", "harmless", "shortened", "crashed", "wrong")]
    faults = []
    for kind in fuzz_damage.KINDS:
        with tempfile.TemporaryDirectory() as folder:
            score = fuzz_damage.torture(kind, Path(folder), damages, seed)
        counts = (score.total, score.refused, score.harmless, score.shortened)
        rows.append((kind.name, *(f"{n:,}" for n in (*counts, score.crashed, score.wrong))))
        if score.first:
            faults.append(score.first)
        print(rows[-1], flush=True)
    return rows, faults


def kill_rows(kills: int, seed: int) -> tuple[list[tuple[str, ...]], list[str]]:
    rows = [("process", "runs", "killed", "as if nothing had been")]
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        with contextlib.redirect_stdout(io.StringIO()):
            found = fuzz_kills.kinds(Path(folder))
        for name, kill in found.items():
            killed = good = 0
            for number in range(kills):
                try:
                    with contextlib.redirect_stdout(io.StringIO()):
                        killed += kill(f"{number}", random.Random(1000 * seed + number))
                    good += 1
                except AssertionError as error:
                    faults.append(f"{name}, kill {number}: {error}")
            rows.append((name, str(kills), str(killed), str(good)))
            print(rows[-1], flush=True)
    return rows, faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--damages", type=int, default=2000, help="of each kind of file (2000)")
    parser.add_argument("--kills", type=int, default=20, help="of each kind of process (20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="write docs/reliability.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ["NOUGHTS_HOME"] = home
        damage, faults = damage_rows(options.damages, options.seed)
        kills, more = kill_rows(options.kills, options.seed)
    for fault in faults + more:
        print(fault)
    if options.write:
        numbers = {name: getattr(options, name) for name in ("damages", "kills", "seed")}
        tables = {"damage_table": aligned(damage), "kill_table": aligned(kills)}
        with replacing(PAGE) as file:
            file.write(ABOUT.format(**numbers, **tables))
    return 1 if faults or more else 0


if __name__ == "__main__":
    sys.exit(main())
