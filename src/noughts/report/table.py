"""A table: named columns, plain rows, and how numbers look. Every way of writing it is here.

    Table("odds", ("world", "X wins"), [("classic", 0.5)], formats={"X wins": ".2%"})

Files of data (csv, parquet) hold the numbers in full; what people read (text, HTML, Excel) shows
them in their format, a Python format spec such as ".4f", "+.3f", ".1%" or ",".
"""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.util import find_spec
from typing import Any

from noughts.errors import NoughtsError

Cell = str | int | float | bool | None

_LONG_TEXT = 24  # characters from which a page may break a cell into lines


@dataclass(frozen=True)
class Table:
    """Rows of texts and numbers; None is an empty cell. `name` is also the name of its files."""

    name: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    formats: Mapping[str, str] = field(default_factory=dict)
    caption: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise NoughtsError(
                    f"A row of table {self.name} has {len(row)} cells for "
                    f"{len(self.columns)} columns."
                )
        stray = set(self.formats) - set(self.columns)
        if stray:
            raise NoughtsError(f"Table {self.name} has no column {sorted(stray)[0]}.")

    def column(self, name: str) -> list[Any]:
        """All cells below one heading."""
        place = list(self.columns).index(name)
        return [row[place] for row in self.rows]

    def shown(self, cell: Cell, column: str) -> str:
        """A cell as people read it."""
        if cell is None:
            return ""
        if isinstance(cell, bool):
            return "yes" if cell else "no"
        if isinstance(cell, str):
            return cell
        text = format(cell, self.formats.get(column, "" if isinstance(cell, int) else ".6g"))
        # "-0.00" is a zero that says more than is known.
        return (
            text.replace("-", "") if text.startswith("-") and not re.search("[1-9]", text) else text
        )

    def is_numeric(self, column: str) -> bool:
        """Whether a column holds numbers, which stand under each other to the right."""
        cells = [cell for cell in self.column(column) if cell is not None]
        return bool(cells) and all(
            isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells
        )

    def to_text(self) -> str:
        """Aligned columns for a terminal."""
        shown = [list(self.columns)]
        for row in self.rows:
            shown.append([self.shown(c, name) for c, name in zip(row, self.columns, strict=True)])
        widths = [max(len(row[i]) for row in shown) for i in range(len(self.columns))]
        numeric = [self.is_numeric(name) for name in self.columns]
        lines = [
            "  ".join(
                cell.rjust(width) if is_number else cell.ljust(width)
                for cell, width, is_number in zip(row, widths, numeric, strict=True)
            ).rstrip()
            for row in shown
        ]
        lines.insert(1, "  ".join("─" * width for width in widths))
        return "\n".join(lines)

    def to_csv(self) -> str:
        """Comma-separated, every number in full."""
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(self.rows)
        return file.getvalue()

    def to_html(self) -> str:
        """A <table> without any style of its own."""
        kinds = ["n" if self.is_numeric(name) else "t" for name in self.columns]
        head = "".join(
            f'<th scope="col" class="{kind}">{escape(name)}</th>'
            for name, kind in zip(self.columns, kinds, strict=True)
        )
        body = []
        for row in self.rows:
            cells = []
            for cell, name, kind in zip(row, self.columns, kinds, strict=True):
                text = self.shown(cell, name)
                long = " long" if len(text) > _LONG_TEXT else ""
                cells.append(f'<td class="{kind}{long}">{escape(text)}</td>')
            body.append(f"<tr>{''.join(cells)}</tr>")
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"

    def to_xlsx(self) -> bytes:
        """A workbook of one sheet."""
        from noughts.report.workbook import make_workbook

        return make_workbook([self])

    def to_parquet(self) -> bytes:
        """Columns in Apache Parquet; needs `pip install 'noughts[parquet]'`."""
        if not has_parquet():
            raise NoughtsError("Parquet needs pyarrow: pip install 'noughts[parquet]'.")
        import pyarrow
        from pyarrow import parquet

        buffer = io.BytesIO()
        arrays = {name: pyarrow.array(self.column(name)) for name in self.columns}
        parquet.write_table(pyarrow.table(arrays), buffer)
        return buffer.getvalue()


def has_parquet() -> bool:
    """Whether parquet files can be written here."""
    return find_spec("pyarrow") is not None
