"""Qubic, proven: how the search got there, what the proof looks like, and whether it holds.

Several searches with different settings start from nothing; each is a unit, and so are the check of
the shipped certificate by the independent checker and the comparison of the two forced-win
searches. Smaller boards are settled beside it.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from noughts.errors import NoughtsError, ParseError
from noughts.games.line_game import LineGame
from noughts.games.registry import game as read_game
from noughts.options import text, whole
from noughts.prove.book import shipped_book
from noughts.prove.layers import is_drawn_by_layers
from noughts.report import (
    Answer,
    Block,
    Figure,
    Heading,
    Report,
    Table,
    Text,
    Unit,
    draw_figure,
    unit_seed,
)
from noughts.report.charts import look
from noughts.report.figure import O_COLOUR, X_COLOUR
from noughts.studies.study import Results, Study, StudyParameters

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

_POINTS = 200  # of each curve


@dataclass
class Parameters(StudyParameters):
    shares: str = text("8/4/12", "The zone share of each search, with a slash between them.")
    expansions: int = whole(10**8, 100, 10**9, "Positions that a search may expand.")
    memory: int = whole(3072, 64, 65536, "Megabytes of each search.")
    positions: int = whole(100_000, 100, 10**8, "Random positions for the two searches.")
    checked: str = text("all", "Which part of the certificate is checked: all, or one first reply.")
    neighbours: str = text("3x3x3/4x4x2:k=4/4x4x3:k=4/5x5:k=4/6x6:k=4", "Boards to settle besides.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not all(word.isdecimal() and int(word) > 0 for word in self.shares.split("/")):
            raise ParseError(f"shares={self.shares} is not a list of whole numbers such as 8/4.")
        if self.checked != "all" and not (self.checked.isdecimal() and int(self.checked) < 64):
            raise ParseError(f"checked={self.checked} is neither 'all' nor a cell of qubic.")


def plan_units(parameters: Parameters) -> list[Unit]:
    units = [
        Unit(
            f"search {share}",
            run_search,
            {
                "share": int(share),
                "expansions": parameters.expansions,
                "megabytes": parameters.memory,
            },
        )
        for share in parameters.shares.split("/")
    ]
    units.append(Unit("check", run_check, {"part": parameters.checked}))
    seed = unit_seed(parameters.seed, len(units))
    units.append(
        Unit("soundness", run_comparison, {"positions": parameters.positions, "seed": seed})
    )
    units += [
        Unit(f"prove {board}", run_neighbour, {"game": board})
        for board in parameters.neighbours.split("/")
    ]
    return units


def run_search(share: int, expansions: int, megabytes: int) -> dict[str, Any]:
    """One search from nothing, with the curve of its numbers."""
    from noughts.prove.search import ThreatSearch
    from noughts.prove.storage import SearchSettings

    search = ThreatSearch(megabytes=megabytes, settings=SearchSettings(zone_share=share))
    search.advance(1)  # compiles, or loads what was compiled
    search.seconds = search.cpu_seconds = 0.0
    curve: list[list[float]] = []
    is_over, is_full = False, False
    while not is_over and search.expanded < expansions:
        try:
            is_over = search.advance(min(500, expansions - search.expanded))
        except NoughtsError:  # the memory is full: the curve up to here is still worth a look
            is_full = True
            break
        curve.append([search.expanded, search.proof, search.disproof, search.cpu_seconds])
    found: dict[str, Any] = {
        "is_proven": is_over and search.proof == 0,
        "is_full": is_full,
        "expanded": search.expanded,
        "cpu_seconds": search.cpu_seconds,
        "curve": curve[:: max(1, len(curve) // _POINTS)] + curve[-1:],
    }
    if found["is_proven"]:
        result = search.result()
        found |= {
            "stored": result.positions,
            "forced": result.forced_positions,
            "moves": len(result.book),
        }
    return found


def run_check(part: str) -> dict[str, Any]:
    """The independent check of the shipped certificate, and a census of it."""
    from noughts.prove.census import first_replies, moves_by_marks
    from noughts.prove.check import check_book

    game, book = read_game("qubic"), shipped_book()
    assert isinstance(game, LineGame)
    first = book.entries[0, 0]
    start = None if part == "all" else game.start().play(first).play(int(part))
    report = check_book(book, start=start)
    found: dict[str, Any] = {
        **report.to_dict(),
        "first": first,
        "marks": [list(item) for item in moves_by_marks(book).items()],
    }
    if start is None:
        found["replies"] = [asdict(reply) for reply in first_replies(game, book, report)]
    return found


def run_comparison(positions: int, seed: int) -> dict[str, Any]:
    """The prover's forced wins against the complete search."""
    from noughts.prove.soundness import compare_searches

    found = compare_searches(positions, seed)
    return {**asdict(found), "missed": found.missed}


def run_neighbour(game: str) -> dict[str, Any]:
    """Another board: by its layers if they are independent, else by the ordinary prover."""
    from noughts.prove.who_wins import prove

    began = time.process_time()
    board = read_game(game)
    found: dict[str, Any] = {"result": "draw", "how": "layers", "nodes": None}
    if not isinstance(board, LineGame) or not is_drawn_by_layers(board):
        proof = prove(board, all_moves=False)
        found = {"result": proof.result, "how": "search", "nodes": proof.nodes}
    return {**found, "cpu_seconds": time.process_time() - began}


def make_report(parameters: Parameters, results: Results) -> Report:
    shares = parameters.shares.split("/")
    check, soundness = results["check"], results["soundness"]
    blocks: list[Block] = [
        Answer(_answer(parameters, results)),
        Heading("The search"),
        Text(
            "The proof number says how many positions must still be proven, at least, before X's "
            "win is; the disproof number how many must be given up before the search gives up. A "
            "quiet move of X counts as a threat when X would win by force if O passed; its first "
            "proof number is 1 + (cells that O may try) / share."
        ),
        _search_table(shares, results),
        draw_search({share: results[f"search {share}"]["curve"] for share in shares}),
        Heading("The proof"),
        draw_marks(check["marks"]),
    ]
    if "replies" in check:
        blocks += [_reply_table(check["replies"]), draw_replies(check["replies"])]
    blocks += [
        Heading("The check"),
        Text(
            f"Of {soundness['positions']:,} random positions without a three X wins "
            f"{soundness['wins']:,} by force. The prover's search finds {soundness['found']:,} of "
            f"them, misses {soundness['missed']:,} and claims {soundness['false']} that are none. "
            f"Of {soundness['zones_tried']:,} quiet marks of O outside a zone "
            f"{soundness['zones_broken']} spoil the win."
        ),
        _check_table(check),
        Heading("The neighbours"),
        _neighbour_table(parameters.neighbours.split("/"), results),
    ]
    return Report(
        "Qubic, proven",
        "X wins 4×4×4: a proof found from nothing, its shape, and an independent check.",
        blocks,
    )


def _answer(parameters: Parameters, results: Results) -> str:
    check = results["check"]
    proven = [
        results[f"search {share}"]
        for share in parameters.shares.split("/")
        if results[f"search {share}"]["is_proven"]
    ]
    words = []
    if proven:
        best = min(proven, key=lambda found: float(found["cpu_seconds"]))
        words.append(
            f"**X wins Qubic**: proven from nothing in {best['cpu_seconds']:.0f} s of one core, "
            f"{best['expanded']:,} positions expanded."
        )
    part = "" if parameters.checked == "all" else f" below the reply {parameters.checked}"
    words.append(
        f"The check of the certificate{part} tried {check['checked']:,} replies and found "
        f"{check['hole_count']} holes."
    )
    return " ".join(words)


def _search_table(shares: list[str], results: Results) -> Table:
    rows: list[list[Any]] = []
    for share in shares:
        found = results[f"search {share}"]
        last = found["curve"][-1]
        outcome = "proven" if found["is_proven"] else "memory full" if found["is_full"] else "open"
        rows.append(
            [int(share), outcome, int(last[1]), int(last[2]), found["expanded"]]
            + [found.get(key) for key in ("stored", "forced", "moves")]
            + [found["cpu_seconds"]]
        )
    columns = ["share", "outcome", "proof number", "disproof number", "expanded", "stored"]
    columns += ["forced-win positions", "moves in the certificate", "CPU seconds"]
    formats = dict.fromkeys(columns[2:8], ",") | {"CPU seconds": ",.1f"}
    return Table("searches", columns, rows, formats, "Searches from X's first cell 0.")


def _reply_table(replies: list[dict[str, Any]]) -> Table:
    rows = [
        [r["cells"][0], r["cells"][1], r["alike"], r["answer"], r["moves"], r["most_marks"]]
        for r in replies
    ]
    columns = ["X", "O", "cells alike", "X's answer", "moves below", "marks at the last one"]
    caption = "O's first replies up to symmetry, the hardest first."
    return Table("replies", columns, rows, {"moves below": ","}, caption)


def _check_table(check: dict[str, Any]) -> Table:
    columns = ["moves listed", "moves used", "positions checked", "most marks", "holes"]
    keys = ("moves_listed", "moves_used", "checked", "deepest", "hole_count")
    row: list[Any] = [check[key] for key in keys]
    formats = dict.fromkeys(columns, ",") | {"seconds": ".1f"}
    return Table("check", [*columns, "seconds"], [[*row, check["seconds"]]], formats)


def _neighbour_table(boards: list[str], results: Results) -> Table:
    rows: list[list[Any]] = []
    for board in boards:
        found = results[f"prove {board}"]
        rows.append([board, *(found[key] for key in ("result", "how", "nodes", "cpu_seconds"))])
    columns = ["board", "result", "how", "positions", "CPU seconds"]
    formats = {"positions": ",", "CPU seconds": ",.2f"}
    caption = "Layers: no line leaves its layer, and one layer is held by who moves second there."
    return Table("neighbours", columns, rows, formats, caption)


def draw_search(curves: Mapping[str, Sequence[Sequence[float]]]) -> Figure:
    """Proof and disproof number of the root, beside each other, as the search goes on."""

    def draw(canvas: "Canvas") -> None:
        panels = canvas.subplots(1, 2, sharex=True)
        for place, title in ((1, "proof number"), (2, "disproof number")):
            axes = panels[place - 1]
            for i, (share, curve) in enumerate(curves.items()):
                shown = [point for point in curve if 0 < point[place] < 1 << 30]
                axes.plot(
                    [point[0] for point in shown],
                    [point[place] for point in shown],
                    label=f"share {share}" if place == 1 else None,
                    **look(i),
                )
            axes.set_yscale("log")
            axes.set_title(title)
            axes.set_xlabel("positions expanded")
            _plain_numbers(axes)
        canvas.legend(loc="outside lower center", ncols=len(curves))

    caption = "The numbers of the root: a proof is there when the left one reaches 0."
    return draw_figure("search", caption, draw, 8.5, 4.0)


def _plain_numbers(axes: "Axes") -> None:
    """1,000 where matplotlib would write a power of ten, and few of them."""
    from matplotlib.ticker import MaxNLocator, NullFormatter, StrMethodFormatter

    axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    low, high = axes.get_ylim()
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    if high / max(low, 1e-9) > 20:
        axes.yaxis.set_minor_formatter(NullFormatter())
    else:
        axes.yaxis.set_minor_formatter(StrMethodFormatter("{x:,.0f}"))


def draw_marks(marks: Sequence[Sequence[int]]) -> Figure:
    """How many moves the certificate lists, by the marks on the board."""

    def draw(canvas: "Canvas") -> None:
        axes = canvas.subplots()
        bars = axes.bar([m for m, _ in marks], [n for _, n in marks], 1.5, color=X_COLOUR)
        axes.bar_label(bars, fmt="{:,.0f}", fontsize=8, padding=2)
        axes.set_xticks([m for m, _ in marks])
        axes.set_xlabel("marks on the board, X on turn")
        axes.set_ylabel("moves listed")
        axes.margins(y=0.1)
        axes.grid(visible=False, axis="x")

    caption = "Where X has to think: the moves that the certificate lists, by marks on the board."
    return draw_figure("marks", caption, draw, 8.0, 3.6)


def draw_replies(replies: Sequence[Mapping[str, Any]]) -> Figure:
    """How much of the proof each first reply takes."""

    def draw(canvas: "Canvas") -> None:
        axes = canvas.subplots()
        places = range(len(replies), 0, -1)
        labels = [f"O {reply['cells'][1]}  (×{reply['alike']})" for reply in replies]
        bars = axes.barh(places, [reply["moves"] for reply in replies], color=O_COLOUR)
        axes.bar_label(bars, fmt="{:,.0f}", fontsize=8, padding=3)
        axes.set_yticks(places, labels)
        axes.set_xlabel("moves listed below the reply")
        axes.margins(x=0.06)
        axes.grid(visible=False, axis="y")

    caption = "O's first replies, the hardest on top; in brackets how many cells are alike."
    return draw_figure("replies", caption, draw, 8.0, 1.0 + 0.3 * len(replies))


STUDY = Study(
    Parameters,
    plan_units,
    make_report,
    quick={
        "shares": "8/4",
        "expansions": 2000,
        "memory": 64,
        "positions": 2000,
        "checked": "63",
        "neighbours": "3x3x3",
    },
)
