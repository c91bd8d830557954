"""What moves are worth, and who says so: the exact table, a network, or a search with its proofs.

`auto` takes the table wherever it is at hand or a matter of a moment. Elsewhere it searches: a tree
of random games estimates every move, and alpha-beta looks for a proof; a proven move has its exact
value, and a chain of threats tells the whole line.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from noughts.agents import Agent, check_player
from noughts.agents import agent as read_agent
from noughts.effort import solving
from noughts.errors import NoughtsError
from noughts.games.game import Game, Position
from noughts.games.line_game import LineGame, LinePosition
from noughts.games.ultimate import UltimateGame
from noughts.solve.limits import MAX_CELLS
from noughts.web.play.agents import page_listings
from noughts.web.play.exactness import has_exact_values

AUTO = "auto"
QUICK, QUICK_SOLVE = (
    "uct:time=0.3",
    0.5,
)  # a first estimate, and seconds for an exact answer instead
SIMULATIONS, PROOF_SECONDS = 20_000, 0.4  # of one position
SHARED_SIMULATIONS, SHARED_SECONDS = 200_000, 4.0  # of a whole game
TIE = 1e-6  # values that differ by less are equal
COSTLIEST = 3


@dataclass(frozen=True)
class Judged:
    """The values of one position, for X."""

    agent: str
    source: str
    values: Mapping[int, float]
    best: Sequence[int]
    value: float
    is_exact: bool
    exact_moves: frozenset[int]
    line: list[int] | None = None
    note: str = ""


@dataclass
class Judge:
    """Values positions of one game. `share`: how many positions share the time."""

    find: Callable[[str], Agent]
    wish: str
    game: Game
    share: int = 1
    is_quick: bool = False  # in a moment, without proofs

    def __post_init__(self) -> None:
        if self.is_quick:
            self.agent_name = "optimal" if _is_soon_solved(self.game) else QUICK
        else:
            is_free = self.wish == AUTO
            self.agent_name = choose_judge(self.game, self.share) if is_free else self.wish
        self.source = source_of(self.agent_name, self.game, is_exact=False)

    def judge(self, position: Position) -> Judged:
        """What every move is worth; with a clock, each cell at its best time."""
        agent = self.find(self.agent_name)
        check_player(agent, position)
        found = self._values(agent, position)
        if not found:
            raise NoughtsError(f"{agent} has no values; take auto, optimal, uct or alphabeta.")
        is_exact = bool(agent.values_are_exact)
        exact = frozenset(found) if is_exact else frozenset[int]()
        looks = self.wish == AUTO and not is_exact and not self.is_quick
        proof = self._proof(position) if looks else None
        line, note = None, ""
        if proof is not None:
            found = _no_better(position, found, proof.value) | {proof.move: proof.value}
            exact |= {proof.move}
            line, note = proof.line, proof.note
            is_exact = True  # of the position: nothing is better than a proven best move
        found = _best_waits(position, found)
        best = _best(position, found, proof.move if proof else None)
        value = found[best[0]]
        if self.is_quick and not is_exact:  # the largest of few samples is mostly luck
            best, value = [], sum(found.values()) / len(found)
        return Judged(
            agent=str(agent),
            source=source_of(self.agent_name, self.game, is_exact),
            values=found,
            best=best,
            value=value,
            is_exact=is_exact,
            exact_moves=exact & set(found),
            line=line,
            note=note,
        )

    @staticmethod
    def _values(agent: Agent, position: Position) -> dict[int, float]:
        return {int(move): float(value) for move, value in agent.values(position).items()}

    def value_of(self, position: Position, move: int, judged: Judged) -> float:
        """The value of a move that was played, which need not be at its cell's best time."""
        if move in judged.values:
            return judged.values[move]
        found = self.find(self.agent_name).values(position)
        return float(found[move]) if move in found else judged.value

    def _proof(self, position: Position) -> "_Proof | None":
        """A best move whose value is proven, if a quick search finds one."""
        if self.game.risk.is_risky:
            return None
        certified = self._certified(position)
        if certified is not None:
            return certified
        seconds = PROOF_SECONDS if self.share == 1 else SHARED_SECONDS / self.share
        agent = self.find(f"alphabeta:time={max(round(seconds, 3), 0.02)}")
        move = _quick_move(agent, position)
        thought = agent.last
        if thought is None or not thought.is_exact or thought.value is None:
            return None
        line = _chain(position) if abs(thought.value) == 1.0 else None
        proven = line[0] if line else move
        return _Proof(proven, float(thought.value), line, thought.note)

    def _certified(self, position: Position) -> "_Proof | None":
        """The winning move of a game whose proof is stored, such as Qubic's; X has it."""
        if not isinstance(self.game, LineGame) or self.game.cells <= MAX_CELLS:
            return None
        if position.turn != "X":
            return None
        agent = self.find("optimal")
        try:
            check_player(agent, position)
            found = self._values(agent, position)
        except NoughtsError:  # no proof is stored, or it does not reach this position
            return None
        if not agent.values_are_exact or not found:
            return None
        move = max(found, key=lambda move: found[move])
        return _Proof(move, found[move], None, "from a stored proof")


@dataclass(frozen=True)
class _Proof:
    move: int
    value: float
    line: list[int] | None
    note: str


def choose_judge(game: Game, share: int = 1) -> str:
    """The agent whose values `auto` shows."""
    if isinstance(game, LineGame) and has_exact_values(game):
        return "optimal"
    if isinstance(game, UltimateGame) and _has_network(game):
        return "zero" if share == 1 else "zero:simulations=100"
    simulations = SIMULATIONS if share == 1 else max(SHARED_SIMULATIONS // share, 500)
    return f"uct:simulations={min(simulations, SIMULATIONS)}"


def _is_soon_solved(game: Game) -> bool:
    """Whether even an interpreted solve is a matter of a moment."""
    return solving(game).seconds <= QUICK_SOLVE


def _has_network(game: Game) -> bool:
    """Whether a network for the game comes with the package."""
    listing = next((row for row in page_listings() if row.name == "zero"), None)
    if listing is None:
        return False
    try:
        read_agent("zero").check_game(game)
    except NoughtsError:
        return False
    return True


def source_of(agent: str, game: Game, is_exact: bool) -> str:
    """Who says so, in words."""
    if agent == "optimal":
        return f"the exact table of {game}"
    if is_exact:
        return "a proof by search"
    return f"the network of {agent}" if agent.startswith("zero") else f"a search by {agent}"


def _quick_move(agent: Agent, position: Position) -> int:
    import numpy as np

    return agent.choose(position, np.random.default_rng(0))


def _chain(position: Position) -> list[int] | None:
    """The moves of a forced win by threats, with the only replies."""
    if not isinstance(position, LinePosition) or position.game.is_misere:
        return None
    from noughts.search.threats import forced_win  # loads numba

    return forced_win(position)


def _best_waits(position: Position, values: dict[int, float]) -> dict[int, float]:
    """With a clock, one move per cell: the one at its best time, the earliest of equals."""
    if not position.game.risk.has_clock:
        return dict(sorted(values.items()))
    sign = 1.0 if position.turn == "X" else -1.0
    best: dict[int, int] = {}
    for move in sorted(values):
        cell = position.game.cell_of(move)
        if cell not in best or sign * values[move] > sign * values[best[cell]] + TIE:
            best[cell] = move
    return {move: values[move] for _, move in sorted(best.items())}


def _no_better(position: Position, values: dict[int, float], most: float) -> dict[int, float]:
    """Estimates that do not contradict a proof: no move is better than the proven best one."""
    bound = min if position.turn == "X" else max
    return {move: bound(value, most) for move, value in values.items()}


def _best(position: Position, values: Mapping[int, float], proven: int | None) -> list[int]:
    """The best moves; where one is proven best, those that are no better are left out."""
    if proven is not None and proven in values:
        return [proven]
    sign = 1.0 if position.turn == "X" else -1.0
    most = max(sign * value for value in values.values())
    return [move for move, value in values.items() if sign * value >= most - TIE]


def costliest(moves: Sequence[Mapping[str, Any]]) -> dict[str, list[int]]:
    """Up to three plies of each seat that lost most, the dearest first."""
    found: dict[str, list[int]] = {}
    for seat in ("X", "O"):
        lost = [move for move in moves if move["turn"] == seat and move["regret"] > 0.0]
        lost.sort(key=lambda move: (-move["regret"], move["ply"]))
        found[seat] = [move["ply"] for move in lost[:COSTLIEST]]
    return found
