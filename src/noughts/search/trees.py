"""A search tree and the position at its root: room for nodes, simulations, and the next move.

The friendly twin of `kernels/search/uct`: it owns the arrays, makes them longer when they fill up,
and keeps the part of the tree that is still of use when the game goes on.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from noughts.agents import view_of
from noughts.aloud import Batches, Estimates, tell
from noughts.games.compiled import MAX_TURNS, check_kernels, row_of
from noughts.games.game import Landing, Position
from noughts.kernels.rules import protocol
from noughts.kernels.search import tree as trees
from noughts.kernels.search import uct
from noughts.kernels.search.tree import ROOT, UNEXPANDED, Tree, TreeForMany
from noughts.stats.means import standard_error

FIRST_POOL = 1 << 14  # nodes
SLICE = 1 << 15  # simulations in one call, so that an interrupt is soon heard
FIRST_SLICE = 4  # where somebody listens; it grows with the speed


@dataclass(frozen=True)
class MoveRecord:
    """What a tree knows about one move of its root."""

    move: int
    visits: int
    value: float  # for X, or of more than two for who is on turn; 0 before the first visit
    is_exact: bool


class SearchTree:
    """A tree that grows by simulations from one position."""

    def __init__(self, position: Position, most_nodes: int) -> None:
        check_kernels(position.game)
        self.position = position
        self.read_by(position.game.random_rules)
        self.most_nodes = most_nodes
        self.tree = new_tree(self.facts, min(FIRST_POOL, most_nodes))

    def read_by(self, rules: Any) -> None:
        """Play by these rules of the position's game: one of its representations."""
        self.rules = rules
        self.facts = protocol.facts(rules)
        self._room = uct.new_room(rules, self.facts)

    @property
    def is_exact(self) -> bool:
        """True when the value of the position is proven."""
        return bool(self.tree.is_exact[ROOT])

    @property
    def depth(self) -> int:
        """The longest walk so far, in moves."""
        return int(self.tree.size[1])

    @property
    def memory(self) -> int:
        """Bytes of all arrays."""
        return sum(array.nbytes for array in self.tree)

    def run(
        self,
        simulations: int,
        exploration: float,
        rng: np.ndarray[Any, Any],
        every_move: bool = False,
    ) -> int:
        """Run simulations, making room as they need it; how many were run before a proof."""
        done, batches = 0, Batches(FIRST_SLICE, SLICE)
        while done < simulations:
            wanted = batches.next(simulations - done)
            can_grow = len(self.tree.visits) < self.most_nodes
            ran = self._call(wanted, exploration, every_move, can_grow, rng)
            done += ran
            tell(int(self.tree.visits[ROOT]), unit="simulations", estimates=self.estimates)
            if ran < wanted:
                if not can_grow or self._is_finished(every_move):
                    break
                self._grow()
        return done

    def _call(
        self,
        simulations: int,
        exploration: float,
        every_move: bool,
        can_grow: bool,
        rng: np.ndarray[Any, Any],
    ) -> int:
        budget = uct.Budget(simulations, exploration, MAX_TURNS, every_move, can_grow)
        row = row_of(self.position)
        return int(uct.search(self.rules, self.facts, self.tree, row, self._room, budget, rng))

    def _is_finished(self, every_move: bool) -> bool:
        return bool(trees.is_finished(self.tree, every_move))

    def estimates(self) -> Estimates:
        """What the moves of the root are worth so far."""
        return estimates_of(self.records())

    def line(self, first: int) -> list[int]:
        """A move of the root and the moves after it that were looked at most; up to a landing."""
        tree, node, moves = self.tree, int(ROOT), list[int]()
        while tree.n_children[node]:
            block = slice(
                int(tree.first_child[node]), int(tree.first_child[node] + tree.n_children[node])
            )
            wanted = tree.move[block] == first if not moves else tree.visits[block]
            node = block.start + int(np.argmax(wanted))
            if not tree.visits[node]:
                break
            moves.append(int(tree.move[node]))
            if self.facts.most_outcomes > 1 or self.facts.settles:
                break  # what follows hangs on how it lands
        return moves

    def records(self) -> list[MoveRecord]:
        """The moves of the root, ascending."""
        tree, (_, column) = self.tree, view_of(self.position)
        first, n = int(tree.first_child[ROOT]), int(tree.n_children[ROOT])
        values = tree.value.reshape(len(tree.visits), -1)
        found = [
            MoveRecord(
                int(tree.move[child]),
                int(tree.visits[child]),
                float(values[child, column]),
                bool(tree.is_exact[child]),
            )
            for child in range(first, first + n)
        ]
        return sorted(found, key=lambda record: record.move)

    def follow(self, move: int, position: Position) -> bool:
        """Make `position` the root if the game came there by `move`, or by it and its replies.

        Where marks fade the way cannot be told from the boards, and the answer is always False.
        """
        if self.position.game != position.game or position.game.fades:
            return False
        reached = self._after(int(ROOT), self.position, move)
        for replies in range(position.game.seats):
            found = next((node for node, after in reached if after == position), None)
            if found is not None:
                return self._take_root(found, position)
            if replies == position.game.seats - 1:
                break
            reached = [
                step
                for node, after in reached
                for reply in after.moves_toward(position)
                for step in self._after(node, after, reply)
            ]
        return False

    def _after(self, node: int, position: Position, move: int) -> list[tuple[int, Position]]:
        """The nodes that a move may lead to, each with its position."""
        tree = self.tree
        if position.result is not None or tree.first_child[node] == UNEXPANDED:
            return []
        first = int(tree.first_child[node])
        block = tree.move[first : first + tree.n_children[node]]
        found = np.flatnonzero(block == move)
        if not len(found):
            return []  # a move that lost at once had been left out
        child = first + int(found[0])
        if not position.game.is_risky:
            return [(child, position.play(move))]
        if tree.first_child[child] == UNEXPANDED:
            return []
        marks = (*position.game.marks_from(position.mover), None)
        return [
            (int(tree.first_child[child]) + i, position.play(move, Landing(mark)))
            for i, mark in enumerate(marks[: int(tree.n_children[child])])
        ]

    def _take_root(self, node: int, position: Position) -> bool:
        kept = new_tree(self.facts, len(self.tree.visits))
        trees.keep_subtree(self.tree, node, kept)
        if kept.first_child[ROOT] == UNEXPANDED:
            kept.is_exact[ROOT] = False  # it was judged without a look at its moves
        self.tree, self.position = kept, position
        return True

    def _grow(self) -> None:
        old = self.tree
        self.tree = new_tree(self.facts, min(2 * len(old.visits), self.most_nodes))
        trees.copy_tree(old, self.tree)


def estimates_of(records: list[MoveRecord]) -> Estimates:
    """Mean results for X of the moves that were visited, and their standard errors."""
    seen = [record for record in records if record.visits]
    return {record.move: record.value for record in seen}, {
        record.move: 0.0 if record.is_exact else standard_error(record.value, record.visits)
        for record in seen
    }


def new_tree(facts: protocol.Facts, nodes: int) -> Tree:
    """Room for this many nodes; one is in use, the root."""
    slots = 1 << (2 * nodes - 1).bit_length() if facts.settles else 1
    width, tree = (1, Tree) if facts.seats == 2 else (facts.seats, TreeForMany)
    return tree(
        size=np.array([1, 0]),
        visits=np.zeros(nodes, np.int32),
        value=np.zeros(nodes * width),
        carried=np.zeros(width),
        spread=np.zeros(nodes),
        is_exact=np.zeros(nodes, np.bool_),
        first_child=np.zeros(nodes, np.int32),
        n_children=np.zeros(nodes, np.int32),
        n_tried=np.zeros(nodes, np.int32),
        move=np.zeros(nodes, np.int32),
        chance=np.zeros(nodes if facts.most_outcomes > 1 else 1),
        fade_key=np.zeros(slots, np.uint64),
        fade_node=np.zeros(slots, np.int32),
    )


def node_bytes(position: Position) -> int:
    """How much memory a node takes: by how much twice as many nodes are larger, at the worst."""
    check_kernels(position.game)
    facts, nodes = protocol.facts(position.game.random_rules), 1 << 10
    small, large = (
        sum(array.nbytes for array in new_tree(facts, n + 1)) for n in (nodes, 2 * nodes)
    )
    return (large - small) // nodes
