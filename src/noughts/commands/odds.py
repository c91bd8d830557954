"""`noughts odds GAME`: exact odds of two players, and a simulation beside them."""

import argparse
from typing import TYPE_CHECKING

from noughts.commands.arguments import Subparsers, add_json, print_json, whole_number

if TYPE_CHECKING:
    from noughts.effort import Work


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "odds",
        help="exact odds of two players, nothing sampled",
        description="The exact probabilities that X wins, that the game is drawn, and that O wins. "
        "Players: optimal, random, fixed:weights=a/b/c, optimal:of=GAME (the optimal player of "
        "another game on the same board, such as the classic one), or any agent, asked once about "
        "every board.",
        epilog="Example: noughts odds 3x3:flip=0.25 --x optimal --o optimal:of=3x3",
    )
    parser.add_argument("game", help="a spec such as 3x3:flip=0.1")
    parser.add_argument("--x", default="optimal", help="X's player (optimal)")
    parser.add_argument("--o", default="optimal", help="O's player (optimal)")
    parser.add_argument(
        "--ties",
        choices=("lowest", "uniform"),
        default="lowest",
        help="what an optimal player does with equally good moves (lowest)",
    )
    parser.add_argument(
        "--best-response",
        choices=("X", "O"),
        help="let this seat play the best reply to the other player",
    )
    parser.add_argument(
        "--simulate", type=whole_number(1), metavar="GAMES", help="also play this many games"
    )
    parser.add_argument("--seed", type=whole_number(0), default=0, help="of the simulation (0)")
    add_json(parser)
    return parser


def estimate(options: argparse.Namespace) -> "list[Work]":
    """Two players as tables, and the odds of one table against the other."""
    from noughts.agents import agent
    from noughts.effort import IDLE, choosing, solving, weighing
    from noughts.games import game

    played = game(options.game)
    works = [weighing(played, options.simulate or 0)]
    for spec in (options.x, options.o):
        player = agent(spec)
        if player.name == "optimal":
            works.append(solving(played))
        elif player.name not in IDLE:  # it is asked about every board
            works.append(choosing(player, played, 3.0**played.cells))
    return works


def run(options: argparse.Namespace) -> int:
    from noughts.solve import best_response, odds, policy, simulate

    x = policy(options.game, options.x, options.ties, "X")
    o = policy(options.game, options.o, options.ties, "O")
    if options.best_response:
        seat = options.best_response
        reply = best_response(options.game, o if seat == "X" else x, seat, options.ties)
        x, o = (reply.policy, o) if seat == "X" else (x, reply.policy)
    exact = odds(options.game, x, o)
    facts = {
        "game": str(x.game),
        "x_player": x.name,
        "o_player": o.name,
        "x": exact.x,
        "draw": exact.draw,
        "o": exact.o,
        "value": exact.value,
    }
    played = None
    if options.simulate:
        played = simulate(options.game, x, o, options.simulate, options.seed)
        facts["simulation"] = {"x": played.x, "draw": played.draw, "o": played.o}
    if options.json:
        print_json(facts)
        return 0
    print(f"{x.game}: X {x.name}, O {o.name}")
    for name, key in (("X wins", "x"), ("draw", "draw"), ("O wins", "o")):
        line = f"{name:7} {getattr(exact, key):.12f}"
        if played is not None:
            low, high = played.interval(key)
            share = getattr(played, key) / played.games
            line += f"   {share:.6f} of {played.games:,} games (95%: {low:.6f} to {high:.6f})"
        print(line)
    print(f"{'value':7} {exact.value:+.12f} for X")
    return 0
