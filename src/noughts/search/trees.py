"""A search tree and the position at its root: room for nodes, simulations, and the next move.

The friendly twin of `kernels/search/uct`: it owns the arrays, makes them longer when they fill up,
and keeps the part of the tree that is still of use when the game goes on.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from noughts.games.compiled import MAX_TURNS, check_kernels, row_of
from noughts.games.game import Landing, Mark, Position, other
from noughts.kernels.rules import protocol
from noughts.kernels.search import tree as trees
from noughts.kernels.search import uct
from noughts.kernels.search.tree import ROOT, UNEXPANDED, Tree

FIRST_POOL = 1 << 14  # nodes
SLICE = 1 << 15  # simulations in one call, so that an interrupt is soon heard


@dataclass(frozen=True)
class MoveRecord:
    """What a tree knows about one move of its root."""

    move: int
    visits: int
    value: float  # for X; 0 before the first visit
    is_exact: bool


class SearchTree:
    """A tree that grows by simulations from one position."""

    def __init__(self, position: Position, most_nodes: int) -> None:
        check_kernels(position.game)
        self.position = position
        self.read_by(position.game.random_rules)
        self.most_nodes = most_nodes
        self.tree = self._pool(min(FIRST_POOL, most_nodes))

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
        done = 0
        while done < simulations:
            wanted = min(SLICE, simulations - done)
            can_grow = len(self.tree.visits) < self.most_nodes
            ran = self._call(wanted, exploration, every_move, can_grow, rng)
            done += ran
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

    def records(self) -> list[MoveRecord]:
        """The moves of the root, ascending."""
        tree = self.tree
        first, n = int(tree.first_child[ROOT]), int(tree.n_children[ROOT])
        found = [
            MoveRecord(
                int(tree.move[child]),
                int(tree.visits[child]),
                float(tree.value[child, 0]),
                bool(tree.is_exact[child]),
            )
            for child in range(first, first + n)
        ]
        return sorted(found, key=lambda record: record.move)

    def follow(self, move: int, position: Position) -> bool:
        """Make `position` the root if the game came there by `move`, or by it and a reply.

        Where marks fade the way cannot be told from the boards, and the answer is always False.
        """
        if self.position.game != position.game or position.game.risk.fades:
            return False
        for node, after in self._after(int(ROOT), self.position, move):
            if after == position:
                return self._take_root(node, position)
            for reply in _moves_between(after, position):
                for next_node, next_position in self._after(node, after, reply):
                    if next_position == position:
                        return self._take_root(next_node, position)
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
        if not position.game.risk.is_risky:
            return [(child, position.play(move))]
        if tree.first_child[child] == UNEXPANDED:
            return []
        marks: tuple[Mark | None, ...] = (position.turn, other(position.turn), None)
        return [
            (int(tree.first_child[child]) + i, position.play(move, Landing(marks[i])))
            for i in range(int(tree.n_children[child]))
        ]

    def _take_root(self, node: int, position: Position) -> bool:
        kept = self._pool(len(self.tree.visits))
        trees.keep_subtree(self.tree, node, kept)
        if kept.first_child[ROOT] == UNEXPANDED:
            kept.is_exact[ROOT] = False  # it was judged without a look at its moves
        self.tree, self.position = kept, position
        return True

    def _pool(self, nodes: int) -> Tree:
        """Room for this many nodes; one is in use, the root."""
        facts = self.facts
        slots = 1 << (2 * nodes - 1).bit_length() if facts.settles else 1
        width = 1 if facts.seats == 2 else facts.seats
        return Tree(
            size=np.array([1, 0]),
            visits=np.zeros(nodes, np.int32),
            value=np.zeros((nodes, width)),
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

    def _grow(self) -> None:
        old = self.tree
        self.tree = self._pool(min(2 * len(old.visits), self.most_nodes))
        trees.copy_tree(old, self.tree)


def node_bytes(position: Position) -> int:
    """How much memory a node takes."""
    risk = position.game.risk
    return 37 + (8 if risk.is_risky else 0) + (48 if risk.fades else 0)


def _moves_between(before: Position, after: Position) -> list[int]:
    """The moves of `before` that may have led to `after`, from the cells that differ."""
    wait = after.tick - before.tick
    cells = {i for i, (a, b) in enumerate(zip(before.board, after.board, strict=True)) if a != b}
    if after.last is not None:
        cells.add(after.last)  # a mark that fizzled leaves no other trace
    candidates = {before.game.move_at(cell, wait) for cell in cells if wait >= 0}
    return sorted(candidates & set(before.moves)) if len(cells) <= 2 else []
