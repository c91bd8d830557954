"""One module per command, in the order in which `noughts --help` lists them."""

from noughts.commands import agents, bench, games, perft

COMMANDS = (games, agents, perft, bench)
