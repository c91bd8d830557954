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
    serve,
    solve,
    study,
    tournament,
    train,
)

COMMANDS = (
    games,
    agents,
    play,
    serve,
    solve,
    odds,
    prove,
    match,
    tournament,
    replay,
    train,
    study,
    engine,
    gomocup,
    perft,
    bench,
)
