"""What the page is told about the moves of a position and of a whole game, as plain data."""

from collections.abc import Sequence

from noughts.games.game import Game, Landing, Position
from noughts.games.view import move_name
from noughts.kernels.mode import is_interpreted
from noughts.knowledge import Known
from noughts.knowledge.outlook import move_odds
from noughts.web.play.places import Data
from noughts.web.play.values import TIE, Judge, Judged, costliest

GRADES = ((0.4, "blunder"), (0.15, "mistake"), (0.05, "slip"))  # of what a choice lost


def values_data(position: Position, judged: Judged, seconds: float) -> Data:
    """What every legal move is worth; how often it wins and how soon, where that is known."""
    game = position.game
    odds = move_odds(position, judged.found.known)
    return {
        "agent": judged.agent,
        "source": judged.source,
        "exact": judged.is_exact,
        "value": judged.value,
        "spread": judged.spread,
        "plies": judged.found.whole.plies if judged.is_exact else None,
        "seconds": seconds,
        "values": [
            {
                "move": move,
                "name": move_name(position, move),
                "cell": game.cell_of(move),
                "wait": game.wait_of(move),
                "value": value,
                "exact": move in judged.exact_moves,
                "best": move in judged.best,
                "spread": judged.spread_of(move),
                "odds": [odds[move].x, odds[move].draw, odds[move].o] if move in odds else None,
                **_known_data(judged.found.known.get(move)),
            }
            for move, value in judged.values.items()
        ],
        "best": list(judged.best),
        "clear": judged.is_clear,
        "line": judged.line,
        "line_names": _line_names(position, judged.line),
        "expected": _line_names(position, judged.expected) or [],
        "note": judged.note,
        "compiled": not is_interpreted(),
    }


def _line_names(position: Position, line: Sequence[int] | None) -> list[str] | None:
    """A line of moves in words: each move as it stands in the list of moves."""
    if line is None:
        return None
    names = []
    for move in line:
        names.append(move_name(position, move))
        position = position.play(move)
    return names


def _known_data(known: Known | None) -> Data:
    """What is certain about a move: bounds, where they are from, and how soon a win is over."""
    if known is None:
        return {"low": -1.0, "high": 1.0, "known": None, "plies": None}
    return {"low": known.low, "high": known.high, "known": known.source, "plies": known.plies}


def analysis_data(
    judge: Judge, positions: Sequence[Position], played: Sequence[int], landings: Sequence[Landing]
) -> Data:
    """The evaluation of a whole game: what every choice lost, and what the dice gave."""
    judged = [judge.judge(position) if position.result is None else None for position in positions]
    curve = []
    for ply, (position, found) in enumerate(zip(positions, judged, strict=True)):
        value = position.game.worth(position.result or "draw")[0] if found is None else found.value
        is_exact = found is None or found.is_exact
        curve.append({"ply": ply, "turn": position.turn, "value": value, "exact": is_exact})
    moves = []
    for ply in range(len(landings)):
        found = judged[ply]
        assert found is not None, "a move follows a running position"
        moves.append(_judged_move(judge, positions[ply], played[ply], found, curve[ply + 1]))
    return {
        "agent": judge.agent_name,
        "source": _sources(judged),
        "exact": all(point["exact"] for point in curve) and all(move["exact"] for move in moves),
        "curve": curve,
        "moves": moves,
        "costliest": costliest(moves, positions[0].game.marks),
        "split": _split(positions[0].game, curve, moves),
    }


def _split(game: Game, curve: Sequence[Data], moves: Sequence[Data]) -> Data:
    """Skill and luck: the value of the end, from that of the beginning.

    end = start + what O's choices gave X - what X's own cost him + what the dice gave X + the rest,
    which is nothing where all is known, and elsewhere what the search thought better of.
    """
    cost = {seat: sum(m["regret"] for m in moves if m["turn"] == seat) for seat in game.marks}
    luck = sum(move["luck"] for move in moves)
    start, end = curve[0]["value"], curve[-1]["value"]
    given = luck - sum(game.worth(seat)[0] * lost for seat, lost in cost.items())
    rest = end - (start + given)
    return {"start": start, "cost": cost, "luck": luck, "rest": rest, "end": end}


def _judged_move(judge: Judge, before: Position, move: int, found: Judged, after: Data) -> Data:
    """One choice: what it was worth, what a best one was, and what the landing gave besides."""
    is_risky = before.game.is_risky
    value, is_exact = judge.value_of(before, move, found), move in found.exact_moves
    if not is_risky and after["exact"]:
        value, is_exact = float(after["value"]), True
    regret = max((found.value - value) * (1.0 if before.turn == "X" else -1.0), 0.0)
    is_noise = move in found.best and not (found.is_exact and is_exact)
    regret = 0.0 if regret <= TIE or is_noise else regret
    return {
        "ply": after["ply"] - 1,
        "turn": before.turn,
        "move": move,
        "value": value,
        "best": list(found.best),
        "best_names": [move_name(before, best) for best in found.best],
        "best_value": found.value,
        "regret": regret,
        "grade": next((word for least, word in GRADES if regret >= least), None),
        "luck": float(after["value"]) - value if is_risky else 0.0,
        "exact": found.is_exact and is_exact,
    }


def _sources(judged: Sequence[Judged | None]) -> str:
    """Who says so, over a whole game: what is not known weighs most."""
    said = [found for found in judged if found is not None]
    estimated = [found for found in said if not found.is_exact]
    return (estimated or said)[-1].source if said else "the end of the game"
