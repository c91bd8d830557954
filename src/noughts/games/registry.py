"""`noughts.game(spec)`: from the text a user types to a Game.

Games are found by name: the built-in ones below, boards named like `6x5`, and whatever other
packages register under the entry point group `noughts.games`. Such an entry point is a function
that takes a `Spec` and returns a `Game`, or a `Board`, which then takes misère and all risks too.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache

from noughts.errors import ParseError
from noughts.games.boards import MAX_SIDE, Board, default_k, grid_board, read_sides
from noughts.games.game import MARKS, Game
from noughts.games.grammar import Spec, parse_spec, plain_spelling
from noughts.games.line_game import LineGame
from noughts.games.risk import OPTIONS as RISK_OPTIONS
from noughts.games.risk import read_risk
from noughts.games.ultimate import UltimateGame
from noughts.plugins import first_line, load_point, named_points, whole_classes

ENTRY_POINTS = "noughts.games"


@dataclass(frozen=True)
class Listing:
    """One row of `noughts games`."""

    spec: str
    summary: str


LISTED = (
    Listing("3x3", "tic-tac-toe"),
    Listing("4x4", "four in a row on 4×4"),
    Listing("6x5:k=4", "any m×n board with k in a row, sides 1 to 20, at most 400 cells"),
    Listing("15x15:k=5", "five in a row (free gomoku)"),
    Listing("3x3x3", "the cube: 27 cells, 49 lines"),
    Listing("qubic", "4×4×4: 64 cells, 76 lines"),
    Listing("3x3:misere", "whoever completes a line loses"),
    Listing("3x3:players=3", "three players, X, O and T; 2 to 4 on every board of lines"),
    Listing("ultimate", "nine mini boards; your cell names the next one"),
    Listing("ultimate:won=open", "won mini boards take marks until they are full"),
    Listing("ultimate:tiebreak=boards", "without a line, more mini boards win"),
    Listing("3x3:flip=0.1", "each mark may land as the opponent's"),
    Listing("3x3:flip=stochastic", "the published risky board"),
    Listing("4x4:flip=random,seed=7", "a risk drawn for each cell"),
    Listing("3x3:flip=0.1,fizzle=0.1", "a mark may also fail to land"),
    Listing("3x3:fade=0.05", "marks may vanish before each turn"),
    Listing(
        "3x3:hazard=0.2,limit=10,ticks=100", "risk grows with time; a move is a cell and a wait"
    ),
)


def game(spec: str | Game) -> Game:
    """The game that a spec names; a Game is returned as it is.

    >>> str(game("4x4x4"))
    'qubic'
    """
    if isinstance(spec, Game):
        return spec
    if not isinstance(spec, str):
        raise ParseError(f"A game is named by a text such as '3x3:flip=0.1', not {spec!r}.")
    return _build(spec)


@lru_cache(maxsize=256)
def _build(text: str) -> Game:
    spec = parse_spec(text)
    if spec.name not in _third_party():
        spec = parse_spec(plain_spelling(text))
    if spec.name == "ultimate":
        return _ultimate(spec)
    if spec.name == "qubic":
        return _line_game(spec, grid_board((4, 4, 4), 4))
    if spec.name in _third_party():
        made = _third_party()[spec.name](spec)
        made = _line_game(spec, made) if isinstance(made, Board) else made
        _check_name(spec.name, made)
        return made
    sides = read_sides(spec.name)
    k = spec.whole("k", 1, MAX_SIDE, default_k(sides))
    return _line_game(spec, grid_board(sides, k), extra=("k",))


def _line_game(spec: Spec, board: Board, extra: tuple[str, ...] = ()) -> LineGame:
    spec.allow((*extra, "misere", "players", *RISK_OPTIONS))
    players = spec.whole("players", 2, len(MARKS), 2)
    return LineGame(board, spec.flag("misere"), read_risk(spec, board.cells), players)


def _ultimate(spec: Spec) -> UltimateGame:
    spec.allow(("won", "tiebreak", "players", *RISK_OPTIONS))
    if (players := spec.whole("players", 2, len(MARKS), 2)) > 2:
        raise ParseError(f"ultimate is for two players; players={players} needs a game of lines.")
    won = spec.choice("won", ("closed", "open"))
    tiebreak = spec.choice("tiebreak", ("draw", "boards"))
    return UltimateGame(
        "open" if won == "open" else "closed",
        "boards" if tiebreak == "boards" else "draw",
        read_risk(spec, 81),
    )


GameFunction = Callable[[Spec], Game | Board]


@cache
def _third_party() -> dict[str, GameFunction]:
    points = named_points(ENTRY_POINTS, _is_ours)
    return {name: _builder(name, point.load) for name, point in points.items()}


def _is_ours(name: str) -> bool:
    """Whether a name means a game without any other package."""
    try:
        return name in ("ultimate", "qubic") or bool(read_sides(name))
    except ParseError:
        return False


def _builder(name: str, load: Callable[[], object]) -> GameFunction:
    def build(spec: Spec) -> Game | Board:
        function = load_point("game", name, load)
        if not callable(function):
            raise ParseError(f"The plug-in game '{name}' is {function!r}; it must be a function.")
        with whole_classes("game", name):
            made = function(spec)
            if isinstance(made, Game):
                made.start()  # its positions have a class, too
        if not isinstance(made, Game | Board):
            raise ParseError(
                f"The plug-in game '{name}' gave {made!r}; it must give a Game or Board."
            )
        return made

    build.load = load  # type: ignore[attr-defined]  # for its summary
    return build


def _check_name(name: str, made: Game) -> None:
    """Refuse a game whose spec names another: processes, logs and the page know it by its spec."""
    called = str(made)
    if called.partition(":")[0] == name:
        return
    try:
        is_read_back = game(called) == made
    except ParseError:
        is_read_back = False
    if not is_read_back:
        raise ParseError(
            f"The plug-in game '{name}' calls itself '{called}', which is not read back as it; "
            f"its spec must begin with '{name}'."
        )


def listed_games() -> list[Listing]:
    """Examples of every kind of game, then the games of other packages."""
    return [*LISTED, *(Listing(name, _summary(name)) for name in _third_party())]


def _summary(name: str) -> str:
    try:
        function = load_point("game", name, _third_party()[name].load)  # type: ignore[attr-defined]
    except ParseError as error:
        return str(error)
    return first_line(function, "from another package")
