"""How fast UCT's value comes to the exact one on risky 3×3.

    python benchmarks/uct_convergence.py          a table, and docs/figures/uct-convergence.svg
    python benchmarks/uct_convergence.py --check  exit code 1 when an error at the end is above 0.03

The value is that of the move UCT plays from the empty board. The exact one is a fraction: the
expectimax value by exact arithmetic. An error is the mean over seeds of |value - exact|.
"""

import argparse
import math
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np

import noughts
from noughts.search.uct import UctAgent

EXACT = {
    "3x3:flip=0.25": Fraction(2155, 32768),
    "3x3:flip=0.5": Fraction(3, 256),
    "3x3:flip=stochastic": Fraction(2991541, 25_000_000),
}
COLOURS = ("#0b6e99", "#b5461f", "#4c7a34")
SIMULATIONS = (100, 1000, 10_000, 100_000)
FIGURE = Path(__file__).parent.parent / "docs" / "figures" / "uct-convergence.svg"
HIGHEST = 0.03  # error after the most simulations


def mean_error(spec: str, simulations: int, seeds: int) -> float:
    """The mean distance from the exact value of the empty board."""
    start, errors = noughts.game(spec).start(), []
    for seed in range(seeds):
        player = UctAgent(simulations=simulations)
        player.choose(start, np.random.default_rng(seed))
        if player.last is not None and player.last.value is not None:
            errors.append(abs(player.last.value - float(EXACT[spec])))
    return float(np.mean(errors))


def draw(
    errors: dict[str, list[float]],
    budgets: tuple[int, ...] = SIMULATIONS,
    title: str = "Error of UCT's value against simulations on risky 3×3",
    label: str = "mean |value − exact|",
    low: int = -3,
) -> str:
    """Both axes are logarithmic; one line per world. `low`: the lowest power of ten of an error."""
    left, top, width, height = 70, 20, 430, 260
    high = 0
    first, last = math.log10(budgets[0]), math.log10(budgets[-1])

    def place(simulations: int, error: float) -> tuple[float, float]:
        x = left + width * (math.log10(simulations) - first) / (last - first)
        y = top + height * (high - max(low, math.log10(max(error, 1e-300)))) / (high - low)
        return round(x, 1), round(y, 1)

    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 340" font-family="sans-serif" '
        'font-size="13" fill="#333">',
        f"<title>{title}</title>",
        '<rect width="700" height="340" fill="#fff"/>',
    ]
    for power in range(low, high + 1):
        x, y = place(budgets[0], 10.0**power)
        parts.append(f'<path d="M{x} {y}h{width}" stroke="#ddd"/>')
        parts.append(f'<text x="{x - 8}" y="{y + 4}" text-anchor="end">{10.0**power:g}</text>')
    for simulations in budgets:
        x, y = place(simulations, 10.0**low)
        parts.append(f'<text x="{x}" y="{y + 20}" text-anchor="middle">{simulations:,}</text>')
    parts.append(f'<text x="{left + width / 2}" y="328" text-anchor="middle">simulations</text>')
    parts.append(
        f'<text x="18" y="{top + height / 2}" text-anchor="middle" '
        f'transform="rotate(-90 18 {top + height / 2})">{label}</text>'
    )
    for row, colour in zip(errors.values(), COLOURS, strict=False):
        points = [place(n, error) for n, error in zip(budgets, row, strict=True)]
        path = " ".join(f"{x},{y}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="3.5" fill="{colour}"/>' for x, y in points]
    for i, (spec, colour) in enumerate(zip(errors, COLOURS, strict=False)):
        parts.append(f'<path d="M520 {40 + 24 * i}h22" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="550" y="{44 + 24 * i}">{spec}</text>')
    return "\n".join([*parts, "</svg>", ""])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--check", action="store_true", help="fail when an error stays high")
    options = parser.parse_args()
    print(f"{'game':22}{'exact':>10}" + "".join(f"{n:>10,}" for n in SIMULATIONS))
    errors = {}
    for spec, exact in EXACT.items():
        errors[spec] = [mean_error(spec, n, options.seeds) for n in SIMULATIONS]
        row = "".join(f"{error:10.4f}" for error in errors[spec])
        print(f"{spec:22}{float(exact):10.6f}{row}")
    FIGURE.parent.mkdir(parents=True, exist_ok=True)
    FIGURE.write_text(draw(errors), encoding="utf-8")
    return 1 if options.check and any(row[-1] > HIGHEST for row in errors.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
