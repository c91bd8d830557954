"""UCT: Monte-Carlo tree search with upper confidence bounds, proofs, and chance nodes.

Each simulation walks down the tree by value/visits + C·sqrt(ln(parent's visits)/visits), adds a
position, plays random moves to the end and adds the result to every node of the walk. The move with
the most visits is played. What `kernels/search/uct` adds to that:

- Proven results are backed up, so a forced win inside the tree is never missed: a proven win is
  played, a proven loss only when every move loses.
- On boards of 25 cells and more a chain of threats that wins is looked for first, and with
  `endgame=` late Ultimate positions are solved outright (`shortcuts.py`).
- With risk, chance nodes stand between moves, and the values tend to the exact expected ones.
- With more than two players a node has a value for every seat, each player maximises his own, and
  proofs carry all of them up; moves that are equally good count alike (`kernels/search/tree`).

C = 0.7 won more games than the textbook's sqrt 2 on Qubic and 7×7:k=4, as many on 5×5:k=4 and
Ultimate, and its values under risk come closer to the exact ones (`benchmarks/uct_convergence.py`).

The subtree of the next position is kept when the game goes on. All randomness comes from one number
drawn from the caller's generator, so the same games from the same seeds are the same again.
`threads=2` grows one tree per thread and adds up their roots (root parallelism); with a number of
simulations the answer does not depend on how the threads are scheduled.
"""

import math
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from noughts.agents import Agent, Thought, check_running, view_of
from noughts.effort import growing
from noughts.games.game import Game, Position
from noughts.kernels.mode import is_interpreted
from noughts.options import number, whole
from noughts.search.shortcuts import sure_move

if TYPE_CHECKING:
    from noughts.search.trees import MoveRecord, SearchTree

SIMULATIONS = 1000  # when neither a number nor a time is given
TIME_SLICE = 256  # simulations between two looks at the clock
SLOW_SLICE = 16  # the same where they are interpreted
ROUNDING = 1e-12


@dataclass(eq=False, repr=False)
class UctAgent(Agent):
    """Grows a tree towards the moves that do well, and plays the one it looked at most."""

    name = kernels = "uct"
    simulations: int | None = whole(
        None, 1, 10**9, f"Simulations for a move; {SIMULATIONS} unless time is given."
    )
    time: float | None = number(None, 0.001, 86_400, "Seconds for a move.")
    exploration: float = number(0.7, 0, 100, "The weight C of moves that were rarely visited.")
    threads: int = whole(1, 1, 64, "Trees grown at once, whose roots are added up.")
    endgame: int = whole(0, 0, 40, "Solve Ultimate exactly when at most so many cells are free.")
    memory: int = whole(256, 1, 2**20, "Megabytes of nodes; a full tree stops growing.")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._trees: list[SearchTree] = []
        self._played: int | None = None  # from the root of the trees

    def check_game(self, game: Game) -> None:
        game.check_kernels()

    def interpreted_seconds(self, game: Game) -> float:
        if self.time is not None:
            return math.inf
        return growing(game, self.simulations or SIMULATIONS)

    def reset(self) -> None:
        super().reset()
        self._trees, self._played = [], None

    def choose(self, position: Position, rng: np.random.Generator) -> int:
        check_running(position)
        began = perf_counter()
        sure = sure_move(position, self.endgame)
        if sure is not None:
            self._played = None
            seconds = perf_counter() - began
            self.last = Thought(
                sure.nodes, sure.depth, seconds, value=sure.value, is_exact=True, note=sure.note
            )
            return sure.move
        trees = self._trees_for(position)
        done = self._search(trees, int(rng.integers(2**63)), every_move=False)
        records = _merge(trees)
        chosen = _best(records, position, self.exploration)
        self._trees, self._played = trees, chosen.move
        self.last = Thought(
            nodes=done,
            depth=max(tree.depth for tree in trees),
            seconds=perf_counter() - began,
            memory=sum(tree.memory for tree in trees),
            value=chosen.value,
            is_exact=chosen.is_exact and any(tree.is_exact for tree in trees),
        )
        return chosen.move

    def values(self, position: Position) -> dict[int, float]:
        """Mean results for X, or of more than two for who is on turn, exact where proven.

        They come from a search of its own with a fixed seed, which visits all moves equally often.
        """
        from noughts.search.trees import estimates_of

        check_running(position)
        self.expected = ()
        trees = self._new_trees(position)
        self._search(trees, zlib.crc32(repr(position).encode()), every_move=True)
        records = _merge(trees)
        self.values_are_exact = all(record.is_exact for record in records)
        found, self.spreads = estimates_of(records)
        if found:
            sign = 1.0 if position.turn == "X" else -1.0
            self.expected = trees[0].line(max(found, key=lambda move: sign * found[move]))
        return dict(found)

    def _new_trees(self, position: Position) -> "list[SearchTree]":
        from noughts.search.trees import SearchTree, node_bytes  # loads numpy and numba

        most = (self.memory << 20) // (node_bytes(position) * self.threads)
        return [SearchTree(position, most) for _ in range(self.threads)]

    def _trees_for(self, position: Position) -> "list[SearchTree]":
        """The trees of the last search if the game went on from there, or new ones."""
        played, self._played = self._played, None
        if played is not None and all(tree.follow(played, position) for tree in self._trees):
            return self._trees
        return self._new_trees(position)

    def _search(self, trees: "list[SearchTree]", seed: int, every_move: bool) -> int:
        """Let all trees grow, one per thread; the simulations of all."""
        budget = self.simulations or (SIMULATIONS if self.time is None else 10**9)
        share, rest = divmod(budget, len(trees))
        if len(trees) == 1:
            return self._grow(trees[0], budget, seed, 0, every_move)
        with ThreadPoolExecutor(len(trees)) as pool:
            jobs = [
                pool.submit(self._grow, tree, share + (i < rest), seed, i, every_move)
                for i, tree in enumerate(trees)
            ]
            return sum(job.result() for job in jobs)

    def _grow(
        self, tree: "SearchTree", budget: int, seed: int, index: int, every_move: bool
    ) -> int:
        from noughts.kernels.rng import seeded

        rng, exploration = seeded(seed, index), self.exploration
        if self.time is None:
            return tree.run(budget, exploration, rng, every_move)
        end, done = perf_counter() + self.time, 0
        time_slice = SLOW_SLICE if is_interpreted() else TIME_SLICE
        while done < budget and perf_counter() < end:
            wanted = min(time_slice, budget - done)
            ran = tree.run(wanted, exploration, rng, every_move)
            done += ran
            if ran < wanted:
                break
        return done


def _merge(trees: "list[SearchTree]") -> "list[MoveRecord]":
    """The moves of the root, over all trees; a proof in one tree is a proof."""
    from noughts.search.trees import MoveRecord

    by_move: dict[int, list[MoveRecord]] = {}
    for tree in trees:
        for record in tree.records():
            by_move.setdefault(record.move, []).append(record)
    merged = []
    for move, records in sorted(by_move.items()):
        visits = sum(record.visits for record in records)
        proven = [record for record in records if record.is_exact]
        total = sum(record.value * record.visits for record in records)
        value = proven[0].value if proven else total / max(1, visits)
        merged.append(MoveRecord(move, visits, value, bool(proven)))
    return merged


def _best(records: "list[MoveRecord]", position: Position, exploration: float) -> "MoveRecord":
    """The most visited move, unless another is better for certain or with confidence.

    Visits lag behind values: a move that was thought worse for long may have a lower confidence
    bound above the mean of the favourite. And no move is preferred to one that is proven to be at
    least as good as it seems to be.
    """
    sign, _ = view_of(position)
    lost = ROUNDING - 1.0 / (position.game.seats - 1)
    alive = [r for r in records if not (r.is_exact and sign * r.value <= lost)] or records
    favourite = max(alive, key=lambda r: (r.visits, sign * r.value, -r.move))
    width = exploration * math.sqrt(math.log(1 + sum(r.visits for r in alive)))

    def lower_bound(record: "MoveRecord") -> float:
        if record.is_exact:
            return sign * record.value
        return sign * record.value - width / math.sqrt(record.visits)

    rivals = [r for r in alive if r.visits and r is not favourite]
    surest = max(rivals, key=lambda r: (lower_bound(r), r.visits, -r.move), default=favourite)
    if surest is favourite or lower_bound(surest) < sign * favourite.value:
        return favourite
    is_no_better = favourite.is_exact and lower_bound(surest) == sign * favourite.value
    return favourite if is_no_better else surest
