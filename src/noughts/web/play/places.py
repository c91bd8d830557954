"""Positions as the page sees them: from a Place to positions, and back to plain data."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from noughts.arena.record import read_landing, write_landing
from noughts.errors import IllegalMove, ParseError
from noughts.games.game import Game, Landing, Position, check_two, other
from noughts.games.line_game import LinePosition
from noughts.games.registry import game as read_game
from noughts.games.ultimate import ANYWHERE, UltimatePosition
from noughts.web.settings import LONGEST_SPEC, MOST_CHOICES, MOST_LISTED_MOVES

if TYPE_CHECKING:
    import numpy as np

Data = dict[str, Any]


def page_game(spec: str) -> Game:
    """The game that a page names, if it is one that a page may ask for."""
    if len(spec) > LONGEST_SPEC:
        raise ParseError(f"The game is named by {len(spec)} letters; at most {LONGEST_SPEC}.")
    game = read_game(spec)
    check_two(game, "This page")
    choices = game.cells * (game.risk.longest_wait + 1)
    if choices > MOST_CHOICES:
        raise ParseError(
            f"{game.cells} cells and {game.risk.longest_wait} ticks make {choices:,} moves; "
            f"the page takes up to {MOST_CHOICES:,}. Take fewer ticks."
        )
    return game


def positions_of(place: Data) -> list[Position]:
    """Every position of the game so far: the start, and after each move."""
    game, text = page_game(place["game"]), place.get("start")
    position = game.start() if text is None else game.parse(text)
    positions = [position]
    for move, landing in _moves(place):
        position = position.play(move, checked_landing(position, move, landing))
        positions.append(position)
    return positions


def landings_of(place: Data, positions: Sequence[Position]) -> list[Landing]:
    """How each move landed; the positions are those of `positions_of`."""
    return [
        Landing(before.turn) if landing is None else landing
        for before, (_, landing) in zip(positions, _moves(place), strict=False)
    ]


def _moves(place: Data) -> Iterator[tuple[int, Landing | None]]:
    moves, texts = place.get("moves", []), place.get("landings", [])
    if len(texts) > len(moves):
        raise ParseError(f"There are {len(texts)} landings for {len(moves)} moves.")
    for number, move in enumerate(moves):
        text = texts[number] if number < len(texts) else None
        yield move, None if text is None else read_landing(text)


def checked_landing(position: Position, move: int, landing: Landing | None) -> Landing | None:
    """The landing, if the dice could have fallen so."""
    if landing is None:
        return None
    move = position.check_move(move)
    if _chance(position, move, landing) <= 0.0:
        raise IllegalMove(f"Move {move} cannot land as {landing.mark or 'nothing'} here.")
    stray = [cell for cell in landing.faded if cell >= position.game.cells]
    if stray or any(position.game.risk.fade[cell] <= 0.0 for cell in landing.faded):
        raise IllegalMove(f"Cells {sorted(landing.faded)} cannot all fade here.")
    return landing


def _chance(position: Position, move: int, landing: Landing) -> float:
    game = position.game
    odds = game.risk.landing_odds(game.cell_of(move), position.tick + game.wait_of(move))
    return odds[(position.turn, other(position.turn), None).index(landing.mark)]


def outcomes_of(position: Position, move: int) -> list[Data]:
    """How the mark may land, fading aside."""
    marks = (position.turn, other(position.turn), None)
    found = [(mark, _chance(position, move, Landing(mark))) for mark in marks]
    return [{"landing": mark or "-", "chance": chance} for mark, chance in found if chance > 0.0]


def position_data(position: Position, ply: int) -> Data:
    """A position for the page."""
    game, is_over = position.game, position.result is not None
    longest = 0 if is_over else max(game.risk.waits(position.tick), 0)
    cells = () if is_over else position.open_cells
    is_long = len(cells) * (longest + 1) > MOST_LISTED_MOVES
    odds = None
    if game.risk.is_risky:
        odds = {str(cell): list(game.risk.landing_odds(cell, position.tick)) for cell in cells}
    forced = owners = line = None
    if isinstance(position, UltimatePosition):
        owners, line = position.owners, position.winning_line
        forced = None if position.forced == ANYWHERE else position.forced
    elif isinstance(position, LinePosition):
        line = position.winning_line
    return {
        "game": str(game),
        "text": position.to_text(),
        "board": position.board,
        "turn": position.turn,
        "result": position.result,
        "ply": ply,
        "moves": None if is_long else list(position.moves),
        "open_cells": list(cells),
        "last": position.last,
        "tick": position.tick,
        "longest_wait": longest,
        "winning_line": None if line is None else list(line),
        "forced": forced,
        "owners": owners,
        "odds": odds,
    }


def turn_data(before: Position, move: int, landing: Landing, after: Position, ply: int) -> Data:
    """One move of a history."""
    game = before.game
    kind = "meant" if landing.mark == before.turn else "fizzle" if landing.mark is None else "flip"
    return {
        "ply": ply,
        "turn": before.turn,
        "move": move,
        "cell": game.cell_of(move),
        "wait": game.wait_of(move),
        "landing": write_landing(landing),
        "kind": kind,
        "chance": _chance(before, move, landing),
        "faded": list(landing.faded),
        "board": after.board,
    }


def history_data(place: Data, positions: Sequence[Position]) -> list[Data]:
    """All moves of a game so far."""
    landings = landings_of(place, positions)
    moves = place.get("moves", [])
    return [
        turn_data(positions[ply], moves[ply], landings[ply], positions[ply + 1], ply)
        for ply in range(len(moves))
    ]


def rng_of(seed: int, ply: int, stream: int) -> "np.random.Generator":
    """The dice of one ply: stream 0 for the landing, 1 for the agent."""
    import numpy as np

    return np.random.default_rng((seed, ply, stream))
