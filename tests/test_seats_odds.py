"""Odds, best replies and simulation of games of more than two players, and what commands say."""

import csv
import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

import noughts
from noughts.cli import main
from noughts.errors import NoughtsError
from noughts.games.game import Position

SPECS = (
    "2x2:players=3,flip=0.25",
    "2x2:players=4,flip=0.25/0/0.5/0.8,fizzle=0.2",
    "1x4:k=2,players=3,fizzle=0.69/0.69/0.5/0",
    "1x3:k=2,players=3,hazard=0.5/0.1/1,limit=2,ticks=3,fizzle=0.1/0.4/0",
    "1x3:k=2,players=3,fade=0.2,fizzle=0.1",
)


def test_random_games_are_as_counted_by_hand() -> None:
    odds = noughts.odds("3x3:players=3", "random", "random", t="random")
    exact = (Fraction(2, 21), Fraction(37, 420), Fraction(37, 420), Fraction(51, 70))
    assert tuple(odds) == pytest.approx([float(p) for p in exact], abs=1e-15)


@pytest.mark.parametrize("ties", ["lowest", "uniform"])
@pytest.mark.parametrize(
    "spec",
    [
        "2x3:k=2,players=3,flip=0.1",
        "1x3:k=2,players=4,fizzle=0.5,flip=0.25",
        "1x3:k=2,players=3,hazard=0.5/0.1/1,limit=2,ticks=3",
    ],
)
def test_optimal_players_have_the_odds_of_the_equilibrium(spec: str, ties: str) -> None:
    solution = noughts.solve(spec, ties=ties)
    start = solution.game.start()
    assert tuple(noughts.odds(spec, ties=ties)) == pytest.approx(
        tuple(solution.odds(start)), abs=1e-14
    )
    seat = solution.game.marks[-1]
    reply = noughts.best_response(spec, f"optimal:ties={ties}", seat, ties)
    assert reply.odds.worth[-1] == pytest.approx(solution.worth(start)[-1], abs=1e-12)


@pytest.mark.parametrize("spec", SPECS)
def test_odds_lie_in_the_interval_of_simulation(spec: str) -> None:
    players = {"x": "random", "o": "fixed:weights=1", "t": "random"}
    odds = noughts.odds(spec, **players)
    played = noughts.simulate(spec, games=20_000, seed=3, **players)
    assert sum(odds) == pytest.approx(1.0, abs=1e-12)
    assert played.games == 20_000
    for name in ("x", "o", "t", "draw"):
        low, high = played.interval(name, 0.999)
        assert low <= getattr(odds, name) <= high


def test_the_equilibrium_lies_in_the_interval_of_simulation() -> None:
    spec = "3x3:players=3,flip=0.1"
    odds, played = noughts.odds(spec), noughts.simulate(spec, games=20_000, seed=1)
    for name in ("x", "o", "t", "draw"):
        low, high = played.interval(name, 0.999)
        assert low <= getattr(odds, name) <= high


@pytest.mark.parametrize("spec", SPECS)
def test_a_best_reply_is_what_every_position_asks_for(spec: str) -> None:
    """With the reply held the seat's worth is that of the table; no other move is better."""
    game = noughts.game(spec)
    for seat in game.marks:
        reply = noughts.best_response(spec, "random", seat)
        rivals = {mark.lower(): "random" for mark in game.marks if mark != seat}
        again = noughts.odds(spec, **rivals, **{seat.lower(): reply.policy})
        place = game.marks.index(seat)
        assert reply.odds == again
        for player in ("random", "fixed:weights=1"):
            other = noughts.odds(spec, **rivals, **{seat.lower(): player})
            assert other.worth[place] <= reply.odds.worth[place] + 1e-12


def test_a_best_reply_against_plain_recursion() -> None:
    game = noughts.game("2x2:players=3,flip=0.25")

    def mean(values: list[float]) -> float:
        return sum(values) / len(values)

    for place, seat in enumerate(game.marks):

        @cache
        def worth(position: Position, place: int = place, seat: str = seat) -> float:
            if position.result is not None:
                return game.worth(position.result)[place]
            pick: Callable[[list[float]], float] = max if position.turn == seat else mean
            return pick(
                [
                    sum(p * worth(after) for p, after in position.landings(move))
                    for move in position.moves
                ]
            )

        reply = noughts.best_response(game, ["random", "random"], seat)
        assert reply.odds.worth[place] == pytest.approx(worth(game.start()), abs=1e-12)


def test_an_agent_is_asked_about_every_board() -> None:
    def lowest(position: Position, rng: object) -> int:
        return position.moves[0]

    asked = noughts.odds("2x3:k=2,players=3", lowest, lowest, t=lowest)
    position = noughts.game("2x3:k=2,players=3").start()
    while position.result is None:
        position = position.play(position.moves[0])
    won = [float(mark == position.result) for mark in position.game.marks]
    assert asked.wins == tuple(won)


def test_refused_players() -> None:
    for words, named in (
        ({"t": "random"}, "has no seat T"),
        ({"x": "uct"}, "does not always answer alike"),
    ):
        spec = "3x3" if "t" in words else "2x2:players=3"
        with pytest.raises(NoughtsError, match=named):
            noughts.odds(spec, **words)
    with pytest.raises(NoughtsError, match="2 other seats, not 1"):
        noughts.best_response("2x2:players=3", ["random"])
    with pytest.raises(NoughtsError, match="no equilibrium is computed"):
        noughts.odds("2x2:players=3,fade=0.1")


def told(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert main([*words, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_solve_prints_both_tie_rules(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    facts = told(capsys, "solve", "2x3:k=2,players=3,flip=0.1", "--dump", str(tmp_path / "d.csv"))
    for ties in ("lowest", "uniform"):
        solution = noughts.solve("2x3:k=2,players=3,flip=0.1", ties=ties)
        start = solution.game.start()
        assert list(facts["odds"][ties].values()) == list(solution.odds(start))  # type: ignore[index]
    assert list(facts["guarantees"].values()) == list(solution.guarantee(start))  # type: ignore[attr-defined]
    with (tmp_path / "d.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 3 * facts["running_boards"]  # type: ignore[operator]
    lowest = noughts.solve("2x3:k=2,players=3,flip=0.1")
    for row in rows[:: len(rows) // 40]:
        position = lowest.game.position_from_dict({"board": row["board"], "turn": row["turn"]})
        worth = [float(row[f"worth_{seat}"]) for seat in "xot"]
        sure = [float(row[f"guarantee_{seat}"]) for seat in "xot"]
        assert worth == pytest.approx(lowest.worth(position), abs=1e-15)
        assert sure == pytest.approx(lowest.guarantee(position), abs=1e-15)
        assert int(row["move"]) == lowest.best(position)


def test_solve_says_where_no_equilibrium_is_computed(capsys: pytest.CaptureFixture[str]) -> None:
    spec = "1x4:k=2,players=3,fizzle=0.69/0.69/0.5/0"
    facts = told(capsys, "solve", spec)
    assert "odds" not in facts
    assert "no equilibrium is computed" in str(facts["note"])
    assert main(["solve", spec]) == 0
    assert "no equilibrium is computed" in capsys.readouterr().out


def test_odds_takes_a_player_for_each_seat(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("odds", "2x2:players=4,flip=0.25", "--x", "random", "--s", "random")
    facts = told(capsys, *words, "--best-response", "O", "--simulate", "500")
    assert facts["t_player"] == "optimal"
    assert str(facts["o_player"]).startswith("best response to random, optimal, random")
    assert sum(facts["simulation"].values()) == 500  # type: ignore[attr-defined]
    assert main([*words]) == 0
    assert "worth" in capsys.readouterr().out
    assert main(["odds", "3x3", "--t", "random"]) == 2
    assert "has no seat T" in capsys.readouterr().err
