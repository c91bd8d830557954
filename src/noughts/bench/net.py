"""A net of signatures: what every search, learner and environment answers, as one digest a row.

Kernels are rewritten for speed or for clarity, and nothing that they say may change by it. A row
runs a small fixed piece of work and digests its answers: values, visits, moves and random streams;
of alpha-beta searches the score, its sureness and the set of best moves at a fixed depth, never how
many nodes were looked at. `noughts bench --net` prints the rows; run it before and after.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from noughts.agents import agent
from noughts.bench.speed import left_out
from noughts.games import game, playouts
from noughts.games.game import Position
from noughts.learn.frame.registry import learner

LINES = ("3x3", "4x4:k=3", "3x3x3", "qubic", "15x15:k=5", "3x3:misere")
RISKS = ("4x4:flip=0.1", "3x3:flip=0.1,fizzle=0.1", "3x3:misere,flip=0.2", "10x10:k=5,flip=0.1")
FADES = ("3x3:fade=0.05", "4x4:flip=0.1,fade=0.02")
CLOCKS = ("3x3:hazard=0.2,limit=10,ticks=20", "3x3:hazard=0.2,turn_limit=2,ticks=5")
ULTIMATES = (
    "ultimate",
    "ultimate:won=open",
    "ultimate:tiebreak=boards",
    "ultimate:flip=0.1",
    "ultimate:flip=0.1,fizzle=0.1,fade=0.01",
)
EVERY = (*LINES, *RISKS, *FADES, *CLOCKS, *ULTIMATES)
DEPTHS = {
    "3x3": 9,
    "3x3:misere": 6,
    "4x4:k=3": 3,
    "5x5:k=4": 3,
    "qubic": 2,
    "9x9:k=5": 2,
    "3x3:flip=0.1": 4,
    "3x3:flip=0.1,fizzle=0.1": 3,
    "3x3:fade=0.05": 1,
    "3x3:hazard=0.2,limit=2,ticks=4": 2,
    "ultimate": 4,
    "ultimate:won=open": 3,
    "ultimate:tiebreak=boards": 3,
}
NETWORKS = {"3x3": 40, "3x3x3": 20, "qubic": 12, "4x4:flip=0.1": 20, "ultimate": 200}
LEARNERS = ("table", "td-table", "q-table", "td-quadratic", "q-quadratic")
TAUGHT = ("3x3", "3x3:flip=0.2", "3x3:fade=0.05")
# Networks: the games that they play against themselves, and what a first training makes of them.
TRAINED = (
    ("3x3", "q-net"),
    ("3x3", "zero:simulations=8,round=20,batch=32"),
    ("3x3:flip=0.1", "zero:simulations=8,round=20,batch=32"),
    ("ultimate", "zero:simulations=20,round=20,batch=32"),
)
PLIES = 4  # into a game, where positions are looked at besides the first
SIMULATIONS, GAMES, STEPS = 300, 40, 60


@dataclass(frozen=True)
class Knot:
    """One row of the net."""

    work: str
    digest: str


def knots(only: str = "") -> Iterator[Knot]:
    """Every row whose name holds this text."""
    for work, answer in _works():
        if only in work:
            yield Knot(work, _digest(answer()))


def _works() -> Iterator[tuple[str, Callable[[], Any]]]:
    for spec in EVERY:
        yield f"playouts {spec}", partial(playouts, spec, 100, seed=3, threads=1)
        yield f"uct {spec}", partial(_trees, spec)
        yield f"steps {spec}", partial(_steps, spec)
    for spec in ("3x3", "3x3:misere", "4x4:flip=0.1", "3x3:fade=0.05", "ultimate"):
        yield f"flat {spec}", partial(_asked, "flat:playouts=180", spec)
    for spec, depth in DEPTHS.items():
        yield f"alphabeta {spec}", partial(_looked, spec, depth)
    for spec in ("3x3", "3x3:misere"):
        yield f"minimax {spec}", partial(_asked, "minimax", spec, [PLIES])
    yield "heuristic 4x4", partial(_asked, "heuristic:depth=2", "4x4")
    for spec, simulations in NETWORKS.items():
        yield f"zero {spec}", partial(_asked, f"zero:simulations={simulations}", spec)
    for spec in TAUGHT:
        for name in LEARNERS:
            yield f"learn {spec} {name}", partial(_learned, spec, name)
    for spec, name in TRAINED if left_out() is None else ():
        yield f"learn {spec} {name}", partial(_learned, spec, name)


def _positions(spec: str) -> list[Position]:
    """The start of a game, and a position some plies into one."""
    rng, position = np.random.default_rng(7), game(spec).start()
    found = [position]
    for _ in range(PLIES):
        _, after = position.sample(int(rng.choice(position.moves)), rng)
        if after.result is not None:
            break
        position = after
    return [*found, position]


def _trees(spec: str) -> list[Any]:
    """Moves, visits, values and proofs of tree searches."""
    from noughts.kernels.rng import seeded
    from noughts.search.trees import SearchTree

    told = []
    for position in _positions(spec):
        tree, rng = SearchTree(position, 100_000), seeded(5)
        ran = tree.run(SIMULATIONS, 0.7, rng)
        rows = [[r.move, r.visits, r.value, r.is_exact] for r in tree.records()]
        told.append([ran, rows, int(rng[0])])
    return told


def _looked(spec: str, depth: int) -> list[Any]:
    """Score, sureness and the best moves of searches to a depth."""
    return [_best_moves(position, depth) for position in _positions(spec)]


def _best_moves(position: Position, depth: int) -> list[Any]:
    searcher: Any = agent(f"alphabeta:depth={depth}")
    values = searcher.values(position)
    sign = 1.0 if position.turn == "X" else -1.0
    most = max(sign * value for value in values.values())
    best = sorted(move for move, value in values.items() if sign * value >= most - 1e-9)
    searcher.reset()
    searcher.choose(position, np.random.default_rng(0))
    thought = searcher.last
    return [thought.value, thought.is_exact, searcher.values_are_exact, best]


def _asked(spec: str, played: str, which: Iterable[int] = (0, 1)) -> list[Any]:
    """A move and all values, in some of the positions."""
    told, positions = [], _positions(played)
    for index in which:
        position = positions[min(index, len(positions) - 1)]
        player = agent(spec)
        move = player.choose(position, np.random.default_rng(2))
        told.append([move, sorted(player.values(position).items())])
    return told


def _steps(spec: str) -> list[Any]:
    """Environments in lockstep: what is seen, legal and reached by random moves."""
    from noughts.adapters.batch import Batch

    batch, told = Batch(game(spec), 8, 3), []
    for _ in range(STEPS):
        moves = batch.choose()
        legal, seen, masks = batch.step(moves, restarts=batch.results != 0)
        told.append([moves.tolist(), legal.tolist(), float(seen.sum()), int(masks.sum())])
    return told


def _learned(spec: str, name: str) -> list[Any]:
    """What a learner knows after some games against itself."""
    chosen, played = learner(name), game(spec)
    chosen.check_game(played)
    chosen.game = played
    chosen.begin(played, "self", 1)
    chosen.learn(GAMES)
    return [
        [key, float(np.abs(array.astype(np.float64)).sum())]
        for key, array in sorted(chosen.arrays().items())
    ]


def _digest(answer: Any) -> str:
    return hashlib.sha256(_told(answer).encode()).hexdigest()[:12]


def _told(answer: Any) -> str:
    """Plain text of nested answers; floats to twelve digits, because sums may be reordered."""
    if isinstance(answer, (list, tuple)):
        return "[" + ",".join(map(_told, answer)) + "]"
    if isinstance(answer, (float, np.floating)):
        return f"{float(answer) + 0.0:.12g}"
    if isinstance(answer, (bool, np.bool_)):
        return str(bool(answer))
    return str(int(answer)) if isinstance(answer, np.integer) else str(answer)
