"""`noughts replay FILE`: play recorded games back, and check that they are true."""

import argparse
import itertools
from typing import TYPE_CHECKING, Any

from noughts.commands.playing.drawing import draw_board
from noughts.commands.terminal.arguments import Subparsers, add_json, print_json, whole_number
from noughts.errors import NoughtsError, ParseError
from noughts.games import Position

if TYPE_CHECKING:
    from noughts.arena import GameRecord


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "replay",
        help="play recorded games back",
        description="Check that the moves and landings of every game in a log lead to its recorded "
        "result; with --game N show game N move by move.",
        epilog="Example: noughts replay runs/match-1/log.jsonl --game 0",
    )
    parser.add_argument("file", help="the folder of a match or a tournament, or a log.jsonl")
    parser.add_argument(
        "--game", type=whole_number(0), metavar="N", help="show the game of this line, from 0"
    )
    add_json(parser)
    return parser


def run(options: argparse.Namespace) -> int:
    from noughts.arena import read_records, replay

    records = read_records(options.file)
    if options.game is not None:
        if options.game >= len(records):
            raise NoughtsError(
                f"{options.file} has no game {options.game}; games: 0 to {len(records) - 1}."
            )
        record = records[options.game]
        positions = replay(record)
        if options.json:
            print_json(_told(record, positions))
        else:
            _show(record, positions)
        return 0
    for number, record in enumerate(records):
        try:
            replay(record)
        except ParseError as error:
            raise ParseError(f"Game {number} of {options.file}: {error}") from None
    results: list[str | None] = [record.result for record in records]
    first, *others = max((record.marks for record in records), key=len)
    counts = {result: results.count(result) for result in (first, "draw", *others)}
    if None in results:
        counts["fault"] = results.count(None)
    if options.json:
        print_json({"file": options.file, "games": len(records), "results": counts})
        return 0
    shown = ", ".join(f"{result} {count}" for result, count in counts.items())
    print(f"{len(records):,} games, all as recorded: {shown}.")
    return 0


def _told(record: "GameRecord", positions: list[Position]) -> dict[str, Any]:
    return record.to_dict() | {"positions": [position.to_dict() for position in positions]}


def _show(record: "GameRecord", positions: list[Position]) -> None:
    seats = ", ".join(f"{seat} {agent}" for seat, agent in record.seats.items())
    print(f"{record.game}: {seats}")
    first = len(record.opening)
    for turn, (before, after) in enumerate(itertools.pairwise(positions)):
        print(f"\n{turn + 1}. {_tell(record, before, turn - first)}\n")
        print(draw_board(after, {}, colour=False))
    ending = "a draw" if record.result == "draw" else f"{record.result or 'nobody'} wins"
    print(f"\nThe result: {ending}{f' ({record.reason})' if record.reason else ''}.")


def _tell(record: "GameRecord", before: Position, chosen: int) -> str:
    """One turn in words; `chosen` counts from the end of the opening."""
    if chosen < 0:
        move = record.opening[len(record.opening) + chosen]
        return f"{before.turn} is given {before.game.name_move(move)}."
    move, landing = record.moves[chosen], record.landings[chosen]
    if before.turn is None:
        return f"It is tossed who moves: {landing.mark}."
    words = f"{before.turn} plays {before.game.name_move(move)}"
    if landing.mark is None:
        words += ", and it fizzles"
    elif landing.mark != before.turn:
        words += f", and it lands as {landing.mark}"
    if landing.faded:
        words += f"; faded: {', '.join(map(str, landing.faded))}"
    return f"{words}. ({record.seconds[chosen]:.6f} s, {record.nodes[chosen]:,} nodes)"
