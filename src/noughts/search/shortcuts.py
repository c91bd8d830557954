"""Moves that are sure without growing a tree: chains of threats on lines, elsewhere exact endgames.

A tree of random games finds the first move of a long chain only by luck, and spends its
simulations on endgames that alpha-beta solves outright.
"""

from dataclasses import dataclass

from noughts.games.game import Position

CHAIN_CELLS = 25  # from here on a chain of threats is looked for
_MEGABYTES = 64


@dataclass(frozen=True)
class SureMove:
    """A move whose result is proven: the value for X, how many nodes and moves it took, and why."""

    move: int
    value: float
    nodes: int
    depth: int
    note: str


def sure_move(position: Position, endgame: int) -> SureMove | None:
    """A proven best move if there is a short cut to it. `endgame`: moves that are few."""
    game = position.game
    if game.is_risky or game.seats > 2:
        return None
    return _endgame(position, endgame) if game.hypergraph is None else _chain(position)


def _chain(position: Position) -> SureMove | None:
    if position.game.is_misere or position.game.cells < CHAIN_CELLS:
        return None
    from noughts.search.threats import forced_win  # loads numba

    moves = forced_win(position)
    if moves is None:
        return None
    value = 1.0 if position.turn == "X" else -1.0
    note = f"a chain of threats wins in {len(moves)} moves"
    return SureMove(moves[0], value, len(moves), len(moves), note)


def _endgame(position: Position, endgame: int) -> SureMove | None:
    left = position.most_left
    if left is None or left > endgame:
        return None
    from noughts.search.engines.negamax import AlphaBetaEngine  # loads numba

    engine = AlphaBetaEngine(position.game, _MEGABYTES)
    answer = engine.look(position, left)
    if answer.move is None or not answer.is_proven:
        return None
    note = f"an exact endgame of {left} free cells"
    return SureMove(answer.move, answer.value, engine.nodes, left, note)
