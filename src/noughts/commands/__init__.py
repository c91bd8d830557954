"""One module per command, in the order in which `noughts --help` lists them."""

from noughts.commands import (
    agents,
    bench,
    engine,
    games,
    gomocup,
    odds,
    perft,
    play,
    prove,
    solve,
    study,
)

COMMANDS = (games, agents, play, solve, odds, prove, study, engine, gomocup, perft, bench)
