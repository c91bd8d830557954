"""`noughts games`: what can be played, and what one spec means."""

import argparse

from noughts.commands.playing.drawing import risk_lines
from noughts.commands.terminal.arguments import Subparsers, add_json, print_json
from noughts.games import game, listed_games


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "games",
        help="list the games, or describe one",
        description="List the games that can be played, or describe the one that a spec names.",
        epilog="Example: noughts games 3x3:flip=0.1,fizzle=0.1",
    )
    parser.add_argument("game", nargs="?", help="a spec such as 4x4:k=3,flip=0.1")
    add_json(parser)
    return parser


def run(options: argparse.Namespace) -> int:
    if options.game is not None:
        return _describe(options.game, options.json)

    listed = listed_games()
    if options.json:
        print_json([{"game": row.spec, "summary": row.summary} for row in listed])
        return 0
    width = max(len(row.spec) for row in listed)
    for row in listed:
        print(f"{row.spec:{width}}  {row.summary}")
    print()
    print("Options of every game of ours: flip, fizzle, fade (a number, a vector a/b/c with one")
    print(
        "entry per cell, or a world: classic, quarter, blind, reverse, stochastic, noisy-classic,"
    )
    print("noisy-reverse, random with seed=N); hazard with limit, turn_limit and ticks.")
    print(
        "Line games also take k and misere; ultimate takes won=closed|open, tiebreak=draw|boards."
    )
    return 0


def _describe(spec: str, as_json: bool) -> int:
    described = game(spec)
    facts: dict[str, object] = {
        "game": str(described),
        "cells": described.cells,
        "symmetries": len(described.symmetries()),
        "moves": len(described.start().moves),
    }
    if described.hypergraph is not None:
        facts["lines"] = len(described.deciding_lines)
    if as_json:
        print_json(facts)
        return 0
    for name, fact in facts.items():
        print(f"{name:10}  {fact}")
    print()
    for line in risk_lines(described):
        print(line)
    print(described.start())
    return 0
