"""A PUCT tree and the position at its root: simulations, the next move, what the root knows.

A tree may look at the board turned by one of its symmetries. The network was taught all eight, but
does not answer exactly alike, so that trees with different views are a small committee.
"""

from dataclasses import dataclass

import numpy as np

from noughts.aloud import Batches, tell
from noughts.games.ultimate import UltimatePosition
from noughts.kernels.zero.folded import FoldedNet
from noughts.kernels.zero.leaves import MOST_MOVES
from noughts.kernels.zero.mini_boards import DRAW, UNKNOWN
from noughts.kernels.zero.nodes import keep_subtree
from noughts.kernels.zero.puct import Budget, search
from noughts.kernels.zero.selfplay import best_child
from noughts.learn.zero.folded.configurations import game_tables, state_of
from noughts.learn.zero.folded.puct_tree import NODE_BYTES, new_scratch, new_tree

URGENCY = 0.3  # how much worse than its parent a move counts that was never looked at
SLICE = 1 << 14  # simulations in one call, so that an interrupt is soon heard
FIRST_SLICE = 64  # where somebody listens; it grows with the speed


@dataclass(frozen=True)
class RootMove:
    """What a tree knows about one move of its root; the value is for the player on turn.

    Without a visit it is what the search assumes of such a move.
    """

    move: int
    visits: int
    value: float
    prior: float
    is_exact: bool


class ZeroTree:
    """A tree that grows by simulations from one position of Ultimate."""

    def __init__(self, net: FoldedNet, nodes: int) -> None:
        self._net, self._nodes = net, nodes
        self._scratch = new_scratch(net)
        self._tree, self._spare = new_tree(nodes), new_tree(nodes)

    def begin(self, position: UltimatePosition, view: int = 0, contempt: float = 0.0) -> None:
        """Forget everything and stand at this position, seen by one of its game's symmetries.

        `contempt` is how much worse than an even game a draw counts for the player on turn.
        """
        self._tables = game_tables(position.game)
        symmetries = position.game.symmetries()
        self._turn = symmetries[view % len(symmetries)]
        self._turn_back = [self._turn.index(cell) for cell in range(81)]
        self._stand_at(position)
        tree = self._tree
        tree.size[:] = 1, 0, 0
        worth = -contempt if position.turn == "X" else contempt
        self._tree.draw_worth[:] = self._spare.draw_worth[:] = worth, -worth
        tree.first[0] = tree.visits[0] = tree.n_children[0] = tree.proof[0] = 0

    def _stand_at(self, position: UltimatePosition) -> None:
        self.position = position
        self._state = state_of(position.permuted(self._turn))

    def run(self, visits: int, exploration: float) -> int:
        """Simulate until the root has so many visits; how many simulations that took."""
        done, batches = 0, Batches(FIRST_SLICE, SLICE)
        while True:
            wanted = batches.next(SLICE)
            budget = Budget(float(exploration), URGENCY, visits, wanted)
            ran = search(self._tree, self._net, self._tables, 0, self._state, self._scratch, budget)
            done += ran
            tell(self.visits, visits, "simulations")
            if ran < wanted:
                return int(done)

    def follow(self, position: UltimatePosition) -> bool:
        """Go on to a position one or two moves later, if the tree knows it; keep what is below.

        A tree with contempt is one player's, and does not follow to where the other is on turn.
        """
        if self._draw_worth and position.turn != self.position.turn:
            return False
        node = 0
        for move in moves_between(self.position, position):
            node = self._child(node, self._turn[move])
            if node == 0:
                return False
        if node == 0 or self._tree.first[node] == 0:
            return False
        queue = np.empty(int(self._tree.size[0]), np.int64)
        keep_subtree(self._tree, node, self._spare, queue)
        self._spare.size[1:] = 0
        self._tree, self._spare = self._spare, self._tree
        self._stand_at(position)
        return True

    def _child(self, node: int, move: int) -> int:
        tree = self._tree
        first = int(tree.first[node])
        for child in range(first, first + int(tree.n_children[node])):
            if int(tree.move[child]) == move:
                return child
        return 0

    @property
    def visits(self) -> int:
        return int(self._tree.visits[0])

    @property
    def depth(self) -> int:
        """Moves of the longest walk since the root was changed."""
        return int(self._tree.size[2])

    @property
    def evaluations(self) -> int:
        """Positions that the network looked at since the root was changed."""
        return int(self._tree.size[1])

    @property
    def bytes(self) -> int:
        """What the nodes in use take."""
        return int(self._tree.size[0]) * NODE_BYTES

    @property
    def is_over(self) -> bool:
        """Further simulations would teach nothing: the root is proven, or the pool is full."""
        return self.is_proven or bool(self._tree.size[0] > self._nodes - MOST_MOVES)

    @property
    def is_proven(self) -> bool:
        return bool(self._tree.proof[0] != UNKNOWN)

    @property
    def value(self) -> float:
        """Of the root, for the player on turn; a draw is 0, whatever it counts in the search."""
        return -float(self._tree.value[0]) - self._draw_worth * float(self._tree.draws[0])

    @property
    def _draw_worth(self) -> float:
        """What a draw counts in the search, for the player on turn."""
        return float(self._tree.draw_worth[0 if self.position.turn == "X" else 1])

    @property
    def best(self) -> int:
        """The most visited move; a proven draw rather than a move that seems worse than one."""
        tree = self._tree
        best = int(best_child(tree, 0))
        if tree.value[best] < self._draw_worth and tree.proof[best] == UNKNOWN:
            first = int(tree.first[0])
            proofs = tree.proof[first : first + int(tree.n_children[0])]
            drawn = np.flatnonzero(proofs == DRAW)
            best = first + int(drawn[0]) if len(drawn) else best
        return self._turn_back[int(tree.move[best])]

    def records(self) -> list[RootMove]:
        """The moves of the root, ascending."""
        tree = self._tree
        first = int(tree.first[0])
        records = [
            RootMove(
                move=self._turn_back[int(tree.move[child])],
                visits=int(tree.visits[child]),
                value=float(tree.value[child]) - self._draw_worth * float(tree.draws[child]),
                prior=float(tree.prior[child]),
                is_exact=bool(tree.proof[child] != UNKNOWN),
            )
            for child in range(first, first + int(tree.n_children[0]))
        ]
        return sorted(records, key=lambda record: record.move)


def moves_between(before: UltimatePosition, after: UltimatePosition) -> list[int]:
    """The one or two moves that lead from one position to the other; none if they do not."""
    x = after.x_mask & ~before.x_mask
    o = after.o_mask & ~before.o_mask
    first, second = (x, o) if before.turn == "X" else (o, x)
    is_later = not (before.x_mask & ~after.x_mask or before.o_mask & ~after.o_mask)
    if not is_later or first.bit_count() != 1 or second.bit_count() > 1:
        return []
    moves = [mask.bit_length() - 1 for mask in (first, second) if mask]
    position = before
    for move in moves:
        if move not in position.open_cells:
            return []
        position = position.play(move)
    return moves if position == after else []
