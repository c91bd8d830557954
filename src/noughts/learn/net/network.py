"""A network of dense layers with ReLU between them, written once for every array library.

    h_0 = x,   h_k = max(0, h_{k-1}·W_k + b_k),   output = h_last·W + b

`forward` takes NumPy's arrays to play and JAX's to train: it asks nothing of them but operators and
the library's `maximum`.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Parameters = Mapping[str, Any]  # "w0", "b0", "w1", …


def layers_of(parameters: Parameters) -> int:
    """How many layers the parameters are for."""
    return len(parameters) // 2


def forward(library: Any, parameters: Parameters, x: Any) -> Any:
    """The outputs [batch, outputs] for inputs [batch, inputs]."""
    last = layers_of(parameters) - 1
    for layer in range(last):
        x = library.maximum(x @ parameters[f"w{layer}"] + parameters[f"b{layer}"], 0.0)
    return x @ parameters[f"w{last}"] + parameters[f"b{last}"]


def initial(
    inputs: int, hidden: tuple[int, ...], outputs: int, rng: np.random.Generator
) -> dict[str, NDArray[np.float32]]:
    """Weights that keep the size of signals (He et al. 2015); the last layer begins at zero."""
    sizes = (inputs, *hidden, outputs)
    parameters: dict[str, NDArray[np.float32]] = {}
    for layer, (rows, columns) in enumerate(pairwise(sizes)):
        scale = np.sqrt(2.0 / rows) if layer < len(hidden) else 0.0
        drawn = scale * rng.standard_normal((rows, columns))
        parameters[f"w{layer}"] = drawn.astype(np.float32)
        parameters[f"b{layer}"] = np.zeros(columns, np.float32)
    return parameters
