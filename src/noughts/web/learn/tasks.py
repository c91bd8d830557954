"""What workers do for the table that learns: begin, look, move, learn from a game."""

from time import perf_counter

from noughts.agents import check_running
from noughts.errors import NoughtsError
from noughts.learn.table.games import pick
from noughts.learn.table.player import expected_values
from noughts.learn.table.taught.files import own_table
from noughts.learn.table.taught.named import NamedTable
from noughts.solve.numbering import board_number
from noughts.web.play.places import (
    Data,
    landings_of,
    page_game,
    position_data,
    positions_of,
    rng_of,
    turn_data,
)


def learn_move(data: Data) -> Data:
    """The table's move against a person: the best board it knows, or now and then a probe."""
    began = perf_counter()
    lesson = NamedTable.load(data["name"])
    positions = positions_of(data)
    position, ply, seed = positions[-1], len(positions) - 1, int(data["seed"])
    check_running(position)
    if position.game != lesson.game:
        raise NoughtsError(f"The table '{lesson.name}' learns {lesson.game}, not {data['game']}.")
    side, moves = position.game.marks.index(position.mover), list(position.moves)
    table = lesson.table.values[side]
    own = expected_values(lesson.game, table, board_number(position), moves)
    move, is_probe = pick(position, own, lesson.table.lessons.probe, rng_of(seed, ply, 1))
    landing, after = position.sample(move, rng_of(seed, ply, 0))
    value = (2.0 * own[moves.index(move)] - 1.0) * (1 - 2 * side) + 0.0  # for X, never -0.0
    return {
        "agent": "table",
        "turn": turn_data(position, move, landing, after, ply),
        "seed": seed,
        "thought": {
            "nodes": len(moves),
            "depth": 1,
            "seconds": perf_counter() - began,
            "memory": int(lesson.table.values.nbytes),
            "value": value,
            "exact": False,
            "note": "a probing move" if is_probe else "the best board it knows",
        },
        "position": position_data(after, ply + 1),
        "values": [{"move": m, "value": v} for m, v in zip(moves, own, strict=True)],
    }


def learn_game(data: Data) -> Data:
    """Teach a table one finished game."""
    with own_table(data["name"]):
        return _teach(data)


def _teach(data: Data) -> Data:
    lesson = NamedTable.load(data["name"])
    positions = positions_of(data)
    if positions[0].game != lesson.game:
        raise NoughtsError(f"The table '{lesson.name}' learns {lesson.game}, not {data['game']}.")
    if data.get("start") is not None:
        raise NoughtsError("A table learns whole games, from the empty board.")
    result = positions[-1].result
    if result is None:
        raise NoughtsError("The game is not over; a table learns from finished games.")
    lesson.measure()
    before = lesson.past["curve"][-1]["strength"]
    moves = list(zip(data["moves"], landings_of(data, positions), strict=True))
    changes = [
        {"ply": change.ply, "seat": seat, "board": positions[change.ply + 1].board}
        | {"before": change.before, "after": change.after}
        for seat, change in lesson.teach(moves)
    ]
    lesson.save()
    told = lesson.data()
    after = told["strength"]
    return {"table": told, "result": result, "before": before, "after": after, "changes": changes}


def learn_begin(data: Data) -> Data:
    """Begin a table anew."""
    return NamedTable.begin(data["name"], page_game(data["game"]), data["step"]).data()


def learn_look(data: Data) -> Data:
    """A table as it is; with a step, as it learns from now on."""
    with own_table(data["name"]):
        return _look(data)


def _look(data: Data) -> Data:
    lesson = NamedTable.load(data["name"])
    is_changed = lesson.measure()
    if data.get("step"):
        lesson.change_step(data["step"])
        is_changed = True
    if is_changed:
        lesson.save()
    return lesson.data()
