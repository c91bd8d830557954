"""Self-play in lockstep, as units of seeded games, and matches between two networks.

A unit is a plain function of weights, game, seed and numbers, so that it can be done in this
process, in others or on a cluster (`noughts.parallel`), with the same samples each time.

A sample is a position with the policy that the search found there, the legal moves, and a value for
the player on turn: `result_share` of the game's result and the rest of the search's value; where
the search proved the value, that value.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.games.compiled import result_of
from noughts.games.game import Position
from noughts.games.registry import game as read_game
from noughts.kernels.rules.codes import DRAW
from noughts.learn.zero.batched.lockstep import Lockstep, Roots
from noughts.learn.zero.batched.lockstep_choice import best_moves, draw_moves, policies
from noughts.learn.zero.batched.lockstep_settings import SearchSettings
from noughts.learn.zero.batched.networks import Weights, network_for

Samples = dict[str, "NDArray[Any]"]  # rows, policies, legal, values
LONGEST_GAME = 4  # plies per cell; where marks fade or fizzle a game may never end, and is drawn


@dataclass(frozen=True)
class PlaySettings:
    """What self-play adds to a search."""

    opening: int = 4  # random moves before a game begins, at most; each number is as likely
    result_share: float = 0.5  # of the value that is learned; the rest is the search's value


def play_games(
    weights: Weights,
    game: str,
    seed: int,
    count: int,
    first: int = 0,
    search: Mapping[str, Any] | None = None,
    play: Mapping[str, Any] | None = None,
    hidden: int | None = None,
) -> tuple[Samples, dict[str, float]]:
    """Games number first .. first + count - 1 of a seed, in lockstep: samples, and what it took."""
    rules = read_game(game)
    settings = SearchSettings(**(search or {}))
    how = PlaySettings(**(play or {}))
    lockstep = Lockstep(rules, network_for(rules, hidden), weights, settings, count)
    records = _Records(lockstep, how.result_share)
    for slot in range(count):
        position = _opening(rules.start(), how.opening, [seed, 2, first + slot])
        lockstep.seat(slot, position, seed, first + slot)
    active = list(range(count))
    plies = np.zeros(count, np.int64)
    while active:
        lockstep.run(active)
        roots = lockstep.roots(active)
        records.add(active, roots)
        generators = [lockstep.generators[slot] for slot in active]
        noise = lockstep.noise[active][:, : roots.moves.shape[1]]
        chosen = draw_moves(settings, roots, noise, plies[active], generators)  # type: ignore[arg-type]  # every slot was seated
        moves = roots.moves[np.arange(len(active)), chosen]
        results = lockstep.advance(active, moves)
        plies[active] += 1
        results[(results == 0) & (plies[active] >= LONGEST_GAME * rules.cells)] = DRAW
        for slot, result in zip(active, results, strict=True):
            if result:
                records.end(slot, int(result))
        active = [slot for slot, result in zip(active, results, strict=True) if not result]
    facts = {
        "games": float(count),
        "evaluations": float(lockstep.evaluations),
        "simulations": float(lockstep.simulations),
        "network_seconds": lockstep.network_seconds,
        "moves": float(plies.sum()),
        **records.tally,
    }
    return records.samples(), facts


def _opening(position: Position, most: int, seed: list[int]) -> Position:
    """Some random moves; a game that would end there begins before that."""
    rng = np.random.default_rng(seed)
    for _ in range(int(rng.integers(most + 1))):
        _, after = position.sample(int(rng.choice(position.moves)), rng)
        if after.result is not None:
            break
        position = after
    return position


class _Records:
    """Samples in the making: those of a game wait for its result."""

    def __init__(self, lockstep: Lockstep, result_share: float) -> None:
        self.lockstep, self.result_share = lockstep, result_share
        self.rows: dict[str, list[NDArray[Any]]] = {}
        self.tally = {"x": 0.0, "draws": 0.0, "o": 0.0}
        self.result_of: dict[int, float] = {}

    def add(self, slots: Sequence[int], roots: Roots) -> None:
        """The position, policy and value of every game that is searched."""
        lockstep, n = self.lockstep, len(slots)
        row, column = np.nonzero(roots.is_move)
        moves = roots.moves[row, column]
        policy = np.zeros((n, lockstep.network.policy), np.float16)
        policy[row, moves] = policies(lockstep.settings, roots)[row, column]
        legal = np.zeros((n, lockstep.network.policy), np.bool_)
        legal[row, moves] = True
        parts = {
            "slots": np.array(slots),
            "rows": lockstep.rows[slots],
            "turns": lockstep.turns(slots),
            "policies": policy,
            "legal": np.packbits(legal, axis=1),
            "values": roots.value,
            "proven": roots.is_proven,
        }
        for name, part in parts.items():
            self.rows.setdefault(name, []).append(part)

    def end(self, slot: int, result: int) -> None:
        game = self.lockstep.game
        won = result_of(game, result) or "draw"
        self.tally["draws" if won == "draw" else won.lower()] += 1.0
        self.result_of[slot] = game.worth(won)[0]

    def samples(self) -> Samples:
        """All samples, with their values mixed from results and searches."""
        found = {name: np.concatenate(parts) for name, parts in self.rows.items()}
        slots, proven, turns = found.pop("slots"), found.pop("proven"), found.pop("turns")
        results = np.array([self.result_of[int(slot)] for slot in slots])
        results *= np.where(turns == 1, 1.0, -1.0)
        share = np.where(proven, 0.0, self.result_share)
        found["values"] = (share * results + (1.0 - share) * found["values"]).astype(np.float32)
        return found


def play_match(
    weights: tuple[Weights, Weights],
    game: str,
    seed: int,
    pairs: int,
    search: Mapping[str, Any],
    opening: int = 4,
    hidden: int | None = None,
) -> tuple[int, int, int]:
    """Wins, draws and losses of the first network over the second, half of the games as X.

    Both games of a pair begin with the same random moves. All games are played at once.
    """
    rules = read_game(game)
    settings = SearchSettings(**search)
    network = network_for(rules, hidden)
    sides = [Lockstep(rules, network, own, settings, 2 * pairs) for own in weights]
    positions = [_opening(rules.start(), opening, [seed, 3, s // 2]) for s in range(2 * pairs)]
    for slot, position in enumerate(positions):
        for lockstep in sides:
            lockstep.seat(slot, position, seed, slot)
    scores: dict[int, int] = {}
    active, plies = list(range(2 * pairs)), 0
    while active and plies < LONGEST_GAME * rules.cells:
        plies += 1
        for side in (0, 1):
            # The first network has X in even slots and O in odd ones.
            own = [s for s in active if ((positions[s].turn == "X") == (s % 2 == 0)) == (side == 0)]
            if not own:
                continue
            lockstep = sides[side]
            lockstep.run(own)
            roots = lockstep.roots(own)
            chosen = roots.moves[np.arange(len(own)), best_moves(roots)]
            for slot, move in zip(own, chosen, strict=True):
                generator = lockstep.generators[slot]
                assert generator is not None
                _, positions[slot] = positions[slot].sample(int(move), generator)
                if positions[slot].result is not None:
                    scores[slot] = _score_of(positions[slot].result, slot)
                else:
                    for each in sides:
                        each.reseat(slot, positions[slot])
            active = [slot for slot in active if slot not in scores]
    found = [scores.get(slot, 0) for slot in range(2 * pairs)]
    return found.count(1), found.count(0), found.count(-1)


def _score_of(result: str | None, slot: int) -> int:
    """1, 0 or -1 for the first network."""
    if result == "draw":
        return 0
    return 1 if (result == "X") == (slot % 2 == 0) else -1
