"""The rules in plain Python, slow and obvious: lists, loops and words, no bits and no tables.

It shares no code with the package, and is what `Position` and the kernels are held against. A state
is a board of letters and everything else that a game remembers:

    cells are numbered row by row, layer by layer; Ultimate numbers its mini boards row by row, and
    then the cells of each; moves that wait are cell + cells · ticks.
"""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

MINI_LINES = [
    *([0, 1, 2], [3, 4, 5], [6, 7, 8]),
    *([0, 3, 6], [1, 4, 7], [2, 5, 8]),
    *([0, 4, 8], [2, 4, 6]),
]


class State(NamedTuple):
    """One moment of a game."""

    board: tuple[str, ...]  # "X", "O" or "." for each cell
    turn: str
    tick: int = 0
    result: str | None = None  # "X", "O", "draw"
    forced: int | None = None  # Ultimate: the mini board to play in, None for anywhere
    owners: tuple[str, ...] = ()  # Ultimate: who won each mini board


@dataclass
class Risks:
    """One number for all cells, or a list with one for each."""

    flip: float | list[float] = 0.0
    fizzle: float | list[float] = 0.0
    fade: float | list[float] = 0.0
    hazard: float | list[float] = 0.0
    limit: float | None = None
    turn_limit: float | None = None
    ticks: int = 100

    def of(self, name: str, cell: int) -> float:
        value = getattr(self, name)
        return value[cell] if isinstance(value, list) else value

    def time_of_tick(self) -> float:
        whole = self.limit if self.limit is not None else self.turn_limit
        return 0.0 if whole is None else whole / self.ticks

    def allowed_waits(self, tick: int) -> list[int]:
        """How many ticks the player on turn may let pass before he plays."""
        waits = [0]
        if self.limit is None and self.turn_limit is None:
            return waits
        while True:
            wait = waits[-1] + 1
            is_past_game = self.limit is not None and tick + wait > self.ticks
            too_long = wait * self.time_of_tick()
            is_past_turn = self.turn_limit is not None and too_long > self.turn_limit + 1e-9
            if is_past_game or is_past_turn:
                return waits
            waits.append(wait)

    def marks(self, cell: int, tick: int, turn: str) -> list[tuple[float, str]]:
        """(probability, what lands): a letter, or "." for nothing."""
        time = tick * self.time_of_tick()
        flip, fizzle = self.of("flip", cell), self.of("fizzle", cell)
        own = (1.0 - flip - fizzle) * math.exp(-self.of("hazard", cell) * time)
        found = [(own, turn), (1.0 - fizzle - own, opponent(turn)), (fizzle, ".")]
        return [(p, mark) for p, mark in found if p > 1e-12]


def opponent(mark: str) -> str:
    return {"X": "O", "O": "X"}[mark]


@dataclass
class Reference:
    """What line games and Ultimate have in common: turns, clocks and chances."""

    risks: Risks = field(default_factory=Risks)

    def start(self) -> State:
        raise NotImplementedError

    def open_cells(self, state: State) -> list[int]:
        raise NotImplementedError

    def land(self, state: State, cell: int, mark: str) -> State:
        """After this mark, or nothing, landed on a cell; the turn has passed."""
        raise NotImplementedError

    def fading_cells(self, state: State) -> list[int]:
        raise NotImplementedError

    def fade(self, state: State, cells: list[int], last: int) -> State:
        """After these cells emptied; `last` is the cell that was played."""
        raise NotImplementedError

    def moves(self, state: State) -> list[int]:
        if state.result is not None:
            return []
        waits = self.risks.allowed_waits(state.tick)
        cells = self.open_cells(state)
        return [cell + len(state.board) * wait for wait in waits for cell in cells]

    def wait_and_land(self, state: State, move: int, mark: str) -> State:
        wait, cell = divmod(move, len(state.board))
        return self.land(state._replace(tick=state.tick + wait), cell, mark)

    def landings(self, state: State, move: int) -> Iterator[tuple[float, State]]:
        """Everything that may come of a move; a state can come up more than once."""
        wait, cell = divmod(move, len(state.board))
        for chance, mark in self.risks.marks(cell, state.tick + wait, state.turn):
            landed = self.wait_and_land(state, move, mark)
            fading = self.fading_cells(landed)
            for size in range(len(fading) + 1):
                for faded in itertools.combinations(fading, size):
                    p = chance
                    for other in fading:
                        q = self.risks.of("fade", other)
                        p *= q if other in faded else 1.0 - q
                    if p > 0.0:
                        yield p, self.fade(landed, list(faded), cell)


@dataclass
class Lines(Reference):
    """k in a row on rows × columns × layers."""

    rows: int = 3
    columns: int = 3
    layers: int = 1
    k: int = 3
    is_misere: bool = False

    def __post_init__(self) -> None:
        self.places = []  # of each cell
        for layer in range(self.layers):
            for row in range(self.rows):
                for column in range(self.columns):
                    self.places.append((layer, row, column))
        self.cell_of = {place: cell for cell, place in enumerate(self.places)}
        steps = itertools.product((-1, 0, 1), repeat=3)
        self.directions = [step for step in steps if step > (0, 0, 0)]  # one of each opposite pair

    def start(self) -> State:
        return State(tuple("." * len(self.places)), "X")

    def open_cells(self, state: State) -> list[int]:
        return [cell for cell, letter in enumerate(state.board) if letter == "."]

    def has_line(self, board: tuple[str, ...], mark: str) -> bool:
        for cell, (layer, row, column) in enumerate(self.places):
            if board[cell] != mark:
                continue
            for d_layer, d_row, d_column in self.directions:
                length = 1
                while length < self.k:
                    place = (
                        layer + length * d_layer,
                        row + length * d_row,
                        column + length * d_column,
                    )
                    if place not in self.cell_of or board[self.cell_of[place]] != mark:
                        break
                    length += 1
                if length == self.k:
                    return True
        return False

    def land(self, state: State, cell: int, mark: str) -> State:
        board = list(state.board)
        assert board[cell] == "."
        board[cell] = mark
        after = tuple(board)
        result = None
        if mark != "." and self.has_line(after, mark):
            result = opponent(mark) if self.is_misere else mark
        elif "." not in after:
            result = "draw"
        return state._replace(board=after, turn=opponent(state.turn), result=result)

    def fading_cells(self, state: State) -> list[int]:
        if state.result is not None:
            return []
        return [
            cell
            for cell, letter in enumerate(state.board)
            if letter != "." and self.risks.of("fade", cell) > 0.0
        ]

    def fade(self, state: State, cells: list[int], last: int) -> State:
        board = list(state.board)
        for cell in cells:
            board[cell] = "."
        return state._replace(board=tuple(board))


@dataclass
class Ultimate(Reference):
    """Nine mini boards; the cell you play names the next one."""

    won: str = "closed"
    tiebreak: str = "draw"

    def start(self) -> State:
        return State(tuple("." * 81), "X", owners=tuple("." * 9))

    def takes_marks(self, state: State, mini: int) -> bool:
        if self.won == "closed" and state.owners[mini] != ".":
            return False
        return "." in state.board[9 * mini : 9 * mini + 9]

    def open_cells(self, state: State) -> list[int]:
        found = []
        for mini in range(9):
            if state.forced not in (None, mini) or not self.takes_marks(state, mini):
                continue
            for cell in range(9):
                if state.board[9 * mini + cell] == ".":
                    found.append(9 * mini + cell)
        return found

    def land(self, state: State, cell: int, mark: str) -> State:
        mini = cell // 9
        assert state.board[cell] == "."
        board, owners = list(state.board), list(state.owners)
        board[cell] = mark
        if mark != "." and owners[mini] == "." and three(board[9 * mini : 9 * mini + 9], mark):
            owners[mini] = mark
        after = State(tuple(board), opponent(state.turn), state.tick, None, None, tuple(owners))
        result = self.result_of(after)
        if result is not None:
            return after._replace(result=result)
        return after._replace(forced=self.sent_to(after, cell))

    def sent_to(self, state: State, cell: int) -> int | None:
        return cell % 9 if self.takes_marks(state, cell % 9) else None

    def result_of(self, state: State) -> str | None:
        for mark in ("X", "O"):
            if three(list(state.owners), mark):
                return mark
        for mini in range(9):
            if self.takes_marks(state, mini):
                return None
        x_won, o_won = state.owners.count("X"), state.owners.count("O")
        if self.tiebreak == "draw" or x_won == o_won:
            return "draw"
        return "X" if x_won > o_won else "O"

    def fading_cells(self, state: State) -> list[int]:
        if state.result is not None:
            return []
        return [
            cell
            for cell, letter in enumerate(state.board)
            if letter != "."
            and state.owners[cell // 9] == "."
            and self.risks.of("fade", cell) > 0.0
        ]

    def fade(self, state: State, cells: list[int], last: int) -> State:
        board = list(state.board)
        for cell in cells:
            board[cell] = "."
        after = state._replace(board=tuple(board))
        if not cells:
            return after
        return after._replace(forced=self.sent_to(after, last))


def three(letters: list[str], mark: str) -> bool:
    return any([letters[cell] for cell in line] == [mark, mark, mark] for line in MINI_LINES)


def perft(rules: Reference, depth: int, state: State | None = None) -> int:
    """How many sequences of `depth` moves there are when each lands as meant."""
    if state is None:
        state = rules.start()
    if depth == 0:
        return 1
    if state.result is not None:
        return 0
    cells = rules.open_cells(state)
    if depth == 1:
        return len(cells)
    return sum(perft(rules, depth - 1, rules.land(state, c, state.turn)) for c in cells)


def random_play(rules: Reference, start: State, tolerance: float = 1e-9) -> dict[str, float]:
    """The odds of each result, and the mean number of "turns", when both sides move at random.

    The probability of every state is carried forward turn by turn until next to none is left in
    running games.
    """
    odds = {"X": 0.0, "O": 0.0, "draw": 0.0, "turns": 0.0}
    running = {start: 1.0}
    while sum(running.values()) > tolerance:
        following: dict[State, float] = {}
        for state, weight in running.items():
            odds["turns"] += weight
            moves = rules.moves(state)
            for move in moves:
                for p, after in rules.landings(state, move):
                    share = weight * p / len(moves)
                    if after.result is not None:
                        odds[after.result] += share
                    else:
                        following[after] = following.get(after, 0.0) + share
        running = following
    return odds
