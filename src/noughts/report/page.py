"""`report.html`: one file that holds everything it shows. Nothing is fetched, nothing runs.

A report is a title, a lead, and blocks in reading order: headings, texts, the answer, links,
tables and figures. Texts know two marks: **bold** and `code`.
"""

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from noughts.games.svg.ink import COLOURS, EDGE, FAINT, FONT, INK, PAPER, SHEET
from noughts.report.figure import Figure
from noughts.report.table import Table

LONG_TABLE = 24  # rows; longer tables are folded


@dataclass(frozen=True)
class Heading:
    """The title of what follows."""

    text: str


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Answer:
    """The sentences that a reader in a hurry reads."""

    text: str


@dataclass(frozen=True)
class Link:
    """The way to another page of the same folder."""

    text: str
    path: str  # relative, with slashes


Block = Heading | Text | Answer | Link | Table | Figure


@dataclass(frozen=True)
class Report:
    """What a run found, in reading order."""

    title: str
    lead: str
    blocks: Sequence[Block]
    facts: Mapping[str, str] = field(default_factory=dict)  # how it was made, for the foot

    @property
    def tables(self) -> list[Table]:
        return [block for block in self.blocks if isinstance(block, Table)]

    @property
    def figures(self) -> list[Figure]:
        return [block for block in self.blocks if isinstance(block, Figure)]

    @property
    def answers(self) -> list[str]:
        return [block.text for block in self.blocks if isinstance(block, Answer)]

    def to_html(self) -> str:
        """The whole page."""
        body = "\n".join(_block_html(block) for block in self.blocks)
        facts = "".join(
            f"<dt>{escape(name)}</dt><dd><code>{escape(fact)}</code></dd>"
            for name, fact in self.facts.items()
        )
        return (
            f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{escape(self.title)} · Noughts</title>\n<style>{_STYLE}</style>\n</head>\n"
            f"<body>\n<main>\n<header><p class=brand>Noughts <b class=x>×</b><b class=o>○</b></p>"
            f"<h1>{escape(self.title)}</h1><p class=lead>{_inline(self.lead)}</p></header>\n"
            f"{body}\n<footer><dl>{facts}</dl></footer>\n</main>\n</body>\n</html>\n"
        )


def _block_html(block: Block) -> str:
    if isinstance(block, Heading):
        return f"<h2>{escape(block.text)}</h2>"
    if isinstance(block, Text):
        return f"<p>{_inline(block.text)}</p>"
    if isinstance(block, Answer):
        return f'<p class="answer">{_inline(block.text)}</p>'
    if isinstance(block, Link):
        return f'<p><a href="{escape(block.path)}">{_inline(block.text)}</a></p>'
    if isinstance(block, Figure):
        drawing = block.svg[block.svg.index("<svg") :]
        return (
            f'<figure><div class="sheet">{drawing}</div>'
            f"<figcaption>{_inline(block.caption)}</figcaption></figure>"
        )
    return _table_html(block)


def _table_html(table: Table) -> str:
    data = base64.b64encode(table.to_csv().encode()).decode()
    save = f'<a download="{escape(table.name)}.csv" href="data:text/csv;base64,{data}">csv</a>'
    caption = f"<figcaption>{_inline(table.caption)} {save}</figcaption>"
    body = f'<div class="wide">{table.to_html()}</div>'
    if len(table.rows) > LONG_TABLE:
        body = f"<details><summary>{len(table.rows)} rows</summary>{body}</details>"
    return f'<figure class="table">{caption}{body}</figure>'


def _inline(text: str) -> str:
    marked = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escape(text))
    return re.sub(r"`(.+?)`", r"<code>\1</code>", marked)


_STYLE = f"""
:root {{ color-scheme: light; }}
* {{ box-sizing: border-box; }}
body {{ margin: 0; background: {PAPER}; color: {INK}; font: 16px/1.6 {FONT};
  font-variant-numeric: tabular-nums; -webkit-text-size-adjust: 100%; }}
main {{ max-width: 64rem; margin: 0 auto; padding: 3rem 1.25rem 4rem; }}
header {{ margin-bottom: 2.5rem; }}
.brand {{ margin: 0; color: {FAINT}; letter-spacing: .02em; }}
.brand b {{ font-weight: 600; }} .x {{ color: {COLOURS["X"]}; }} .o {{ color: {COLOURS["O"]}; }}
h1 {{ font-size: 2.1rem; line-height: 1.2; margin: .4rem 0 .8rem; font-weight: 650; }}
h2 {{ font-size: 1.25rem; margin: 2.8rem 0 .6rem; font-weight: 650; }}
p {{ max-width: 44rem; margin: .7rem 0; }}
.lead {{ font-size: 1.1rem; }}
.answer {{ background: {SHEET}; border-left: 3px solid {COLOURS["X"]}; padding: .8rem 1.1rem;
  border-radius: 0 4px 4px 0; }}
code {{ font: .92em/1.4 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }}
figure {{ margin: 1.4rem 0 1.8rem; }}
.sheet, .wide {{ background: {SHEET}; border: 1px solid {EDGE}; border-radius: 4px; }}
.sheet {{ padding: .75rem; }} .sheet svg {{ display: block; width: 100%; height: auto; }}
.wide {{ overflow-x: auto; }}
figcaption {{ color: {FAINT}; font-size: .9rem; margin: .45rem 0; max-width: 48rem; }}
a {{ color: inherit; }} figcaption a {{ margin-left: .4em; }}
table {{ border-collapse: collapse; width: 100%; font-size: .86rem; line-height: 1.4; }}
th, td {{ padding: .34rem .6rem; text-align: left; white-space: nowrap; }}
th {{ font-weight: 600; border-bottom: 1px solid {EDGE}; vertical-align: bottom;
  white-space: normal; }}
td.long {{ white-space: normal; }}
tbody tr + tr td {{ border-top: 1px solid #f1e9d9; }}
.n {{ text-align: right; }}
summary {{ cursor: pointer; color: {FAINT}; font-size: .9rem; margin-bottom: .4rem; }}
footer {{ margin-top: 3.5rem; padding-top: 1rem; border-top: 1px solid {EDGE}; color: {FAINT};
  font-size: .88rem; }}
dl {{ display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 0; }}
dd {{ margin: 0; overflow-wrap: anywhere; }}
@media (max-width: 40rem) {{ main {{ padding-top: 1.5rem; }} h1 {{ font-size: 1.6rem; }} }}
@media print {{ body {{ background: white; }} details > * {{ display: block; }} }}
"""
