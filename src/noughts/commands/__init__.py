"""One module per command, in the order in which `noughts --help` lists them."""

from noughts.commands import agents, bench, games, odds, perft, play, solve, study

COMMANDS = (games, agents, play, solve, odds, study, perft, bench)
