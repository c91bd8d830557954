"""What each first move is worth, over the whole family, exactly.

A first move is worth the value for X of the game that follows under best play of both. Cells that
a symmetry of the game maps to each other are worth the same, so each class of cells is shown once.
Boards of up to 16 cells come from tables of all their positions, with any risk; 3×3×3 comes from
the prover, which finds who wins after each class of first moves.
"""

from dataclasses import dataclass
from typing import Any

from noughts.errors import ParseError
from noughts.games import Game
from noughts.games import game as read_game
from noughts.games.grammar import format_number, parse_spec
from noughts.options import flag, text, vector
from noughts.report import Answer, Block, Cell, Heading, Report, Table, Text, Unit
from noughts.solve import solve
from noughts.studies.openings.atlas_figures import Panel, draw_atlas
from noughts.studies.study import Results, Study, StudyParameters

CUBE = "3x3x3"
MISERE = {
    "3x3": "3x3:misere",
    "3x4": "3x4:misere",
    "4x4:k=3": "4x4:k=3,misere",
    "4x4": "4x4:misere",
}
_BOUND = 1e-9  # of values in games whose marks fade


@dataclass
class Parameters(StudyParameters):
    boards: str = text("3x3/3x4/4x4:k=3/4x4", "Boards without risk, with a slash between them.")
    flips: tuple[float, ...] = vector(
        (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0), 0, 1, "Risks of a flipped mark."
    )
    fizzles: tuple[float, ...] = vector(
        (0.0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.9), 0, 0.99, "Risks of a lost turn, on 3×3."
    )
    fades: tuple[float, ...] = vector(
        (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3), 0, 0.5, "Risks of fading, on 3×3."
    )
    no_cube: bool = flag("Leave out 3×3×3, the only game that takes a search.")

    def __post_init__(self) -> None:
        super().__post_init__()
        for board in self.boards.split("/"):
            if set(parse_spec(board).options) - {"k"}:
                raise ParseError(f"'{board}' is not a board without risk, such as 4x4:k=3.")
            read_game(board)


def risky(board: str, key: str, amount: float) -> str:
    """The canonical spec of a board with one risk for all cells."""
    separator = "," if ":" in board else ":"
    return str(read_game(f"{board}{separator}{key}={format_number(amount)}" if amount else board))


def atlas_games(parameters: Parameters) -> list[str]:
    """Every game of the atlas once, in reading order."""
    boards = parameters.boards.split("/")
    games = [*boards, *(MISERE[board] for board in boards if board in MISERE)]
    games += [risky(board, "flip", p) for board in boards for p in parameters.flips]
    games += [risky("3x3", "fizzle", p) for p in parameters.fizzles]
    games += [risky("3x3", "fade", p) for p in parameters.fades]
    games += [] if parameters.no_cube else [CUBE]
    return list(dict.fromkeys(str(read_game(game)) for game in games))


def plan_units(parameters: Parameters) -> list[Unit]:
    return [Unit(game, first_moves, {"game": game}) for game in atlas_games(parameters)]


def first_moves(game: str) -> dict[str, Any]:
    """The value for X of every class of first moves."""
    rules = read_game(game)
    values, method = (proven_values if game == CUBE else table_values)(rules)
    classes = [(cells, values[cells[0]]) for cells in classes_of(rules)]
    best = max(values.values())
    return {
        "shape": list(rules.shape),
        "classes": classes,
        "value": best,
        "best": sorted(c for cells, value in classes for c in cells if value >= best - 1e-6),
        "method": method,
        # Symmetric cells are solved one by one in a table: how far apart do they come out?
        "apart": max(abs(values[cell] - value) for cells, value in classes for cell in cells),
    }


def classes_of(game: Game) -> list[list[int]]:
    """Cells that the symmetries of the game map to each other, ascending."""
    maps = game.symmetries()
    orbits = {tuple(sorted({image[cell] for image in maps})) for cell in range(game.cells)}
    return [list(orbit) for orbit in sorted(orbits)]


def table_values(game: Game) -> tuple[dict[int, float], str]:
    """From the table of all positions."""
    solution = solve(game, tolerance=_BOUND if game.risk.fades else None)
    return solution.values(solution.game.start()), "table"


def proven_values(game: Game) -> tuple[dict[int, float], str]:
    """By search, one class of first moves after another."""
    from noughts.prove.who_wins import prove

    proof = prove(game)
    return {cell: game.worth(result)[0] for cell, result in proof.first_moves.items()}, "proof"


def make_report(parameters: Parameters, results: Results) -> Report:
    boards = parameters.boards.split("/")
    twins = [MISERE[board] for board in boards if board in MISERE]
    plain: list[list[Panel | None]] = [
        [_panel(board, results) for board in boards],
        [*(_panel(twin, results) for twin in twins), *[None] * (len(boards) - len(twins))],
    ]
    blocks: list[Block] = [
        Answer(_answer(parameters, results)),
        _games_table(results),
        Heading("Without risk"),
        draw_atlas(
            "boards",
            "Every first move without risk, above with lines that win and below with lines that "
            "lose. Frames are around the best cells, unless all are equally good; a number stands "
            "in one cell of each class.",
            plain if twins else plain[:1],
        ),
    ]
    if not parameters.no_cube:
        blocks += [
            Heading("Three layers"),
            draw_atlas(
                "cube",
                "3×3×3, layer by layer: the centre wins, and after any other first move the "
                "second player takes it and wins.",
                [[_panel(CUBE, results)]],
            ),
        ]
    blocks += [
        Heading("Flips, from never to always"),
        draw_atlas(
            "flips",
            "A mark lands as the opponent's with the probability above its column. At 0.5 no cell "
            "of 3×3 is better than another; at 1 the game is the misère one.",
            [
                [_risky_panel(board, "flip", p, results, i == 0) for p in parameters.flips]
                for i, board in enumerate(boards)
            ],
            boards,
        ),
        Heading("Lost turns and fading marks"),
        Text(
            "On 3×3 a mark may be lost together with the turn (fizzle), or every mark on the board "
            "may be gone before each turn (fade). Either way a little of it gives the first player "
            "an advantage that the plain game does not have."
        ),
        *(
            draw_atlas(
                key,
                f"First moves on 3×3 with {key}, the probability above each board.",
                [[_risky_panel("3x3", key, p, results, True) for p in amounts]],
                [key],
            )
            for key, amounts in (("fizzle", parameters.fizzles), ("fade", parameters.fades))
        ),
        _moves_table(results),
    ]
    return Report(
        "Opening atlas",
        "What each first move is worth under best play, over the boards and risks that can be "
        "solved exactly. Blue is good for X, who moves first; orange is good for O.",
        blocks,
    )


def _panel(game: str, results: Results) -> Panel:
    return Panel(game, results[str(read_game(game))])


def _risky_panel(board: str, key: str, p: float, results: Results, is_titled: bool) -> Panel:
    return Panel(f"{p:g}" if is_titled else "", results[risky(board, key, p)])


def _answer(parameters: Parameters, results: Results) -> str:
    tied = sum(_is_tied(found) for found in results.values())
    words = [
        f"**{len(results)} games**, {sum(len(f['classes']) for f in results.values())} classes of "
        f"first moves. In {tied} games every first move is equally good."
    ]
    # Where marks always flip nothing is left to chance: that is the misère game.
    chancy = {game: f for game, f in results.items() if _is_chancy(game)}
    if chancy:
        low = min(chancy, key=lambda game: chancy[game]["value"])
        dear = max(chancy, key=lambda game: _cost(chancy[game]))
        below = sum(found["value"] < -1e-9 for found in chancy.values())
        words.append(
            f"Moving first is a disadvantage in {below} of the {len(chancy)} games of chance, most "
            f"in `{low}` ({chancy[low]['value']:+.4f}). Among these games of chance, where values "
            f"are means over what may land, a careless first move costs most in `{dear}`: "
            f"{_cost(chancy[dear]):.4f} between best and worst cell."
        )
    sure = {game: f for game, f in results.items() if game not in chancy}
    most = max(map(_cost, sure.values()), default=0.0)
    if most > 0.0:
        where = ", ".join(f"`{game}`" for game, found in sure.items() if _cost(found) == most)
        words.append(
            "Where nothing is left to chance it can cost more; the largest of all is "
            f"{most:.1f}, in {where}."
        )
    if not parameters.no_cube:
        won = [cell for cells, value in results[CUBE]["classes"] for cell in cells if value == 1.0]
        words.append(
            f"On 3×3×3 only cell {' '.join(map(str, won))}, the centre, wins; the other "
            f"{read_game(CUBE).cells - len(won)} lose."
        )
    return " ".join(words)


def _is_chancy(game: str) -> bool:
    risk = read_game(game).risk
    return risk.fades or max(risk.landing_odds(0, 0)) < 1.0


def _cost(found: dict[str, Any]) -> float:
    return float(found["value"] - min(value for _, value in found["classes"]))


def _is_tied(found: dict[str, Any]) -> bool:
    return len(found["best"]) == sum(len(cells) for cells, _ in found["classes"])


def _games_table(results: Results) -> Table:
    rows: list[list[Cell]] = []
    for game, found in results.items():
        best = "all" if _is_tied(found) else " ".join(map(str, found["best"]))
        rows.append(
            [game, found["value"], best, _cost(found), len(found["classes"]), found["method"]]
        )
    return Table(
        "games",
        ["game", "value", "best first cells", "worst costs", "classes", "by"],
        rows,
        {"value": "+.6f", "worst costs": ".6f"},
        "The value for X, the cells that reach it, and what the worst first cell loses. Cells are "
        "numbered from 0, row by row and then layer by layer.",
    )


def _moves_table(results: Results) -> Table:
    rows: list[list[Cell]] = [
        [game, cells[0], len(cells), value, cells[0] in found["best"]]
        for game, found in results.items()
        for cells, value in found["classes"]
    ]
    return Table(
        "first-moves",
        ["game", "cell", "cells alike", "value", "best"],
        rows,
        {"value": "+.6f"},
        "Every class of first moves, by its lowest cell.",
    )


STUDY = Study(
    Parameters,
    plan_units,
    make_report,
    quick={
        "boards": "3x3/3x4",
        "flips": (0.0, 0.25, 0.5, 0.75, 1.0),
        "fizzles": (0.0, 0.2, 0.8),
        "fades": (0.0, 0.05, 0.2),
    },
)
