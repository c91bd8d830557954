"""Kernels are Python: with the JIT off they must count and draw exactly what the machine code does.

What they say is collected by `signature`, here in this process and, by running this file as a
script, in one where numba compiles nothing. A difference would be an overflow or a type that numba
guessed otherwise than Python.
"""

import json
import os
import subprocess
import sys
from typing import Any

import noughts
from noughts.kernels.mode import is_interpreted

GAMES = {
    "3x3": 300,
    "3x3:misere": 100,
    "3x3x3": 40,
    "15x15:k=5": 4,
    "4x4:flip=0.2,fizzle=0.1": 60,
    "3x3:fade=0.1": 60,
    "3x3:hazard=0.3,limit=4,ticks=6": 100,
    "ultimate": 20,
    "ultimate:won=open,tiebreak=boards": 20,
    "ultimate:flip=0.2,fizzle=0.1,fade=0.01,hazard=0.3,turn_limit=2,ticks=3": 10,
}
PERFT = {"3x3": 6, "4x4:k=3": 4, "3x3x3": 3, "qubic": 3, "ultimate": 4, "ultimate:won=open": 4}


def signature() -> dict[str, Any]:
    """What the kernels answer, as plain data."""
    tallies = {}
    for spec, games in GAMES.items():
        tally = noughts.playouts(spec, games, seed=5, threads=1)
        tallies[spec] = [tally.x, tally.o, tally.draws, tally.turns]
    counts = {spec: noughts.perft(spec, depth, threads=1) for spec, depth in PERFT.items()}
    return {"compiled": not is_interpreted(), "tallies": tallies, "perft": counts}


def test_the_kernels_say_the_same_without_the_jit() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", __file__],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    plain = json.loads(done.stdout)
    compiled = signature()
    assert (plain.pop("compiled"), compiled.pop("compiled")) == (False, True)
    assert plain == compiled
    assert done.stderr == ""


if __name__ == "__main__":
    sys.stdout.write(json.dumps(signature()))
