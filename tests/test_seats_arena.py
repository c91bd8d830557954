"""Matches of three and four: seatings, points, faults, records, intervals over blocks."""

import dataclasses
import json
import math
import sys
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from seats_reference import move_worths

import noughts
from noughts.arena import GameRecord, match, replay, tournament
from noughts.arena.seating import points_of, seatings
from noughts.cli import main
from noughts.errors import NoughtsError, ParseError
from noughts.games.game import MARKS
from noughts.stats.elo import elo
from noughts.stats.luce import Meeting, luce_tails, rate_many
from noughts.stats.means import TAIL
from noughts.stats.ratings import elo_ratings
from noughts.stats.scores import block_step, score_interval

THREE = "3x3:players=3"


def lowest(position, rng):
    return position.moves[0]


def highest(position, rng):
    return position.moves[-1]


def broken(position, rng):
    raise RuntimeError("no idea")


def test_a_block_is_every_seating_once() -> None:
    assert seatings(2) == ((0, 1), (1, 0))
    assert set(seatings(4)) == set(permutations(range(4)))
    result = match(THREE, "random", lowest, highest, games=12, seed=1)
    names = ("random", "lowest", "highest")
    for block in (result.records[:6], result.records[6:]):
        assert {tuple(record.seats.values()) for record in block} == set(permutations(names))
        assert len({record.pair for record in block}) == 1
        assert len({record.seeds["landings"] for record in block}) == 1
        for place, name in enumerate(names):
            assert all(record.seats[record.seat_of(place)] == name for record in block)
            assert len({record.seeds[record.seat_of(place)] for record in block}) == 1


def test_all_seatings_see_the_same_luck() -> None:
    """Three players who play alike meet the same game whoever sits where."""
    alike = (lowest, lambda p, rng: p.moves[0], lambda p, rng: p.moves[0])
    result = match("3x3:players=3,flip=0.5", *alike, games=18, seed=4)
    landings = [record.landings for record in result.records]
    for block in (landings[:6], landings[6:12], landings[12:]):
        assert len(set(block)) == 1
    assert len(set(landings)) == 3


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_points_of_a_game_sum_to_one(seats: int) -> None:
    marks = MARKS[:seats]
    game = noughts.game(f"3x3:players={seats}")
    for result in (*marks, "draw"):
        told = [points_of(mark, seats, result, None) for mark in marks]
        assert math.isclose(sum(told), 1.0)
        wanted = [(1 + (seats - 1) * worth) / seats for worth in game.worth(result)]
        assert told == pytest.approx(wanted)
    faulty = [points_of(mark, seats, None, "O") for mark in marks]
    assert faulty == [0.0 if mark == "O" else 1 / (seats - 1) for mark in marks]


def test_standings_count_what_the_records_say() -> None:
    result = match("3x3:players=4", "random", "random", "random", lowest, games=48, seed=3)
    assert sum(one.points for one in result.standings) == pytest.approx(48)
    assert sum(one.wins for one in result.standings) + result.draws == 48
    for place, one in enumerate(result.standings):
        assert one.wins + one.draws + one.losses == 48
        assert one.score == pytest.approx(np.mean([r.points_of(place) for r in result.records]))
        assert one.score == pytest.approx(np.mean(one.seats))  # every seat equally often
        assert one.interval[0] < one.score < one.interval[1]
    assert (result.wins, result.score) == (result.standings[0].wins, result.standings[0].score)
    assert "points of 48 games" in str(result)
    assert json.loads(json.dumps(result.to_dict()))["standings"][3]["agent"] == "lowest"


@pytest.mark.parametrize("spec", [THREE, "1x5:k=2,players=3,hazard=0.3,limit=2,ticks=4"])
def test_thirds_of_draws_are_not_rounded(spec: str) -> None:
    result = match(spec, "random", "random", lowest, games=25, seed=2)
    assert result.draws % 3 != 0
    for one in result.standings:
        assert one.points == pytest.approx(one.wins + one.draws / 3, abs=1e-13)
    assert sum(one.points for one in result.standings) == pytest.approx(25, abs=1e-13)


def test_a_fault_costs_its_seat_and_is_shared_by_the_others() -> None:
    result = match(THREE, broken, "random", "random", games=6, seed=1)
    assert [one.points for one in result.standings] == [0.0, 3.0, 3.0]
    assert [one.losses for one in result.standings] == [6, 0, 0]
    assert [effort.faults for effort in result.efforts] == [6, 0, 0]
    for record in result.records:
        assert (record.result, record.fault) == (None, record.seat_of(0))
        assert GameRecord.from_json(record.to_json()) == record
        assert replay(record)[-1].result is None
        with pytest.raises(ParseError, match="does not fit"):
            replay(dataclasses.replace(record, result="draw"))


def test_records_replay() -> None:
    spec = "2x4:k=3,players=3,flip=0.2,fizzle=0.1,fade=0.1"
    for record in match(spec, "random", "fixed", lowest, games=6, seed=2).records:
        again = GameRecord.from_json(record.to_json())
        assert again == record
        assert replay(again)[-1].result == record.result
    with pytest.raises(ParseError, match="the record names 3"):
        replay(dataclasses.replace(record, game="3x3"))
    data = record.to_dict()
    data["seats"] = {"X": "random", "T": "random"}
    with pytest.raises(ParseError):
        GameRecord.from_dict(data)


def test_a_folder_goes_on_and_knows_its_players(tmp_path) -> None:
    words = {"games": 12, "seed": 1, "folder": tmp_path / "run"}
    whole = match(THREE, "random", "fixed", "random", **words)
    more = match(THREE, "random", "fixed", "random", **{**words, "games": 13})
    assert [r.moves for r in more.records[:12]] == [r.moves for r in whole.records]
    low, high = more.score_interval
    assert low < more.score < high
    with pytest.raises(NoughtsError, match="agents"):
        match(THREE, "fixed", "random", "random", **words)


def test_intervals_over_blocks_keep_their_word() -> None:
    """Six games of a block that always end alike are one observation, not six."""
    assert block_step(2) == 0.25
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(200):
        wins = rng.random(20) < 1 / 3
        low, high = score_interval([(6.0 * won, 6) for won in wins], seats=3)
        held += low <= 1 / 3 <= high
    assert held >= 188
    # One win in three and draws: thirds are rounded to the lattice, never past its ends.
    low, high = score_interval([(2.0, 6), (7 / 3, 6), (1.0, 3)], seats=3)
    assert 0.0 <= low < 2 / 6 < high <= 1.0
    assert elo(1 / 3, 3) == pytest.approx(0.0)


def test_another_number_of_agents_and_the_sequential_test_are_refused() -> None:
    with pytest.raises(NoughtsError, match="needs 3 agents, one per seat, not 2"):
        match(THREE, "random", "random")
    with pytest.raises(NoughtsError, match="needs 2 agents, one per seat, not 3"):
        match("3x3", "random", "random", "random")
    with pytest.raises(NoughtsError, match="sequential test is for two"):
        match(THREE, "random", "random", "random", sprt=(0, 5))


def test_the_commands(tmp_path, capsys) -> None:
    folder = tmp_path / "run"
    words = ["match", THREE, "random", "fixed:weights=1/0/0/0/9/0/0/0/0", "random"]
    assert main([*words, "--games", "12", "--out", str(folder)]) == 0
    told = capsys.readouterr().out
    assert "at T" in told
    assert "fixed:weights" in told
    assert main(["replay", str(folder / "log.jsonl")]) == 0
    assert "12 games, all as recorded: X " in capsys.readouterr().out
    assert main(["replay", str(folder / "log.jsonl"), "--game", "0"]) == 0
    assert "T random" in capsys.readouterr().out
    assert main(["match", THREE, "random", "random"]) == 2
    assert "needs 3 agents" in capsys.readouterr().err


def test_a_tournament_plays_every_choice_of_agents(tmp_path) -> None:
    """Three of four agents at a time; small enough to be solved where nothing is compiled."""
    game = "2x3:k=2,players=3,flip=0.1"
    agents = ["random", "maxn:depth=2", "fixed", "flat:playouts=5"]
    played = tournament(game, agents, games=6, seed=1, folder=tmp_path / "run")
    assert len(played.records) == 4 * 6
    assert sum(played.points) == pytest.approx(24)
    assert [sum(one) for one in played.totals] == [18] * 4
    assert {len(match.agents) for match in played.matches} == {3}
    assert sum(rating.elo for rating in played.ratings) == pytest.approx(0.0, abs=1e-6)
    assert all(one.low <= one.elo <= one.high for one in played.ratings)
    shares = played.by_seat[0]
    assert np.mean(shares) == pytest.approx(played.points[0] / 18)  # every seat equally often
    assert played.table("crosstable").columns == ("agent", "X", "O", "T")
    assert played.table("results").rows[0][1] == "random"
    assert played.regrets is not None
    assert {one.most for one in played.regrets} == {1.5}
    for one in played.regrets:
        assert 0.0 <= one.interval[0] <= one.mean <= one.interval[1]
    assert (tmp_path / "run" / "report.html").exists()
    assert json.loads(json.dumps(played.to_dict()))["tables"]["ratings"]
    with pytest.raises(NoughtsError, match="at least 3 agents, not 2"):
        tournament(game, agents[:2])


def test_regret_is_what_plain_recursion_says() -> None:
    game = "2x3:k=2,players=3,flip=0.1"
    played = tournament(game, ["random", lowest, highest], games=6, seed=2)
    lost = dict.fromkeys(played.agents, 0.0)
    for record in played.records:
        position = noughts.game(game).start()
        for move, landing in zip(record.moves, record.landings, strict=True):
            seat = position.game.marks.index(position.turn)
            own = {m: worth[seat] for m, worth in move_worths(position, "uniform").items()}
            lost[record.seats[position.turn]] += max(own.values()) - own[move]
            position = position.play(move, landing)
    for name, regret in zip(played.agents, played.regrets, strict=True):
        assert regret.total == pytest.approx(lost[name], abs=1e-9)


def test_ratings_of_two_are_those_of_bradley_and_terry() -> None:
    points = np.array([[0.0, 3.0, 2.5], [1.0, 0.0, 1.0], [1.5, 3.0, 0.0]])
    meetings = [
        Meeting((i, j), np.array([[points[i, j], points[j, i]]]), np.array([4.0]))
        for i, j in ((0, 1), (0, 2), (1, 2))
    ]
    found = [rating.elo for rating in rate_many(3, meetings)]
    assert found == pytest.approx(elo_ratings(points).tolist(), abs=1e-6)


def test_who_takes_all_has_no_upper_end_and_equals_are_equal() -> None:
    whole = np.full(4, 6.0)
    even = rate_many(3, [Meeting((0, 1, 2), np.full((4, 3), 2.0), whole)])
    assert [rating.elo for rating in even] == pytest.approx([0.0] * 3)
    assert all(-400 < rating.low < 0 < rating.high < 400 for rating in even)
    best, *others = rate_many(3, [Meeting((0, 1, 2), np.tile([6.0, 0.0, 0.0], (4, 1)), whole)])
    assert best.high == math.inf
    assert best.low > 0
    assert all(rating.low == -math.inf for rating in others)


@pytest.mark.parametrize("elos", [(0.0, 0.0, 0.0), (150.0, -50.0, -100.0)])
def test_ratings_of_three_keep_their_word(elos: tuple[float, ...]) -> None:
    """The truth is inside when neither tail probability is too small."""
    rng, held = np.random.default_rng(5), 0
    chances = 10 ** (np.array(elos) / 400)
    chances /= chances.sum()
    for _ in range(150):
        points = rng.multinomial(6, chances, size=8).astype(float)
        meetings = [Meeting((0, 1, 2), points, np.full(8, 6.0))]
        tails = luce_tails(3, 0, elos[0], meetings)
        held += min(tails.low[0], tails.high[0]) >= TAIL
    assert held >= 141


def test_any_number_of_people_play_in_the_terminal(monkeypatch, capsys) -> None:
    def play(arguments: str, *lines: str) -> str:
        answers = iter(lines)
        monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
        assert main(["play", *arguments.split()]) == 0
        return capsys.readouterr().out

    game = "2x2:players=3"
    told = play(f"{game} --o human --t human", "0", "1", "v", "h", "2", "3")
    assert "2x2:players=3: X human, O human, T human" in told
    assert "Worths to T: in equilibrium." in told
    assert "for T (in equilibrium)" in told
    assert told.endswith("X wins.\n")
    told = play(f"{game} --x random --o random --seed 1", "u", "q")
    assert "X random, O random, T human" in told
    assert "S random" in play("2x2:players=4 --x human --o random --t random --s random", "q")
    assert main(["play", game, "--s", "random"]) == 2
    assert "--s random has no seat: 2x2:players=3 has 3." in capsys.readouterr().err


def test_a_program_plays_among_three() -> None:
    bot = Path(__file__).parent.parent / "examples" / "bot.py"
    program = f"external:cmd={sys.executable} {bot}"
    result = match(THREE, program, "random", "random", games=6, seed=1)
    assert result.reasons == {}
    assert {record.seat_of(0) for record in result.records} == {"X", "O", "T"}
    engine = f"external:cmd={sys.executable} -c 'from noughts.cli import main; main()' engine"
    record = match(THREE, f"{engine} --agent random", "random", "random", games=1).records[0]
    assert record.reason is None


def test_an_opening_keeps_what_the_game_is_worth_to_every_seat() -> None:
    """Players who draw nothing at random get openings that decide nothing."""
    quick = [f"maxn:depth=1,playouts={count}" for count in (0, 1, 2)]
    result = match("3x3:players=3", *quick, games=12)
    openings = {record.opening for record in result.records}
    assert len(openings) == 2
    solution = noughts.solve("3x3:players=3")
    for opening in openings:
        position = noughts.game("3x3:players=3").start()
        for move in opening:
            position = position.play(move)
        assert solution.worth(position) == (0.0, 0.0, 0.0)


def test_the_lab_reads_a_match_of_three(tmp_path) -> None:
    from noughts.web.lab.folders import LogFollower
    from noughts.web.lab.reports import match_report

    folder = tmp_path / "run"
    result = match(THREE, "random", "fixed", "random", games=7, seed=1, folder=folder)
    report = match_report(result)
    assert report.title == "random – fixed – random"
    assert "scored" in report.answers[0]
    config = json.loads((folder / "config.json").read_text())
    follower = LogFollower(folder, "match", config)
    follower.follow()
    assert follower.done == 7
    assert follower.seen.pairings == {}
