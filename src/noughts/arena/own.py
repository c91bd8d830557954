"""Whether a recorded game is the one that a plan asks for.

The identity of a run says that a line was written for the same question; this looks at the line
itself: its game, its seats, its seeds, its index and its opening are all settled before a game
begins, so they must be those of the plan. A log of before there were identities is adopted by this
check alone, and every game that is taken from a log passes it.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from noughts.agents import agent as read_agent
from noughts.arena.play import GamePlan, Player
from noughts.arena.record import GameRecord
from noughts.errors import ParseError
from noughts.games.game import MARKS
from noughts.report.log import Line
from noughts.report.run import Run, Unit


def check_own(data: Any, unit: Unit) -> None:
    """Refuse the record of another game than the unit's."""
    told = _told(GameRecord.from_dict(data))
    for word, asked in _asked(unit).items():
        if told[word] != asked:
            hint = ""
            if word == "opening":
                hint = "; another number of games may need longer openings, --openings holds them"
            raise ParseError(f"its {word} is {told[word]}, not {asked}{hint}.")


def check_logged(run: Run, units: Sequence[Unit]) -> None:
    """Refuse a run folder with a game that is not the unit's, before any other is played."""
    for unit in units:
        if unit.key in run:
            try:
                check_own(run.result(unit.key), unit)
            except ParseError as error:
                raise ParseError(f"{run.folder} holds another game {unit.key}: {error}") from None


def adopter(units: Sequence[Unit]) -> Callable[[Line], None]:
    """Accepts lines of a log that these units could have written."""
    return partial(_adopt, {unit.key: unit for unit in units})


def _adopt(units: Mapping[str, Unit], line: Line) -> None:
    unit = units.get(line["unit"])
    if unit is None:
        raise ParseError(f"game {line['unit']} is not one of the {len(units)} of this run.")
    check_own(line["result"], unit)


def _told(record: GameRecord) -> dict[str, Any]:
    told = {word: getattr(record, word) for word in ("game", "pairing", "index", "pair", "opening")}
    return told | {"seats": dict(record.seats), "seeds": dict(record.seeds)}


def _asked(unit: Unit) -> dict[str, Any]:
    plan = GamePlan(**unit.arguments["plan"])
    names = [_name(player) for player in unit.arguments["players"]]
    marks = MARKS[: plan.seats]
    return {
        "game": unit.arguments["game"],
        "pairing": plan.pairing,
        "index": plan.index,
        "pair": plan.pair,
        "opening": plan.opening,
        "seats": {seat: names[a] for seat, a in zip(marks, plan.seating, strict=True)},
        "seeds": plan.seeds(marks),
    }


def _name(player: Player) -> str:
    return _canonical(player) if isinstance(player, str) else str(read_agent(player))


@lru_cache(maxsize=64)
def _canonical(spec: str) -> str:
    return str(read_agent(spec))
