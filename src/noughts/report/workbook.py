"""Workbooks: one sheet per table, and charts that Excel and LibreOffice draw from the cells.

make_workbook([ratings, games], [Chart("ratings", "agent", ("Elo",), "Ratings")])
"""

import datetime
import io
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from noughts.report.figure import PALETTE
from noughts.report.table import Cell, Table

_NUMBER_FORMAT = re.compile(r"(?P<sign>\+?)(?P<comma>,?)(?:\.(?P<digits>\d+)(?P<kind>[f%]))?")
_WIDEST = 48  # characters that a column is made wide for


@dataclass(frozen=True)
class Chart:
    """Bars of some columns of a table, drawn below it; several are stacked on each other."""

    table: str
    labels: str  # the column that names the bars
    values: tuple[str, ...]
    title: str
    interval: tuple[str, str] | None = None  # the columns of the ends of the error bars
    colours: tuple[str, ...] = PALETTE


def make_workbook(tables: Sequence[Table], charts: Sequence[Chart] = ()) -> bytes:
    """Bold frozen headers, filters, numbers as numbers in their format; charts on their sheet."""
    import xlsxwriter

    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True})
    # The same tables are the same bytes, whenever they are written.
    book.set_properties({"created": datetime.datetime(2000, 1, 1)})
    sheets = {table.name: _add_sheet(book, table) for table in tables}
    by_name = {table.name: table for table in tables}
    for chart in charts:
        table = by_name[chart.table]
        drawn = _draw_chart(book, sheets[table.name], chart, table)
        sheets[table.name].insert_chart(len(table.rows) + 2, 0, drawn)
    book.close()
    return buffer.getvalue()


def _add_sheet(book: Any, table: Table) -> Any:
    sheet = book.add_worksheet(re.sub(r"[\[\]:*?/\\\\]", " ", table.name)[:31])
    look = {"bold": True, "bottom": 1, "bg_color": "#f6efe0"}
    heads = {True: book.add_format(look | {"align": "right"}), False: book.add_format(look)}
    for place, name in enumerate(table.columns):
        style = book.add_format({"num_format": excel_format(table.formats.get(name, ""))})
        shown = [table.shown(cell, name) for cell in table.column(name)]
        width = max(len(text) for text in [name, *shown])
        sheet.set_column(place, place, min(width, _WIDEST) + 3)
        sheet.write(0, place, name, heads[table.is_numeric(name)])
        for row, cell in enumerate(table.column(name), start=1):
            _write_cell(sheet, row, place, cell, style)
    sheet.freeze_panes(1, 0)
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(0)
    if table.rows:
        sheet.autofilter(0, 0, len(table.rows), len(table.columns) - 1)
    return sheet


def _write_cell(sheet: Any, row: int, place: int, cell: Cell, style: Any) -> None:
    """Texts stay texts, even those that look like formulas or links."""
    if isinstance(cell, str):
        sheet.write_string(row, place, cell, style)
    elif isinstance(cell, float) and not math.isfinite(cell):
        sheet.write_string(row, place, f"{cell:+}", style)  # Excel has no infinite numbers
    elif cell is not None:
        sheet.write(row, place, cell, style)


def _draw_chart(book: Any, sheet: Any, chart: Chart, table: Table) -> Any:
    drawn = book.add_chart(
        {"type": "bar", "subtype": "stacked"} if len(chart.values) > 1 else {"type": "bar"}
    )
    columns, last, title = list(table.columns), len(table.rows), sheet.get_name()
    labels = columns.index(chart.labels)
    for number, name in enumerate(chart.values):
        place = columns.index(name)
        series: dict[str, Any] = {
            "name": name,
            "categories": [title, 1, labels, last, labels],
            "values": [title, 1, place, last, place],
            "fill": {"color": chart.colours[number]},
            "gap": 60,
        }
        if chart.interval is not None:
            series["y_error_bars"] = _error_bars(sheet, table, chart)
        drawn.add_series(series)
    drawn.set_title({"name": chart.title, "name_font": {"size": 12}})
    drawn.set_y_axis(
        {"reverse": True, "crossing": "max", "label_position": "low", "line": {"none": True}}
    )
    drawn.set_x_axis({"major_gridlines": {"visible": True, "line": {"color": "#ebe3d2"}}})
    drawn.set_legend({"none": True} if len(chart.values) == 1 else {"position": "bottom"})
    drawn.set_size({"width": 640, "height": 120 + 34 * max(last, 3)})
    return drawn


def _error_bars(sheet: Any, table: Table, chart: Chart) -> dict[str, Any]:
    """Both ways from the bar's end, as formulas to the right of the table that can be recalculated.

    LibreOffice draws error bars from cells only, not from numbers inside the chart.
    """
    from xlsxwriter.utility import xl_range_abs, xl_rowcol_to_cell

    assert chart.interval is not None
    columns, last = list(table.columns), len(table.rows)
    middle, low, high = (columns.index(name) for name in (*chart.values, *chart.interval))
    bars: dict[str, Any] = {"type": "custom"}
    ways = (("minus", middle, low), ("plus", high, middle))
    for place, (way, upper, lower) in enumerate(ways, start=len(columns) + 1):
        sheet.write_string(0, place, way)
        lengths = []
        for row, cells in enumerate(table.rows, start=1):
            lengths.append(float(cells[upper] or 0) - float(cells[lower] or 0))
            ends = (xl_rowcol_to_cell(row, upper), xl_rowcol_to_cell(row, lower))
            sheet.write_formula(row, place, "={}-{}".format(*ends), None, lengths[-1])
        area = xl_range_abs(1, place, last, place)
        bars[f"{way}_values"] = f"='{sheet.get_name()}'!{area}"
        bars[f"{way}_data"] = lengths
    return bars


def excel_format(spec: str) -> str:
    """The number format of Excel that shows what a Python format spec shows."""
    match = _NUMBER_FORMAT.fullmatch(spec)
    if match is None or not spec:
        return "General"
    digits = int(match["digits"] or 0)
    shown = ("#,##0" if match["comma"] else "0") + ("." + "0" * digits if digits else "")
    shown += "%" if match["kind"] == "%" else ""
    return f"+{shown};-{shown};{shown}" if match["sign"] else shown
