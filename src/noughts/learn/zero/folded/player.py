"""The player of the network `noughts`: PUCT on Ultimate, with the network inside the search.

The part of the tree below the moves that were played is kept for the next move. Results that are
proven inside the tree are exact. With `contempt` a draw counts as a small loss while it looks for
its own move, since most opponents are weaker; the value that it reports of that move counts a draw
as 0, and `values` searches without contempt.

`threads=2` grows one tree per thread, each with another view of the board, and adds up their roots;
with a number of simulations the answer does not depend on how the threads are scheduled.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from noughts.agents import Agent, Thought, check_running
from noughts.errors import NoughtsError
from noughts.games.game import Game, Position
from noughts.games.ultimate import UltimateGame, UltimatePosition
from noughts.kernels.zero.folded import FoldedNet
from noughts.learn.zero.folded.puct_tree import NODE_BYTES
from noughts.learn.zero.folded.search_tree import RootMove, ZeroTree
from noughts.options import number, whole
from noughts.search.shortcuts import sure_move
from noughts.stats.means import standard_error

SIMULATIONS = 600  # when neither a number nor a time is given
TIME_SLICE = 256  # simulations between two looks at the clock
VIEWS = 8


@dataclass(eq=False, repr=False)
class FoldedPlayer(Agent):
    """Searches where its network points, and plays the move it looked at most."""

    name = "zero"
    simulations: int | None = whole(None, 1, 10**8, "Simulations for a move.")
    time: float | None = number(None, 0.001, 86_400, "Seconds for a move.")
    exploration: float = number(0.8, 0, 100, "The weight of priors against values.")
    contempt: float = number(0.2, 0, 1, "How much worse than an even game a draw counts.")
    threads: int = whole(1, 1, VIEWS, "Trees grown at once, whose roots are added up.")
    endgame: int = whole(0, 0, 40, "Solve exactly when at most so many cells are free.")
    memory: int = whole(1024, 1, 2**20, "Megabytes of nodes; a full tree stops growing.")

    net: FoldedNet | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._trees: list[ZeroTree] = []
        self._is_new_game = True

    def check_game(self, game: Game) -> None:
        check_plays(game)

    def reset(self) -> None:
        super().reset()
        self._is_new_game = True

    def choose(self, position: Position, rng: np.random.Generator) -> int:
        check_running(position)
        ultimate = check_plays(position.game, position)
        began = perf_counter()
        sure = sure_move(ultimate, self.endgame)
        if sure is not None:
            self.last = Thought(
                sure.nodes, sure.depth, perf_counter() - began,
                value=sure.value, is_exact=True, note=sure.note,
            )  # fmt: skip
            return sure.move
        trees = self._trees_for(ultimate, int(rng.integers(VIEWS)))
        done = self._grow_all(trees, began)
        move, value = _choice(trees)
        self.last = Thought(
            nodes=done,
            depth=max(tree.depth for tree in trees),
            seconds=perf_counter() - began,
            memory=sum(tree.bytes for tree in trees),
            value=value if position.turn == "X" else -value,
            is_exact=any(tree.is_proven for tree in trees),
        )
        return move

    def values(self, position: Position) -> dict[int, float]:
        """What each move is worth for X: every one gets its share of the budget."""
        check_running(position)
        ultimate = check_plays(position.game, position)
        self._is_new_game = True
        tree = self._new_trees()[0]
        found, spreads, exact = {}, {}, True
        for move in ultimate.open_cells:
            after = ultimate.play(move)
            if after.result is not None:
                found[move] = after.game.worth(after.result)[0]
                continue
            tree.begin(after)
            seconds = None if self.time is None else self.time / len(ultimate.open_cells)
            done = self._grow(tree, perf_counter(), seconds, len(ultimate.open_cells), 0)
            found[move] = tree.value if after.turn == "X" else -tree.value
            spreads[move] = 0.0 if tree.is_proven else standard_error(found[move], done)
            exact = exact and tree.is_proven
        self.values_are_exact, self.spreads = exact, spreads
        return found

    def _new_trees(self) -> list[ZeroTree]:
        if not self._trees:
            assert self.net is not None, "a player needs a network"
            nodes = (self.memory << 20) // (2 * NODE_BYTES * self.threads)
            self._trees = [ZeroTree(self.net, max(1000, nodes)) for _ in range(self.threads)]
        return self._trees

    def _trees_for(self, position: UltimatePosition, view: int) -> list[ZeroTree]:
        """The trees of the last search if the game went on from there, or new ones."""
        trees, is_new = self._new_trees(), self._is_new_game
        self._is_new_game = False
        for i, tree in enumerate(trees):
            if is_new or tree.position.game != position.game or not tree.follow(position):
                tree.begin(position, view + i, self.contempt)
        return trees

    def _grow_all(self, trees: list[ZeroTree], began: float) -> int:
        """Let all trees grow, one per thread; the simulations of all."""
        if len(trees) == 1:
            return self._grow(trees[0], began, self.time, 1, 0)
        with ThreadPoolExecutor(len(trees)) as pool:
            jobs = [
                pool.submit(self._grow, tree, began, self.time, len(trees), i)
                for i, tree in enumerate(trees)
            ]
            return sum(job.result() for job in jobs)

    def _grow(
        self, tree: ZeroTree, began: float, seconds: float | None, parts: int, index: int
    ) -> int:
        """One tree's share of the simulations, number `index` of so many parts, or its seconds."""
        if seconds is None:
            budget = self.simulations or SIMULATIONS
            share = max(1, budget // parts + (index < budget % parts))
            return tree.run(tree.visits + share, self.exploration)
        most = 10**9 if self.simulations is None else max(1, self.simulations // parts)
        done = 0
        while done < most and perf_counter() - began < seconds:
            done += tree.run(tree.visits + min(TIME_SLICE, most - done), self.exploration)
            if tree.is_over:
                break
        return done


def learns(game: Game) -> bool:
    """Whether the network is trained by playing this game."""
    return str(game) == "ultimate"


def check_plays(game: Game, position: Position | None = None) -> UltimatePosition:
    """Refuse games that the network does not know; the position, as one of Ultimate."""
    if not isinstance(game, UltimateGame) or game.is_risky:
        raise NoughtsError(f"The network 'noughts' plays Ultimate without risk, not {game}.")
    found = game.start() if position is None else position
    assert isinstance(found, UltimatePosition)
    return found


def _choice(trees: list[ZeroTree]) -> tuple[int, float]:
    """The move to play and the value of the root, over all trees; a proof in one is a proof."""
    for tree in trees:
        if tree.is_proven or len(trees) == 1:
            return tree.best, tree.value
    liking: dict[int, tuple[int, float]] = {}  # visits, then priors, of all trees
    lost: set[int] = set()
    for tree in trees:
        for record in tree.records():
            visits, prior = liking.get(record.move, (0, 0.0))
            liking[record.move] = (visits + record.visits, prior + record.prior)
            lost |= {record.move} if _is_lost(record) else set()
    alive = [move for move in liking if move not in lost] or list(liking)
    total = sum(tree.visits for tree in trees)
    value = sum(tree.value * tree.visits for tree in trees) / total
    return max(alive, key=lambda move: (liking[move], -move)), value


def _is_lost(record: RootMove) -> bool:
    return record.is_exact and record.value < 0.0
