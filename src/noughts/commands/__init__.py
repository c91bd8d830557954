"""One module per command, in the order in which `noughts --help` lists them."""

from noughts.commands import (
    agents,
    bench,
    engine,
    games,
    gomocup,
    match,
    odds,
    perft,
    play,
    prove,
    replay,
    solve,
    study,
    tournament,
)

COMMANDS = (
    games,
    agents,
    play,
    solve,
    odds,
    prove,
    match,
    tournament,
    replay,
    study,
    engine,
    gomocup,
    perft,
    bench,
)
