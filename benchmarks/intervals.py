"""How often the 95% intervals hold: matches with a known truth, 10,000 in every cell.

    python benchmarks/intervals.py                    # all tables, in Markdown; takes minutes
    python benchmarks/intervals.py score --matches 1000

**Score and Elo.** Games are drawn independently with the share of draws of the row and the score of
players so many Elo apart. Where so many draws leave no room for that score (a score of 85% leaves
at most 30% of draws) the Elo is that of the decided games alone, and the row has a star. In the
last rows both games of a pair always end alike, which is the most that pairs can share.
**Rejected.** The lowest coverage of any row of that table by other tests of the same pairs.
**Ratings.** Three agents, the first so far above the two others; games are those of each pairing.
The cell is the lower of the coverages of the first and the second agent.
**Regret.** An agent has three to five moves in a game, and each loses value with the probability of
the row: 1 or 2 in a sure game, anything up to ½ in a risky one.

A truth is in an interval exactly if neither of its tail probabilities is below 2.5%, so the tails
at the truth are what is counted; `tests/test_stats.py` holds the two together.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from statistics import median

import numpy as np
from numpy.typing import NDArray

from noughts.stats.elo import elo, expected_score
from noughts.stats.means import (
    TAIL,
    Sample,
    Tails,
    lattice_tails,
    likeliest,
    mean_interval,
    sum_tails,
)
from noughts.stats.ratings import rating_tails
from noughts.stats.scores import SCORES

Floats = NDArray[np.float64]

SIZES = (2, 4, 10, 20, 40, 100, 300, 1000)
DRAWS = (0.0, 0.25, 0.5, 0.75, 0.95, 1.0)
APART = (0, 100, 300)
RATES = (0.001, 0.01, 0.1, 0.5)
MOST_LOST = 2.0
BATCH = 500
CHI_SQUARE = 3.841458820694124  # 95% of squares of a normal number are below


def games_of(apart: float, draws: float) -> tuple[Floats, bool]:
    """Probabilities of loss, draw and win, and whether the Elo is of decided games alone."""
    score = expected_score(apart)
    is_starred = draws > 2.0 * (1.0 - score)
    win = (1.0 - draws) * score if is_starred else score - draws / 2.0
    return np.array([1.0 - draws - win, draws, win]), is_starred


def pairs_of(games: Floats, are_alike: bool = False) -> Floats:
    """Probabilities of the pair scores 0, ¼, ½, ¾, 1."""
    if are_alike:
        return np.array([games[0], 0.0, games[1], 0.0, games[2]])
    return np.convolve(games, games)


def holds(tails: Tails) -> NDArray[np.bool_]:
    return np.minimum(tails.low, tails.high) >= TAIL


Test = Callable[[Floats, Floats, Floats], NDArray[np.bool_]]  # counts, probabilities, steps


def exact(counts: Floats, p: Floats, _: Floats) -> NDArray[np.bool_]:
    return holds(pair_tails(counts, p))


def mid_p(counts: Floats, p: Floats, _: Floats) -> NDArray[np.bool_]:
    """The exact test with half of the observed sum's own probability in each tail."""
    low, high = pair_tails(counts, p)
    own = low + high - 1.0
    return holds(Tails(low - own / 2.0, high - own / 2.0))


def likelihood_ratio(counts: Floats, p: Floats, _: Floats) -> NDArray[np.bool_]:
    shares = counts / counts.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        gains = np.where(counts > 0.0, counts * np.log(shares / p), 0.0)
    return 2.0 * gains.sum(axis=1) <= CHI_SQUARE


def rao(counts: Floats, p: Floats, steps: Floats) -> NDArray[np.bool_]:
    """The observed mean against its variance under the likeliest distribution."""
    off = (counts * steps).sum(axis=1)
    return off**2 <= CHI_SQUARE * counts.sum(axis=1) * (p * steps**2).sum(axis=1) + 1e-12


def pair_tails(counts: Floats, p: Floats) -> Tails:
    observed = np.rint(counts @ np.arange(5)).astype(np.int64)
    return lattice_tails([(p, round(counts[0].sum()))], np.arange(5), observed)


def score_cell(
    pairs: Floats, games: int, matches: int, rng: np.random.Generator, test: Test = exact
) -> float:
    drawn = rng.multinomial(games // 2, pairs, matches)
    kinds, times = np.unique(drawn, axis=0, return_counts=True)
    mean = float(pairs @ SCORES)
    held = 0
    for first in range(0, len(kinds), BATCH):
        counts = kinds[first : first + BATCH].astype(float)
        steps = np.broadcast_to(np.array(SCORES) - mean, counts.shape)
        p = likeliest(steps, counts / (games // 2))
        held += int(times[first : first + BATCH][test(counts, p, steps)].sum())
    return held / matches


def rating_cell(games: Floats, number: int, matches: int, rng: np.random.Generator) -> float:
    draws = games[1]
    equal = np.array([(1.0 - draws) / 2.0, draws, (1.0 - draws) / 2.0])
    apart, level = pairs_of(games), pairs_of(equal)
    places = [(0, 1), (0, 2), (1, 2)]
    counts = np.stack(
        [rng.multinomial(number // 2, p, matches) for p in (apart, apart, level)], axis=1
    ).astype(float)
    kinds, times = np.unique(counts, axis=0, return_counts=True)
    difference = elo(float(apart @ SCORES))
    found = []
    for agent, truth in ((0, 2.0 / 3.0 * difference), (1, -difference / 3.0)):
        held = 0
        for first in range(0, len(kinds), BATCH):
            part = kinds[first : first + BATCH]
            tails = rating_tails(agent, np.full(len(part), truth), places, part)
            held += int(times[first : first + BATCH][holds(tails)].sum())
        found.append(held / matches)
    return min(found)


Losses = Callable[[np.random.Generator, tuple[int, ...]], Floats]


def sure(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    return rng.integers(1, 3, shape).astype(float)


def risky(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    return rng.random(shape) / 2.0


def draw_losses(
    losses: Losses, rate: float, pairs: int, matches: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """What was lost in every pair, and in how many moves: [matches, pairs] both."""
    moves = rng.integers(3, 6, (matches, pairs, 2)).sum(axis=2)
    is_made = np.arange(10) < moves[..., None]
    is_lost = is_made & (rng.random((matches, pairs, 10)) < rate)
    return (losses(rng, is_lost.shape) * is_lost).sum(axis=2), moves.astype(float)


def regret_cell(
    losses: Losses, rate: float, games: int, matches: int, rng: np.random.Generator
) -> tuple[float, float]:
    """How often the interval holds, and its median width."""
    mean = rate * (1.5 if losses is sure else 0.25)
    pairs, held = games // 2, 0
    widths: list[float] = []
    for first in range(0, matches, BATCH):
        count = min(BATCH, matches - first)
        totals, sizes = draw_losses(losses, rate, pairs, count, rng)
        most = sizes.max(axis=1, keepdims=True)
        steps = np.concatenate(
            [-mean * most, totals - mean * sizes, (MOST_LOST - mean) * most], axis=1
        )
        shares = np.full(steps.shape, 1.0 / pairs)
        shares[:, [0, -1]] = 0.0
        tails = sum_tails(likeliest(steps, shares), steps, pairs, steps[:, 1:-1].sum(axis=1))
        held += int(holds(tails).sum())
        if len(widths) < 11:
            samples = (Sample(t, s, 0.0, MOST_LOST) for t, s in zip(totals, sizes, strict=True))
            ends = [mean_interval(next(samples)) for _ in range(min(11, count))]
            widths += [high - low for low, high in ends]
    return held / matches, median(widths)


def heading(*names: str) -> Iterator[str]:
    yield "| " + " | ".join([*names, *(f"{size:,}" for size in SIZES)]) + " |"
    yield "| " + " | ".join(["---", *["---:"] * (len(names) - 1 + len(SIZES))]) + " |"


def score_rows(matches: int, seed: int) -> Iterator[str]:
    yield from heading("apart", "drawn")
    for place, (alike, apart, draws) in enumerate(score_grid()):
        games, is_starred = games_of(apart, draws)
        cells = [
            score_cell(
                pairs_of(games, alike), size, matches, np.random.default_rng([seed, place, size])
            )
            for size in SIZES
        ]
        name = f"{apart}{'*' if is_starred else ''}{', alike' if alike else ''}"
        yield row(name, f"{draws:.0%}", *(f"{100 * cell:.1f}" for cell in cells))


def rejected_rows(matches: int, seed: int) -> Iterator[str]:
    """What other tests come to in their worst row of the table of scores."""
    yield from heading("test")
    for test in (exact, mid_p, likelihood_ratio, rao):
        worst = [1.0] * len(SIZES)
        for place, (alike, apart, draws) in enumerate(score_grid()):
            pairs = pairs_of(games_of(apart, draws)[0], alike)
            for column, size in enumerate(SIZES):
                rng = np.random.default_rng([seed, place, size])
                worst[column] = min(worst[column], score_cell(pairs, size, matches, rng, test))
        yield row(test.__name__.replace("_", " "), *(f"{100 * cell:.1f}" for cell in worst))


def score_grid() -> list[tuple[bool, int, float]]:
    whole = [(False, apart, draws) for apart in APART for draws in DRAWS]
    return whole + [(True, apart, draws) for apart in APART for draws in (0.0, 0.5)]


def rating_rows(matches: int, seed: int) -> Iterator[str]:
    yield from heading("apart", "drawn")
    for apart in APART:
        for draws in DRAWS:
            games, is_starred = games_of(apart, draws)
            cells = [
                rating_cell(
                    games,
                    size,
                    matches,
                    np.random.default_rng([seed, apart, int(100 * draws), size]),
                )
                for size in SIZES
            ]
            name = f"{apart}{'*' if is_starred else ''}"
            yield row(name, f"{draws:.0%}", *(f"{100 * cell:.1f}" for cell in cells))


def regret_rows(matches: int, seed: int) -> Iterator[str]:
    yield from heading("game", "moves that lose")
    for losses in (sure, risky):
        for place, rate in enumerate(RATES):
            rng = np.random.default_rng([seed, place, losses is sure])
            cells = [regret_cell(losses, rate, size, matches, rng) for size in SIZES]
            shown = (f"{100 * held:.1f} ({width:.2g})" for held, width in cells)
            yield row(losses.__name__, f"{rate:.1%}", *shown)


def row(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


TABLES = {
    "score": score_rows,
    "rejected": rejected_rows,
    "ratings": rating_rows,
    "regret": regret_rows,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=", ".join(TABLES))
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    unknown = sorted(set(options.tables) - set(TABLES))
    if unknown:
        parser.error(f"there is no table {unknown[0]}; tables: {', '.join(TABLES)}")
    for name in options.tables or TABLES:
        began = time.process_time()
        print(f"\n### {name}\n")
        for line in TABLES[name](options.matches, options.seed):
            print(line, flush=True)
        print(f"{name}: {time.process_time() - began:.0f} s of CPU", file=sys.stderr)


if __name__ == "__main__":
    main()
