"""Plays a recorded game back, and notices when the record cannot be true."""

from pathlib import Path

from noughts.arena.record import GameRecord, read_wrapped
from noughts.arena.seating import result_of_fault
from noughts.errors import NoughtsError, ParseError
from noughts.games.game import Mark, Position
from noughts.games.registry import game as read_game
from noughts.report.log import check_run
from noughts.report.run import IDENTITY, LOG, read_config


def replay(record: GameRecord) -> list[Position]:
    """Every position of a game, from the empty board to the end.

    Raises ParseError when a move is not allowed, a mark could not have landed as it is told, or the
    last position does not have the recorded result.
    """
    position: Position = read_game(record.game).start()
    if position.game.seats != len(record.seats):
        raise ParseError(
            f"{record.game} has {position.game.seats} seats; the record names {len(record.seats)}."
        )
    positions = [position]
    try:
        for move in record.opening:
            position = position.play(move)
            positions.append(position)
        for move, landing in zip(record.moves, record.landings, strict=True):
            position.check_landing(move, landing)
            position = position.play(move, landing)
            positions.append(position)
    except NoughtsError as error:
        raise ParseError(f"Turn {len(positions)} of the record is impossible: {error}") from None
    _check_end(record, position)
    return positions


def movers(record: GameRecord) -> list[Mark | None]:
    """Who chose each of the moves; None where it was nobody's turn."""
    if read_game(record.game).takes_turns:
        first, marks = len(record.opening), record.marks
        return [marks[(first + i) % len(marks)] for i in range(len(record.moves))]
    return [position.turn for position in replay(record)[len(record.opening) : -1]]


def read_records(path: str | Path) -> list[GameRecord]:
    """The records in a file of JSON lines, such as the log of a run; or of a run by its folder."""
    path = Path(path)
    if path.is_dir():
        path = path / LOG
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ParseError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise ParseError(f"{path} is not a text, so it holds no records of games.") from None
    records, own = [], _run_beside(path)
    for number, line in enumerate(lines, start=1):
        try:
            run, record = read_wrapped(line)
        except ParseError as error:
            raise ParseError(f"Line {number} of {path}: {error}") from None
        if own is not None:
            check_run(f"Line {number} of {path}", run, own)
        records.append(record)
    if not records:
        raise ParseError(f"{path} holds no games.")
    return records


def _run_beside(path: Path) -> str | None:
    """The identity in the config beside a log; None for other files and runs of before."""
    if path.name != LOG or not (path.parent / "config.json").exists():
        return None
    found = read_config(path.parent).get(IDENTITY)
    return None if found is None else str(found)


def _check_end(record: GameRecord, position: Position) -> None:
    if record.reason is None:
        if position.result != record.result:
            ended = "is not over" if position.result is None else f"ends with {position.result}"
            raise ParseError(f"The game {ended}, but the record says {record.result}.")
        return
    fault = record.fault
    expected = "draw" if fault is None else result_of_fault(fault, len(record.seats))
    if position.result is not None or record.result != expected:
        raise ParseError(f"The reason '{record.reason}' does not fit the result {record.result}.")
    if fault is not None and fault != position.turn:
        raise ParseError(f"The reason '{record.reason}' blames {fault}, who was not on turn.")
