"""A network that was folded into tables, read inside the search.

The first layer sees nine mini boards, each one of C configurations. Encoder and matrix of a place
depend on nothing else, so their product is a table of rows, and the layer is a sum of nine of them:

    h = relu(bias + unit · Σ_place rows[place or place + 9 if it is forced, configuration])
    odds = softmax(V₂ · relu(V₁ · h + v₁) + v₂)                     win, draw, loss for the mover
    prior(m, c) ∝ exp(P[m, c] · h + own[m, configuration of m, c] + sent[c, configuration of c])

The last term, for where the move sends the opponent, is left out where c = m.
"""

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.zero.mini_boards import ANYWHERE, FORCED, TURN

REASSOCIATE: Final = {"reassoc", "contract", "nsz"}  # lets sums use vector registers


class FoldedNet(NamedTuple):
    """The tables of a network with H hidden units."""

    rows: NDArray[np.int16]  # [18, C, H] places, then places as the forced one; nine never overflow
    unit: NDArray[np.float32]  # [H] what one step of a row is worth
    bias: NDArray[np.float32]  # [2, H] a mini board is forced; a free move
    value_in: NDArray[np.float32]  # [K, H], K a multiple of four
    value_in_bias: NDArray[np.float32]  # [K]
    value_out: NDArray[np.float32]  # [3, K]
    value_out_bias: NDArray[np.float32]  # [3]
    policy: NDArray[np.float32]  # [81, H]
    own: NDArray[np.float32]  # [9, C, 9]
    sent: NDArray[np.float32]  # [9, C]


@kernel(allocates=False, fastmath=REASSOCIATE)
def hidden_layer(net, state, sums, hidden):
    """h into `hidden` [H]; `sums` [H] is scratch."""
    width = hidden.size
    side = 9 * state[TURN]
    forced = state[FORCED]
    for mini in range(0, 9, 3):  # more rows at once, and the compiler would not use vectors
        a = net.rows[mini + (9 if forced == mini else 0), state[side + mini]]
        b = net.rows[mini + (10 if forced == mini + 1 else 1), state[side + mini + 1]]
        c = net.rows[mini + (11 if forced == mini + 2 else 2), state[side + mini + 2]]
        if mini == 0:
            for i in range(width):
                sums[i] = a[i] + b[i] + c[i]
        else:
            for i in range(width):
                sums[i] += a[i] + b[i] + c[i]
    start = net.bias[1] if forced == ANYWHERE else net.bias[0]
    for i in range(width):
        hidden[i] = max(np.float32(0.0), start[i] + net.unit[i] * np.float32(sums[i]))


@kernel(allocates=False, fastmath=REASSOCIATE)
def value_head(net, hidden, middle):
    """(value, chance of a draw) for the player on turn; `middle` [K] is scratch."""
    width = middle.size
    for j in range(0, width, 4):  # four at once: `hidden` is read only once for them
        a, b, c, d = net.value_in[j], net.value_in[j + 1], net.value_in[j + 2], net.value_in[j + 3]
        total_a, total_b = net.value_in_bias[j], net.value_in_bias[j + 1]
        total_c, total_d = net.value_in_bias[j + 2], net.value_in_bias[j + 3]
        for i in range(hidden.size):
            h = hidden[i]
            total_a += a[i] * h
            total_b += b[i] * h
            total_c += c[i] * h
            total_d += d[i] * h
        middle[j], middle[j + 1], middle[j + 2], middle[j + 3] = total_a, total_b, total_c, total_d
    win, draw, loss = net.value_out_bias[0], net.value_out_bias[1], net.value_out_bias[2]
    for j in range(width):
        m = max(np.float32(0.0), middle[j])
        win += m * net.value_out[0, j]
        draw += m * net.value_out[1, j]
        loss += m * net.value_out[2, j]
    most = max(win, draw, loss)
    e_win, e_draw, e_loss = math.exp(win - most), math.exp(draw - most), math.exp(loss - most)
    total = e_win + e_draw + e_loss
    return np.float32((e_win - e_loss) / total), np.float32(e_draw / total)


@kernel(allocates=False, fastmath=REASSOCIATE)
def policy_head(net, state, hidden, moves, n, out_priors):
    """The chances of n legal moves into `out_priors` [n]."""
    side = 9 * state[TURN]
    most = np.float32(-1e30)
    for k in range(n):
        mini = moves[k] // 9
        cell = moves[k] - 9 * mini
        weights = net.policy[moves[k]]
        logit = net.own[mini, state[side + mini], cell]
        if cell != mini:
            logit += net.sent[cell, state[side + cell]]
        total = np.float32(0.0)
        for i in range(hidden.size):
            total += weights[i] * hidden[i]
        logit += total
        out_priors[k] = logit
        most = max(most, logit)
    total = np.float32(0.0)
    for k in range(n):
        out_priors[k] = math.exp(out_priors[k] - most)
        total += out_priors[k]
    for k in range(n):
        out_priors[k] /= total


@kernel()
def evaluate(net, state, moves, n):
    """(value, chance of a draw, priors) of one position; the friendly way in for tests."""
    hidden = np.empty(net.bias.shape[1], np.float32)
    middle = np.empty(net.value_in_bias.size, np.float32)
    priors = np.empty(n, np.float32)
    sums = np.empty(hidden.size, np.int16)
    hidden_layer(net, state, sums, hidden)
    value, draw = value_head(net, hidden, middle)
    policy_head(net, state, hidden, moves, n, priors)
    return value, draw, priors
