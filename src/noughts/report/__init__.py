"""What a run leaves behind: a folder with tables, figures and a page that holds them all."""

from noughts.report.figure import Figure, draw_figure, outcome_bars
from noughts.report.page import Answer, Block, Heading, Report, Text
from noughts.report.run import Progress, Run, Unit, new_folder, unit_seed
from noughts.report.table import Cell, Table

__all__ = [
    "Answer",
    "Block",
    "Cell",
    "Figure",
    "Heading",
    "Progress",
    "Report",
    "Run",
    "Table",
    "Text",
    "Unit",
    "draw_figure",
    "new_folder",
    "outcome_bars",
    "unit_seed",
]
