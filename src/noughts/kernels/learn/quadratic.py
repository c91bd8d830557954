"""Quadratic functions of the inputs: their value, their gradient, and one step of learning.

    f(x) = c + Σ b_i·x_i + Σ M_ij·x_i·x_j          1 + n + n² terms

The numbers c, b and M are kept in one vector `weights`; tables say where each is, so that terms
that a symmetry of the board exchanges may share one weight. M_ij and M_ji begin equal and have the
same gradient, so they stay equal.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel


class Terms(NamedTuple):
    """Where the weight of each term is. TD has one row; Q-learning has a row for each move."""

    constant: NDArray[np.int32]  # [rows]
    linear: NDArray[np.int32]  # [rows, n]
    product: NDArray[np.int32]  # [rows, n, n]


class Form(NamedTuple):
    """A quadratic function: where the weight of each term is, and the weights."""

    constant: NDArray[np.int32]
    linear: NDArray[np.int32]
    product: NDArray[np.int32]
    weights: NDArray[np.float64]


class Step(NamedTuple):
    """How far one step goes, and room for it."""

    rate: float
    scales: bool
    gradient: NDArray[np.float64]  # [weights] zeros, and left so
    touched: NDArray[np.int64]  # [weights + 1] lists where the gradient is not zero


@kernel(allocates=False)
def evaluate(form, row, index, value, size):
    """f at the inputs that are listed."""
    weights = form.weights
    total = weights[form.constant[row]]
    for a in range(size):
        i = index[a]
        slope = weights[form.linear[row, i]]
        for b in range(size):
            slope += weights[form.product[row, i, index[b]]] * value[b]
        total += value[a] * slope
    return total


@kernel(allocates=False)
def fill_slopes(form, row, index, value, size, out_slopes):
    """∂f/∂x_i for every input."""
    weights = form.weights
    for i in range(out_slopes.size):
        slope = 0.0
        for b in range(size):
            slope += weights[form.product[row, i, index[b]]] * value[b]
        out_slopes[i] = weights[form.linear[row, i]] + 2.0 * slope


@kernel(allocates=False)
def difference(form, row, slopes, index, value, size):
    """f(x + Δ) - f(x) for the listed changes Δ, where `slopes` are those at x."""
    weights = form.weights
    total = 0.0
    for a in range(size):
        i = index[a]
        slope = slopes[i]
        for b in range(size):
            slope += weights[form.product[row, i, index[b]]] * value[b]
        total += value[a] * slope
    return total


@kernel(allocates=False)
def _add_to_gradient(gradient, touched, n, place, amount):
    if gradient[place] == 0.0:
        touched[n] = place
        n += 1
    gradient[place] += amount
    return n


@kernel(allocates=False)
def learn_step(form, row, index, value, size, error, step):
    """weights += rate · error · ∂f/∂weights, and over |∂f/∂weights|² too where `scales` is set.

    A scaled step corrects the share `rate` of the error here, whatever the inputs are.
    """
    weights = form.weights
    rate, scales, gradient, touched = step
    if not scales:
        amount = rate * error
        weights[form.constant[row]] += amount
        for a in range(size):
            i = index[a]
            weights[form.linear[row, i]] += amount * value[a]
            for b in range(size):
                weights[form.product[row, i, index[b]]] += amount * value[a] * value[b]
        return
    # Listed values are not zero and those of one term have one sign, so zero means untouched.
    n = _add_to_gradient(gradient, touched, 0, form.constant[row], 1.0)
    for a in range(size):
        i = index[a]
        n = _add_to_gradient(gradient, touched, n, form.linear[row, i], value[a])
        for b in range(size):
            place = form.product[row, i, index[b]]
            n = _add_to_gradient(gradient, touched, n, place, value[a] * value[b])
    square = 0.0
    for k in range(n):
        square += gradient[touched[k]] * gradient[touched[k]]
    amount = rate * error / square
    for k in range(n):
        weights[touched[k]] += amount * gradient[touched[k]]
        gradient[touched[k]] = 0.0
