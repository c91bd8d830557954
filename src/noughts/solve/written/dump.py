"""The whole solution as a file: every running board, its turn, its value for X, its best move.

`.csv` and `.parquet` have a header; `.txt` has one line a state for the eye. With a clock there are
a tick and a wait as well. Rows come in the order of the boards' numbers, X's turn before O's.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.errors import NoughtsError
from noughts.files import check_writable, replacing
from noughts.games import Game
from noughts.kernels.iteration import fill_over
from noughts.kernels.policies import Taste, best_cells
from noughts.solve.api import Progress
from noughts.solve.numbering import landing_vectors, seen_from, sweep_rules
from noughts.solve.policies import best_waits
from noughts.solve.solution import Solution

SUFFIXES = (".csv", ".parquet", ".txt")
_CHUNK = 1 << 18


class Rows(NamedTuple):
    """Some states: their boards as texts, turns, ticks, values for X, best cells and waits."""

    board: list[str]
    turn: list[str]
    tick: list[int]
    value: list[float]
    move: list[int]
    wait: list[int]


def check_dump(path: Path) -> None:
    """Refuse a path that cannot be written as a dump, before anything is solved."""
    if path.suffix not in SUFFIXES:
        raise NoughtsError(f"{path} cannot be dumped; its ending must be {', '.join(SUFFIXES)}.")
    check_writable(path)
    if path.suffix == ".parquet":
        _pyarrow()


def dump(solution: Solution, path: Path, progress: Progress | None = None) -> int:
    """Write every state; how many there were."""
    check_dump(path)
    names = ["board", "turn", "value", "move"]
    if solution.game.risk.has_clock:
        names = ["board", "turn", "tick", "value", "move", "wait"]
    total = 2 * solution.running_boards * len(solution.table)
    columns = ([getattr(rows, name) for name in names] for rows in _states(solution))
    return write_states(path, names, ["value"], columns, total, progress)


def write_states(
    path: Path,
    names: list[str],
    floats: Sequence[str],
    pieces: Iterable[list[list[Any]]],
    total: int,
    progress: Progress | None,
) -> int:
    """Write columns of states, piece by piece; how many states there were."""
    written = 0
    with replacing(path, "wb" if path.suffix == ".parquet" else "w") as file:
        write, close = _writer(path.suffix, file, names, floats)
        try:
            for columns in pieces:
                write(columns)
                written += len(columns[0])
                if progress is not None:
                    progress(written, total, "states written")
        finally:
            close()
    return written


def _writer(suffix: str, file: IO[Any], names: list[str], floats: Sequence[str]) -> tuple[Any, Any]:
    """(a function that writes columns, a function that ends the file)."""
    if suffix == ".parquet":
        return _parquet_writer(file, names, floats)
    if suffix == ".csv":
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(names)
        return lambda columns: lines.writerows(zip(*columns, strict=True)), lambda: None

    def write(columns: list[list[Any]]) -> None:
        places = {names.index(name) for name in floats}
        for row in zip(*columns, strict=True):
            words = [f"{cell:+.12f}" if i in places else str(cell) for i, cell in enumerate(row)]
            file.write(" ".join(words) + "\n")

    return write, lambda: None


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError:
        raise NoughtsError(
            "A .parquet file needs pyarrow: pip install 'noughts[parquet]'."
        ) from None
    return pyarrow


def _parquet_writer(file: IO[Any], names: list[str], floats: Sequence[str]) -> tuple[Any, Any]:
    arrow = _pyarrow()
    kinds = {"board": arrow.string(), "turn": arrow.string()}
    kinds |= dict.fromkeys(floats, arrow.float64())
    schema = arrow.schema([(name, kinds.get(name, arrow.int32())) for name in names])
    writer = arrow.parquet.ParquetWriter(file, schema)
    return lambda columns: writer.write_table(arrow.table(columns, schema=schema)), writer.close


def _states(solution: Solution) -> Iterator[Rows]:
    game, size = solution.game, solution.table.shape[1]
    rules = sweep_rules(game)
    over = np.full(size, np.nan)
    fill_over(rules, 0, size, over)
    running = np.isnan(over)
    ticks = len(solution.table)
    masks, at_once = np.zeros((ticks, size), np.uint32), np.empty((ticks, size))
    for tick in range(ticks):
        best_cells(
            rules, landing_vectors(game, tick), solution.arrivals[tick], Taste(solution.tie, True),
            0, size, masks[tick], at_once[tick],
        )  # fmt: skip
    waits = best_waits(solution, at_once) if game.risk.has_clock else np.zeros((1, size), np.int32)
    for tick in range(ticks):
        is_row = running & can_show(game, tick, np.arange(size))
        for first in range(0, size, _CHUNK):
            boards = first + np.flatnonzero(is_row[first : first + _CHUNK])
            yield _rows(solution, tick, boards, masks, waits)


def can_show(game: Game, tick: int, boards: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which boards the clock can show this tick on: where only turns are limited, not all."""
    if game.risk.last_tick is not None:
        return np.ones(len(boards), np.bool_)
    counts = np.zeros(len(boards), np.int64)  # of filled cells, each of which took one turn
    for cell in range(game.cells):
        counts += boards // (game.seats + 1) ** cell % (game.seats + 1) > 0
    shown: NDArray[np.bool_] = counts * game.risk.longest_wait >= tick
    return shown


def _rows(solution: Solution, tick: int, boards: NDArray[np.int64], masks: Any, waits: Any) -> Rows:
    """Two rows a board: X's turn, then O's, who sees the board with colours swapped."""
    texts = _texts(boards, solution.game.cells)
    swapped = seen_from(solution.game, 1, np.arange(solution.table.shape[1]))[boards]
    numbers = np.stack([boards, swapped], axis=1).ravel()
    wait = waits[tick][numbers]
    mask = masks[tick + wait, numbers]
    values = solution.table[tick][numbers].astype(np.float64)
    values[1::2] *= -1.0
    return Rows(
        board=[text for text in texts for _ in "XO"],
        turn=["X", "O"] * len(boards),
        tick=[tick] * len(numbers),
        value=(values + 0.0).tolist(),
        move=np.log2(mask).astype(int).tolist(),  # the lowest best cell is the only bit
        wait=wait.tolist(),
    )


def _texts(boards: NDArray[np.int64], cells: int) -> list[str]:
    letters = np.frombuffer(b".XO", np.uint8)
    digits = boards[:, None] // 3 ** np.arange(cells) % 3
    text = letters[digits].tobytes().decode()
    return [text[i : i + cells] for i in range(0, len(text), cells)]
