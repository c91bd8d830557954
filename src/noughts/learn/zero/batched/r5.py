"""The network of R5: Ultimate's board as a picture, two convolutions and four dense layers.

Input: the 9×9 board as 1 (own), -1 (the opponent's) and 0, and a one-hot of the forced mini board
(all zeros when any is open). Then

    a 3×3 convolution with stride 3    one matrix, shared by the nine mini boards
    a 3×3 convolution, ReLU            over the 3×3 mini boards: one more matrix
    with the one-hot, four dense layers of tanh
    policy: 81 logits (softmax, cross-entropy); value: tanh (squared error)

The report states no widths: 64 and 256 channels and 256 units are this project's. With a clock the
policy has one logit for each cell and wait.
"""

from dataclasses import dataclass
from typing import Any

from noughts.learn.zero.batched.networks import Network

CHANNELS = 64  # of a mini board
BOARD = 256  # of the whole board
LAYERS = 4


@dataclass(frozen=True)
class R5Net(Network):
    """R5's network; `hidden` units in each dense layer."""

    name = "r5"
    policy: int = 81
    hidden: int = 256
    inputs: int = 90

    def sizes(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, tuple[int, ...]] = {
            "mini.weight": (9, CHANNELS),
            "mini.bias": (CHANNELS,),
            "board.weight": (9 * CHANNELS, BOARD),
            "board.bias": (BOARD,),
        }
        width = BOARD + 9
        for layer in range(1, LAYERS + 1):
            found[f"hidden_{layer}.weight"] = (width, self.hidden)
            found[f"hidden_{layer}.bias"] = (self.hidden,)
            width = self.hidden
        found["policy.weight"] = (width, self.policy)
        found["policy.bias"] = (self.policy,)
        found["value.weight"] = (width, 1)
        found["value.bias"] = (1,)
        return found

    def forward(self, xp: Any, weights: Any, features: Any) -> tuple[Any, Any]:
        batch = features.shape[0]
        minis = xp.reshape(features[:, :81], (batch * 9, 9)) @ weights["mini.weight"]
        minis = xp.reshape(minis + weights["mini.bias"], (batch, 9 * CHANNELS))
        board = minis @ weights["board.weight"] + weights["board.bias"]
        x = xp.concatenate([xp.maximum(board, 0.0), features[:, 81:]], axis=1)
        for layer in range(1, LAYERS + 1):
            x = xp.tanh(x @ weights[f"hidden_{layer}.weight"] + weights[f"hidden_{layer}.bias"])
        logits = x @ weights["policy.weight"] + weights["policy.bias"]
        values = xp.tanh(x @ weights["value.weight"] + weights["value.bias"])
        return logits, values[:, 0]
