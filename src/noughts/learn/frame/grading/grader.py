"""How good a player is: exactly where the game is solved, by games against random elsewhere.

    regret of a choice = best value - value of the choice,  both for the player who chose,

from 0 for an optimal move to 2 for one that throws a sure win away. On a solved line game, for a
player that always answers alike:

    regret_mean, regret_worst, optimal_share    over all running positions that play can lead to
    own_regret, own_worst                       mean and worst of the moves of its own games:
                                                against itself, the optimal and the random player,
                                                in both seats
    random_x, random_o, optimal_x, optimal_o    exact odds (win, draw, loss) of the player in that
                                                seat against random and against optimal

Boards above 12 cells have millions of positions: before the last grading of a run a drawn sample of
them stands for all, and the odds wait for the last. `graded` says which positions were looked at.
Everywhere else the score in so many games against random is reported with its interval. With more
than two players that is so, too, and where the equilibrium is at hand the regret in positions of
random games besides.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from noughts.agents import Agent
from noughts.agents import agent as read_agent
from noughts.games.game import Game, Mark, Position
from noughts.knowledge.limits import is_soon_solved
from noughts.knowledge.tables import seat_table_at_hand
from noughts.learn.frame.grading.judge import Judge, Numbers, ask, judge_of
from noughts.learn.frame.grading.own_games import own_regret
from noughts.learn.frame.play_one import play_one
from noughts.solve.evaluation import evaluate_odds
from noughts.solve.numbering import check_numbered
from noughts.solve.policies import Policy, weighted_policy
from noughts.stats.means import Sample, mean_interval
from noughts.stats.scores import score_interval

WHOLE_CELLS = 12  # cells up to which every grading looks at every position
SAMPLE = 20_000  # positions that stand for all on larger boards, until the last grading
SEAT_SAMPLE = 500  # the same where more than two play
OWN_GAMES = 200  # for each opponent and seat
_SIDES: tuple[tuple[int, Mark], ...] = ((0, "X"), (1, "O"))

Grades = dict[str, Any]


def can_grade_exactly(game: Game, player: Agent) -> bool:
    """Whether the truth about every choice is a matter of moments."""
    if game.has_clock or not player.is_deterministic:
        return False
    return is_soon_solved(game)


def grade(game: Game, player: Agent, seed: int = 0, games: int = 200) -> Grades:
    """All that can be said about a player of a game; `games` is for gradings by play."""
    return Grader(game, seed, games).grade(player)


@dataclass(frozen=True)
class Grader:
    """Grades players of one game, again and again; keeps what does not depend on the player."""

    game: Game
    seed: int = 0
    games: int = 200  # of a grading by play

    def grade(self, player: Agent, is_last: bool = True) -> Grades:
        """The grades of a player as plain data for JSON."""
        if self.game.seats > 2:
            found = grade_by_play(self.game, player, self.seed, self.games)
            return found | sampled_regret(self.game, player, self.seed)
        if can_grade_exactly(self.game, player):
            return _grade_exactly(judge_of(check_numbered(self.game)), player, is_last, self.seed)
        return grade_by_play(self.game, player, self.seed, self.games)


def grade_by_play(game: Game, player: Agent, seed: int, games: int) -> Grades:
    """The score against random players in rounds of games, one in each seat."""
    random, seats = read_agent("random"), game.seats
    tally = {seat: [0, 0, 0] for seat in game.marks}
    rounds = []
    for index in range(games // seats):
        points = 0.0
        for side, seat in enumerate(game.marks):
            agents = [player if place == side else random for place in range(seats)]
            played = play_one(game, *agents, rng=np.random.default_rng([seed, index, side]))
            points += played.points(seat, seats)
            tally[seat][1 if played.result == "draw" else 0 if played.result == seat else 2] += 1
        rounds.append(points)
    if not rounds:
        return {"graded": "nothing"}
    low, high = mean_interval(Sample(np.array(rounds), np.full(len(rounds), float(seats))))
    if seats == 2:
        low, high = score_interval([(points, 2) for points in rounds])
    shares = {f"random_{seat.lower()}": [n / len(rounds) for n in t] for seat, t in tally.items()}
    score = sum(rounds) / (seats * len(rounds))
    found = {"graded": "games", "games_played": seats * len(rounds)}
    return {**found, "score": score, "score_low": low, "score_high": high, **shares}


def sampled_regret(game: Game, player: Agent, seed: int) -> Grades:
    """What the player's choices lose in positions of random games, where more than two play.

    Nothing where the equilibrium is not at hand; tied moves count alike in it.
    """
    table = seat_table_at_hand(game, "uniform")
    if table is None:
        return {}
    rng, losses = np.random.default_rng([seed, SEAT_SAMPLE]), list[float]()
    while len(losses) < SEAT_SAMPLE:
        position: Position = game.start()
        for _ in range(int(rng.integers(game.cells))):
            if position.result is None:
                position = position.sample(int(rng.choice(position.moves)), rng)[1]
        if position.result is None:
            seat, worths = game.marks.index(position.mover), table.values(position)
            player.reset()
            chosen = worths[player.choose(position, rng)][seat]
            lost = max(worth[seat] for worth in worths.values()) - chosen
            losses.append(lost if lost > table.tie else 0.0)
    return {
        "graded": "a sample of positions",
        "positions": len(losses),
        "regret_mean": float(np.mean(losses)),
        "regret_worst": max(losses),
        "optimal_share": float(np.mean([lost == 0.0 for lost in losses])),
    }


def _grade_exactly(judge: Judge, player: Agent, is_last: bool, seed: int) -> Grades:
    """The grades where every choice can be weighed."""
    is_whole = is_last or judge.game.cells <= WHOLE_CELLS
    asked = judge.positions if is_whole else _sample(judge, seed)
    moves = [ask(player, judge.game, asked[side], turn) for side, turn in _SIDES]
    losses = np.concatenate([judge.losses(asked[side], moves[side]) for side in (0, 1)])
    found: Grades = {
        "graded": "all positions" if is_whole else "a sample of positions",
        "positions": len(losses),
        "regret_mean": float(losses.mean()),
        "regret_worst": float(losses.max()),
        "optimal_share": float((losses == 0.0).mean()),
    }
    found |= own_regret(judge, player, OWN_GAMES, seed)
    return found | _odds(judge, moves) if is_whole else found


def _sample(judge: Judge, seed: int) -> tuple[Numbers, Numbers]:
    rng = np.random.default_rng([seed, SAMPLE])
    both = [rng.choice(part, min(SAMPLE // 2, len(part))) for part in judge.positions]
    return np.sort(both[0]), np.sort(both[1])


def _odds(judge: Judge, moves: list[Numbers]) -> Grades:
    """Exact odds (win, draw, loss) of the player in each seat."""
    seats = [_policy(judge, side, moves[side]) for side in (0, 1)]
    random = weighted_policy(judge.game, "random", (1.0,), waits_uniformly=True)
    found: Grades = {}
    for name, other in (("random", random), ("optimal", judge.optimal)):
        as_x = evaluate_odds(judge.game, seats[0], other)
        as_o = evaluate_odds(judge.game, other, seats[1])
        found[f"{name}_x"] = [as_x.x, as_x.draw, as_x.o]
        found[f"{name}_o"] = [as_o.o, as_o.draw, as_o.x]
    return found


def _policy(judge: Judge, side: int, moves: Numbers) -> Policy:
    masks = np.full((1, 3**judge.game.cells), (1 << judge.game.cells) - 1, np.uint32)
    masks[0, judge.positions[side]] = np.uint32(1) << moves.astype(np.uint32)
    ones = np.ones(judge.game.cells)
    return Policy(judge.game, "the player", masks, ones, np.zeros((1, 1), np.int32))
