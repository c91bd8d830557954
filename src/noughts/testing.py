"""What every game of the family must do, tried on random positions.

    from noughts.testing import check_game

    def test_my_game() -> None:
        check_game("my-game")

`check_game` walks through a game at random and holds each position it meets against the promises of
`Game` and `Position`: texts round-trip, moves are ascending and exactly those that can be played,
landings are a probability distribution, symmetries are a group that keeps the rules. The first
promise that is broken raises AssertionError with one sentence and the position, as text that can be
pasted into Python. `check_kernels` does the same for the verbs of a family: they must say what the
positions say.
"""

import ast
import itertools
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from noughts.errors import IllegalMove, NoughtsError
from noughts.games.cells import CellPosition
from noughts.games.game import Game, Landing, Position
from noughts.games.registry import game as read_game
from noughts.games.symmetry import Permutation

PER_WALK = 20  # positions that are taken from one random game, its last among them
MAX_FILLED = 7  # with more fading marks than this, landings are sampled and not listed
IMAGES = 2  # symmetries tried on each position
PROBES = 6  # illegal cells, sampled landings and pairs of symmetries tried each time
CANONICAL_IMAGES = 2000  # about as many images as `canonical` may look at in one check

Rng = np.random.Generator


def check_game(game: Game | str, positions: int = 200, seed: int = 0) -> None:
    """Raise AssertionError unless a game keeps every promise of `Game` and `Position`.

    The same seed always tries the same positions.
    """
    if positions < 1:
        raise NoughtsError(f"positions={positions} checks nothing; it must be at least 1.")
    rng = np.random.default_rng(seed)
    rules = read_game(game)
    _check_spec(rules)
    _check_start(rules)
    group = rules.symmetries()
    _check_group(rules, group, rng)
    stride = 1 + positions * len(group) // CANONICAL_IMAGES
    for index, position in enumerate(_walk(rules, positions, rng)):
        with _lawful_in(position):
            _check_position(position, rng)
            _check_images(position, group, rng, with_canonical=index % stride == 0)


def check_kernels(game: Game | str, positions: int = 200, seed: int = 0) -> None:
    """Raise AssertionError unless the kernels of a game say what its positions say."""
    from noughts.games.compiled import check_kernels as refuse_without  # numba may be loaded here

    rules = read_game(game)
    refuse_without(rules)
    for position in _walk(rules, positions, np.random.default_rng(seed)):
        with _lawful_in(position):
            _check_verbs(position)


def _require(holds: bool, sentence: str, where: object) -> None:
    """Unlike a bare assert this is also checked under `python -O`."""
    if not holds:
        raise AssertionError(f"{sentence}\n{_shown(where)}")


def _shown(where: object) -> str:
    """The text that rebuilds it, unless just that is missing."""
    try:
        return repr(where)
    except NoughtsError:
        return object.__repr__(where)


@contextmanager
def _lawful_in(position: Position) -> Iterator[None]:
    """What is done here is allowed, so an error that blames the caller is the game's fault."""
    try:
        yield
    except NoughtsError as error:
        sentence = f"A lawful call was refused with '{error}'"
        raise AssertionError(f"{sentence}\n{_shown(position)}") from error


def _walk(game: Game, positions: int, rng: Rng) -> Iterator[Position]:
    """Positions of random games: of each its last and some on the way to it."""
    longest = 2 * game.cells + PER_WALK  # where marks fade or fizzle a game may never end
    while positions > 0:
        visited = [game.start()]
        _check_fields(visited[-1])
        while visited[-1].moves and len(visited) < longest:
            with _lawful_in(visited[-1]):
                visited.append(_step(visited[-1], rng))
            _check_fields(visited[-1])
        taken = min(PER_WALK, positions, len(visited))
        chosen = rng.choice(len(visited) - 1, size=taken - 1, replace=False)
        yield from (visited[i] for i in sorted(chosen.tolist()))
        yield visited[-1]
        _check_course(visited)  # last, because a fault of one position says more
        positions -= taken


def _check_course(visited: list[Position]) -> None:
    """A game comes back and lasts as it says."""
    game, seen = visited[0].game, set[Position]()
    for position in () if game.can_repeat else visited:
        known = position in seen
        _require(not known, "A position came again, and yet can_repeat is not True.", position)
        seen.add(position)
    lasted, longest = len(visited) - 1, game.longest
    # What landed as nobody meant it may take longer.
    is_within = game.is_risky or longest is None or lasted <= longest
    _require(
        is_within,
        f"A game lasted {lasted} moves or more, and yet longest is {longest}.",
        visited[-1],
    )


def _step(position: Position, rng: Rng) -> Position:
    """A random move; rare landings come up as often as likely ones where they can be listed."""
    move, before = _pick(position.moves, rng), position.to_json()
    if _is_listable(position):
        landings = position.landings(move)
        after = landings[int(rng.integers(len(landings)))][1]
    else:
        after = position.sample(move, rng)[1]
    is_kept = position.to_json() == before
    _require(is_kept, f"Playing changed the position, which was {before}.", position)
    return after


def _pick(moves: tuple[int, ...], rng: Rng) -> int:
    return moves[int(rng.integers(len(moves)))]


def _is_listable(position: Position) -> bool:
    filled = position.game.cells - position.board.count(".")
    return not position.game.fades or filled <= MAX_FILLED


def _is_same(first: Position, second: Position) -> bool:
    """Equal in all that a caller sees; equality itself leaves the result out."""
    return (
        first == second
        and hash(first) == hash(second)
        and first.result == second.result
        and first.moves == second.moves
        and first.board == second.board
    )


def _check_spec(game: Game) -> None:
    spec = str(game)
    try:
        again = read_game(spec)
    except NoughtsError as error:
        raise AssertionError(
            f"noughts.game cannot read back the spec '{spec}' of this game; is it registered as an "
            f"entry point of the group noughts.games? It says: {error}"
        ) from error
    _require(again == game and hash(again) == hash(game), "The spec names another game.", game)
    _require(str(again) == spec, f"The spec is not canonical: it reads back as '{again}'.", game)
    _require(repr(game) == f"noughts.game({spec!r})", "repr does not rebuild the game.", game)


def _check_start(game: Game) -> None:
    start = game.start()
    rows, columns, layers = game.shape
    _require(rows * columns * layers == game.cells, "The shape does not hold all cells.", game)
    _require(start.game == game, "The start belongs to another game.", start)
    is_empty = start.board == "." * game.cells or not isinstance(start, CellPosition)
    _require(is_empty, "The board is not empty at the start.", start)
    _require(start.turn in ("X", None) and start.tick == 0, "X does not begin at tick 0.", start)
    _require(start.result is None and start.last is None, "The start has a past.", start)
    _require(_is_same(start, game.start()), "Two starts differ.", start)


def _check_group(game: Game, group: tuple[Permutation, ...], rng: Rng) -> None:
    identity = tuple(range(game.cells))
    known = set(group)
    _require(group[:1] == (identity,), "The identity is not the first symmetry.", game)
    _require(len(known) == len(group), "A symmetry is listed twice.", game)
    colours = game.risk.colours()
    for p in group:
        _require(sorted(p) == list(identity), f"{p} does not permute the cells.", game)
        _require(_inverse(p) in known, f"The inverse of {p} is no symmetry.", game)
        keeps = all(colours[i] == colours[image] for i, image in enumerate(p))
        _require(keeps, f"The symmetry {p} changes the risks.", game)
    for p in group:
        for q in _some(group, rng):
            _require(tuple(p[i] for i in q) in known, f"{q} then {p} is no symmetry.", game)


def _inverse(permutation: Permutation) -> Permutation:
    return tuple(np.argsort(permutation).tolist())


def _some(group: tuple[Permutation, ...], rng: Rng, count: int = PROBES) -> list[Permutation]:
    chosen = rng.choice(len(group), size=min(count, len(group)), replace=False)
    return [group[i] for i in chosen.tolist()]


def _check_position(position: Position, rng: Rng) -> None:
    _check_texts(position)
    _check_names(position)
    _check_illegal(position, rng)
    before = position.to_json(), hash(position), position.moves, str(position)
    if position.moves:
        move = _pick(position.moves, rng)
        _check_play(position, move, position.meant(move), position.play(move))
        if _is_listable(position):
            _check_landings(position, move)
        _check_samples(position, move, rng)
    after = position.to_json(), hash(position), position.moves, str(position)
    _require(before == after, f"Playing changed the position, which was {before[0]}.", position)


def _check_fields(position: Position) -> None:
    game, board, moves = position.game, position.board, position.moves
    is_toss = position.turn is None and (moves == (0,) or position.result is not None)
    is_turn = position.turn in game.marks or is_toss
    _require(is_turn, f"The turn is {position.turn!r}.", position)
    _require(position.result in (*game.marks, "draw", None), "The result is unknown.", position)
    letters = {*game.marks, "."}
    _require(len(board) == game.cells and set(board) <= letters, "Bad board.", position)
    kind = type(moves).__name__
    _require(isinstance(moves, tuple), f"Moves are a {kind}, not a tuple.", position)
    ascending = all(a < b for a, b in itertools.pairwise(moves))
    _require(ascending, "Moves are not ascending.", position)
    is_over = position.result is not None
    _require(not (is_over and moves), "The game is over, and yet there are moves.", position)
    _require(is_over or bool(moves), "The game goes on, and yet there is no move.", position)
    for move in moves:
        _require(type(move) is int, f"Move {move!r} is not an int.", position)
        _require(0 <= move < game.moves, f"Move {move} is none of the game's.", position)
        if not isinstance(position, CellPosition):
            continue
        cell, wait = game.cell_of(move), game.wait_of(move)
        _require(game.move_at(cell, wait) == move, f"Move {move} is not its parts.", position)
        _require(board[cell] == ".", f"Move {move} plays a filled cell.", position)


def _check_texts(position: Position) -> None:
    game, text = position.game, str(position)
    again = game.parse(text)
    _require(_is_same(again, position), f"str does not read back:\n{text}", position)
    _require(str(again) == text, f"str is not stable:\n{text}", position)
    prefix = f"{game!r}.parse("
    line = repr(position)
    _require(
        line.startswith(prefix) and line.endswith(")"),
        "repr is no call of parse; a dataclass needs repr=False.",
        position,
    )
    rebuilt = game.parse(ast.literal_eval(line[len(prefix) : -1]))
    _require(_is_same(rebuilt, position), "repr does not rebuild the position.", position)
    data = position.to_json()
    loaded = Position.from_json(data)
    _require(_is_same(loaded, position), f"JSON does not read back: {data}", position)
    _require(loaded.last == position.last, f"JSON loses the last move: {data}", position)
    _require(loaded.to_json() == data, f"JSON is not stable: {data}", position)


def _check_names(position: Position) -> None:
    game = position.game
    for move in position.moves if position.turn is not None else ():
        name = game.name_move(move)
        _require(game.parse_move(name) == move, f"Move {move} is not read as '{name}'.", position)


def _check_illegal(position: Position, rng: Rng) -> None:
    game, legal = position.game, set(position.moves)
    beyond = max(legal, default=game.cells - 1) + game.moves
    probes: list[Any] = [-1, -game.cells, beyond, "0", 0.5, None]
    probes += [move for move in range(game.moves) if move not in legal][:PROBES]
    probes += [move for move in rng.integers(0, beyond, PROBES).tolist() if move not in legal]
    for move in probes:
        for call in (position.play, position.landings):
            try:
                call(move)
            except IllegalMove:
                continue
            raise AssertionError(f"Move {move!r} is not legal but was accepted.\n{position!r}")


def _check_play(position: Position, move: int, landing: Landing, after: Position) -> None:
    """What a landing must look like, however it came about."""
    game, case = position.game, f"Move {move} with {landing}"
    if isinstance(position, CellPosition):
        _check_marks(position, move, landing, after, case)
    _require(after != position, f"{case} led to an equal position.", position)
    is_next = not game.takes_turns or after.turn == game.after(position.mover)
    _require(is_next, f"{case} did not pass the turn, and yet the game takes turns.", position)
    again = position.play(move, landing)
    _require(_is_same(again, after), f"{case} cannot be forced to land like that.", position)


def _check_marks(
    position: CellPosition, move: int, landing: Landing, after: Position, case: str
) -> None:
    """Where marks land in cells, what must have become of the board."""
    game, cell = position.game, position.game.cell_of(move)
    letters = list(position.board)
    letters[cell] = landing.mark or "."
    for faded in landing.faded:
        letters[faded] = "."
    _require(after.board == "".join(letters), f"{case} led to {after!r}, another board.", position)
    _require(after.turn == game.after(position.turn), f"{case} did not pass the turn.", position)
    _require(after.last == cell, f"{case} is not remembered as the last move.", position)
    tick = position.tick + game.wait_of(move)
    _require(after.tick == tick, f"{case} left the clock at {after.tick}.", position)


def _check_landings(position: Position, move: int) -> None:
    """Outcomes are a distribution, landings are where they lead, and both follow the risk."""
    outcomes, landings = position.outcomes(move), position.landings(move)
    case = f"Move {move}"
    total = math.fsum(p for p, _ in landings)
    _require(_is_close(total, 1.0), f"{case}: probabilities sum to {total}.", position)
    positive = all(p > 0.0 for p, _ in [*outcomes, *landings])
    _require(positive, f"{case}: a landing is impossible.", position)
    merged: dict[Position, float] = {}
    marks: dict[str | None, float] = {}
    for p, landing in outcomes:
        after = position.play(move, landing)
        _check_play(position, move, landing, after)
        merged[after] = merged.get(after, 0.0) + p
        marks[landing.mark] = marks.get(landing.mark, 0.0) + p
    listed: dict[Position, float] = {after: p for p, after in landings}
    _require(len(listed) == len(landings), f"{case}: a landing is listed twice.", position)
    _require(_agree(listed, merged), f"{case}: landings and outcomes disagree.", position)
    is_meant = any(landing == position.meant(move) for _, landing in outcomes)
    holds = (position.play(move) in listed) == is_meant
    _require(holds, f"{case}: play gives a landing that is not listed.", position)
    if isinstance(position, CellPosition):
        _check_odds(position, move, marks)


def _check_odds(position: CellPosition, move: int, marks: dict[str | None, float]) -> None:
    """Marks land as the risk says."""
    case = f"Move {move}"
    tick = position.tick + position.game.wait_of(move)
    own, flips, fizzles = position.game.risk.landing_odds(position.game.cell_of(move), tick)
    others = position.game.marks_from(position.turn)[1:]
    expected = [(position.turn, own), *((mark, flips / len(others)) for mark in others)]
    for mark, p in [*expected, (None, fizzles)]:
        agrees = _is_close(marks.get(mark, 0.0), p)
        _require(agrees, f"{case}: {mark} lands with another chance than {p}.", position)


def _is_close(first: float, second: float) -> bool:
    return math.isclose(first, second, abs_tol=1e-9)


def _agree(first: dict[Position, float], second: dict[Position, float]) -> bool:
    return first.keys() == second.keys() and all(_is_close(first[k], second[k]) for k in first)


def _check_samples(position: Position, move: int, rng: Rng) -> None:
    is_listable = _is_listable(position)
    listed = {landing for _, landing in position.outcomes(move)} if is_listable else set()
    for _ in range(PROBES if position.game.is_risky else 1):
        landing, after = position.sample(move, rng)
        _check_play(position, move, landing, after)
        known = not is_listable or landing in listed
        _require(known, f"sample({move}) gave {landing}, which is not listed.", position)


def _check_images(
    position: Position, group: tuple[Permutation, ...], rng: Rng, with_canonical: bool
) -> None:
    """A symmetry maps boards, moves, results and landings, and keeps the canonical form."""
    game = position.game
    for p in _some(group, rng, IMAGES):
        image = position.permuted(p)
        case = f"The symmetry {p}"
        board = "".join(position.board[i] for i in _inverse(p))
        _require(image.board == board, f"{case} led to another board.", position)
        kept = (image.turn, image.tick, image.result)
        keeps = kept == (position.turn, position.tick, position.result)
        _require(keeps, f"{case} changes turn, clock or result to {kept}.", position)
        moves = {game.move_image(p, move) for move in position.moves}
        _require(set(image.moves) == moves, f"{case} does not map the moves.", position)
        back = image.permuted(_inverse(p))
        _require(_is_same(back, position), f"{case} cannot be undone.", position)
        if position.moves and _is_listable(position):
            _check_image_landings(position, image, p, _pick(position.moves, rng))
        if with_canonical:
            _check_canonical(position, image)


def _check_image_landings(position: Position, image: Position, p: Permutation, move: int) -> None:
    moved = position.game.move_image(p, move)
    mapped = [(chance, after.permuted(p)) for chance, after in position.landings(move)]
    there = image.landings(moved)
    agree = _agree({after: chance for chance, after in mapped}, {a: c for c, a in there})
    results = {after: after.result for _, after in mapped} == {a: a.result for _, a in there}
    _require(agree and results, f"The symmetry {p} does not map move {move}.", position)


def _check_canonical(position: Position, image: Position) -> None:
    canonical = position.canonical()
    _require(_is_same(image.canonical(), canonical), "Two images differ in canonical.", position)
    _require(_is_same(canonical.canonical(), canonical), "canonical is not final.", position)
    kept = sorted(canonical.board) == sorted(position.board)
    _require(kept and canonical.result == position.result, "canonical changes marks.", position)


# ---- Kernels: the same rules once more -------------------------------------------------------


def _check_verbs(position: Position) -> None:
    """The verbs of the family tell of a row what the position tells of itself."""
    from noughts.kernels.rules import protocol
    from noughts.kernels.rules.codes import DRAW
    from noughts.kernels.search.survey import survey

    game, row = position.game, position.to_row()
    again = game.position_from_row(row)
    _require(_is_same(again, position), f"The row does not read back: {row}", position)
    facts, told = protocol.facts(game.rules), survey(game.rules, row)
    numbers: dict[str | None, int] = {
        None: 0,
        "draw": DRAW,
        **{mark: 1 + i for i, mark in enumerate(game.marks)},
    }
    # What is meant may have a bound where chance has none; kernels tell the latter.
    has_bound = facts.longest > 0 or not game.can_repeat
    for word, by_kernels, plainly in (
        ("seats", facts.seats, game.seats),
        ("numbers of moves", facts.moves, game.moves),
        ("repeats", facts.repeats, game.can_repeat),
        ("longest games", facts.longest, (has_bound and game.longest) or 0),
        ("lengths of a row", facts.row_size, len(row)),
        ("turns", told.turn, numbers[position.turn]),
        ("results", told.result, numbers[position.result]),
        ("moves", told.moves, position.moves),
    ):
        agree = by_kernels == plainly
        _require(agree, f"The {word} are {by_kernels} to kernels, {plainly} else.", position)
    _require(told.is_taken_back, "Taking a move back leads elsewhere.", position)
    for move in () if game.risk.fades else position.moves:  # fading is drawn, not listed
        merged: dict[tuple[Any, ...], float] = {}
        for chance, after, ended in told.after[move]:
            if not _is_close(chance, 0.0):
                merged[(*after, ended)] = merged.get((*after, ended), 0.0) + chance
        plain_rows = {
            (*after.to_row(), numbers[after.result]): chance
            for chance, after in position.landings(move)
        }
        agree = merged.keys() == plain_rows.keys() and all(
            _is_close(merged[key], plain_rows[key]) for key in merged
        )
        _require(agree, f"Kernels let move {move} lead to {merged}, not {plain_rows}.", position)
