"""`noughts odds GAME`: exact odds of one player per seat, and a simulation beside them."""

import argparse
from typing import TYPE_CHECKING, Any

from noughts.agents import agent
from noughts.commands.terminal.arguments import Subparsers, add_json, print_json, whole_number
from noughts.errors import NoughtsError
from noughts.games import Game, game
from noughts.games.game import MARKS
from noughts.solve import best_response, odds, policy, simulate

if TYPE_CHECKING:
    from noughts.effort import Work


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "odds",
        help="exact odds of players, nothing sampled",
        description="The exact probabilities that each seat wins, and that the game is drawn. "
        "Players: optimal, random, fixed:weights=a/b/c, optimal:of=GAME (the optimal player of "
        "another game on the same board, such as the classic one), or any agent, asked once about "
        "every board.",
        epilog="Example: noughts odds 3x3:flip=0.25 --x optimal --o optimal:of=3x3",
    )
    parser.add_argument("game", help="a spec such as 3x3:flip=0.1")
    parser.add_argument("--x", default="optimal", help="X's player (optimal)")
    parser.add_argument("--o", default="optimal", help="O's player (optimal)")
    parser.add_argument("--t", help="T's player, where there are three (optimal)")
    parser.add_argument("--s", help="S's player, where there are four (optimal)")
    parser.add_argument(
        "--ties",
        choices=("lowest", "uniform"),
        default="lowest",
        help="what an optimal player does with equally good moves (lowest)",
    )
    parser.add_argument(
        "--best-response",
        choices=MARKS,
        help="let this seat play the best reply to all others",
    )
    parser.add_argument(
        "--simulate", type=whole_number(1), metavar="GAMES", help="also play this many games"
    )
    parser.add_argument("--seed", type=whole_number(0), default=0, help="of the simulation (0)")
    add_json(parser)
    return parser


def estimate(options: argparse.Namespace) -> "list[Work]":
    """Two players as tables, and the odds of one table against the other."""
    from noughts.effort import choosing, solving, weighing

    played = game(options.game)
    works = [weighing(played, options.simulate or 0)]
    for spec in _named(options, played):
        player = agent(spec)
        if player.name == "optimal":
            works.append(solving(played))
        elif player.kernels:  # it is asked about every board
            works.append(choosing(player, played, (played.seats + 1.0) ** played.cells))
    return works


def _named(options: argparse.Namespace, played: Game) -> list[str]:
    """The players' specs, one for each seat."""
    specs = [getattr(options, mark.lower()) for mark in MARKS]
    for mark, spec in zip(MARKS[played.seats :], specs[played.seats :], strict=True):
        if spec is not None:
            raise NoughtsError(f"{played} has no seat {mark}; it is for {played.seats} players.")
    return ["optimal" if spec is None else spec for spec in specs[: played.seats]]


def run(options: argparse.Namespace) -> int:
    played = game(options.game)
    seat = options.best_response
    if seat is not None and seat not in played.marks:
        raise NoughtsError(f"{played} has no seat {seat}; it is for {played.seats} players.")
    named = zip(played.marks, _named(options, played), strict=True)
    players: dict[str, Any] = {  # whose seat the reply takes need not be a player at all
        mark: None if mark == seat else policy(played, spec, options.ties, mark)
        for mark, spec in named
    }
    if seat is not None:
        others = [player for mark, player in players.items() if mark != seat]
        players[seat] = best_response(played, others, seat, options.ties).policy
    x, o, *more = players.values()
    seated = {mark.lower(): player for mark, player in zip(MARKS[2:], more, strict=False)}
    exact = odds(played, x, o, **seated)
    keys = ["x", "draw", "o", *seated]
    facts: dict[str, Any] = {
        "game": str(played),
        **{f"{mark.lower()}_player": player.name for mark, player in players.items()},
        **{key: getattr(exact, key) for key in keys},
        "value": exact.value,
    }
    if more:
        facts["worth"] = list(exact.worth)
    simulation = None
    if options.simulate:
        simulation = simulate(played, x, o, options.simulate, options.seed, **seated)
        facts["simulation"] = {key: getattr(simulation, key) for key in keys}
    if options.json:
        print_json(facts)
        return 0
    print(f"{played}: {', '.join(f'{mark} {player.name}' for mark, player in players.items())}")
    for key in keys:
        line = f"{'draw' if key == 'draw' else f'{key.upper()} wins':7} {getattr(exact, key):.12f}"
        if simulation is not None:
            low, high = simulation.interval(key)
            share = getattr(simulation, key) / simulation.games
            line += f"   {share:.6f} of {simulation.games:,} games (95%: {low:.6f} to {high:.6f})"
        print(line)
    for mark, worth in list(zip(played.marks, exact.worth, strict=True))[: None if more else 1]:
        print(f"{'worth' if more else 'value':7} {worth:+.12f} for {mark}")
    return 0
