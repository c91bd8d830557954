"""Where the weight of each term of a quadratic function is, and which terms share one.

Without sharing there are rows · (1 + n + n²) weights. A symmetry of the board moves cells, and with
them moves, lines and inputs: `symmetric` gives the terms that symmetries exchange one weight, and
so shows the learner every position in all its orientations at once.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from noughts.errors import NoughtsError
from noughts.learn.frame.features import Encoder

if TYPE_CHECKING:
    from noughts.kernels.learn.quadratic import Terms

MOST_PRODUCTS = 1 << 24  # terms; their table is then 64 MB


def count_products(encoder: Encoder, rows: int) -> int:
    """rows · n²; raises NoughtsError when the table would be too large."""
    products = rows * encoder.size**2
    if products > MOST_PRODUCTS:
        raise NoughtsError(
            f"features={encoder.kind} gives {encoder.game} {products:,} products; "
            f"at most {MOST_PRODUCTS:,} are learned, so take features=raw or a smaller board."
        )
    return products


def make_terms(encoder: Encoder, rows: int, is_symmetric: bool) -> "tuple[Terms, int]":
    """The places of all terms, and how many weights there are. A row is a move, or all there is."""
    from noughts.kernels.learn.quadratic import Terms

    count_products(encoder, rows)
    n = encoder.size
    constant, linear, product = (
        np.arange(rows),
        rows + np.arange(rows * n).reshape(rows, n),
        rows + rows * n + np.arange(rows * n * n).reshape(rows, n, n),
    )
    if is_symmetric:
        constant, linear, product = _shared(encoder, (constant, linear, product))
    weights = 1 + max(int(constant.max()), int(linear.max()), int(product.max()))
    return Terms(*(part.astype(np.int32) for part in (constant, linear, product))), weights


def _shared(
    encoder: Encoder, parts: tuple[NDArray[np.int64], ...]
) -> tuple[NDArray[np.int64], ...]:
    """Every term takes the smallest place of its images; then places are numbered without gaps."""
    constant, linear, product = (part.copy() for part in parts)
    rows, cells = len(constant), encoder.game.cells
    np.minimum(product, parts[2].transpose(0, 2, 1), out=product)
    for permutation in encoder.game.symmetries():
        inputs = encoder.permuted(permutation)
        moved = np.arange(rows)
        if rows > 1:  # a move is cell + cells · wait
            moved = np.array(permutation)[moved % cells] + cells * (moved // cells)
        np.minimum(constant, parts[0][moved], out=constant)
        np.minimum(linear, parts[1][moved[:, None], inputs], out=linear)
        images = parts[2][moved[:, None, None], inputs[:, None], inputs]
        np.minimum(product, images, out=product)
        np.minimum(product, images.transpose(0, 2, 1), out=product)
    flat = np.concatenate([part.ravel() for part in (constant, linear, product)])
    _, numbers = np.unique(flat, return_inverse=True)
    sizes = np.cumsum([constant.size, linear.size])
    first, second, third = np.split(numbers, sizes)
    return first, second.reshape(linear.shape), third.reshape(product.shape)
