"""Exact values of small games in plain Python, by other methods than the package uses.

The rules are those of `reference.py`; nothing here comes from the package.

`Recursion` is a memoised recursion over positions with fractions: no rounding at all. Fizzle ties
X's and O's turn on one board together; those two states are solved by strategy iteration, in
fractions as well. `iterate_strategies` takes any game, fading ones too: it fixes what both sides
do, solves the linear equations, and lets each side improve until neither can. `chain_odds` is
the same for two given players: plain linear equations.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import exp

import numpy as np
from reference import Lines, Risks, State, opponent

SIGN = {"X": 1, "O": -1, "draw": 0}
Player = Callable[[State], Mapping[int, float]]  # the probability of each move


@dataclass(frozen=True)
class Case:
    """A small game with some risk, as a spec and as plain rules; numbers are texts as in a spec."""

    rows: int
    columns: int
    k: int
    is_misere: bool = False
    flip: str = "0"
    fizzle: str = "0"
    fade: str = "0"
    hazard: str = "0"
    limit: str | None = None
    turn_limit: str | None = None
    ticks: int = 100

    def __str__(self) -> str:
        words = [f"k={self.k}", *(["misere"] if self.is_misere else [])]
        for name in ("flip", "fizzle", "fade", "hazard"):
            if getattr(self, name) != "0":
                words.append(f"{name}={getattr(self, name)}")
        for name in ("limit", "turn_limit"):
            if getattr(self, name) is not None:
                words.append(f"{name}={getattr(self, name)}")
        if self.has_clock:
            words.append(f"ticks={self.ticks}")
        return f"{self.rows}x{self.columns}:{','.join(words)}"

    @property
    def cells(self) -> int:
        return self.rows * self.columns

    @property
    def has_clock(self) -> bool:
        return self.hazard != "0"

    def vector(self, name: str) -> list[Fraction]:
        numbers = [Fraction(word) for word in getattr(self, name).split("/")]
        return numbers * self.cells if len(numbers) == 1 else numbers

    @cached_property
    def rules(self) -> Lines:
        names = ("flip", "fizzle", "fade", "hazard")
        vectors = {name: [float(number) for number in self.vector(name)] for name in names}
        limits = {
            name: None if getattr(self, name) is None else float(getattr(self, name))
            for name in ("limit", "turn_limit")
        }
        risks = Risks(**vectors, **limits, ticks=self.ticks)  # type: ignore[arg-type]
        return Lines(risks, self.rows, self.columns, k=self.k, is_misere=self.is_misere)

    def last_tick(self) -> int:
        """The last tick that play can come to."""
        if not self.has_clock:
            return 0
        if self.limit is not None:
            return self.ticks
        return self.cells * self.ticks

    def running(self, tick: int = 0) -> list[State]:
        """Every board that can show this tick and has no line and an empty cell, both turns."""
        found = []
        for board in product(".XO", repeat=self.cells):
            filled = self.cells - board.count(".")
            if self.has_clock and self.limit is None and tick > filled * self.ticks:
                continue
            if filled < self.cells and not any(self.rules.has_line(board, mark) for mark in "XO"):
                found += [State(board, turn, tick) for turn in "XO"]
        return found


class Recursion:
    """Values for X in fractions, of games without fading."""

    def __init__(self, case: Case) -> None:
        assert case.fade == "0"
        self.case, self.rules = case, case.rules
        self.flip, self.fizzle, self.hazard = map(case.vector, ("flip", "fizzle", "hazard"))
        self.known: dict[tuple[tuple[str, ...], int], dict[str, Fraction]] = {}

    def value(self, state: State) -> Fraction:
        if state.result is not None:
            return Fraction(SIGN[state.result])
        key = state.board, state.tick
        if key not in self.known:
            self.known[key] = self.solve_board(state)
        return self.known[key][state.turn]

    def marks(self, cell: int, tick: int) -> tuple[Fraction, Fraction, Fraction]:
        """The probabilities that the own mark, the opponent's, nothing lands."""
        own = 1 - self.flip[cell] - self.fizzle[cell]
        if self.case.has_clock:
            time = tick * self.rules.risks.time_of_tick()
            own *= Fraction(exp(-float(self.hazard[cell]) * time))
        return own, 1 - own - self.fizzle[cell], self.fizzle[cell]

    def choice(self, state: State, move: int) -> tuple[Fraction, Fraction]:
        """(what a move earns, the probability that the same board at the same time follows)."""
        wait, cell = divmod(move, self.case.cells)
        tick = state.tick + wait
        own, flip, fizzle = self.marks(cell, tick)
        earned = own * self.value(self.rules.wait_and_land(state, move, state.turn))
        earned += flip * self.value(self.rules.wait_and_land(state, move, opponent(state.turn)))
        if fizzle and wait:
            stays = state._replace(turn=opponent(state.turn), tick=tick)
            return earned + fizzle * self.value(stays), Fraction(0)
        return earned, fizzle

    def solve_board(self, state: State) -> dict[str, Fraction]:
        """Strategy iteration: O keeps a choice, X answers it best, O improves, until he cannot."""
        x_state, o_state = state._replace(turn="X"), state._replace(turn="O")
        x_choices = [self.choice(x_state, move) for move in self.rules.moves(x_state)]
        o_choices = [self.choice(o_state, move) for move in self.rules.moves(o_state)]
        o_earned, o_stays = o_choices[0]
        while True:
            x = max((a + f * o_earned) / (1 - f * o_stays) for a, f in x_choices)
            o = o_earned + o_stays * x
            better = min(o_choices, key=lambda choice: choice[0] + choice[1] * x)
            if better[0] + better[1] * x >= o:
                return {"X": x, "O": o}
            o_earned, o_stays = better


def _graph(rules: Lines, states: list[State]) -> dict[State, dict[int, list[tuple[float, State]]]]:
    """For every running state that can follow from these, the landings of every move."""
    graph: dict[State, dict[int, list[tuple[float, State]]]] = {}
    queue = list(states)
    while queue:
        state = queue.pop()
        if state.result is None and state not in graph:
            graph[state] = {move: list(rules.landings(state, move)) for move in rules.moves(state)}
            queue += [after for landings in graph[state].values() for _, after in landings]
    return graph


def iterate_strategies(rules: Lines, states: list[State]) -> dict[State, float]:
    """The value for X of every running state that can follow from these, to rounding."""
    graph = _graph(rules, states)
    number = {state: i for i, state in enumerate(graph)}
    rows: dict[State, dict[int, tuple[np.ndarray, np.ndarray, float]]] = {}
    for state, moves in graph.items():
        rows[state] = {}
        for move, landings in moves.items():
            after = [(number[s], p) for p, s in landings if s.result is None]
            earned = sum(p * SIGN[s.result] for p, s in landings if s.result is not None)
            places, chances = zip(*after, strict=True) if after else ((), ())
            rows[state][move] = np.array(places, int), np.array(chances, float), earned

    def improved(values: np.ndarray, chosen: dict[State, int], turn: str) -> bool:
        """Let one side take better moves where there are any."""
        changed = False
        for state, moves in rows.items():
            if state.turn == turn:
                sign = 1.0 if turn == "X" else -1.0
                worth = {m: sign * (e + c @ values[p]) for m, (p, c, e) in moves.items()}
                best = max(worth, key=lambda move: worth[move])
                if worth[best] > worth[chosen[state]] + 1e-13:
                    chosen[state], changed = best, True
        return changed

    def settled(chosen: dict[State, int]) -> np.ndarray:
        matrix, earned = np.eye(len(number)), np.zeros(len(number))
        for state, i in number.items():
            places, chances, earned[i] = rows[state][chosen[state]]
            np.subtract.at(matrix[i], places, chances)
        return np.linalg.solve(matrix, earned)

    chosen = {state: next(iter(moves)) for state, moves in graph.items()}
    while True:
        values = settled(chosen)
        while improved(values, chosen, "X"):
            values = settled(chosen)
        if not improved(values, chosen, "O"):
            return {state: float(values[i]) for state, i in number.items()}


def best_player(rules: Lines, value: Callable[[State], float], ties: str, tie: float) -> Player:
    """The optimal player: smallest best wait, then the lowest best cell or all alike."""

    def play(state: State) -> dict[int, float]:
        sign, cells = SIGN[state.turn], len(state.board)
        worth = {}
        for move in rules.moves(state):
            worth[move] = sum(
                p * sign * float(SIGN[after.result] if after.result else value(after))
                for p, after in rules.landings(state, move)
            )
        best = [move for move in worth if worth[move] >= max(worth.values()) - tie]
        shortest = min(move // cells for move in best)
        best = sorted(move for move in best if move // cells == shortest)
        chosen = best[:1] if ties == "lowest" else best
        return {move: 1.0 / len(chosen) for move in chosen}

    return play


def random_player(rules: Lines) -> Player:
    """All moves alike: any cell after any wait."""
    return lambda state: dict.fromkeys(rules.moves(state), 1.0 / len(rules.moves(state)))


def weighted_player(rules: Lines, weights: list[float]) -> Player:
    """Cells in proportion to their weights, all alike where those weigh nothing; no wait."""

    def play(state: State) -> dict[int, float]:
        cells = len(state.board)
        parts = {move: weights[move] for move in rules.moves(state) if move < cells}
        total = sum(parts.values())
        if total == 0.0:
            return {move: 1.0 / len(parts) for move in parts}
        return {move: part / total for move, part in parts.items()}

    return play


def chain_odds(rules: Lines, x: Player, o: Player) -> dict[str, float]:
    """The odds of each result from the empty board, for two given players."""
    start = rules.start()
    number = {start: 0}
    queue = [start]
    links: list[tuple[State, State, float]] = []
    while queue:
        state = queue.pop()
        for move, chance in (x if state.turn == "X" else o)(state).items():
            for p, after in rules.landings(state, move) if chance > 0.0 else ():
                links.append((state, after, chance * p))
                if after.result is None and after not in number:
                    number[after] = len(number)
                    queue.append(after)
    visits_matrix, results = np.eye(len(number)), np.zeros((len(number), 3))
    names = ("X", "draw", "O")
    for state, after, p in links:
        if after.result is None:
            visits_matrix[number[after], number[state]] -= p
        else:
            results[number[state], names.index(after.result)] += p
    # Expected visits to each state from the start, and what each visit ends in.
    visits = np.linalg.solve(visits_matrix, np.eye(len(number))[0])
    return dict(zip(names, (visits @ results).tolist(), strict=True))
