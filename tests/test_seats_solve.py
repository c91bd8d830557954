"""Exact solutions of games of more than two players."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from seats_solved import Reference, state_of, worth_of

import noughts
from noughts.agents import check_player
from noughts.errors import NoughtsError, ParseError
from noughts.games.game import Position
from noughts.solve.policies import reachable
from noughts.solve.seats.exact import sweep_blocks, sweep_compiled
from noughts.solve.seats.kingmaking import favoured_odds
from noughts.solve.seats.limits import board_count

# Small boards x risks x players; a clock's moves are a cell and a wait.
SPECS = (
    "1x4:k=2,players=3",
    "1x5:k=2,players=4",
    "2x2:k=2,players=3,flip=0.3",
    "2x3:k=2,players=3",
    "1x5:k=3,players=3,flip=0.1/0.2/0/0.9/0.5",
    "2x2:players=4",
    "2x2:players=4,flip=0.25/0.5/0.125/1",
    "1x4:k=3,players=3,fizzle=0.25",
    "1x4:k=2,players=3,flip=0.3/0.1/0/0.6,fizzle=0.2",
    "1x3:k=2,players=4,fizzle=0.5,flip=0.25",
    "1x3:k=2,players=3,hazard=0.5/0.1/1,limit=2,ticks=3",
    "1x4:k=2,players=3,hazard=0.4,limit=2,turn_limit=1,ticks=4",
    "1x3:k=2,players=4,hazard=0.5/0.1/1,turn_limit=1,ticks=2",
    "2x2:players=3,flip=0.2,hazard=0.7/0/0.1/2,limit=1,ticks=2",
)
RINGS = (
    "1x3:k=2,players=3,fizzle=0.3/0.9/0.1",
    "1x4:k=2,players=3,fizzle=0.69/0.69/0.5/0",
    "1x3:k=2,players=4,fizzle=0.3/0.9/0.1,flip=0.2/0.1/0.9",
    "2x2:players=3,fizzle=1/0.5/0.25/0,flip=0/0.5/0/1",
    "1x3:k=2,players=3,fizzle=1/1/0.5",
    "1x3:k=2,players=3,fizzle=1/1/1",
)


def some_positions(game, count=25):  # type: ignore[no-untyped-def]
    """Positions of random play, ended ones and turns that do not follow from the count too."""
    rng, found = np.random.default_rng(7), []
    while len(found) < count:
        position = game.start()
        for _ in range(12):  # where turns are surely lost a game need not end
            if position.result is not None:
                break
            found.append(position)
            odd = game.marks[int(rng.integers(game.seats))]
            data = {"board": position.board, "turn": odd, "tick": position.tick}
            found.append(game.position_from_dict(data))
            _, position = position.sample(int(rng.choice(position.moves)), rng)
        found.append(position)
    return found


@pytest.mark.parametrize("ties", ["lowest", "uniform"])
@pytest.mark.parametrize("spec", SPECS)
def test_sweep_is_the_plain_recursion_in_fractions(spec: str, ties: str) -> None:
    game = noughts.game(spec)
    solution, exact = noughts.solve(game, ties=ties), Reference(game, ties)
    for position in some_positions(game):
        wins = exact.wins(state_of(position))
        assert solution.odds(position).wins == pytest.approx([float(w) for w in wins], abs=1e-12)
        worth = [float(worth_of(wins, seat)) for seat in range(game.seats)]
        assert solution.worth(position) == pytest.approx(worth, abs=1e-12)
        sure = [float(exact.guarantee(state_of(position), seat)) for seat in range(game.seats)]
        assert solution.guarantee(position) == pytest.approx(sure, abs=1e-12)
        assert abs(sum(solution.worth(position))) < 1e-12


@pytest.mark.parametrize("spec", RINGS)
def test_guarantees_where_turns_are_lost(spec: str) -> None:
    game = noughts.game(spec)
    solution, exact = noughts.solve(game), Reference(game, number=float)
    for position in some_positions(game, 25):
        sure = [float(exact.guarantee(state_of(position), seat)) for seat in range(game.seats)]
        assert solution.guarantee(position) == pytest.approx(sure, abs=1e-12)


def test_what_stands_in_the_books() -> None:
    for ties in ("lowest", "uniform"):
        solution = noughts.solve("3x3:players=3", ties=ties)
        start = solution.game.start()
        assert tuple(solution.odds(start)) == (0.0, 0.0, 0.0, 1.0)
        assert solution.guarantee(start) == (0.0, 0.0, 0.0)
        assert solution.running_boards == 173_098
    risky = noughts.solve("3x3:players=3,flip=0.1")
    start = risky.game.start()
    odds = (0.114627623470703, 0.0802855310351563, 0.0453542725664063, 0.759732572927735)
    assert tuple(risky.odds(start)) == pytest.approx(odds, abs=1e-14)
    sure = (-0.028928888078125, -0.109992725025391, -0.156402545611328)
    assert risky.guarantee(start) == pytest.approx(sure, abs=1e-14)


@pytest.mark.parametrize(
    "spec",
    [
        "1x3:k=2,players=3,fade=0.2",
        "1x3:k=2,players=4,fade=0.1/0.3/0,flip=0.2",
        "1x3:k=2,players=3,fade=0.2,fizzle=0.3/0.1/0.2",
        "1x3:k=2,players=3,fade=0.2,hazard=0.3,limit=1,ticks=2",
    ],
)
def test_guarantees_where_marks_fade(spec: str) -> None:
    """Against plain iteration over positions, and what is said of an equilibrium."""
    game = noughts.game(spec)
    solution = noughts.solve(game)
    assert 0.0 < solution.bound <= 1e-10
    for position in reachable(game):
        for seat in range(game.seats):
            values = []
            for move in position.moves:
                after = [(p, solution.guarantee(one)[seat]) for p, one in position.landings(move)]
                values.append(sum(p * value for p, value in after))
            pick = max if game.marks[seat] == position.turn else min
            assert solution.guarantee(position)[seat] == pytest.approx(pick(values), abs=1e-9)
    with pytest.raises(NoughtsError, match="no equilibrium is computed"):
        solution.worth(game.start())
    with pytest.raises(NoughtsError, match="no equilibrium is computed"):
        check_player(noughts.agent("optimal"), game)


def test_files_round_trip_and_tell_their_kind(tmp_path: Path) -> None:
    solution = noughts.solve("2x3:k=2,players=3,flip=0.1", ties="uniform")
    solution.save(tmp_path / "three.noughts")
    again = noughts.Solution.load(tmp_path / "three.noughts")
    start = solution.game.start()
    assert (again.game, again.ties) == (solution.game, "uniform")
    assert again.worth(start) == solution.worth(start)
    assert again.guarantee(start) == solution.guarantee(start)
    two = noughts.solve("2x2")
    two.save(tmp_path / "two.noughts")
    assert noughts.Solution.load(tmp_path / "two.noughts").worth(two.game.start()) == (1.0, -1.0)
    damaged = bytearray((tmp_path / "three.noughts").read_bytes())
    damaged[-1] ^= 1
    (tmp_path / "damaged.noughts").write_bytes(damaged)
    with pytest.raises(ParseError, match="damaged"):
        noughts.Solution.load(tmp_path / "damaged.noughts")


@pytest.mark.parametrize(
    ("spec", "words", "named"),
    [
        ("4x4:players=3", {}, "up to 15"),
        ("3x5:players=4", {}, "up to 13"),
        ("3x5:k=3,players=3,hazard=1,limit=1,ticks=9999", {}, "needs .* GB"),
        ("3x3:players=3", {"method": "value-iteration"}, "method=value-iteration is for two"),
        ("3x3:players=3", {"dtype": "float32"}, "dtype=float32 is for two"),
        ("3x3:players=3", {"ties": "highest"}, "ties=highest is not known"),
        ("2x2:players=3,fizzle=0.1,hazard=1,turn_limit=1", {}, "never stops"),
    ],
)
def test_refused_solves(spec: str, words: dict[str, str], named: str) -> None:
    with pytest.raises(NoughtsError, match=named):
        noughts.solve(spec, **words)


def test_optimal_plays_exactly_its_tie_rule() -> None:
    """On a board where X can win at once and later, nothing prefers the quick win."""
    game = noughts.game("1x5:k=2,players=3")
    position = game.parse("..XOT X to move")
    lowest, uniform = noughts.agent("optimal"), noughts.agent("optimal:ties=uniform")
    solution = noughts.solve(game)
    assert lowest.choose(position, np.random.default_rng(0)) == solution.best(position)
    tied = noughts.solve(game, ties="uniform").best_moves(position)
    drawn = {uniform.choose(position, np.random.default_rng(seed)) for seed in range(40)}
    assert drawn == set(tied)
    assert lowest.values(position)[solution.best(position)] == solution.worth(position)[0]
    assert uniform.last is not None
    assert uniform.last.is_exact


def test_what_is_known_holds_in_every_equilibrium() -> None:
    game = noughts.game("2x3:k=3,players=3,flip=0.25")
    solutions = [noughts.solve(game, ties=ties) for ties in ("lowest", "uniform")]
    for position in some_positions(game):
        known = noughts.known(position)
        assert known is not None
        for solution in solutions:
            assert known.low - 1e-12 <= solution.worth(position)[0] <= known.high + 1e-12
            for move, worth in solution.values(position).items():
                told = noughts.known_moves(position)[move]
                assert told.low - 1e-12 <= worth[0] <= told.high + 1e-12
    won = noughts.game("3x3:players=3").parse("XX./O.O/TTT")
    assert noughts.known(won) == noughts.Known(-0.5, -0.5, 0, "ended")
    assert noughts.known(noughts.game("4x4:players=3").start()) is None


@pytest.mark.parametrize("is_for", [True, False])
@pytest.mark.parametrize("spec", ["1x6:k=2,players=3", "2x2:players=4,flip=0.25/0.5/0/1"])
def test_kingmaking_is_the_plain_recursion(spec: str, is_for: bool) -> None:
    game = noughts.game(spec)
    sign = 1 if is_for else -1
    for favoured, seat in enumerate(game.marks):

        @cache
        def wins(position: Position, favoured: int = favoured) -> tuple[float, ...]:
            if position.result is not None:
                return tuple(float(mark == position.result) for mark in game.marks)
            mover, rows = game.marks.index(position.mover), []
            for move in position.moves:
                after = [(p, wins(one)) for p, one in position.landings(move)]
                rows.append(tuple(sum(p * w[i] for p, w in after) for i in range(game.seats)))
            best = max(worth_of(row, mover) for row in rows)
            tied = [row for row in rows if worth_of(row, mover) >= best - 1e-12]
            liked = max(sign * worth_of(row, favoured) for row in tied)
            return next(row for row in tied if sign * worth_of(row, favoured) >= liked - 1e-12)

        found = favoured_odds(game, seat, is_for)
        assert found.wins == pytest.approx(wins(game.start()), abs=1e-12)


def test_kingmaking_is_refused_where_turns_are_lost() -> None:
    with pytest.raises(NoughtsError, match="lost turns"):
        favoured_odds(noughts.game("2x2:players=3,fizzle=0.1"), "X", True)


@pytest.mark.parametrize("ties", ["lowest", "uniform"])
@pytest.mark.parametrize(
    "spec", ["2x3:k=2,players=3", "2x3:k=3,players=3,flip=0.1/0.2/0/0.9/0.5/1", "1x6:k=2,players=4"]
)
def test_the_kernel_of_large_tables_is_numpy_board_by_board(spec: str, ties: str) -> None:
    game = noughts.game(spec)
    shape = (1, board_count(game), game.seats)
    plain, fast = [np.zeros(shape), np.zeros(shape)], [np.zeros(shape), np.zeros(shape)]
    assert sweep_compiled(game, ties, *fast) == sweep_blocks(game, ties, *plain)
    for ours, theirs in zip(fast, plain, strict=True):
        assert np.abs(ours - theirs).max() <= 1e-14
    alone = np.zeros(shape)
    sweep_compiled(game, ties, alone, None)
    assert np.array_equal(alone, fast[0])
