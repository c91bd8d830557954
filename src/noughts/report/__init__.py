"""What a run leaves behind: a folder with tables, figures and a page that holds them all."""

from noughts.report.figure import Figure, draw_figure, outcome_bars
from noughts.report.page import Answer, Block, Heading, Link, Report, Text
from noughts.report.run import Progress, Run, Unit, new_folder, unit_seed
from noughts.report.table import Cell, Table
from noughts.report.workbook import Chart, make_workbook

__all__ = [
    "Answer",
    "Block",
    "Cell",
    "Chart",
    "Figure",
    "Heading",
    "Link",
    "Progress",
    "Report",
    "Run",
    "Table",
    "Text",
    "Unit",
    "draw_figure",
    "make_workbook",
    "new_folder",
    "outcome_bars",
    "unit_seed",
]
