"""What a family of games must say, so that every search, learner and environment can play it.

A family is a class of *rules* (a NamedTuple of arrays), a class of *states* (a NamedTuple of arrays
and numbers) and its verbs. A verb takes the rules first; their class picks the family's kernel:
when it is compiled, at each call where it is interpreted. So a search over verbs is written once,
compiled once per family, and found again in the cache.

A verb that changes a state changes its arrays in place and returns the state with new numbers; who
calls it goes on with what it returned. Every number of a state is cast (`np.int64(…)`), because the
states of two branches must have one type. *Scratch* is room that verbs may use and do not keep.

    facts      rules -> Facts                              plain Python
    new        rules -> state                              plain Python: verbs allocate nothing
    calm       rules -> rules                              plain Python: without chance and clock
    load       row, state -> state                         a row is the whole of a position
    save       state, row
    copy       source, state, row -> state                 the source is left alone
    turn       state -> seat                               NOBODY: chance is due, with one move
    result     state -> seat, RUNNING or DRAW              a running state always has a move
                                                           (both default to the field so called)
    open_moves state, moves -> n                           ascending
    n_open     state, scratch -> n
    is_open    state, move, scratch -> bool                of any whole number
    random_move state, scratch, rng -> move                each open move equally likely
    outcomes   state, move, chances -> n                   what it may turn into; default: one
    land       state, move, outcome -> state               outcome 0 is what was meant
    go_on      state, move, outcome -> state               land, after `children` has told every
                                                           move that ends the game
    settle     state, rng -> state                         chance that is too large to list
    events     state, found, chances -> n                  what `settle` draws, each on its own
    occur      state, event -> state                       let one of them happen
    revert     state, event -> state                       undoes that
    sample     state, move, scratch, rng -> state          draw an outcome, land, settle
    ends       state, move, scratch -> result              if it lands as meant; RUNNING: not seen
    ends_as    state, move, outcome, undo -> result        if it lands so
    children   state, is_pruned, scratch -> n              moves worth trying and how they end
    judge      state -> low, high, reply                   bounds for the seat on turn that are sure
    weigh      state -> score                              an estimate for the seat on turn
    rank       state, move -> score                        the higher, the sooner it is tried
    is_forcing state, move -> bool                         must the opponent answer it
    candidates state, only_forcing, moves, ranks -> n      from the last three
    most_left  state -> n                                  moves that the game may still last
    key        state, row -> uint64                        equal for equal positions
    fold       state, row -> (key, k)                      the same for all images; k leads there
                                                           (both leave in `row` whose key it is,
                                                           unless keys are exact)
    note       state, move, undo                           what take_back will need
    take_back  state, move, undo -> state                  undoes land, not settle
    image      k, row, out                                 the row as symmetry k shows it
    move_image k, move -> move
    move_back  k, move -> move                             the inverse
    playout    state, most, scratch, rng -> (result, turns)  random moves to the end; changes state
    new_batch  rules, size -> batch                        plain Python: room for many states
    at         batch, i -> state                           the i-th of them, perhaps as views
    keep       batch, i, state                             put it back after a change
    encode     state, places, scratch, out                 what a network sees, for who is on turn
    observe    state, seat, is_running, scratch, seen, mask  what a seat sees; who may do what
    sites      state, out -> (zone, tick)                  what learners see; default: the row
    number     state, seat -> n                            the board as a seat sees it, for tables
    number_after state, number, move, outcome, seat, undo -> n  that of what it may turn into

`judge` counts as `WIN - moves`, from here. Its third answer is the only move worth a look, or
NO_MOVE, or ANY_MOVE where all are alike. What it says must be true: searches start from it.

A *site* is a thing that is nobody's (EMPTY) or a seat's: a cell, a mini board. Some games say in
which *zone* the next move must be; the zones are then the last sites. A family whose boards a
table can hold gives each its `number`, counted from 0 without large gaps, whoever is on turn.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.errors import NoughtsError
from noughts.kernels.jit import kernel
from noughts.kernels.mode import is_interpreted
from noughts.kernels.rng import below, uniform
from noughts.kernels.rules.codes import DRAW, NO_MOVE, NO_ZONE, RUNNING

WIN: Final = 1 << 30
LAST: Final = -(1 << 60)  # the rank of a move that is tried after all others

Row = NDArray[np.int32]
Whole = int | np.int64  # a number of a state: the first in Python, the second in kernels


class Facts(NamedTuple):
    """Sizes that are known before play."""

    seats: int
    moves: int  # a move is a number below this
    most_open: int  # moves of one position
    most_outcomes: int  # of one move; 1: every move turns into what was meant
    row_size: int
    undo_size: int  # numbers that `note` writes
    settles: bool  # `settle` does something
    repeats: bool  # a position may come again
    longest: int  # moves of a game; 0: no bound
    key_is_exact: bool  # different positions have different keys, or are taken to
    images: int  # symmetries, the identity among them
    # What searches of the alpha-beta kind ask besides.
    scale: float = 4096.0  # what `weigh` calls an advantage that is nearly a win
    width: int = 0  # moves that are tried in one position; 0: all
    forces: bool = False  # `is_forcing` means something
    places: int = 0  # of an observation [places, planes]; 0: the numbers of a row
    planes: int = 8  # of the default: values of a number that are told apart, the last or more
    most_events: int = 0  # that `settle` may draw, where they can be listed


class Scratch(NamedTuple):
    """Room for verbs."""

    moves: NDArray[np.int64]  # [most_open]
    ends: NDArray[np.int64]  # [most_open]
    chances: NDArray[np.float64]  # [most_outcomes]
    row: Row  # [row_size]
    undo: NDArray[np.int64]  # [undo_size]


def new_scratch(facts: Facts) -> Scratch:
    """Room for the verbs of one walk."""
    return Scratch(
        np.zeros(facts.most_open, np.int64),
        np.zeros(facts.most_open, np.int64),
        np.zeros(facts.most_outcomes),
        np.zeros(facts.row_size, np.int32),
        np.zeros(facts.undo_size, np.int64),
    )


def new_row(facts: Facts) -> Row:
    """Room for one position."""
    return np.zeros(facts.row_size, np.int32)


class RowBatch(NamedTuple):
    """Many positions as rows, and room for the one that is looked at."""

    rows: Row  # [size, row_size]
    state: Any


def stacked(state: Any, size: int) -> Any:
    """A batch with the fields of a state, one dimension more: for families that give views."""
    return type(state)(
        *(np.zeros((size, *np.shape(field)), np.asarray(field).dtype) for field in state)
    )


# ---- How a verb finds its family -------------------------------------------------------------

Function = Callable[..., Any]

_FAMILIES: dict[str, dict[type, Function]] = {}


def _verb(name: str, default: Function | None = None) -> Function:
    kernels = _FAMILIES[name] = {}

    def kernel_for(rules: type) -> Function:
        found = kernels.get(rules, default)
        if found is None:
            raise _unsaid(name, rules)
        return found

    def stub(rules, *arguments):
        return kernel_for(type(rules))(rules, *arguments)

    stub.__name__ = stub.__qualname__ = name
    if is_interpreted():
        return stub
    from noughts.kernels.lean import VerbDispatcher

    found: Function = VerbDispatcher(stub, kernel_for)
    return found


def _unsaid(name: str, rules: type) -> NoughtsError:
    if not any(rules in kernels for kernels in _FAMILIES.values()):
        return NoughtsError(f"{rules.__name__} is no family; call family({rules.__name__}, …).")
    return NoughtsError(f"The family {rules.__name__} does not say what `{name}` means.")


def family(rules: type, **verbs: Function) -> None:
    """Say what the verbs mean for a class of rules; those not named keep their default."""
    for name, meaning in verbs.items():
        if name not in _FAMILIES:
            known = ", ".join(sorted(_FAMILIES))
            raise NoughtsError(f"There is no verb {name!r}; verbs are {known}.")
        _FAMILIES[name][rules] = meaning


def hook(name: str, default: Function) -> Function:
    """A verb that only kernels of one family call, for what its other representations add."""
    return _verb(name, default)


verb = kernel(allocates=None)
"""The decorator of what a verb means: references are counted where its caller counts them."""

hot_verb = kernel(allocates=None, inlined=True)
"""The same, put into its callers: for small verbs inside the loops of a search."""


# ---- Defaults --------------------------------------------------------------------------------


@verb
def _copy(rules, source, state, row):
    save(rules, source, row)
    return load(rules, row, state)


@hot_verb
def _turn(rules, state):
    return state.turn


@hot_verb
def _result(rules, state):
    return state.result


@verb
def _n_open(rules, state, scratch):
    return open_moves(rules, state, scratch.moves)


@verb
def _is_open(rules, state, move, scratch):
    moves = scratch.moves
    for i in range(open_moves(rules, state, moves)):
        if moves[i] == move:
            return True
    return False


@verb
def _random_move(rules, state, scratch, rng):
    moves = scratch.moves
    return moves[below(rng, open_moves(rules, state, moves))]


@verb
def _outcomes(rules, state, move, chances):
    chances[0] = 1.0
    return np.int64(1)


@hot_verb
def _go_on(rules, state, move, outcome):
    return land(rules, state, move, outcome)


@verb
def _settle(rules, state, rng):
    return state


@verb
def _events(rules, state, found, chances):
    return np.int64(0)


@verb
def _same(rules, state, event):
    return state


@kernel(allocates=False)
def pick_outcome(chances, n, rng):
    """Draw one of n outcomes; where there is but one nothing is drawn."""
    chosen = np.int64(0)
    if n > 1:
        draw = uniform(rng)
        reached = chances[0]
        while chosen < n - 1 and draw >= reached:
            chosen += 1
            reached += chances[chosen]
    return chosen


@kernel(allocates=False)
def worth(ended, seat, seats):
    """What a result is worth to a seat: all seats together get nothing."""
    if ended in (RUNNING, DRAW):
        return 0.0
    return 1.0 if ended == seat else -1.0 / (seats - 1)


@verb
def _sample(rules, state, move, scratch, rng):
    chances = scratch.chances
    n = outcomes(rules, state, move, chances)
    state = land(rules, state, move, pick_outcome(chances, n, rng))
    if result(rules, state) != RUNNING:
        return state
    return settle(rules, state, rng)


@verb
def _ends(rules, state, move, scratch):
    return ends_as(rules, state, move, 0, scratch.undo)


@verb
def _ends_as(rules, state, move, outcome, undo):
    note(rules, state, move, undo)
    after = land(rules, state, move, outcome)
    ended = result(rules, after)
    take_back(rules, after, move, undo)
    return np.int64(ended)


@verb
def _children(rules, state, is_pruned, scratch):
    moves, how = scratch.moves, scratch.ends
    reply = np.int64(NO_MOVE)
    if is_pruned:
        reply = np.int64(judge(rules, state)[2])
    n = np.int64(1)
    if reply >= 0:
        moves[0] = reply
    else:
        n = np.int64(open_moves(rules, state, moves))
    for i in range(n):
        how[i] = ends(rules, state, moves[i], scratch)
    return n


@verb
def _judge(rules, state):
    return -WIN, WIN, NO_MOVE


@verb
def _nought(rules, state):
    return 0


@verb
def _rank(rules, state, move):
    return 0


@verb
def _is_forcing(rules, state, move):
    return False


@verb
def _candidates(rules, state, only_forcing, moves, ranks):
    kept = 0
    for i in range(open_moves(rules, state, moves)):
        move = moves[i]
        if only_forcing and not is_forcing(rules, state, move):
            continue
        moves[kept] = move
        ranks[kept] = rank(rules, state, move)
        kept += 1
    return kept


@kernel(allocates=None, wraps=True)
def _key(rules, state, row):
    save(rules, state, row)
    found = np.uint64(0x243F6A8885A308D3)
    for i in range(row.size):
        found = (found ^ np.uint64(np.int64(row[i]))) * np.uint64(0x9E3779B97F4A7C15)
        found ^= found >> np.uint64(29)
    return found


@verb
def _fold(rules, state, row):
    return key(rules, state, row), 0


@verb
def _note(rules, state, move, undo):
    save(rules, state, undo)


@verb
def _take_back(rules, state, move, undo):
    return load(rules, undo, state)


@verb
def _image(rules, k, row, out):
    for i in range(row.size):
        out[i] = row[i]


@verb
def _same_move(rules, k, move):
    return move


@verb
def _playout(rules, state, most, scratch, rng):
    for turns in range(most):
        if result(rules, state) != RUNNING:
            return np.int64(result(rules, state)), turns
        move = random_move(rules, state, scratch, rng)
        state = sample(rules, state, move, scratch, rng)
    ended = np.int64(result(rules, state))
    return (np.int64(DRAW) if ended == RUNNING else ended), most


@verb
def _at(rules, batch, i):
    return load(rules, batch.rows[i], batch.state)


@verb
def _keep(rules, batch, i, state):
    save(rules, state, batch.rows[i])


@verb
def show_moves(rules, state, is_running, moves, mask):
    """1 for every open move."""
    mask[:] = 0
    if is_running:
        for i in range(open_moves(rules, state, moves)):
            mask[moves[i]] = 1


@verb
def _observe(rules, state, seat, is_running, scratch, seen, mask):
    """One of `planes` for every number of the row."""
    row = scratch.row
    save(rules, state, row)
    seen[:] = 0.0
    for i in range(row.size):
        seen[i, min(max(row[i], 0), seen.shape[1] - 1)] = 1.0
    show_moves(rules, state, is_running, scratch.moves, mask)


@verb
def _number_after(rules, state, number_now, move, outcome, seat, undo):
    note(rules, state, move, undo)
    state = land(rules, state, move, outcome)
    found = np.int64(number(rules, state, seat))
    take_back(rules, state, move, undo)
    return found


@verb
def _sites(rules, state, out):
    save(rules, state, out)
    return np.int64(NO_ZONE), np.int64(0)


@verb
def _encode(rules, state, places, scratch, out):
    """The default observation, place by place; `places` says where each is seen."""
    row = scratch.row
    save(rules, state, row)
    planes = out.size // row.size
    out[:] = 0.0
    for i in range(row.size):
        out[places[i] * planes + min(max(row[i], 0), planes - 1)] = 1.0


load = _verb("load")
save = _verb("save")
copy = _verb("copy", _copy)
turn = _verb("turn", _turn)
result = _verb("result", _result)
open_moves = _verb("open_moves")
n_open = _verb("n_open", _n_open)
is_open = _verb("is_open", _is_open)
random_move = _verb("random_move", _random_move)
outcomes = _verb("outcomes", _outcomes)
land = _verb("land")
go_on = _verb("go_on", _go_on)
settle = _verb("settle", _settle)
events = _verb("events", _events)
occur = _verb("occur", _same)
revert = _verb("revert", _same)
sample = _verb("sample", _sample)
ends = _verb("ends", _ends)
ends_as = _verb("ends_as", _ends_as)
children = _verb("children", _children)
judge = _verb("judge", _judge)
weigh = _verb("weigh", _nought)
rank = _verb("rank", _rank)
is_forcing = _verb("is_forcing", _is_forcing)
candidates = _verb("candidates", _candidates)
most_left = _verb("most_left")
key = _verb("key", _key)
fold = _verb("fold", _fold)
note = _verb("note", _note)
take_back = _verb("take_back", _take_back)
image = _verb("image", _image)
move_image = _verb("move_image", _same_move)
move_back = _verb("move_back", _same_move)
playout = _verb("playout", _playout)
at = _verb("at", _at)
keep = _verb("keep", _keep)
observe = _verb("observe", _observe)
sites = _verb("sites", _sites)
number = _verb("number")
encode = _verb("encode", _encode)
number_after = _verb("number_after", _number_after)

_FAMILIES.update({"facts": {}, "new": {}, "calm": {}, "new_batch": {}})


def _said(name: str, rules: type) -> Function:
    """What a family must say in plain Python."""
    found = _FAMILIES[name].get(rules)
    if found is None:
        raise _unsaid(name, rules)
    return found


def facts(rules: Any) -> Facts:
    """What is known of a game before play."""
    found: Facts = _said("facts", type(rules))(rules)
    return found


def new(rules: Any) -> Any:
    """Room for one state, not yet a position."""
    return _said("new", type(rules))(rules)


def calm(rules: Any) -> Any:
    """The rules without chance and without a clock: what counts of sequences are made by."""
    found = _FAMILIES["calm"].get(type(rules))
    return found(rules) if found else rules


def new_batch(rules: Any, size: int) -> Any:
    """Room for `size` states, not yet positions."""
    found = _FAMILIES["new_batch"].get(type(rules))
    if found:
        return found(rules, size)
    return RowBatch(np.zeros((size, facts(rules).row_size), np.int32), new(rules))


def seen_shape(facts: Facts) -> tuple[int, int]:
    """Places and planes of an observation."""
    return facts.places or facts.row_size, facts.planes
