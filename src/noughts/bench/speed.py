"""A fixed amount of work on one core: its speed, and a signature of its results."""

import hashlib
import time
from dataclasses import dataclass
from importlib.util import find_spec

from noughts.games import game, perft, playouts
from noughts.learn.frame.registry import learner
from noughts.learn.frame.trainer import NEEDED

PLAYOUTS = {
    "3x3": 2_000_000,
    "3x3:flip=0.1": 1_000_000,
    "3x3x3": 500_000,
    "qubic": 200_000,
    "15x15:k=5": 50_000,
    "ultimate": 200_000,
}
PERFT = {"3x3": 9, "4x4": 7, "3x3x3": 5, "ultimate": 6}
# A game, a learner, and how many games of self-play it learns from.
LEARNERS = (
    ("3x3", "table", 200_000),
    ("3x3", "td-table", 200_000),
    ("3x3", "q-table", 100_000),
    ("3x3x3", "td-quadratic", 2_000),
    ("3x3x3", "q-quadratic", 1_000),
)
# The same for networks, which JAX trains.
NETWORKS = (
    ("3x3", "q-net", 512),
    ("3x3", "zero:simulations=16,round=64", 256),
    ("ultimate", "zero:simulations=50,round=40,batch=256", 80),
)


@dataclass(frozen=True)
class Row:
    """One piece of work: how much, how long, and what came out."""

    work: str
    amount: int
    seconds: float
    outcome: str

    @property
    def rate(self) -> float:
        return self.amount / self.seconds


def run_bench() -> list[Row]:
    """All the work, each piece after its kernel is compiled."""
    return [
        *(_playouts(spec, games) for spec, games in PLAYOUTS.items()),
        *(_perft(spec, depth) for spec, depth in PERFT.items()),
        *(_learning(*words) for words in LEARNERS),
        *(_teaching(*words) for words in NETWORKS if left_out() is None),
    ]


def left_out() -> str | None:
    """What is not measured on this machine, in a sentence."""
    if find_spec("jax") is not None and find_spec("optax") is not None:
        return None
    return f"Networks are left out: they need {NEEDED}."


def signature(rows: list[Row]) -> str:
    """A digest of all outcomes; work without one is not everywhere, or rounds its own way."""
    text = "\n".join(f"{row.work} {row.outcome}" for row in rows if row.outcome)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _playouts(spec: str, games: int) -> Row:
    playouts(spec, 1, threads=1)
    began = time.perf_counter()
    tally = playouts(spec, games, seed=1, threads=1)
    return Row(f"playouts {spec}", games, time.perf_counter() - began, str(tally))


def _perft(spec: str, depth: int) -> Row:
    perft(spec, 2, threads=1)
    began = time.perf_counter()
    count = perft(spec, depth, threads=1)
    return Row(f"perft {spec} depth {depth}", count, time.perf_counter() - began, str(count))


def _learning(spec: str, name: str, games: int) -> Row:
    """Self-play of a learner. Weights are no part of the signature: matrices may round apart."""
    for count in (1, games):
        chosen, played = learner(name), game(spec)
        chosen.game = played
        chosen.begin(played, "self", 1)
        began = time.perf_counter()
        chosen.learn(count)
        seconds = time.perf_counter() - began
    return Row(f"learn {spec} {name}", games, seconds, f"{games} games")


def _teaching(spec: str, name: str, games: int) -> Row:
    """Self-play and training of a network, once what JAX compiles is compiled."""
    chosen, played = learner(name), game(spec)
    chosen.check_game(played)
    chosen.begin(played, "self", 1)
    for _ in range(2):  # what the first one played is trained on only in the second
        chosen.learn(games)
    began = time.perf_counter()
    chosen.learn(games)
    seconds = time.perf_counter() - began
    return Row(f"learn {spec} {chosen.name}", games, seconds, "")
