"""Symmetries as kernels see them: images of a position share one folded key, and moves follow.

The verbs are asked in Python, in a process that interprets them: no kernel is compiled for it.
"""

import os
import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import noughts
from noughts.kernels.rules import protocol

GAMES = [
    "3x3", "4x4:k=3", "3x3x3", "qubic", "10x7:k=5", "3x3:misere", "3x3:flip=0.1",
    "4x4:flip=0.2,fizzle=0.1", "3x3:fade=0.1", "3x3:hazard=0.3,limit=4,ticks=6",
    "ultimate", "ultimate:won=open", "ultimate:tiebreak=boards", "ultimate:flip=0.2,fizzle=0.1",
]  # fmt: skip


@pytest.mark.parametrize(
    "count", [6, pytest.param(400, marks=pytest.mark.slow)], ids=["a few", "many"]
)
def test_images_share_a_key_and_moves_follow(count: int) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", __file__, str(count)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 10 * count * len(GAMES)


class Images:
    """What the verbs of a game's search say of a row."""

    def __init__(self, spec: str) -> None:
        self.game: Any = noughts.game(spec)
        self.rules = self.game.search_rules
        if hasattr(self.rules.tables, "canonical_marks"):  # else it folds while marks are few
            tables = self.rules.tables._replace(canonical_marks=self.game.cells)
            self.rules = self.rules._replace(tables=tables)
        self.facts = protocol.facts(self.rules)

    def folded(self, row: Any) -> int:
        state = protocol.load(self.rules, row, protocol.new(self.rules))
        return int(protocol.fold(self.rules, state, np.zeros_like(row))[0])

    def seen(self, k: int, row: Any) -> Any:
        out = np.zeros_like(row)
        protocol.image(self.rules, k, row, out)
        return out

    def after(self, row: Any, move: int) -> Any:
        state = protocol.load(self.rules, row, protocol.new(self.rules))
        state = protocol.land(self.rules, state, move, 0)
        out = np.zeros_like(row)
        protocol.save(self.rules, state, out)
        return out

    def check(self, position: noughts.Position, draw: random.Random) -> int:
        """Images of one position, a dozen at most; how many things were compared."""
        row = np.array(position.to_row(), np.int32)
        folded, compared = self.folded(row), 0
        moves = draw.sample(position.moves, min(2, len(position.moves)))
        for k in draw.sample(range(self.facts.images), min(12, self.facts.images)):
            image = self.seen(k, row)
            assert self.folded(image) == folded, (str(position), k)
            for move in moves:
                there = int(protocol.move_image(self.rules, k, move))
                assert protocol.move_back(self.rules, k, there) == move
                assert np.array_equal(
                    self.after(image, there), self.seen(k, self.after(row, move))
                ), (str(position), k, move)
            compared += 1 + 2 * len(moves)
        return compared


def check_all(count: int) -> int:
    compared = 0
    for spec in GAMES:
        images, draw, rng = Images(spec), random.Random(1), np.random.default_rng(1)
        position = images.game.start()
        for _ in range(count):
            if position.result is not None:
                position = images.game.start()
            compared += images.check(position, draw)
            position = position.sample(draw.choice(position.moves), rng)[1]
    return compared


if __name__ == "__main__":
    sys.stdout.write(str(check_all(int(sys.argv[1]))))
