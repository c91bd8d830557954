"""Position and the kernels against the plain-Python rules, on more than 100,000 random positions.

Every case is stated twice: as a spec for the package, and in the words of `reference.py`. Random
games are played on both sides at once, with landings drawn evenly so that the rare ones come up,
and after every move everything that can be seen is compared.
"""

import math
import random
from dataclasses import dataclass, replace

import numpy as np
import pytest
import reference
from reference import Lines, Reference, Risks, State, Ultimate

import noughts
from noughts.games import LinePosition, UltimatePosition
from noughts.kernels.rules import lines as line_kernels
from noughts.kernels.rules import protocol
from noughts.kernels.rules import ultimate as ultimate_kernels

LETTERS = ".XO"
RESULTS = {0: None, 1: "X", 2: "O", -1: "draw"}  # as kernels number them
VECTOR = [0.9, 0.3, 0.5, 0.2, 0.95, 0.7, 0.6, 0.45, 0.1]
SLASHED = "/".join(map(str, VECTOR))
FADING = [0.5 if cell in (0, 13, 40) else 0.0 for cell in range(81)]


@dataclass
class Case:
    spec: str
    rules: Reference
    positions: int


CASES = [
    Case("3x3", Lines(), 8_000),
    Case("3x3:misere", Lines(is_misere=True), 8_000),
    Case("1x1", Lines(rows=1, columns=1, k=1), 200),
    Case("2x2", Lines(rows=2, columns=2, k=2), 1_000),
    Case("4x4", Lines(rows=4, columns=4, k=4), 8_000),
    Case("4x4:k=3", Lines(rows=4, columns=4, k=3), 8_000),
    Case("2x7:k=5", Lines(rows=2, columns=7, k=5), 4_000),
    Case("5x3", Lines(rows=5, columns=3, k=3), 4_000),
    Case("6x5:k=4", Lines(rows=6, columns=5, k=4), 5_000),
    Case("15x15:k=5", Lines(rows=15, columns=15, k=5), 1_500),
    Case("20x20:k=20", Lines(rows=20, columns=20, k=20), 500),
    Case("3x3x3", Lines(layers=3), 6_000),
    Case("2x4x3:k=2,misere", Lines(rows=2, columns=4, layers=3, k=2, is_misere=True), 2_000),
    Case("qubic", Lines(rows=4, columns=4, layers=4, k=4), 4_000),
    Case(f"3x3:flip={SLASHED}", Lines(Risks(flip=VECTOR)), 4_000),
    Case("4x4:flip=0.1,fizzle=0.2", Lines(Risks(0.1, 0.2), rows=4, columns=4, k=4), 4_000),
    Case("3x3:fade=0.2", Lines(Risks(fade=0.2)), 5_000),
    Case("3x3x3:fade=0.1,flip=0.3", Lines(Risks(flip=0.3, fade=0.1), layers=3), 3_000),
    Case(
        "3x3:hazard=0.4,limit=3,ticks=5,turn_limit=1.2",
        Lines(Risks(hazard=0.4, limit=3, ticks=5, turn_limit=1.2)),
        3_000,
    ),
    Case("ultimate", Ultimate(), 9_000),
    Case("ultimate:won=open", Ultimate(won="open"), 6_000),
    Case("ultimate:tiebreak=boards", Ultimate(tiebreak="boards"), 4_000),
    Case(
        "ultimate:won=open,tiebreak=boards,flip=0.3,fizzle=0.2",
        Ultimate(Risks(0.3, 0.2), won="open", tiebreak="boards"),
        4_000,
    ),
    Case("ultimate:fade=0.02", Ultimate(Risks(fade=0.02)), 3_000),
    Case("ultimate:won=open,fade=0.02", Ultimate(Risks(fade=0.02), won="open"), 2_000),
    Case(
        "ultimate:flip=0.2,hazard=0.1,turn_limit=2,ticks=3",
        Ultimate(Risks(flip=0.2, hazard=0.1, turn_limit=2, ticks=3)),
        1_500,
    ),
]
IDS = [case.spec for case in CASES]


def test_there_are_enough_positions() -> None:
    assert sum(case.positions for case in CASES) >= 100_000


def agree(position: noughts.Position, state: State, rules: Reference) -> None:
    """Everything that a position shows is what the reference says."""
    assert position.board == "".join(state.board)
    assert (position.turn, position.result, position.tick) == (
        state.turn,
        state.result,
        state.tick,
    )
    assert list(position.moves) == rules.moves(state)
    if isinstance(position, UltimatePosition):
        assert position.owners == "".join(state.owners)
        assert position.forced == (9 if state.forced is None else state.forced)


class LineMirror:
    """A board that only the kernels touch."""

    def __init__(self, position: LinePosition) -> None:
        self.rules = position.game.rules
        self.state = protocol.new(self.rules)
        self.board, self.counts = self.state.board, self.state.counts
        self.board[:] = [".XOTS".index(letter) for letter in position.board]
        line_kernels.fill_counts(self.rules, self.board, self.counts)

    def play(self, cell: int, mark: str, faded: list[int], after: State) -> None:
        if mark != ".":
            number = LETTERS.index(mark)
            completed = line_kernels.place(self.rules, self.state, cell, number)
            assert completed == (after.result in ("X", "O"))
        for other in faded:
            line_kernels.unplace(self.rules, self.board, self.counts, other)

    def agrees(self, state: State) -> None:
        assert "".join(LETTERS[i] for i in self.board) == "".join(state.board)
        counts = np.full_like(self.counts, 99)
        line_kernels.fill_counts(self.rules, self.board, counts)
        assert np.array_equal(counts, self.counts)
        left = state.board.count(".")
        result = line_kernels.find_result(self.rules, self.counts, left)
        assert RESULTS[result] == state.result


class UltimateMirror:
    """Likewise for Ultimate. Fading is part of the playout kernel, so here it is done by hand."""

    def __init__(self, position: UltimatePosition) -> None:
        self.rules = position.game.rules
        row = np.array(position.to_row())
        self.marks, self.owners = row[:18].reshape(2, 9), row[18:20]
        self.forced = position.forced

    def play(self, cell: int, mark: str, faded: list[int], after: State) -> None:
        mini, inner = divmod(cell, 9)
        if mark != ".":
            number = LETTERS.index(mark)
            won = ultimate_kernels.place(self.rules, self.marks, self.owners, mini, inner, number)
            assert won == (reference.three(list(after.owners), mark))
        for other in faded:
            self.marks[:, other // 9] &= ~(1 << other % 9)
        self.forced = ultimate_kernels.forced_by(self.rules, self.marks, self.owners, inner)

    def agrees(self, state: State) -> None:
        result = ultimate_kernels.find_result(self.rules, self.marks, self.owners)
        assert RESULTS[result] == state.result
        if state.result is None:
            assert self.forced == (9 if state.forced is None else state.forced)
            assert self.open_cells() == self.rules_cells(state)

    def open_cells(self) -> list[int]:
        minis = range(9) if self.forced == 9 else [self.forced]
        free = [ultimate_kernels.free_cells(self.rules, self.marks, self.owners, m) for m in minis]
        return [
            9 * mini + cell
            for mini, mask in zip(minis, free, strict=True)
            for cell in range(9)
            if mask >> cell & 1
        ]

    def rules_cells(self, state: State) -> list[int]:
        plain = Ultimate(won="open" if self.rules.plays_on else "closed")
        return plain.open_cells(state)


def mirror_of(position: noughts.Position) -> LineMirror | UltimateMirror:
    if isinstance(position, LinePosition):
        return LineMirror(position)
    assert isinstance(position, UltimatePosition)
    return UltimateMirror(position)


def full_minis(fading: list[int]) -> list[int]:
    """Mini boards that are full and not won; to be sent there is rare, so moves look for it."""
    return [mini for mini in range(9) if sum(cell // 9 == mini for cell in fading) == 9]


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_random_games_agree(case: Case) -> None:
    rng = random.Random(case.spec)
    start, rules = noughts.game(case.spec).start(), case.rules
    seen, turns = 0, 0
    while seen < case.positions:
        if turns == 0:
            position, state, mirror = start, rules.start(), mirror_of(start)
            rate = rng.choice((0.0, 0.001, 0.1))  # with few fades mini boards fill and are won
        agree(position, state, rules)
        mirror.agrees(state)
        seen += 1
        turns += 1
        if state.result is not None or turns > 1.3 * len(state.board):
            turns = 0
            continue
        full = full_minis(rules.fading_cells(state))
        pointing = [move for move in position.moves if move % 9 in full]
        move = rng.choice(pointing or position.moves)
        cell = move % len(state.board)
        chances = rules.risks.marks(cell, state.tick + move // len(state.board), state.turn)
        mark = rng.choice(chances)[1]
        state = rules.wait_and_land(state, move, mark)
        fading = rules.fading_cells(state)
        faded = [other for other in fading if rng.random() < rate]
        if pointing and fading and rng.random() < 0.5:  # the full mini board opens again
            faded = [other for other in fading if other // 9 == cell % 9][:1]
        if faded:
            state = rules.fade(state, faded, cell)
        landing = noughts.Landing(None if mark == "." else mark, tuple(faded))
        lasting = [other for other in range(len(state.board)) if other not in fading]
        if rng.random() < 0.1 and lasting:
            with pytest.raises(noughts.IllegalMove, match="cannot fade"):
                position.play(move, landing._replace(faded=(rng.choice(lasting),)))
        position = position.play(move, landing)
        mirror.play(cell, mark, faded, state)


def key_of(position: noughts.Position) -> State:
    """A position in the words of the reference."""
    state = State(tuple(position.board), position.turn, position.tick, position.result)
    if isinstance(position, UltimatePosition):
        forced = None if position.forced == 9 else position.forced
        return state._replace(forced=forced, owners=tuple(position.owners))
    return state


@pytest.mark.parametrize(
    "case", [c for c in CASES if c.rules.risks != Risks()], ids=lambda c: c.spec
)
def test_landing_probabilities_agree(case: Case) -> None:
    rng = np.random.default_rng(5)
    position = noughts.game(case.spec).start()
    for _ in range(60):
        if position.result is not None or position.game.cells - position.board.count(".") > 6:
            position = position.game.start()
        move = int(rng.choice(position.moves))
        expected: dict[State, float] = {}
        for p, after in case.rules.landings(key_of(position), move):
            expected[after] = expected.get(after, 0.0) + p
        found = {key_of(after): p for p, after in position.landings(move)}
        assert found == pytest.approx(expected, abs=1e-12)
        position = position.sample(move, rng)[1]


RANDOM_PLAY = [
    ("3x3", Lines()),
    ("3x3:misere", Lines(is_misere=True)),
    ("2x3:k=3", Lines(rows=2, columns=3, k=3)),
    (f"3x3:flip={SLASHED}", Lines(Risks(flip=VECTOR))),
    ("2x3:k=3,flip=0.2,fizzle=0.3", Lines(Risks(0.2, 0.3), rows=2, columns=3, k=3)),
    ("1x4:k=3,fade=0.25", Lines(Risks(fade=0.25), rows=1, columns=4, k=3)),
    (
        "2x2:flip=0.1,fizzle=0.2,hazard=0.7,limit=2,ticks=3",
        Lines(Risks(0.1, 0.2, hazard=0.7, limit=2, ticks=3), rows=2, columns=2, k=2),
    ),
    (
        "1x3:k=2,hazard=0.7,turn_limit=2,ticks=2,fade=0.1",
        Lines(Risks(hazard=0.7, turn_limit=2, ticks=2, fade=0.1), rows=1, columns=3, k=2),
    ),
]


def assert_playouts_follow(position: noughts.Position, rules: Reference) -> dict[str, float]:
    """The kernel's tally is within five standard errors of the exact odds, which are returned."""
    games = 100_000
    exact = reference.random_play(rules, key_of(position), tolerance=1e-7)
    tally = noughts.playouts(position, games, seed=11)
    assert tally.games == games
    for found, result in ((tally.x, "X"), (tally.o, "O"), (tally.draws, "draw")):
        p = min(exact[result], 1.0)
        assert abs(found / games - p) <= 5 * math.sqrt(p * (1 - p) / games) + 1e-6
    assert tally.turns / games == pytest.approx(exact["turns"], rel=0.01)
    return exact


@pytest.mark.parametrize(("spec", "rules"), RANDOM_PLAY, ids=[spec for spec, _ in RANDOM_PLAY])
def test_playouts_follow_the_exact_odds(spec: str, rules: Reference) -> None:
    exact = assert_playouts_follow(noughts.game(spec).start(), rules)
    assert 0.0 < exact["X"] < 1.0


def can_open_again(position: UltimatePosition) -> bool:
    """Is some mini board full, not won, and one of its marks may fade?"""
    return any(
        position.owners[mini] == "."
        and position.free_cells(mini) == 0
        and any(position.game.risk.fade[9 * mini : 9 * mini + 9])
        for mini in range(9)
    )


def late_positions(start: noughts.Position, free: int, count: int) -> list[noughts.Position]:
    """Running positions of random games in which only a few cells still take a mark."""
    rng = np.random.default_rng(2)
    found: list[noughts.Position] = []
    while len(found) < count:
        position = start
        while position.result is None:
            assert isinstance(position, UltimatePosition)
            if sum(position.free_cells(mini).bit_count() for mini in range(9)) <= free:
                if not position.game.risk.fades or can_open_again(position):
                    found.append(position)
                break
            position = position.play(int(rng.choice(position.moves)))
    return found


@pytest.mark.parametrize(
    ("spec", "rules", "free"),
    [
        ("ultimate", Ultimate(), 9),
        ("ultimate:won=open", Ultimate(won="open"), 9),
        ("ultimate:tiebreak=boards", Ultimate(tiebreak="boards"), 9),
        ("ultimate:flip=0.3,fizzle=0.2", Ultimate(Risks(0.3, 0.2)), 5),
        (f"ultimate:fade={'/'.join(map(str, FADING))}", Ultimate(Risks(fade=FADING)), 5),
    ],
    ids=["closed", "open", "boards", "risky", "fading"],
)
def test_ultimate_playouts_follow_the_exact_odds(spec: str, rules: Ultimate, free: int) -> None:
    mixed = set()
    for position in late_positions(noughts.game(spec).start(), free, 6):
        exact = assert_playouts_follow(position, rules)
        mixed |= {result for result in ("X", "O", "draw") if 0.01 < exact[result] < 0.99}
    assert len(mixed) >= 2, "these positions would show too little"


def test_random_play_of_the_plain_game_is_what_is_published() -> None:
    """131,184, 77,904 and 46,080 of the 255,168 games, weighted by the choices along each."""
    exact = reference.random_play(Lines(), Lines().start())
    assert exact["X"] == pytest.approx(737 / 1260)
    assert exact["O"] == pytest.approx(121 / 420)
    assert exact["draw"] == pytest.approx(8 / 63)


def test_playouts_do_not_depend_on_threads() -> None:
    one = noughts.playouts("4x4:flip=0.1", 200_000, seed=3, threads=1)
    assert one == noughts.playouts("4x4:flip=0.1", 200_000, seed=3, threads=2)
    assert one != noughts.playouts("4x4:flip=0.1", 200_000, seed=4)


def test_a_game_that_cannot_end_is_a_draw() -> None:
    tally = noughts.playouts("3x3:fizzle=1", 3)
    assert (tally.draws, tally.turns) == (3, 30_000)


def test_playouts_and_perft_refuse_nonsense() -> None:
    over = noughts.game("3x3").parse("XXX/OO./... O to move")
    with pytest.raises(noughts.NoughtsError, match="game is over"):
        noughts.playouts(over, 10)
    with pytest.raises(noughts.NoughtsError, match="games=-1 is not a whole number of at least 0"):
        noughts.playouts("3x3", -1)
    with pytest.raises(noughts.NoughtsError, match="depth=-1 is not a whole number of at least 0"):
        noughts.perft("3x3", -1)
    assert noughts.playouts("3x3", 0) == noughts.Tally(0, 0, 0, 0)
    assert noughts.perft(over, 1) == 0
    assert noughts.perft(replace(over), 0) == 1
