"""Matches: who wins, what is shared, what a fault costs, and whether the intervals are honest."""

import dataclasses
import math
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

import noughts
from noughts.agents import Agent
from noughts.arena import GameRecord, match
from noughts.arena.openings import opening_book
from noughts.errors import NoughtsError, ParseError
from noughts.stats.elo import elo, expected_score
from noughts.stats.scores import score_interval
from noughts.stats.sprt import BOUND, sequential_test


def timeless(records: "list[GameRecord] | tuple[GameRecord, ...]") -> list[GameRecord]:
    return [dataclasses.replace(record, seconds=()) for record in records]


def lowest(position, rng):
    return position.moves[0]


def any_move(position, rng):
    return int(rng.choice(position.moves))


# ---- who wins ----


def test_minimax_and_alphabeta_draw_every_game() -> None:
    result = match("3x3", "minimax", "alphabeta", games=20, seed=1)
    assert (result.wins, result.draws, result.losses) == (0, 20, 0)
    assert result.score == 0.5
    assert result.elo == 0.0
    assert len({record.opening for record in result.records}) == 10  # each from both sides
    from_start = match("3x3", "minimax", "alphabeta", games=2, openings=0)
    assert [record.result for record in from_start.records] == ["draw", "draw"]


@pytest.mark.parametrize("perfect", ["minimax", "alphabeta"])
def test_perfect_players_never_lose_to_uct(perfect: str) -> None:
    result = match("3x3", perfect, "uct:simulations=100", games=60, seed=2)
    assert result.losses == 0
    assert all(record.opening == () for record in result.records)


def test_the_best_player_of_a_risky_world_beats_the_classic_one() -> None:
    result = match("3x3:flip=0.9", "optimal", "optimal:of=3x3", games=200, seed=3)
    assert result.elo_interval[0] > 0
    assert result.wins + result.draws + result.losses == result.games == 200


def test_counts_are_those_of_the_first_agent_over_both_seats() -> None:
    ahead = match("3x3", "optimal", any_move, games=30, seed=5)
    behind = match("3x3", any_move, "optimal", games=30, seed=5)
    assert ahead.losses == 0 == behind.wins
    assert ahead.wins > 20 < behind.losses
    assert {record.first_seat for record in ahead.records} == {"X", "O"}
    assert all(record.seats[record.first_seat] == "optimal" for record in ahead.records)


# ---- what is shared ----


def test_the_same_seed_plays_the_same_games_and_another_seed_others() -> None:
    once, again, other = (
        match("3x3:flip=0.2", "uct:simulations=20", "random", games=10, seed=seed)
        for seed in (7, 7, 8)
    )
    assert timeless(once.records) == timeless(again.records)
    assert timeless(once.records) != timeless(other.records)


def test_both_games_of_a_pair_see_the_same_landings() -> None:
    """Two players who play alike meet the same luck whoever sits where."""
    result = match("3x3:flip=0.5", lowest, lambda p, rng: p.moves[0], games=20, seed=4)
    for first, second in zip(result.records[::2], result.records[1::2], strict=True):
        assert first.pair == second.pair
        assert first.landings == second.landings
        assert first.seeds["landings"] == second.seeds["landings"]
        assert first.seeds["X"] == second.seeds["O"]
    assert len({record.landings for record in result.records}) > 5


def test_an_opening_is_played_from_both_sides_and_keeps_the_value_of_the_game() -> None:
    game = noughts.game("3x3")
    book = opening_book(game, 40, seed=1)
    exact = noughts.solve(game)
    ends = set()
    for opening in book:
        position = game.start()
        for move in opening:
            position = position.play(move)
        ends.add(position)
        assert exact.value(position) == 0.0
    assert len(ends) == 40
    assert book != opening_book(game, 40, seed=2)
    assert [len(opening) for opening in opening_book(game, 3, 1, plies=4)] == [4, 4, 4]


def test_a_small_game_repeats_its_openings() -> None:
    book = opening_book(noughts.game("2x2:k=2,misere"), 30, seed=1, plies=1)
    assert len(book) == 30
    assert set(book) <= {(0,), (1,), (2,), (3,)}


def test_half_a_pair_is_allowed() -> None:
    result = match("3x3", "random", "random", games=3, seed=1)
    assert result.games == 3
    assert 0.0 <= result.score_interval[0] <= result.score <= result.score_interval[1] <= 1.0


# ---- faults ----


def test_an_illegal_move_an_exception_and_a_time_out_lose_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0  # the only clock of the games, which only a slow player moves

    monkeypatch.setattr("noughts.arena.play.time", SimpleNamespace(perf_counter=lambda: now))

    def occupied(position, rng):
        return 99

    def broken(position, rng):
        raise RuntimeError("no idea\nwhat to do")

    def slow(position, rng):
        nonlocal now
        now += 1.5
        return position.moves[0]

    for player, word in (
        (occupied, "illegal move: "),
        (broken, "exception: RuntimeError: no idea"),
    ):
        result = match("3x3", player, "random", games=4, seed=1)
        assert result.losses == 4
        assert all(
            record.reason.startswith(f"{record.first_seat}: {word}") for record in result.records
        )
        assert all("\n" not in record.reason for record in result.records)
        assert result.efforts[0].faults == 4
        assert result.efforts[1].faults == 0
    result = match("3x3", slow, "random", games=2, seed=1, move_time=1.5)
    assert result.efforts[0].faults == 0
    result = match("3x3", slow, "random", games=2, seed=1, move_time=1.4)
    assert [record.fault for record in result.records] == ["X", "O"]
    assert "time-out: more than 1.4 s" in result.records[0].reason


def test_a_fault_in_reset_is_a_fault_too() -> None:
    class Stubborn(Agent):
        name = "stubborn"

        def choose(self, position, rng):
            return position.moves[0]

        def reset(self) -> None:
            raise OSError("gone")

    result = match("3x3", "random", Stubborn(), games=2)
    assert result.wins == 2
    assert result.reasons == {"O: exception: OSError: gone": 1, "X: exception: OSError: gone": 1}


def test_an_endless_game_is_a_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.arena.play.LONGEST", 12)
    result = match("3x3:fizzle=0.999999", "random", "random", games=2)
    assert result.draws == 2
    assert result.records[0].reason == "12 turns were played"
    assert result.records[0].fault is None


def test_an_agent_can_sit_opposite_itself() -> None:
    class Counting(Agent):
        name = "counting"

        def __init__(self) -> None:
            self.asked = 0

        def reset(self) -> None:
            self.asked = 0

        def choose(self, position, rng):
            self.asked += 1
            assert self.asked <= 5  # the moves of one seat
            return position.moves[0]

    agent = Counting()
    assert match("3x3", agent, agent, games=2).reasons == {}


# ---- what it is worth ----


def test_elo_and_score_are_inverse() -> None:
    assert elo(0.5) == 0.0
    assert elo(1.0) == math.inf
    assert elo(0.0) == -math.inf
    for difference in (-300.0, -1.0, 12.5, 400.0):
        assert elo(expected_score(difference)) == pytest.approx(difference)
    assert expected_score(400.0) == pytest.approx(10 / 11)


def test_intervals_by_hand() -> None:
    result = match("3x3", "optimal", "random", games=20, seed=1)
    low, high = result.interval("wins")
    assert low < result.wins / 20 < high
    with pytest.raises(NoughtsError, match="allowed: wins, draws, losses"):
        result.interval("ties")
    assert score_interval([(2.0, 2)] * 10)[1] == 1.0
    assert 0.6 < score_interval([(2.0, 2)] * 10)[0] < 0.8  # ten pairs prove no more
    low, high = score_interval([(2.0, 2), (0.0, 2)] * 50)  # standard error 0.05
    assert low == pytest.approx(0.402, abs=0.012)
    assert high == pytest.approx(0.598, abs=0.012)
    assert score_interval([(1.5, 2), (1.0, 2)] * 10) == score_interval([(1.0, 2), (1.5, 2)] * 10)


@pytest.mark.parametrize(("game", "player"), [("3x3", "random"), ("3x3:flip=0.3", "optimal")])
def test_an_agent_is_as_good_as_itself_in_nine_of_ten_matches(game: str, player: str) -> None:
    held = 0
    for seed in range(100):
        low, high = match(game, player, player, games=40, seed=seed).elo_interval
        held += low <= 0.0 <= high
    assert held >= 90


# ---- the sequential test ----


def test_the_likelihood_ratio_is_that_of_a_normal_when_the_difference_is_small() -> None:
    counts = Counter({(0.0, 2): 100, (0.5, 2): 200, (1.0, 2): 420, (1.5, 2): 220, (2.0, 2): 130})
    state = sequential_test(counts, 0.0, 5.0)
    n = sum(counts.values())
    mean = sum(p / 2 * c for (p, _), c in counts.items()) / n
    variance = sum((p / 2 - mean) ** 2 * c for (p, _), c in counts.items()) / n
    s0, s1 = expected_score(0.0), expected_score(5.0)
    assert state.llr == pytest.approx(
        n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance), rel=0.02
    )
    assert state.pairs == n
    assert sequential_test(Counter({(0.5, 1): 9}), 0, 5).llr == 0.0


def test_the_sequential_test_stops_early_both_ways_after_whole_pairs() -> None:
    better = match("3x3", "optimal", "random", games=2000, seed=1, sprt=(0, 50))
    worse = match("3x3", "random", "optimal", games=2000, seed=1, sprt=(0, 50))
    assert better.sprt is not None
    assert worse.sprt is not None
    assert better.sprt.verdict == 50
    assert worse.sprt.verdict == 0
    assert better.games < 200 > worse.games
    assert better.games % 2 == 0 == worse.games % 2
    assert better.sprt.llr >= BOUND >= -BOUND >= worse.sprt.llr
    whole = match("3x3", "optimal", "random", games=2000, seed=1)
    assert timeless(whole.records[: better.games]) == timeless(better.records)


# ---- records and folders ----


def test_records_round_trip_and_notice_every_changed_character() -> None:
    record = match("3x3:flip=0.2,fade=0.2", "random", "random", games=1).records[0]
    line = record.to_json()
    assert GameRecord.from_json(line) == record
    damaged = 0
    for place in range(len(line)):
        changed = line[:place] + ("7" if line[place] != "7" else "8") + line[place + 1 :]
        try:
            assert timeless([GameRecord.from_json(changed)]) == timeless([record])
        except ParseError:
            damaged += 1
    assert damaged > 0.8 * len(line) - len(str(record.seconds))
    for text in ("", "[]", "{}", '{"unit": "0.0"}', "null"):
        with pytest.raises(ParseError):
            GameRecord.from_json(text)


def test_two_jobs_play_the_same_games() -> None:
    arguments = {"games": 12, "seed": 3}
    alone = match("3x3:flip=0.1", "uct:simulations=30", any_move, **arguments)
    together = match("3x3:flip=0.1", "uct:simulations=30", any_move, jobs=2, **arguments)
    assert timeless(alone.records) == timeless(together.records)


def test_a_folder_goes_on_where_it_stopped(tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def stop(done: int, total: int, text: str) -> None:
        if done == 5:
            raise Enough

    arguments = {"games": 10, "seed": 3, "folder": tmp_path / "run"}
    with pytest.raises(Enough):
        match("3x3", "random", "optimal", progress=stop, **arguments)
    before = (tmp_path / "run" / "log.jsonl").read_text()
    assert before.count("\n") == 5
    result = match("3x3", "random", "optimal", **arguments)
    after = (tmp_path / "run" / "log.jsonl").read_text()
    assert after.startswith(before)
    assert after.count("\n") == 10
    assert timeless(result.records) == timeless(
        match("3x3", "random", "optimal", games=10, seed=3).records
    )
    with pytest.raises(NoughtsError, match="another config"):
        match("3x3", "random", "optimal", games=10, seed=4, folder=tmp_path / "run")


@pytest.mark.parametrize(
    "wrong",
    [
        {"games": 0},
        {"seed": -1},
        {"openings": -1},
        {"move_time": 0.0},
        {"sprt": (5, 0)},
        {"sprt": (0, math.inf)},
        {"jobs": 0},
        {"cluster": "slurm"},
    ],
)
def test_numbers_that_no_match_can_have(wrong: dict) -> None:
    with pytest.raises(NoughtsError, match=next(iter(wrong))):
        match("3x3", "random", "random", **wrong)


def test_unknown_agents_are_refused_before_anything_is_played() -> None:
    with pytest.raises(ParseError, match="'nobody' is not an agent"):
        match("3x3", "random", "nobody")
