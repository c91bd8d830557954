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
Everywhere else the score in so many games against random is reported with its interval.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.agents import Agent
from noughts.agents import agent as read_agent
from noughts.errors import NoughtsError
from noughts.games.game import Game, Mark
from noughts.games.line_game import LineGame
from noughts.kernels.learn.table_grading import (
    choice_losses,
    mark_reachable,
    mark_running,
    swap_numbers,
)
from noughts.knowledge.limits import is_soon_solved
from noughts.knowledge.tables import table_of
from noughts.learn.own_games import own_regret
from noughts.learn.play_one import play_one
from noughts.solve.boards import (
    check_numbered,
    landing_vectors,
    numbered_position,
    sweep_rules,
)
from noughts.solve.evaluation import evaluate_odds
from noughts.solve.policies import Policy, make_policy, weighted_policy
from noughts.solve.solution import Solution
from noughts.solve.stages import thread_count
from noughts.stats.scores import score_interval

WHOLE_CELLS = 12  # cells up to which every grading looks at every position
SAMPLE = 20_000  # positions that stand for all on larger boards, until the last grading
BATCH = 1 << 15  # boards that a player is asked about at once
OWN_GAMES = 200  # for each opponent and seat
_SIDES: tuple[tuple[int, Mark], ...] = ((0, "X"), (1, "O"))

Numbers = NDArray[np.int64]
Grades = dict[str, Any]


def ask(player: Agent, game: LineGame, numbers: Numbers, turn: Mark) -> Numbers:
    """The player's move on each of these boards; in bulk if it can, one by one if not."""
    answer = getattr(player, "choices", None)
    moves = np.empty(len(numbers), np.int64)
    if answer is not None:
        parts = [slice(first, first + BATCH) for first in range(0, len(numbers), BATCH)]

        def fill(part: slice) -> None:
            moves[part] = answer(numbers[part], turn)

        if len(parts) < 2:
            list(map(fill, parts))
        else:
            with ThreadPoolExecutor(thread_count(None)) as pool:
                list(pool.map(fill, parts))  # a list: what a thread raised is raised here
        return moves
    for i, number in enumerate(numbers.tolist()):
        player.reset()
        position = numbered_position(game, number, turn)
        moves[i] = player.choose(position, np.random.default_rng(number))
    return moves


def can_grade_exactly(game: Game, player: Agent) -> bool:
    """Whether the truth about every choice is a matter of moments."""
    if game.risk.has_clock or not player.is_deterministic:
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
        if can_grade_exactly(self.game, player):
            return _Judge.of(check_numbered(self.game)).grade(player, is_last, self.seed)
        return grade_by_play(self.game, player, self.seed, self.games)


def grade_by_play(game: Game, player: Agent, seed: int, games: int) -> Grades:
    """The score against the random player in pairs of games, one in each seat."""
    random = read_agent("random")
    tally = {"X": [0, 0, 0], "O": [0, 0, 0]}
    pairs = []
    for index in range(games // 2):
        points = 0.0
        for side, (seat, agents) in enumerate((("X", (player, random)), ("O", (random, player)))):
            played = play_one(game, *agents, np.random.default_rng([seed, index, side]))
            won = played.points(seat)  # type: ignore[arg-type]  # the tuple's letters are marks
            tally[seat][int(2 - 2 * won)] += 1
            points += won
        pairs.append((points, 2))
    if not pairs:
        return {"graded": "nothing"}
    low, high = score_interval(pairs)
    shares = {f"random_{seat.lower()}": [n / len(pairs) for n in t] for seat, t in tally.items()}
    score = sum(points for points, _ in pairs) / (2 * len(pairs))
    found = {"graded": "games", "games_played": 2 * len(pairs)}
    return {**found, "score": score, "score_low": low, "score_high": high, **shares}


class _Judge:
    """The truth about one line game."""

    _kept: "_Judge | None" = None  # of the game that was graded last

    def __init__(self, game: LineGame) -> None:
        self.game = game
        self.rules = sweep_rules(game)
        self.odds = landing_vectors(game)
        self.solution: Solution = table_of(game)

    @classmethod
    def of(cls, game: LineGame) -> "_Judge":
        if cls._kept is None or cls._kept.game != game:
            cls._kept = cls(game)
        return cls._kept

    @cached_property
    def positions(self) -> tuple[Numbers, Numbers]:
        """The running positions, as numbers from the player on turn: X's, then O's."""
        marks = np.zeros((2, 3**self.game.cells), np.bool_)
        if self.game.risk.fades:  # marks come and go, so every board can come about
            mark_running(self.rules, marks)
        else:
            mark_reachable(self.rules, self.odds, marks)
        return np.flatnonzero(marks[0]), swap_numbers(self.rules, np.flatnonzero(marks[1]))

    @cached_property
    def optimal(self) -> Policy:
        return make_policy(self.game, self.solution, "lowest", "X")

    def losses(self, numbers: Numbers, moves: Numbers) -> NDArray[np.float64]:
        """What each choice loses."""
        found, best = np.empty(len(numbers)), np.empty(len(numbers), np.int64)
        arrivals, tie = self.solution.arrivals[0], self.solution.tie
        choice_losses(self.rules, self.odds, arrivals, tie, numbers, moves, found, best)
        if len(found) and found.min() < 0.0:
            move = moves[int(found.argmin())]
            raise NoughtsError(f"The player chose cell {move}, which is not open.")
        return found

    def grade(self, player: Agent, is_last: bool, seed: int) -> Grades:
        is_whole = is_last or self.game.cells <= WHOLE_CELLS
        asked = self.positions if is_whole else self._sample(seed)
        moves = [ask(player, self.game, asked[side], turn) for side, turn in _SIDES]
        losses = np.concatenate([self.losses(asked[side], moves[side]) for side in (0, 1)])
        found: Grades = {
            "graded": "all positions" if is_whole else "a sample of positions",
            "positions": len(losses),
            "regret_mean": float(losses.mean()),
            "regret_worst": float(losses.max()),
            "optimal_share": float((losses == 0.0).mean()),
        }
        found |= own_regret(self, player, OWN_GAMES, seed)
        return found | self._odds(moves) if is_whole else found

    def _sample(self, seed: int) -> tuple[Numbers, Numbers]:
        rng = np.random.default_rng([seed, SAMPLE])
        both = [rng.choice(part, min(SAMPLE // 2, len(part))) for part in self.positions]
        return np.sort(both[0]), np.sort(both[1])

    def _odds(self, moves: list[Numbers]) -> Grades:
        """Exact odds (win, draw, loss) of the player in each seat."""
        seats = [self._policy(side, moves[side]) for side in (0, 1)]
        random = weighted_policy(self.game, "random", (1.0,), waits_uniformly=True)
        found: Grades = {}
        for name, other in (("random", random), ("optimal", self.optimal)):
            as_x = evaluate_odds(self.game, seats[0], other)
            as_o = evaluate_odds(self.game, other, seats[1])
            found[f"{name}_x"] = [as_x.x, as_x.draw, as_x.o]
            found[f"{name}_o"] = [as_o.o, as_o.draw, as_o.x]
        return found

    def _policy(self, side: int, moves: Numbers) -> Policy:
        masks = np.full((1, 3**self.game.cells), (1 << self.game.cells) - 1, np.uint32)
        masks[0, self.positions[side]] = np.uint32(1) << moves.astype(np.uint32)
        ones = np.ones(self.game.cells)
        return Policy(self.game, "the player", masks, ones, np.zeros((1, 1), np.int32))
