"""The tactical suite: positions with their best moves, and the plain definitions behind them.

    python tests/tactics.py       makes the suite again, tests/golden/tactics.json

win     somebody can win at once: the cells that do
block   the opponent threatens one cell, no win at hand: that cell
fork    nothing is threatened, a move makes two threats at once: the moves after which all lose
avoid   nothing is threatened, but some moves lose: the moves of best value
chain   no fork yet, but threats in a row win: every move that wins, where a proof is at hand
        (5×5), else the moves that start such a chain
risk    the classic best move is wrong in this risky world, by a margin: the moves of best value

Everything is found by looking at every move and reply with `Position`, apart from values of whole
games, which the solver gives (3×3, 4×4) or the prover (3×3×3, 5×5:k=4).
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np

import noughts
from noughts.games import LinePosition
from noughts.games.game import Position, other
from noughts.prove.who_wins import Prover

PATH = Path(__file__).parent / "golden" / "tactics.json"  # a link: the study ships the data

WANTED = {  # game -> kind -> how many
    "3x3": {"win": 8, "block": 8, "fork": 8, "avoid": 8},
    "4x4": {"win": 8, "block": 8, "avoid": 6},
    "5x5:k=4": {"win": 6, "block": 6, "fork": 8, "chain": 6},
    "3x3x3": {"win": 8, "block": 6, "fork": 8, "avoid": 4},
    "qubic": {"win": 6, "block": 6, "fork": 8, "chain": 6},
    "ultimate": {"win": 8, "avoid": 8},
    "3x3:flip=stochastic": {"risk": 10},
    "3x3:flip=random,seed=5": {"risk": 10},
}
CHAIN = 2  # threats: a first one, and one that wins or is two at once
MARGIN = 0.03  # how much worse every other move must be where values are numbers
TRIES = 3000  # random positions looked at for each kind
PLIES = {"5x5:k=4": (6, 14), "qubic": (12, 26), "3x3x3": (5, 10), "ultimate": (30, 60)}


def winning_cells(position: Position, mark: str) -> list[int]:
    """The open cells on which this mark would win now, whoever is on turn."""
    if not isinstance(position, LinePosition):
        moved = replace(position, turn=mark)
        return [move for move in moved.moves if moved.play(move).result == mark]
    own, taken = position.x_mask, position.o_mask
    if mark == "O":
        own, taken = taken, own
    missing = {line & ~own for line in position.game.board.line_masks if not line & taken}
    return sorted(m.bit_length() - 1 for m in missing if m.bit_count() == 1)


def wins_at_once(position: Position) -> list[int]:
    """The moves that win now."""
    return winning_cells(position, position.turn)


def threatened(position: Position) -> list[int]:
    """The cells on which the opponent would win if it were his turn."""
    return winning_cells(position, other(position.turn))


def loses_at_once(position: Position) -> bool:
    """Whether every reply of the player on turn lets the opponent win next."""
    if wins_at_once(position) or not threatened(position):
        return False
    return all(wins_at_once(position.play(move)) for move in position.moves)


def forks(position: Position) -> list[int]:
    """Moves after which the opponent cannot win and cannot parry."""
    return [move for move in position.moves if loses_at_once(position.play(move))]


def wins_by_threats(position: Position, threats: int) -> bool:
    """Whether the player on turn wins by making a threat with every move."""
    if wins_at_once(position):
        return True
    if threats == 0:
        return False
    parries = threatened(position)
    return any(
        starts_chain(position, move, threats)
        for move in (parries[:1] if parries else position.moves)
    )


def starts_chain(position: Position, move: int, threats: int) -> bool:
    """Whether this move makes a threat that wins, now or by a chain of more of them."""
    after = position.play(move)
    if after.result is not None or wins_at_once(after):
        return False
    parries = threatened(after)
    if len(parries) != 1:
        return len(parries) > 1
    reply = after.play(parries[0])
    return reply.result is None and wins_by_threats(reply, threats - 1)


@cache
def solution(spec: str) -> noughts.Solution:
    return noughts.solve(spec)


@cache
def prover(spec: str) -> Prover:
    return Prover(spec)


def value_for_mover(position: Position) -> Callable[[Position], float]:
    """A function that gives the exact value of a later position for whoever moves now."""
    sign = 1.0 if position.turn == "X" else -1.0
    if position.game.cells <= 16:
        return lambda after: sign * solution(str(position.game)).value(after)
    worth = {"X": sign, "O": -sign, "draw": 0.0}
    return lambda after: worth[after.result or prover(str(position.game)).result(after)]


def moves_of_best_value(position: Position) -> list[int]:
    value = value_for_mover(position)
    values = {move: value(position.play(move)) for move in position.moves}
    best = max(values.values())
    return [move for move, v in values.items() if v == best]


def best_win(position: Position) -> list[int]:
    return wins_at_once(position)


def best_block(position: Position) -> list[int]:
    cells = threatened(position)
    return cells if len(cells) == 1 and not wins_at_once(position) else []


def best_fork(position: Position) -> list[int]:
    return [] if wins_at_once(position) or threatened(position) else forks(position)


def best_avoid(position: Position) -> list[int]:
    if str(position.game) == "ultimate":  # do not let the opponent win the game at once
        safe = [m for m in position.moves if not wins_at_once(position.play(m))]
        return safe if len(safe) < len(position.moves) and not wins_at_once(position) else []
    if wins_at_once(position) or threatened(position) or forks(position):
        return []
    best = moves_of_best_value(position)
    return best if 2 * len(best) <= len(position.moves) else []


def best_chain(position: Position) -> list[int]:
    if wins_at_once(position) or threatened(position) or forks(position):
        return []
    chains = [move for move in position.moves if starts_chain(position, move, CHAIN)]
    return moves_of_best_value(position) if chains and position.game.cells == 25 else chains


def best_risk(position: Position) -> list[int]:
    classic = noughts.game("3x3").parse(f"{position.board} {position.turn} to move")
    values = solution(str(position.game)).values(position)
    best = solution(str(position.game)).best_moves(position)
    others = [value for move, value in values.items() if move not in best]
    if min((abs(values[best[0]] - value) for value in others), default=0.0) < MARGIN:
        return []
    wrong = solution("3x3").best_moves(classic)
    return [] if set(best) & set(wrong) else list(best)


BEST = {
    "win": best_win,
    "block": best_block,
    "fork": best_fork,
    "avoid": best_avoid,
    "chain": best_chain,
    "risk": best_risk,
}


def random_positions(spec: str, rng: np.random.Generator) -> Iterator[Position]:
    """One running position from each of many random games."""
    game = noughts.game(spec)
    low, high = PLIES.get(spec, (2, game.cells - 2))
    while True:
        position = game.start()
        for _ in range(int(rng.integers(low, high + 1))):
            if position.result is None:
                _, position = position.sample(int(rng.choice(position.moves)), rng)
        if position.result is None:
            yield position


def make() -> list[dict[str, object]]:
    """The whole suite; always the same."""
    suite = []
    for spec, kinds in WANTED.items():
        for kind, count in kinds.items():
            rng = np.random.default_rng([len(spec), len(kind), count, ord(spec[0]), ord(kind[0])])
            seen: set[Position] = set()
            for position in islice(random_positions(spec, rng), TRIES):
                if len(seen) == count:
                    break
                canonical = position.canonical()
                best = BEST[kind](position) if canonical not in seen else []
                if best:
                    seen.add(canonical)
                    text = position.to_text()
                    suite.append({"game": spec, "kind": kind, "position": text, "best": best})
    return suite


if __name__ == "__main__":
    lines = ",\n".join(json.dumps(entry) for entry in make())
    PATH.write_text(f"[\n{lines}\n]\n")
