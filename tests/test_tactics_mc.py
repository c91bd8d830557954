"""Flat Monte Carlo and UCT see wins, blocks and forks; UCT proves, converges and repeats itself."""

import itertools
from collections.abc import Iterator
from functools import cache
from typing import cast

import numpy as np
import pytest

import noughts
from noughts.agents import agent
from noughts.games.game import Position
from noughts.search.uct import TIME_SLICE, UctAgent

PLAYERS = ("flat:playouts=900", "uct:simulations=1000")
ROOT_VALUES = {
    "3x3:flip=0.25": 2155 / 32768,
    "3x3:flip=blind": 3 / 256,
    "3x3:flip=stochastic": 2991541 / 25_000_000,
}
FAMILY = (
    "3x3",
    "3x3:misere",
    "4x4",
    "3x3x3",
    "ultimate",
    "ultimate:won=open,tiebreak=boards",
    "3x3:flip=0.2,fizzle=0.1",
    "3x3:fade=0.1",
    "3x3:hazard=0.5,limit=4,ticks=4",
    "ultimate:flip=0.1,fade=0.05",
)


@cache
def value(position: Position) -> float:
    """Exact expectimax for X by plain recursion."""
    if position.result is not None:
        return {"X": 1.0, "O": -1.0, "draw": 0.0}[position.result]
    best = max if position.turn == "X" else min
    return best(move_value(position, move) for move in position.moves)


def move_value(position: Position, move: int) -> float:
    return sum(chance * value(after) for chance, after in position.landings(move))


def best_moves(position: Position) -> set[int]:
    sign = 1 if position.turn == "X" else -1
    values = {move: sign * move_value(position, move) for move in position.moves}
    return {move for move, v in values.items() if v == max(values.values())}


def wins_at_once(position: Position, mark: str) -> set[int]:
    """The cells on which this mark would win now, whoever is to move."""
    turn = noughts.game(str(position.game)).parse(position.board + f" {mark} to move")
    return {move for move in position.moves if turn.play(move).result == mark}


def random_positions(spec: str, seed: int) -> Iterator[Position]:
    rng = np.random.default_rng(seed)
    while True:
        position: Position = noughts.game(spec).start()
        while position.result is None:
            position = position.play(int(rng.choice(position.moves)))
            if position.result is None:
                yield position


def choice_of(spec: str, position: Position, seed: int = 1) -> int:
    return agent(spec).choose(position, np.random.default_rng(seed))


DRAWN = {
    "X X . / O O . / . . .": {2},  # win now
    "X X . / . O . / . . .": {2},  # block now
    "X . . / . O . / . . X": {1, 3, 5, 7},  # a corner would allow a fork
    "O . . / . X . / . . X": {2, 6},  # likewise; an edge loses
    "X . . / . . . / . . .": {4},  # only the centre holds
    "X O . / . . . / . . .": {3, 4, 6},  # make a fork
}


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("board", list(DRAWN))
def test_the_textbook_positions(player: str, board: str) -> None:
    position = noughts.game("3x3").parse(board.replace(" ", ""))
    assert best_moves(position) == DRAWN[board]
    assert choice_of(player, position) in DRAWN[board]


@pytest.mark.parametrize("player", PLAYERS)
def test_every_kind_of_tactics_on_3x3(player: str) -> None:
    """Every 25th of the positions in which some move is wrong; `-m slow` takes all of them."""
    for i, position in enumerate(_tactical_3x3()[::25]):
        assert choice_of(player, position, seed=i) in best_moves(position), position


@pytest.mark.slow
@pytest.mark.parametrize("player", PLAYERS)
def test_every_position_of_3x3(player: str) -> None:
    positions = _tactical_3x3()
    assert len(positions) == 3191
    for i, position in enumerate(positions):
        assert choice_of(player, position, seed=i) in best_moves(position), position


@cache
def _tactical_3x3() -> list[Position]:
    found: dict[Position, None] = {}
    queue: list[Position] = [noughts.game("3x3").start()]
    seen = set(queue)
    for position in queue:
        if best_moves(position) != set(position.moves):
            found[position] = None
        for after in map(position.play, position.moves):
            if after.result is None and after not in seen:
                seen.add(after)
                queue.append(after)
    return list(found)


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("spec", ["3x3x3", "qubic", "5x5:k=4"])
def test_wins_now_and_blocks_now_on_bigger_boards(player: str, spec: str) -> None:
    wins = blocks = 0
    for seed, position in enumerate(random_positions(spec, seed=7)):
        other = "O" if position.turn == "X" else "X"
        winning, threatened = wins_at_once(position, position.turn), wins_at_once(position, other)
        if winning and wins < 12:
            wins += 1
            assert choice_of(player, position, seed) in winning, position
        elif not winning and len(threatened) == 1 and blocks < 12:
            blocks += 1
            assert choice_of(player, position, seed) in threatened, position
        if wins == blocks == 12:
            return


@pytest.mark.parametrize("player", PLAYERS)
def test_makes_the_fork_on_3x3x3(player: str) -> None:
    """A quiet position in which one move makes two threats at once, and nobody threatens yet."""
    forks = 0
    for seed, position in enumerate(random_positions("3x3x3", seed=3)):
        other = "O" if position.turn == "X" else "X"
        if wins_at_once(position, position.turn) or wins_at_once(position, other):
            continue
        makers = {
            move
            for move in position.moves
            if len(wins_at_once(position.play(move), position.turn)) > 1
        }
        if makers:
            forks += 1
            chosen = agent(player)
            after = position.play(chosen.choose(position, np.random.default_rng(seed)))
            assert len(wins_at_once(after, position.turn)) > 0  # a fork, or a threat on its way
            assert chosen.last is not None
            assert chosen.last.is_exact
            assert chosen.last.value == (1 if position.turn == "X" else -1)
        if forks == 12:
            return


@pytest.mark.parametrize("player", PLAYERS)
def test_wins_now_and_gives_no_win_away_on_ultimate(player: str) -> None:
    checked = 0
    for seed, position in enumerate(random_positions("ultimate", seed=11)):
        winning = {m for m in position.moves if position.play(m).result == position.turn}
        safe = {m for m in position.moves if not _opponent_wins(position.play(m))}
        if winning or 0 < len(safe) < len(position.moves):
            checked += 1
            assert choice_of(player, position, seed) in (winning or safe), position
        if checked == 20:
            return


def _opponent_wins(position: Position) -> bool:
    return any(position.play(move).result == position.turn for move in position.moves)


def test_uct_never_loses_on_3x3_to_perfect_play() -> None:
    rng = np.random.default_rng(5)
    for game in range(30):
        uct, position = agent("uct:simulations=1000"), noughts.game("3x3").start()
        seat = "XO"[game % 2]
        while position.result is None:
            if position.turn == seat:
                position = position.play(uct.choose(position, rng))
            else:
                position = position.play(int(rng.choice(sorted(best_moves(position)))))
        assert position.result == "draw"


@pytest.mark.parametrize("spec", FAMILY)
@pytest.mark.parametrize(
    "player", ["uct:simulations=60", "uct:simulations=61,threads=2", "flat:playouts=3"]
)
def test_same_seed_same_game(spec: str, player: str) -> None:
    assert _game(spec, player) == _game(spec, player)


def _game(spec: str, player: str) -> list[int]:
    rng, chooser = np.random.default_rng(9), agent(player)
    position, moves = noughts.game(spec).start(), []
    while position.result is None and len(moves) < 12:
        moves.append(chooser.choose(position, rng))
        position = position.sample(moves[-1], rng)[1]
    return moves


@pytest.mark.parametrize("spec", FAMILY)
@pytest.mark.parametrize("player", ["uct:simulations=400", "flat:playouts=20"])
def test_values_are_of_legal_moves_and_in_range(spec: str, player: str) -> None:
    position = noughts.game(spec).start()
    values = agent(player).values(position)
    assert set(values) == set(position.moves)
    assert all(-1 <= v <= 1 for v in values.values())
    assert values == agent(player).values(position)


def test_proven_values_are_the_exact_ones() -> None:
    """Near the end everything is proven, with risk too; what is proven earlier is right."""
    for spec in ("3x3", "3x3:misere", "3x3:flip=0.25", "3x3:flip=stochastic"):
        late = noughts.game(spec).parse("XOX/OXO/...")
        player = agent("uct:simulations=20000,exploration=5")
        values = player.values(late)
        assert player.values_are_exact
        for move in late.moves:
            assert values[move] == pytest.approx(move_value(late, move), abs=1e-9)
        early = noughts.game(spec).parse("XO./.../...")
        player.choose(early, np.random.default_rng(1))
        (tree,) = cast(UctAgent, player)._trees
        for record in tree.records():
            if record.is_exact:
                assert record.value == pytest.approx(move_value(early, record.move), abs=1e-9)


@pytest.mark.parametrize(("spec", "exact"), ROOT_VALUES.items())
def test_uct_converges_to_the_exact_value_under_risk(spec: str, exact: float) -> None:
    errors = []
    for simulations in (300, 30_000):
        player = agent(f"uct:simulations={simulations}")
        runs = []
        for seed in range(4):
            player.reset()
            player.choose(noughts.game(spec).start(), np.random.default_rng(seed))
            assert player.last is not None
            assert player.last.value is not None
            runs.append(abs(player.last.value - exact))
        errors.append(np.mean(runs))
    assert errors[1] < 0.1
    assert errors[1] < errors[0]


def test_uct_converges_where_marks_fade() -> None:
    game = noughts.game("2x2:k=2,fade=0.4/0/0.2/0")
    start = game.start()
    exact = _iterated_values(start)
    for position in (start, start.play(0), start.play(2).play(1)):
        values = agent("uct:simulations=60000").values(position)
        assert len(values) > 1
        for move, found in values.items():
            expected = sum(chance * exact[after] for chance, after in position.landings(move))
            assert found == pytest.approx(expected, abs=0.06), (position, move)


def _iterated_values(start: Position) -> dict[Position, float]:
    """Value iteration over the positions that can be reached, by plain dictionaries."""
    landings: dict[Position, list[list[tuple[float, Position]]]] = {}
    queue = [start]
    for position in queue:
        if position not in landings:
            landings[position] = [position.landings(move) for move in position.moves]
            queue += [after for move in landings[position] for _, after in move]
    ended = {"X": 1.0, "O": -1.0, "draw": 0.0, None: 0.0}
    values = {position: ended[position.result] for position in landings}
    for _ in range(200):
        for position, moves in landings.items():
            if moves:
                best = max if position.turn == "X" else min
                values[position] = best(sum(p * values[after] for p, after in m) for m in moves)
    return values


def test_the_tree_is_kept_when_the_game_goes_on() -> None:
    for spec in ("4x4", "ultimate", "4x4:flip=0.1", "3x3:hazard=0.5,limit=4,ticks=4"):
        player = UctAgent(simulations=2000)
        rng = np.random.default_rng(2)
        position = noughts.game(spec).start()
        for _ in range(2):  # the first move, and a reply by somebody else
            move = player.choose(position, rng) if position.last is None else position.moves[0]
            position = position.play(move)
        player.choose(position, rng)
        assert player.last is not None
        (tree,) = player._trees
        assert tree.position == position
        assert tree.tree.visits[0] > player.last.nodes + 1
        player.reset()
        player.choose(position, rng)
        assert player._trees[0].tree.visits[0] <= player.last.nodes + 1


def test_a_lost_position_from_a_kept_tree_is_searched_too() -> None:
    """X plays 6 and threatens three wins: O was judged lost before any of its moves was tried."""
    from noughts.kernels.rng import seeded
    from noughts.search.trees import SearchTree

    position = noughts.game("3x3").parse("XOO/.../..X")
    tree = SearchTree(position, 10**4)
    tree.run(20, 0.7, seeded(1), every_move=True)
    assert tree.follow(6, position.play(6))
    tree.run(20, 0.7, seeded(1))
    assert tree.is_exact
    assert all(record.is_exact and record.visits for record in tree.records())


def test_masks_and_counts_grow_the_same_tree() -> None:
    """The same stream gives the same tree in both kernels of line games."""
    from noughts.kernels.rng import seeded
    from noughts.search.trees import SearchTree

    for spec in ("3x3", "3x3:misere", "4x4", "qubic", "7x5:k=4"):
        position = noughts.game(spec).start().play(1)
        masks, counts = SearchTree(position, 10**6), SearchTree(position, 10**6)
        counts.read_by(position.game.rules)
        assert type(masks.rules) is not type(counts.rules)
        assert masks.run(3000, 1.4, seeded(4)) == counts.run(3000, 1.4, seeded(4))
        for one, other in zip(counts.tree, masks.tree, strict=True):
            assert np.array_equal(one, other)


def test_a_full_pool_stops_growing_and_still_plays() -> None:
    from noughts.kernels.rng import seeded
    from noughts.search.trees import SearchTree

    for spec in ("4x4", "4x4:flip=0.1,fade=0.1", "ultimate:fizzle=0.1", "10x10:k=5"):
        position = noughts.game(spec).start()
        tree = SearchTree(position, 300)
        assert tree.run(3000, 1.4, seeded(1)) == 3000
        assert tree.tree.size[0] <= 300
        assert {record.move for record in tree.records()} == set(position.moves)


def test_a_growing_pool_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from noughts.kernels.rng import seeded
    from noughts.search import trees

    for spec in ("4x4", "3x3:flip=0.1,fade=0.1"):
        position = noughts.game(spec).start()
        roomy = trees.SearchTree(position, 10**6)
        roomy.run(3000, 1.4, seeded(1))
        with monkeypatch.context() as patch:
            patch.setattr(trees, "FIRST_POOL", 64)
            narrow = trees.SearchTree(position, 10**6)
            narrow.run(3000, 1.4, seeded(1))
        assert narrow.records() == roomy.records()


def test_time_is_kept_and_a_proof_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on by 1/64 s whenever somebody looks at it."""
    ticks = itertools.count()
    monkeypatch.setattr("noughts.search.uct.perf_counter", lambda: next(ticks) / 64)
    player = agent(f"uct:time={4 / 64}")
    player.choose(noughts.game("ultimate").start(), np.random.default_rng(1))
    assert player.last is not None
    assert player.last.nodes == 3 * TIME_SLICE
    player.choose(noughts.game("3x3").parse("XX./OO./..."), np.random.default_rng(1))
    assert player.last.nodes <= 1
    assert player.last.is_exact


def test_plain_flat_misses_the_block_that_the_lookahead_sees() -> None:
    position = noughts.game("3x3").parse("..../X../XO".replace("/", "").ljust(9, "."))
    assert best_moves(position) == {1}
    assert choice_of("flat:playouts=5000,lookahead=0", position) != 1
    assert choice_of("flat:playouts=100", position) == 1


def test_a_finished_game_is_refused() -> None:
    over = noughts.game("3x3").parse("XXX/OO./...")
    for player in PLAYERS:
        with pytest.raises(noughts.NoughtsError, match="over"):
            choice_of(player, over)
