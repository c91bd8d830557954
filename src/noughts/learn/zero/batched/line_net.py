"""A small network for games of lines: what is missing on each line, two layers, two heads.

For each line let m be the marks that the player on turn still misses there and n those that his
opponent misses. A line is alive for somebody while the other has no mark on it. The input is every
cell (own mark, opponent's mark) and for every line which of its states "alive and k missing" holds,
for either side. Then

    h = relu(W₂ · relu(W₁ · input))
    logit of a cell = (P · h)[cell] + sum over the lines through it of T[m, n]
    value = tanh(v · h)

T is one small table for all lines: it says "complete the line" and "stop his line" once for the
whole board, before W has learned anything about places. A clock adds its share gone by to the
input, and to the policy one logit for each cell and wait. Only the opponent's and the own marks are
given from outside; the rest is the board's incidence matrix, so one forward pass serves both NumPy
and JAX.
"""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.games.game import Game
from noughts.learn.zero.batched.networks import Network, policy_size

HIDDEN = 64


class LineNet(Network):
    """The network for one board of lines."""

    name = "lines"

    def __init__(self, game: Game, hidden: int = HIDDEN) -> None:
        self.game = game
        self.hidden = hidden
        self.cells = game.cells
        self.policy = policy_size(game)
        self.inputs = 2 * game.cells + game.has_clock
        board = game.lines_for("this network reads lines")
        self.lines = board.lines
        self.longest = max(map(len, self.lines))

    @cached_property
    def incidence(self) -> NDArray[np.float32]:
        """[cells, lines] 1 where a cell is on a line."""
        found = np.zeros((self.cells, len(self.lines)), np.float32)
        for i, line in enumerate(self.lines):
            found[list(line), i] = 1.0
        return found

    @cached_property
    def lengths(self) -> NDArray[np.float32]:
        """[lines] how many cells each has."""
        found: NDArray[np.float32] = self.incidence.sum(axis=0)
        return found

    def sizes(self) -> dict[str, tuple[int, ...]]:
        lines, states = len(self.lines), self.longest + 1
        width = self.inputs + 2 * lines * (self.longest - 1)
        return {
            "hidden_1.weight": (width, self.hidden),
            "hidden_1.bias": (self.hidden,),
            "hidden_2.weight": (self.hidden, self.hidden),
            "hidden_2.bias": (self.hidden,),
            "policy.weight": (self.hidden, self.policy),
            "policy.bias": (self.policy,),
            "policy.lines": (states * states,),
            "value.weight": (self.hidden, 1),
            "value.bias": (1,),
        }

    def forward(self, xp: Any, weights: Any, features: Any) -> tuple[Any, Any]:
        own = features[:, : self.cells] @ self.incidence
        other = features[:, self.cells : 2 * self.cells] @ self.incidence
        own_missing, other_missing = self.lengths - own, self.lengths - other
        x = [features]
        for missing in range(1, self.longest):
            for count, left, rival in ((own, own_missing, other), (other, other_missing, own)):
                is_alive = (rival == 0.0) & (left == missing) & (count > 0.0)
                x.append(is_alive.astype(features.dtype))
        h = xp.concatenate(x, axis=1)
        for layer in (1, 2):
            h = h @ weights[f"hidden_{layer}.weight"] + weights[f"hidden_{layer}.bias"]
            h = xp.maximum(h, 0.0)
        states = (own_missing * (self.longest + 1) + other_missing).astype("int32")
        of_lines = weights["policy.lines"][states] @ self.incidence.T
        waits = self.policy // self.cells
        logits = h @ weights["policy.weight"] + weights["policy.bias"]
        logits = logits + (of_lines if waits == 1 else xp.tile(of_lines, (1, waits)))
        values = xp.tanh(h @ weights["value.weight"] + weights["value.bias"])
        return logits, values[:, 0]
