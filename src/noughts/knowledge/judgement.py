"""What every move is worth: as it is known, or as somebody estimates it, within what is known.

    judge(position, estimate)    what is known; `estimate` names an agent for the rest
    claimed(position, agent)     what one agent says, and what it says it has proven

An estimate never contradicts what is known: it is cut to the bounds of its move, and no move is
worth more to its player than the position. So a proven win stays +1 on every image of the move, and
nothing beside it looks better. Moves that a symmetry takes to each other share one estimate, and no
move is called best that the noise of the estimates does not tell from others.
"""

import math
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property

from noughts.agents import Agent
from noughts.aloud import SoFar, overhearing
from noughts.games.game import Position, check_two
from noughts.knowledge.asking import alike, known_moves, known_with_moves
from noughts.knowledge.certificates import is_certified
from noughts.knowledge.known import NOTHING, Known, between, exactly
from noughts.knowledge.limits import ROUNDING, Budget, usual_budget

SEARCH = "search"  # the source of what an agent proved while it thought
NOISE = 2.0  # standard errors of a difference that may be chance

WORDS = {
    "ended": "the end of the game",
    "table": "the exact table",
    "theorem": "a theorem",
    "certificate": "the certificate of a proof",
    "threats": "a forced line",
    "endgame": "a search to the end",
    SEARCH: "a proof by search",
}


@dataclass(frozen=True)
class Judgement:
    """The values of the moves of one position, for X."""

    position: Position
    known: Mapping[int, Known]
    values: Mapping[int, float]  # of every move that anybody has a value for, ascending
    agent: Agent | None = None  # who estimated what is not known; None if nobody had to
    told: Known | None = field(default=None)  # about the position itself
    spreads: Mapping[int, float] = field(default_factory=dict)  # standard errors of estimates

    @cached_property
    def whole(self) -> Known:
        """What is certain about the position: from itself, and from its moves."""
        found = NOTHING if self.told is None else self.told
        if self.position.result is not None or not self.position.moves:
            return found
        pick = max if self.position.turn == "X" else min
        rows = [self.known.get(move, NOTHING) for move in self.position.moves]
        deciding = pick(rows, key=lambda one: one.low + one.high)
        low, high = pick(one.low for one in rows), pick(one.high for one in rows)
        more = Known(low, high, deciding.plies, deciding.source)
        return found.narrowed(more) if more.is_telling else found

    @property
    def is_exact(self) -> bool:
        """Whether the value of the position is known."""
        return self.whole.is_exact

    @property
    def exact_moves(self) -> frozenset[int]:
        """The moves whose value is known."""
        return frozenset(move for move, one in self.known.items() if one.is_exact)

    @property
    def value(self) -> float:
        """The value of the position: as known, or that of the best estimate."""
        if self.position.result is not None:
            return self.position.game.worth(self.position.result)[0]
        return self.whole.clamp(self.values[self.best[0]]) if self.values else self.whole.value

    @cached_property
    def best(self) -> tuple[int, ...]:
        """The best moves: those known to be best, if there are such; quick wins first.

        Of estimates all that chance may have made worse than the first, which seems best.
        """
        if not self.values:
            return ()
        sign = 1.0 if self.position.turn == "X" else -1.0
        known_best = self._known_best(sign)
        if known_best:
            return known_best
        ranked = sorted(self.values, key=lambda move: (-sign * self.values[move], move))
        most = sign * self.values[ranked[0]]
        return tuple(m for m in ranked if most - sign * self.values[m] <= self._noise(ranked[0], m))

    def _noise(self, first: int, second: int) -> float:
        """A difference of the values of two moves that means nothing."""
        spreads = [self.spreads.get(move, 0.0) for move in (first, second)]
        return NOISE * math.hypot(*spreads) + ROUNDING

    @cached_property
    def is_clear(self) -> bool:
        """Whether the best moves are known to be best, or alike: not a few of many by chance."""
        if len(self.best) < 2 or self._known_best(1.0 if self.position.turn == "X" else -1.0):
            return bool(self.best)
        kinds = alike(self.position)
        return len({kinds[move] for move in self.best}) == 1

    def _known_best(self, sign: float) -> tuple[int, ...]:
        if not self.is_exact:
            return ()
        worth = sign * self.whole.value - ROUNDING
        shown = [move for move in self.exact_moves if move in self.values]
        found = [move for move in shown if sign * self.known[move].value >= worth]
        return tuple(sorted(found, key=lambda move: (self._plies(move, sign), move)))

    def _plies(self, move: int, sign: float) -> float:
        """How long a win takes, none counted last; all else is equally long."""
        one = self.known[move]
        if sign * one.value < 1.0:
            return 0.0
        return float("inf") if one.plies is None else one.plies

    @property
    def source(self) -> str:
        """Who says so, in words."""
        if self.is_exact:
            words = WORDS.get(self.whole.source, self.whole.source)
            return f"{words} of {self.position.game}" if self.whole.source == "table" else words
        if self.agent is None:
            return "what is known"
        said = "the network of" if self.agent.name == "zero" else "a search by"
        return f"{said} {self.agent}"


HearJudgement = Callable[
    [SoFar, Callable[[], Judgement]], None
]  # how far, and what is thought then


def judge(
    position: Position,
    estimate: Callable[[], Agent],
    budget: Budget | None = None,
    hear: HearJudgement | None = None,
) -> Judgement:
    """What is known of every move; what is not is estimated by an agent, who may not be needed.

    `hear` is told, while the agent thinks, how to have its judgement so far.
    """
    check_two(position.game, "A value for X")
    whole, told = known_with_moves(position, usual_budget() if budget is None else budget)
    if all(move in told and told[move].is_exact for move in position.moves):
        return Judgement(position, told, {m: one.value for m, one in told.items()}, None, whole)
    agent = estimate()

    def within(said: Judgement) -> Judgement:
        return _with_estimates(position, whole, told, said)

    if hear is None:
        return within(claimed(position, agent))
    return within(claimed(position, agent, lambda far, said: hear(far, lambda: within(said()))))


def _with_estimates(
    position: Position, whole: Known | None, told: Mapping[int, Known], said: Judgement
) -> Judgement:
    """What is known, and where nothing is, what was said."""
    merged = {move: _merged(told.get(move), said.known.get(move)) for move in position.moves}
    both = {move: one for move, one in merged.items() if one is not None}
    bounds = Judgement(position, both, {}, said.agent, whole)
    values, spreads = _pooled(position, said)
    return Judgement(position, both, _within(bounds, values), said.agent, whole, spreads)


def _pooled(position: Position, said: Judgement) -> tuple[dict[int, float], dict[int, float]]:
    """Values and spreads in which moves that are alike have theirs together.

    A move that nobody has tried yet has those of the moves that are like it.
    """
    groups: dict[int, list[int]] = {}
    for move, kind in alike(position).items():
        groups.setdefault(kind, []).append(move)
    values, spreads = dict(said.values), dict(said.spreads)
    for moves in groups.values():
        tried = [move for move in moves if move in said.values]
        if not tried:
            continue
        mean = sum(said.values[move] for move in tried) / len(tried)
        values.update(dict.fromkeys(moves, mean))
        if all(move in said.spreads for move in tried):
            spread = math.hypot(*(said.spreads[move] for move in tried)) / len(tried)
            spreads.update(dict.fromkeys(moves, spread))
    return values, spreads


def claimed(position: Position, agent: Agent, hear: HearJudgement | None = None) -> Judgement:
    """What an agent says of the moves; where it has looked to the end, that is known, too."""

    def overhear(far: SoFar) -> None:
        estimates = far.estimates
        if hear is not None and estimates is not None:
            hear(far, lambda: _said(position, agent, *estimates()))

    with overhearing(overhear) if hear is not None else nullcontext():
        values = agent.values(position)
    said = {int(move): float(value) for move, value in sorted(values.items())}
    return Judgement(position, _proven(position, agent, said), said, agent, spreads=agent.spreads)


def _proven(position: Position, agent: Agent, said: Mapping[int, float]) -> dict[int, Known]:
    """What an agent has proven, and by what: `optimal` plays certificates, too."""
    if not agent.values_are_exact:
        return {}
    is_optimal, has_table = agent.name == "optimal", not is_certified(position.game)
    source = "table" if is_optimal and has_table else SEARCH
    told = known_moves(position) if is_optimal and not has_table else {}
    return {
        move: told[move] if move in told and told[move].is_exact else exactly(value, source)
        for move, value in said.items()
    }


def _said(
    position: Position, agent: Agent, values: Mapping[int, float], spreads: Mapping[int, float]
) -> Judgement:
    """What an agent thinks in the middle of its search; proofs are left to the end."""
    return Judgement(position, {}, dict(values), agent, spreads=spreads)


def _merged(told: Known | None, said: Known | None) -> Known | None:
    """A proof of the moment counts unless it contradicts what is known: that is believed first."""
    if told is None or said is None:
        return told or said
    return told if told.clamp(said.value) != said.value else told.narrowed(said)


def _within(bounds: Judgement, said: Mapping[int, float]) -> dict[int, float]:
    """The estimates, cut to what is known of their moves and of the position."""
    is_x = bounds.position.turn == "X"
    whole = bounds.whole
    limit = between(-1.0 if is_x else whole.low, whole.high if is_x else 1.0, whole.source)
    found: dict[int, float] = {}
    for move in bounds.position.moves:
        one = bounds.known.get(move, NOTHING)
        if move in said:
            found[move] = one.narrowed(limit).clamp(said[move])
        elif one.is_exact:
            found[move] = one.value
    return found
