"""The kernels of exact solving are Python: with the JIT off they must say the same to the last bit.

As in `test_kernels_without_jit.py`, what they say is collected here and, by running this file as a
script, in a process where numba compiles nothing.
"""

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import astuple
from typing import Any

import noughts
from noughts.kernels.mode import is_interpreted

SPECS = (
    "2x3:k=2,flip=0.1",
    "5x2:k=3,flip=random,seed=1",
    "2x3:k=3,misere,flip=0.1,fizzle=0.2",
    "2x2:fade=0.1",
    "2x2:flip=0.1,fizzle=0.1,hazard=1,limit=1,turn_limit=0.5,ticks=4",
)


def signature() -> dict[str, Any]:
    """What the kernels answer, as plain data."""
    answers: dict[str, Any] = {"compiled": not is_interpreted()}
    for spec in SPECS:
        solution = noughts.solve(spec, threads=1)
        digest = hashlib.sha256(solution.table.tobytes()).hexdigest()
        answers[spec] = [digest, solution.running_boards]
        if solution.game.cells <= 6:
            answers[spec] += [
                *astuple(noughts.odds(spec, "optimal", "random")),
                *astuple(noughts.best_response(spec, "random", "O").odds),
                *astuple(noughts.simulate(spec, "random", "optimal", 50, seed=1)),
            ]
    return answers


def test_the_kernels_say_the_same_without_the_jit() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", __file__],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    plain, compiled = json.loads(done.stdout), signature()
    assert (plain.pop("compiled"), compiled.pop("compiled")) == (False, True)
    assert plain == compiled
    assert done.stderr == ""


if __name__ == "__main__":
    sys.stdout.write(json.dumps(signature()))
