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

sys.path.insert(0, str(Path(__file__).parents[1]))  # what tests share

import fuzz_damage
import fuzz_faults
import fuzz_kills

from noughts.files import replacing

PARTS = ("damages", "kills", "faults")
PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"

ABOUT = """# Reliability

What Noughts reads is checked, what it writes is whole or absent, and what was killed goes on. This
page is written by the command below; the same checks, fewer of each, are part of `make test`.

```
$ python tests/fuzz/campaign.py --damages {damages} --kills {kills} --faults {faults} --seed {seed} --write
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
Of a process that saves solutions again and again the file must be whole, or not there; a search for
a proof goes on from what it kept; a job of the Lab ends with its server, and the next one takes it
up: every unit once. What a kill
can leave behind is a hidden file `.NAME.PID-….tmp` beside the one that was being written; nothing
reads it, and the next start sweeps it.

{kill_table}

## Faults around a run

Small matches, tournaments and trainings in forks of one process. *Swapped*: files, lines and
checkpoints of other runs (other seats, rules, seed, opponent, kind), lines twice, files dropped,
damage. *Refused writes*: from some sync or rename on, ENOSPC, EIO or EROFS. *Killed*: SIGKILL before
a random opening, lock, sync, rename or removal. *Two at once*: two processes begin the same run, or
teach the same table, at the same moment. *Clocks*: files from 1970 and from the future. Afterwards
the same command is given again: the answer must be that of a run that nobody disturbed (*alike*), or
one sentence (*refused*); after kills, refused writes and clocks nothing may be refused or left over.

```
$ NOUGHTS_JIT=never python tests/fuzz/campaign.py --parts faults --faults {faults} --seed {seed}
```

{fault_table}

## What others promise

| program | promise | here |
| --- | --- | --- |
| SQLite | a transaction is whole or absent after a crash or a power cut, if the disk syncs as it says; one writer at a time by file locks | files and lines likewise; one owner at a time by file locks |
| fishtest | a task of games that a worker does not finish is handed out again; results are counted once by the server | units are logged once, by identity; what was lost is played again, alike |
| Jupyter | notebooks are saved now and then, checkpoints by hand; what a killed kernel held is lost | every finished unit is on the disk; a job ends with its server and is taken up by the next |

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


def fault_rows(faults: int, seed: int) -> tuple[list[tuple[str, ...]], list[str]]:
    rows = [("fault", "tried", "refused", "alike", "wrong, crashed, lost or twice")]
    told = []
    for name in fuzz_faults.FAULTS:
        count = faults if name == next(iter(fuzz_faults.FAULTS)) else max(faults // 10, 1)
        with tempfile.TemporaryDirectory() as folder:
            found = fuzz_faults.inject(name, Path(folder), count, seed)
        counts = (found.tried, found.refused, found.alike, len(found.faults))
        rows.append((name, *(f"{number:,}" for number in counts)))
        told += found.faults
        print(rows[-1], flush=True)
    return rows, told


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--damages", type=int, default=2000, help="of each kind of file (2000)")
    parser.add_argument("--kills", type=int, default=20, help="of each kind of process (20)")
    parser.add_argument("--faults", type=int, default=1000, help="swaps; a tenth of others (1000)")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="all unless given")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="write docs/reliability.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ["NOUGHTS_HOME"] = home
        tables, faults = {}, []
        for part, make in zip(PARTS, (damage_rows, kill_rows, fault_rows), strict=True):
            if part in options.parts:
                rows, found = make(getattr(options, part), options.seed)
                tables[f"{part.removesuffix('s')}_table"] = aligned(rows)
                faults += found
    for fault in faults:
        print(fault)
    if options.write and len(tables) == len(PARTS):
        numbers = {name: getattr(options, name) for name in (*PARTS, "seed")}
        with replacing(PAGE) as file:
            file.write(ABOUT.format(**numbers, **tables))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
