"""Positions as SVG: what a notebook shows.

A drawing is a few sheets of paper: one for a flat board, one per layer in three dimensions, nine
for Ultimate. Each sheet carries, from the bottom up, its risk (a hatch whose density is the
probability that a mark does not land as meant), the last move under a highlighter, the grid,
numbers and marks; one stroke through the winning line lies over everything. It needs no ids,
scripts or fonts of its own, so drawings cannot clash, and it brings its paper along, so it reads
on a dark page.
"""

from xml.sax.saxutils import escape

from noughts.games.game import Position
from noughts.games.svg.board import NUMBERED, draw_sheet, row_labels, winning_stroke
from noughts.games.svg.caption import caption, caption_width, status_words
from noughts.games.svg.ink import EDGE, FONT, PAPER, number, tag
from noughts.games.svg.sheets import bounds, lay_out, posts

__all__ = ["draw"]

MARGIN = 26.0
NARROWEST = 216.0  # px, the width of a 3×3 board
LABEL_ROOM = (18.0, 12.0)  # px, left of and above a board whose cells are too small for numbers


def draw(position: Position) -> str:
    """The position as a standalone SVG document."""
    sheets = lay_out(position)
    left, top, right, bottom = bounds(sheets)
    has_labels = len(sheets) == 1 and sheets[0].size < NUMBERED
    if has_labels:
        left, top = left - LABEL_ROOM[0], top - LABEL_ROOM[1]
    width = max(right - left, caption_width(position), NARROWEST) + 2 * MARGIN
    aside = (width - (right - left)) / 2 - left
    sheets = [sheet.shifted(aside, MARGIN - top) for sheet in sheets]
    words, height = caption(position, (MARGIN, MARGIN + bottom - top), width - 2 * MARGIN)
    body = [posts(sheets), *(draw_sheet(position, sheet) for sheet in sheets)]
    body += [row_labels(sheets[0])] if has_labels else []
    return _document(
        position, width, height, "".join([*body, winning_stroke(position, sheets), words])
    )


def _document(position: Position, width: float, height: float, body: str) -> str:
    background = tag(
        "rect", x=0.5, y=0.5, width=width - 1, height=height - 1, rx=10, fill=PAPER, stroke=EDGE
    )
    title = tag("title", escape(f"{position.game}: {status_words(position)}"))
    drawing = tag(
        "g",
        background + body,
        fill="none",
        stroke_linecap="round",
        stroke_linejoin="round",
        font_family=FONT,
    )
    return tag(
        "svg",
        title + tag("desc", escape(repr(position))) + drawing,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        role="img",
    )
