"""Positions as the page sees them: from a Place to positions, and back to plain data."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from noughts.arena.record import read_landing, write_landing
from noughts.errors import ParseError
from noughts.games.game import Game, Landing, Position, check_two
from noughts.games.registry import game as read_game
from noughts.games.view import PositionView, landing_view, move_name, position_view
from noughts.web.settings import LONGEST_SPEC, MOST_CHOICES, MOST_LISTED_MOVES

Data = dict[str, Any]


def page_game(spec: str) -> Game:
    """The game that a page names, if it is one that a page may ask for."""
    if len(spec) > LONGEST_SPEC:
        raise ParseError(f"The game is named by {len(spec)} letters; at most {LONGEST_SPEC}.")
    game = read_game(spec)
    check_two(game, "This page")
    if game.moves > MOST_CHOICES:
        raise ParseError(
            f"{game.cells} cells and {game.longest_wait} ticks make {game.moves:,} moves; "
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
    position.check_landing(move, landing)
    return landing


def outcomes_of(position: Position, move: int) -> list[Data]:
    """How the mark may land, fading aside."""
    found = position.mark_chances(move)
    return [{"landing": mark or "-", "chance": chance} for chance, mark in found if chance > 0.0]


def position_data(position: Position, ply: int) -> Data:
    """A position for the page."""
    game, is_over = position.game, position.result is not None
    longest = 0 if is_over else max(position.longest_wait, 0)
    cells = () if is_over else position.open_cells
    is_long = len(cells) * (longest + 1) > MOST_LISTED_MOVES
    odds = None
    if game.is_risky:
        moves = {c: game.move_at(c) for c in cells}
        odds = {str(c): [p for p, _ in position.mark_chances(m)] for c, m in moves.items()}
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
        "odds": odds,
        "view": _view_data(position_view(position)),
    }


def _view_data(view: PositionView) -> Data:
    """Field by field: `dataclasses.asdict` copies deeply, and a long game has many positions."""
    return vars(view) | {"choices": [vars(choice) for choice in view.choices]}


def landing_data(game: Game, tick: int) -> Data | None:
    """How a mark lands in every cell; None where nothing can go wrong."""
    view = landing_view(game, tick)
    return None if view is None else vars(view)


def turn_data(before: Position, move: int, landing: Landing, after: Position, ply: int) -> Data:
    """One move of a history."""
    game = before.game
    kind = "meant" if landing.mark == before.turn else "fizzle" if landing.mark is None else "flip"
    return {
        "ply": ply,
        "turn": before.turn,
        "move": move,
        "name": move_name(before, move),
        "cell": game.cell_of(move),
        "wait": game.wait_of(move),
        "landing": write_landing(landing),
        "kind": kind,
        "chance": before.chance_of(move, landing.mark),
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


def rng_of(seed: int, ply: int, stream: int) -> np.random.Generator:
    """The dice of one ply: stream 0 for the landing, 1 for the agent."""
    return np.random.default_rng((seed, ply, stream))
