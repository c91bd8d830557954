"""One module per command, in the order in which `noughts --help` lists them."""

from noughts.commands import agents, bench, games, odds, perft, solve, study

COMMANDS = (games, agents, solve, odds, study, perft, bench)
