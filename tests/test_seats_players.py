"""Players of games for more than two: maxⁿ and UCT against plain recursion, and who refuses."""

import math

import numpy as np
import pytest
from seats_reference import equilibrium, guarantee, move_worths, tied_moves
from toy_family import CELLS, ToyRules, plain_moves, plain_result, plain_worth

import noughts
from noughts.agents import check_player
from noughts.effort import choosing
from noughts.errors import NoughtsError
from noughts.games.game import Position
from noughts.kernels.rules import protocol
from noughts.kernels.rules.codes import RUNNING
from noughts.kernels.search import maxn
from noughts.search.engines.maxn import MaxnEngine

RISKY = "3x3:players=3,flip=0.1"


def drawn_positions(spec: str, count: int, seed: int, empty: range) -> list[Position]:
    """Running positions of random games with so many empty cells."""
    rng, found = np.random.default_rng(seed), []
    while len(found) < count:
        position = noughts.game(spec).start()
        wanted = int(rng.choice(empty))
        while position.result is None and len(position.open_cells) > wanted:
            position = position.sample(int(rng.choice(position.moves)), rng)[1]
        if position.result is None:
            found.append(position)
    return found


@pytest.mark.parametrize("ties", ["lowest", "uniform"])
@pytest.mark.parametrize(
    "spec",
    [
        "2x3:k=2,players=3",
        "2x3:k=3,players=4,flip=0.3",
        "3x3:players=3,flip=0.2",
        "3x3:players=3,hazard=0.5,limit=1,ticks=1",
        "2x3:k=2",
    ],
)
def test_maxn_is_backward_induction(spec: str, ties: str) -> None:
    for position in drawn_positions(spec, 8, seed=1, empty=range(1, 5)):
        engine = MaxnEngine(position.game, 1, ties, playouts=0)
        answer = engine.look(position, position.game.cells)
        worths = move_worths(position, ties)
        assert answer.is_proven
        assert engine.tied == tied_moves(position, worths)
        assert answer.move == engine.tied[0]
        found, are_exact, _ = engine.worths_at(position, position.game.cells)
        assert are_exact
        for move, worth in worths.items():
            assert found[move] == pytest.approx(worth)
            assert sum(found[move]) == pytest.approx(0.0)


def test_cuts_spare_work_and_change_nothing() -> None:
    """Where every move of the root is wanted, none of them is cut; the best is the same."""
    position = noughts.game("3x3:k=2,players=3,flip=0.2").parse("X../.O./..T")
    cut, full = (MaxnEngine(position.game, 1, "uniform", 0) for _ in range(2))
    answer = cut.look(position, 6)
    worths, _, _ = full.worths_at(position, 6)
    assert cut.tied == tied_moves(position, worths)
    assert answer.value == pytest.approx(worths[answer.move][0])
    assert cut.nodes < full.nodes


def test_a_guess_is_not_called_exact_and_is_repeatable() -> None:
    position = noughts.game("3x3:players=3").start()
    shallow = noughts.agent("maxn:depth=2")
    first = shallow.choose(position, np.random.default_rng(1))
    value = shallow.last.value
    assert not shallow.last.is_exact
    shallow.reset()
    assert shallow.choose(position, np.random.default_rng(2)) == first
    assert shallow.last.value == value
    drawn = noughts.agent("maxn:depth=1,playouts=0")
    assert set(drawn.values(position).values()) == {0.0}


def test_maxn_on_a_family_that_is_unlike_ours() -> None:
    """Three seats, a toss, an extra turn, moves that are no cells."""
    rules = ToyRules(3, False)
    facts = protocol.facts(rules)
    start = ((0,) * CELLS, 0)
    for position in (start, ((0, 1, 0, 0, 2), 3), ((1, 0, 0, 1, 2), 1), ((0, 3, 3, 0, 2), 2)):
        assert plain_result(position) == RUNNING
        size, moves = 1 << 10, np.full((facts.moves, 3), np.nan)
        memory = maxn.Memory(
            np.zeros(size, np.uint64),
            np.zeros((size, 3)),
            np.zeros(size, np.int64),
            np.zeros(size, np.int64),
            np.zeros((size, facts.row_size), np.int32),
        )
        room = maxn.new_room(rules, facts, 20)
        task = maxn.Task(8, True, True, 0, 100, True)
        row = np.array([*position[0], position[1]], np.int32)
        counters = np.zeros(1, np.int64), np.zeros(1, np.int64)
        _, is_finished, is_guessed = maxn.search(
            rules, task, memory, room, protocol.new(rules), row, *counters, moves
        )
        assert is_finished
        assert not is_guessed
        assert room.values[0] == pytest.approx(plain_worth(rules, position))
        assert not np.isnan(moves[plain_moves(rules, position)]).any()


@pytest.mark.parametrize(
    "spec", ["3x3:players=3", "2x4:k=2,players=4", RISKY, "2x3:k=2,players=4,flip=0.3"]
)
def test_alphabeta_is_sure_of_its_guarantee(spec: str) -> None:
    """The paranoid search: all others play as one."""
    for position in drawn_positions(spec, 8, seed=1, empty=range(1, 6)):
        player = noughts.agent("alphabeta:depth=9")
        move = player.choose(position, np.random.default_rng(1))
        seat = position.game.marks.index(position.mover)
        assert player.last.is_exact
        assert player.last.value == pytest.approx(guarantee(position, seat))
        values = player.values(position)
        assert player.values_are_exact
        for tried, value in values.items():
            landings = position.landings(tried)
            assert value == pytest.approx(sum(p * guarantee(q, seat) for p, q in landings))
        assert values[move] == pytest.approx(max(values.values()))


def test_uct_is_exactly_best_with_three_cells_left() -> None:
    """Ties uniform; proven by fewer than 400 simulations."""
    for position in drawn_positions(RISKY, 40, seed=2, empty=range(1, 4)):
        player = noughts.agent("uct:simulations=400")
        move = player.choose(position, np.random.default_rng(1))
        worths = move_worths(position, "uniform")
        seat = position.game.marks.index(position.turn)
        assert move in tied_moves(position, worths)
        assert player.last.is_exact
        assert player.last.value == pytest.approx(worths[move][seat], abs=1e-12)
        assert equilibrium(position, "uniform")[seat] == pytest.approx(player.last.value, abs=1e-12)


def test_uct_errs_less_the_longer_it_thinks() -> None:
    """A small version of `benchmarks/uct_convergence.py --seats`."""
    positions = drawn_positions(RISKY, 16, seed=4, empty=range(4, 6))
    means = []
    for simulations in (10, 100, 1500):
        lost = []
        for index, position in enumerate(positions):
            player = noughts.agent(f"uct:simulations={simulations}")
            move = player.choose(position, np.random.default_rng(index))
            seat = position.game.marks.index(position.turn)
            own = {m: worth[seat] for m, worth in move_worths(position, "uniform").items()}
            lost.append(max(own.values()) - own[move])
        means.append(np.mean(lost))
    assert means[0] > means[1] > means[2]
    assert means[2] <= 0.01


def test_a_tree_is_kept_while_three_play() -> None:
    player, rng = noughts.agent("uct:simulations=300"), np.random.default_rng(1)
    position = noughts.game("3x3:players=3").start()
    position = position.play(player.choose(position, rng))
    for _ in range(2):
        position = position.play(position.moves[-1])
    tree = player._trees[0]
    assert tree.follow(player._played, position)
    assert 0 < tree.tree.visits[0] < 300


@pytest.mark.parametrize(
    "player", ["flat:playouts=50", "uct:simulations=200", "maxn:depth=3", "alphabeta:depth=2"]
)
def test_a_win_at_once_is_taken_and_valued_for_who_is_on_turn(player: str) -> None:
    position = noughts.game("3x3:players=3").parse("XX./OO./TT. T to move")
    agent = noughts.agent(player)
    assert agent.choose(position, np.random.default_rng(1)) == 8
    assert agent.last.value == 1.0
    assert max(agent.values(position), key=agent.values(position).get) == 8


@pytest.mark.parametrize("player", ["minimax", "heuristic", "fallible", "zero", "q-table:run=x"])
def test_what_is_for_two_says_so(player: str) -> None:
    with pytest.raises(NoughtsError, match=r"is for two players; 3x3:players=3 has 3\."):
        check_player(noughts.agent(player), noughts.game("3x3:players=3"))


def test_maxn_says_what_a_move_takes() -> None:
    game, risky = noughts.game("3x3:players=3"), noughts.game(RISKY)
    shallow = choosing(noughts.agent("maxn:depth=1"), game)
    assert shallow.kernels == "maxn LineGame seats"
    assert 0.0 < shallow.seconds < choosing(noughts.agent("maxn:depth=2"), game).seconds
    assert shallow.seconds < choosing(noughts.agent("maxn:depth=1"), risky).seconds
    assert choosing(noughts.agent("maxn"), game).seconds == math.inf
    assert choosing(noughts.agent("alphabeta"), game).seconds == math.inf


@pytest.mark.parametrize(
    "spec", ["2x2:players=3,fade=0.3", "1x4:k=2,players=3,fade=0.3", "2x2:players=4,fade=0.3"]
)
def test_alphabeta_and_maxn_look_at_marks_that_fade(spec: str) -> None:
    """Positions come again, so nothing is exact, but deep looks come close to the guarantee."""
    position = noughts.game(spec).start()
    sure = noughts.solve(spec).guarantee(position)[0]
    paranoid, selfish = noughts.agent("alphabeta:depth=8"), noughts.agent("maxn:depth=6")
    assert max(paranoid.values(position).values()) == pytest.approx(sure, abs=0.01)
    assert max(selfish.values(position).values()) >= sure - 0.01
    assert not paranoid.values_are_exact
    assert not selfish.values_are_exact


def test_maxn_of_two_looks_at_marks_that_fade() -> None:
    spec = "2x2:fade=0.3"
    position = noughts.game(spec).start()
    found = noughts.agent("maxn:depth=9").values(position)
    assert max(found.values()) == pytest.approx(noughts.solve(spec).value(position), abs=1e-4)
