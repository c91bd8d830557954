"""What a player's moves lose in its own games, many games at once.

All games of a pairing go on in step: every board is a number, every turn asks for all moves at
once. The player meets itself, the optimal and the random player, in both seats.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.agents import Agent
from noughts.kernels.learn.table_grading import results_of, swap_numbers
from noughts.learn.frame.grading.judge import Judge, Numbers, ask
from noughts.solve.numbering import fade_chances

MAX_TURNS = 1000  # a game in which marks keep fading or fizzling is left after this

_SELF, _OPTIMAL, _RANDOM = range(3)
_PAIRINGS = (  # who sits at X and at O; the player is judged where it sits
    (_SELF, _SELF), (_SELF, _OPTIMAL), (_OPTIMAL, _SELF), (_SELF, _RANDOM), (_RANDOM, _SELF),
)  # fmt: skip


def own_regret(judge: Judge, player: Agent, games: int, seed: int) -> dict[str, Any]:
    """The mean and the worst regret of the moves in a player's own games; how many those were."""
    total, worst, moves = 0.0, 0.0, 0
    for index, seats in enumerate(_PAIRINGS):
        rng = np.random.default_rng([seed, games, index])
        lost, most, made = _play(judge, player, seats, games, rng)
        total, worst, moves = total + lost, max(worst, most), moves + made
    return {"own_regret": total / max(moves, 1), "own_worst": worst, "own_moves": moves}


def _play(
    judge: Judge, player: Agent, seats: tuple[int, int], games: int, rng: np.random.Generator
) -> tuple[float, float, int]:
    """(regret of the player's moves, that of the worst, how many) in games of one pairing."""
    numbers = np.zeros(games, np.int64)  # from the player on turn
    lost, most, made, side = 0.0, 0.0, 0, 0
    for _ in range(MAX_TURNS):
        if not len(numbers):
            break
        if seats[side] == _SELF:
            distinct, back = np.unique(numbers, return_inverse=True)
            moves = ask(player, judge.game, distinct, judge.game.marks[side])[back]
            losses = judge.losses(numbers, moves)
            lost, most = lost + float(losses.sum()), max(most, float(losses.max()))
            made += len(numbers)
        elif seats[side] == _OPTIMAL:
            moves = judge.best(numbers)
        else:
            moves = _random(judge, numbers, rng)
        numbers = _land(judge, numbers, moves, rng)
        side = 1 - side
    return lost, most, made


def _random(judge: Judge, numbers: Numbers, rng: np.random.Generator) -> Numbers:
    """A uniformly drawn empty cell of each board."""
    draws = rng.random((len(numbers), judge.game.cells))
    draws[_digits(judge, numbers) != 0] = -1.0
    return np.asarray(draws.argmax(axis=1), np.int64)


def _digits(judge: Judge, numbers: Numbers) -> NDArray[np.int64]:
    """[boards, cells] what each cell holds, seen from the player on turn."""
    found: Numbers = numbers[:, None] // judge.rules.power[None, :] % 3
    return found


def _land(judge: Judge, numbers: Numbers, moves: Numbers, rng: np.random.Generator) -> Numbers:
    """The boards that go on, seen from the next player: marks land, games end, marks fade."""
    draw, odds = rng.random(len(moves)), judge.odds
    own = draw < odds.own[moves]
    flipped = ~own & (draw < odds.own[moves] + odds.flip[moves])
    landed = numbers + judge.rules.power[moves] * (own + 2 * flipped)
    after: Numbers = swap_numbers(judge.rules, landed)
    values = np.empty(len(after))
    results_of(judge.rules, after, values)
    after = after[values == 2.0]
    if judge.game.fades:
        digits = _digits(judge, after)
        fades = rng.random(digits.shape) < fade_chances(judge.game)
        after = after - (digits * fades) @ judge.rules.power
    return after
