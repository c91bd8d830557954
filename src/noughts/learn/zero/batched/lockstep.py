"""Search in many games at once with one network: the friendly twin of `kernels/search/lockstep`.

    search = Lockstep(game, network, weights, PRESETS["gumbel"], slots=256)
    search.seat(0, game.start(), seed=1)             # a position into a slot, with a random stream
    search.run(slots)                                # simulations in all of them, batch by batch
    roots = search.roots(slots)                      # moves, visits, values
    results = search.advance(slots, moves)           # play on; by chance where there is risk

Every slot has random streams of its own, so what a game's search does depends on its position, its
seed and the settings, not on the games beside it. (A network's last bits may: BLAS adds up in
another order for another size of the batch.)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.aloud import tell
from noughts.games.compiled import check_kernels, row_of
from noughts.games.game import Game, Position
from noughts.kernels.rng import seeded
from noughts.kernels.rules import protocol
from noughts.kernels.rules.protocol import Facts
from noughts.kernels.search import lockstep
from noughts.kernels.search.forest import NONE, ROOT, UNSEEN, Forest, Rule
from noughts.kernels.search.forest_roots import find_after, keep_subtree, plant, read_roots
from noughts.kernels.search.lockstep import Images
from noughts.learn.zero.batched.gumbel import VALUE_SCALE, VISIT_OFFSET, halving_schedule
from noughts.learn.zero.batched.lockstep_settings import SearchSettings
from noughts.learn.zero.batched.networks import Network, Weights

Ints = NDArray[np.int64]
FIRST_EDGES = 1024  # per game, at first


@dataclass(frozen=True)
class Roots:
    """What the roots of some games know; rows are padded, values are for the player on turn."""

    moves: Ints  # [games, moves] -1 beyond the last
    visits: Ints
    values: NDArray[np.float64]
    is_exact: NDArray[np.bool_]
    priors: NDArray[np.float64]
    value: NDArray[np.float64]  # [games] of the position
    is_proven: NDArray[np.bool_]  # [games]

    @property
    def is_move(self) -> NDArray[np.bool_]:
        return self.moves >= 0


@lru_cache(maxsize=16)
def images_of(game: Game) -> Images:
    """What the symmetries of a game do to its cells and to its moves; a match asks every move."""
    places = np.array(game.symmetries(), np.int64)
    moves = range(protocol.facts(game.rules).moves)
    cells, waits = ([part(move) for move in moves] for part in (game.cell_of, game.wait_of))
    move_at = np.zeros((game.cells, max(waits) + 1), np.int64)
    move_at[cells, waits] = moves
    return Images(places, move_at[places[:, cells], waits])


def new_forest(facts: Facts, slots: int, nodes: int, edges: int) -> Forest:
    """Room for the trees of so many games."""
    width = 1 if facts.seats == 2 else facts.seats
    chances = (slots, edges, facts.most_outcomes) if facts.most_outcomes > 1 else (1, 1, 1)

    def of_nodes(kind: Any, *shape: int) -> NDArray[Any]:
        return np.zeros((slots, nodes, *shape), kind)

    def of_edges(kind: Any, *shape: int) -> NDArray[Any]:
        return np.zeros((slots, edges, *shape), kind)

    return Forest(
        size=np.zeros((slots, 2), np.int64),
        row=of_nodes(np.int32, facts.row_size),
        turn=of_nodes(np.int8),
        visits=of_nodes(np.int32),
        total=of_nodes(np.float64, width),
        is_exact=of_nodes(np.bool_),
        first_edge=of_nodes(np.int32),
        n_edges=of_nodes(np.int32),
        parent=of_nodes(np.int32),
        parent_edge=of_nodes(np.int32),
        landing=of_nodes(np.int16),
        next_outcome=of_nodes(np.int32),
        move=of_edges(np.int32),
        prior=of_edges(np.float32),
        edge_visits=of_edges(np.int32),
        edge_total=of_edges(np.float64, width),
        edge_value=of_edges(np.float64, width),
        edge_exact=of_edges(np.bool_),
        outcome=of_edges(np.int32, facts.most_outcomes),
        chance=np.zeros(chances),
        landing_visits=np.zeros(chances, np.int32),
        landing_total=np.zeros((*chances, width)),
        value=np.zeros(width),
    )


class Lockstep:
    """Trees of up to `slots` games."""

    def __init__(
        self,
        game: Game,
        network: Network,
        weights: Weights,
        settings: SearchSettings,
        slots: int,
    ) -> None:
        check_kernels(game)
        self.game, self.network, self.settings = game, network, settings
        self.weights = {name: np.ascontiguousarray(array) for name, array in weights.items()}
        self.rules: Any = game.rules
        facts = protocol.facts(self.rules)
        self.images, self._room = images_of(game), lockstep.new_room(self.rules, facts)
        self.rows = np.zeros((slots, facts.row_size), np.int32)
        self.rng = np.zeros(slots, np.uint64)
        self.generators: list[np.random.Generator | None] = [None] * slots
        edges = max(FIRST_EDGES, 2 * network.policy * settings.leaves)
        self.forest = new_forest(facts, slots, settings.simulations + 2, edges)
        self.noise = np.zeros((slots, network.policy))
        self.n_considered = np.zeros(slots, np.int64)
        most = slots * settings.leaves
        games, nodes, images = np.zeros((3, most), np.int64)
        features = np.zeros((most, network.inputs), np.float32)
        self.leaves = lockstep.Leaves(games, nodes, images, features)
        self.evaluations = 0
        self.simulations = 0
        self.network_seconds = 0.0

    def seat(self, slot: int, position: Position, seed: int, index: int = 0) -> None:
        """Put a running position into a slot, with stream `index` of a seed."""
        self.rng[slot] = seeded(seed, index)[0]
        self.generators[slot] = np.random.default_rng([seed, index])
        self.reseat(slot, position)

    def reseat(self, slot: int, position: Position) -> None:
        """Another position in the same slot; its random streams go on."""
        self.rows[slot] = row_of(position)
        plant(self.forest, slot, self.rows[slot])

    def move_to(self, slot: int, move: int, position: Position) -> bool:
        """Keep the subtree of a position that a root's move led to; False if it is not there."""
        row = row_of(position)
        node = find_after(self.forest, slot, ROOT, move, row)
        if node == NONE or self.forest.n_edges[slot, node] == 0:
            return False
        keep_subtree(self.forest, slot, node)
        self.rows[slot] = row
        return True

    def run(self, slots: Sequence[int], simulations: int | None = None) -> None:
        """Search in these slots: look at their roots, add noise, simulate."""
        count = self.settings.simulations if simulations is None else simulations
        games = np.array(slots, np.int64)
        forest = self.forest
        new = games[forest.total[games, ROOT, 0] == UNSEEN]
        self.n_considered[games] = 0
        self._simulate(new, 1, roots_only=True)
        self._make_noise(games)
        if count > 0:
            self._simulate(games, count)

    def _make_noise(self, games: Ints) -> None:
        settings, forest = self.settings, self.forest
        is_gumbel = settings.root == "gumbel"
        if not is_gumbel and settings.dirichlet == 0.0:
            return
        for game in games:
            generator = self.generators[game]
            assert generator is not None, "seat the game first"
            n, first = int(forest.n_edges[game, ROOT]), int(forest.first_edge[game, ROOT])
            if is_gumbel:
                self.n_considered[game] = min(n, settings.considered)
                self.noise[game, :n] = settings.gumbel * generator.gumbel(size=n)
            if settings.dirichlet > 0.0:
                noise = generator.dirichlet(np.full(n, settings.alpha))
                priors = forest.prior[game, first : first + n]
                priors *= 1.0 - settings.dirichlet
                priors += settings.dirichlet * noise.astype(np.float32)

    def _rule(self, simulations: int) -> Rule:
        settings = self.settings
        return Rule(
            exploration=settings.exploration,
            parent_share=settings.parent_share,
            reduction=settings.reduction,
            leaves=settings.leaves,
            visit_offset=VISIT_OFFSET,
            value_scale=VALUE_SCALE,
            schedule=halving_schedule(settings.considered, max(1, simulations)),
            n_considered=self.n_considered,
            noise=self.noise,
        )

    def _simulate(self, games: Ints, simulations: int, roots_only: bool = False) -> None:
        if not len(games):
            return
        self._make_room(games, nodes=simulations + 1, edges=0)
        rule = self._rule(simulations)
        done = np.zeros(len(self.rows), np.int64)
        work = lockstep.Work(games, done, np.full(len(self.rows), simulations), self.rng)
        while True:
            room = self.settings.leaves * self.network.policy
            self._make_room(games, nodes=0, edges=room)
            count = lockstep.gather(
                self.rules, self._room, self.images, rule, self.forest, work, self.leaves
            )
            if count == 0:
                break
            began = perf_counter()
            logits, values = self.network.forward(np, self.weights, self.leaves.features[:count])
            self.network_seconds += perf_counter() - began
            settles, seen = self._room.settles, values[:, None]
            lockstep.add_answers(
                self.forest, self.images, self.leaves, count, logits, seen, settles
            )
            self.evaluations += count
            tell(int(done[games].sum()), simulations * len(games), "simulations")
            if roots_only:
                return
        self.simulations += int(done[games].sum())

    def _make_room(self, games: Ints, nodes: int, edges: int) -> None:
        """Make the arrays longer when a tree may outgrow them."""
        used = self.forest.size[games].max(axis=0)
        wanted = {}
        for name, extra, now, size in (
            ("visits", nodes, used[0], self.forest.visits.shape[1]),
            ("move", edges, used[1], self.forest.move.shape[1]),
        ):
            if now + extra > size:
                wanted[name] = max(2 * size, int(now + extra))
        if not wanted:
            return
        old_sizes = {name: getattr(self.forest, name).shape[1] for name in wanted}
        is_of_nodes = set(Forest._fields[1:12])

        def longer(name: str, array: NDArray[Any]) -> NDArray[Any]:
            key = "visits" if name in is_of_nodes else "move"
            if name in ("size", "value") or key not in wanted or array.shape[:2] == (1, 1):
                return array
            shape = (array.shape[0], wanted[key], *array.shape[2:])
            made = np.zeros(shape, array.dtype)
            made[:, : old_sizes[key]] = array
            return made

        kept = self.forest._asdict()
        self.forest = Forest(**{name: longer(name, array) for name, array in kept.items()})

    def roots(self, slots: Sequence[int]) -> Roots:
        """What the roots know, for the player on turn."""
        games = np.array(slots, np.int64)
        n = int(self.forest.n_edges[games, ROOT].max())
        moves = np.full((len(games), n), -1)
        visits = np.zeros((len(games), n), np.int64)
        values, priors = np.zeros((2, len(games), n))
        is_exact = np.zeros((len(games), n), np.bool_)
        root = np.zeros((len(games), 3))
        read_roots(self.forest, games, moves, visits, values, is_exact, priors, root)
        return Roots(moves, visits, values, is_exact, priors, root[:, 0], root[:, 1] > 0.5)

    def turns(self, slots: Sequence[int]) -> NDArray[np.int8]:
        """The seats on turn in slots that were searched."""
        found: NDArray[np.int8] = self.forest.turn[slots, ROOT]
        return found

    def advance(self, slots: Sequence[int], moves: Ints) -> Ints:
        """Play a move in each slot; the results (0 where the game goes on)."""
        games = np.array(slots, np.int64)
        results = np.zeros(len(games), np.int64)
        lockstep.play(
            self.rules, self._room, self.rows, games, np.asarray(moves), self.rng, results
        )
        for k in np.flatnonzero(results == 0):
            slot = int(games[k])
            node = NONE
            if self.settings.reuse:
                node = find_after(self.forest, slot, ROOT, int(moves[k]), self.rows[slot])
            if node == NONE:
                plant(self.forest, slot, self.rows[slot])
            else:
                keep_subtree(self.forest, slot, node)
        return results
