"""One module per command, in the order in which `noughts --help` lists them."""

from noughts.commands.exact import check, odds, perft, prove, solve, values
from noughts.commands.house import agents, bench, games, store, warm
from noughts.commands.playing import engine, gomocup, play, replay, serve
from noughts.commands.work import match, study, tournament, train

COMMANDS = (
    games,
    agents,
    play,
    serve,
    solve,
    odds,
    prove,
    check,
    match,
    tournament,
    replay,
    train,
    study,
    values,
    engine,
    gomocup,
    perft,
    bench,
    warm,
    store,
)
