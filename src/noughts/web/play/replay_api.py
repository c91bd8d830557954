"""Record files for the page: writing one game, reading many. The format is that of the arena."""

from typing import Any

from fastapi import APIRouter

from noughts.arena.record import GameRecord, write_landing
from noughts.arena.replay import replay
from noughts.errors import NoughtsError, ParseError
from noughts.web.play import models
from noughts.web.play.places import Data, landings_of, page_game, positions_of

router = APIRouter(prefix="/api/replay", tags=["replay"])

MOST_GAMES = 1000  # of a file that are read
UNFINISHED = "the game was left unfinished"


@router.post("/write", response_model=models.FileText)
def write(body: models.WriteRequest) -> Data:
    """A game as the record file that `noughts replay` reads."""
    if body.start is not None:
        raise NoughtsError("A record begins with an empty board; this game began elsewhere.")
    place = body.model_dump()
    positions = positions_of(place)
    marks = positions[0].game.marks
    if set(body.seats) != set(marks):
        raise ParseError(f"seats must name who sat at {' and who at '.join(marks)}.")
    count, result = len(body.moves), positions[-1].result
    seconds = (*body.seconds, *(0.0,) * count)[:count]
    record = GameRecord(
        game=str(positions[0].game),
        pairing=0,
        index=0,
        pair=0,
        opening=(),
        seats={seat: body.seats[seat] for seat in marks},
        moves=tuple(body.moves),
        landings=tuple(landings_of(place, positions)),
        seconds=tuple(seconds),
        nodes=(0,) * count,
        memory=dict.fromkeys(marks, 0),
        result=result or "draw",
        reason=None if result is not None else UNFINISHED,
        seeds={},
    )
    name = record.game.partition(":")[0]
    return {"name": f"noughts-{name}.jsonl", "text": record.to_json() + "\n"}


@router.post("/read", response_model=models.RecordsAnswer)
def read(body: models.ReadRequest) -> Data:
    """The games of a record file or of a run's log, each played back and checked."""
    lines = [line for line in body.text.splitlines() if line.strip()]
    if not lines:
        raise ParseError("The file holds no games.")
    games = []
    for number, line in enumerate(lines[:MOST_GAMES], start=1):
        try:
            games.append(_told(GameRecord.from_json(line)))
        except NoughtsError as error:
            raise ParseError(f"Line {number} of the file: {error}") from None
    return {"count": len(lines), "games": games}


def _told(record: GameRecord) -> dict[str, Any]:
    page_game(str(record.game))
    positions = replay(record)
    opening = [before.turn for before, _ in zip(positions, record.opening, strict=False)]
    return {
        "game": record.game,
        "seats": dict(record.seats),
        "moves": [*record.opening, *record.moves],
        "landings": [*opening, *map(write_landing, record.landings)],
        "opening": len(record.opening),
        "result": record.result,
        "reason": record.reason,
        "seconds": list(record.seconds),
        "nodes": list(record.nodes),
    }
