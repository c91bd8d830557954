"""One module per command, in the order in which `noughts --help` lists them."""

from noughts.commands import bench, games, perft

COMMANDS = (games, perft, bench)
