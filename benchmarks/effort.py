"""The constants of `noughts.effort`, held against this machine.

    python benchmarks/effort.py

Each row is a piece of work in a process of its own with an empty cache: CPU seconds interpreted,
and CPU seconds to compile it and answer, beside what `noughts.effort` guesses. It only has to be
right within a factor of two or so; ratios far from 1 say which constant to change.
"""

import os
import subprocess
import sys
import tempfile

WORK = (
    "solve 3x3",
    "solve 3x3:flip=0.1",
    "uct:simulations=600 3x3",
    "uct:simulations=600 4x4:flip=0.1",
    "uct:simulations=600 qubic",
    "uct:simulations=600 ultimate",
    "uct:simulations=200 15x15:k=5",
    "alphabeta 3x3",
    "flat:playouts=90 3x3",
    "optimal qubic",
    "zero:simulations=50 ultimate",
)
SCRIPT = """
import sys, time
import numpy as np
import noughts
from noughts.effort import LOADING, choosing, solving
agent, game = sys.argv[1].split()
played = noughts.game(game)
work = solving(played) if agent == "solve" else choosing(noughts.agent(agent), played)
began = time.process_time()
if agent == "solve":
    noughts.solve(played)
else:
    noughts.agent(agent).choose(played.start(), np.random.default_rng(1))
print(time.process_time() - began, work.seconds, LOADING + work.compiling)
"""


def measured(work: str, mode: str) -> tuple[float, float, float]:
    """CPU seconds, and what is guessed: interpreted, compiled."""
    with tempfile.TemporaryDirectory() as folder:
        places = {"NOUGHTS_CACHE": folder, "NOUGHTS_HOME": folder, "NOUGHTS_JIT": mode}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, work],
            env=os.environ | places,
            capture_output=True,
            text=True,
            check=True,
        )
    seconds, interpreted, compiled = map(float, done.stdout.split())
    return seconds, interpreted, compiled


def main() -> None:
    print(f"{'work':36}{'interpreted':>12}{'guess':>8}{'compiled':>12}{'guess':>8}")
    for work in WORK:
        compiled, interpreted_guess, compiled_guess = measured(work, "always")
        told = f"{'–':>12}{'never':>8}"
        if interpreted_guess < 1e6:
            told = f"{measured(work, 'never')[0]:12.3f}{interpreted_guess:8.3f}"
        print(f"{work:36}{told}{compiled:12.2f}{compiled_guess:8.2f}", flush=True)


if __name__ == "__main__":
    main()
