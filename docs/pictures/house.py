"""The drawing of the house in docs/architecture.md, from the layers that `make check` holds to.

Which rooms there are and which stand above which is read from pyproject.toml; said here is what a
room is for, whom it answers to outside, and its colour.
"""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
DRAWING = ROOT / "docs" / "figures" / "house.svg"

WORDS = {  # name: (colour, what it is for)
    "cli": ("ask", "puts the commands together"),
    "commands": ("ask", "one file per command; prints"),
    "web": ("ask", "page and engines"),
    "bench": ("measure", "speed, signatures"),
    "adapters": ("ask", "our games for other libraries"),
    "studies": ("measure", "one file per experiment"),
    "arena": ("measure", "matches, tournaments, ratings, regret"),
    "warm": ("measure", "compiles ahead"),
    "learn": ("play", "trains: tables, networks, zero"),
    "jobs": ("ask", "what can be asked for, as data"),
    "testing": ("measure", "check_game, for every game"),
    "report": ("measure", "run folders, tables, figures"),
    "knowledge": ("measure", "what is certain, and where from"),
    "prove": ("play", "proofs, and who checks them"),
    "solve": ("play", "exact values"),
    "search": ("play", "at the board"),
    "effort": ("measure", "how long it takes"),
    "stats": ("measure", "intervals, ratings"),
    "agents": ("play", "Agent, and the registry of names"),
    "options": ("rule", "typed and documented"),
    "games": ("rule", "boards, Ultimate, risk, specs"),
    "kernels": ("kernel", "compiled: arrays in, arrays out"),
    "folders": ("base", ""),
    "files": ("base", ""),
    "parallel": ("base", ""),
    "plugins": ("base", ""),
    "owning": ("base", ""),
    "aloud": ("base", ""),
    "errors": ("base", "what a caller can do wrong"),
}
OUTSIDE = {  # what goes in and out of a row, named by its first room
    "web": "browser: JSON, progress",
    "adapters": "PettingZoo, OpenSpiel, …",
    "learn": "checkpoints, networks",
    "report": "log, tables, figures",
    "knowledge": "other packages' sources",
    "prove": "certificates",
    "solve": "solved tables",
    "agents": "other packages' agents",
    "kernels": "numba, cached",
    "folders": "disk, cores, Ray",
}
BESIDE = (  # (head, lines) in the margin, and how far below the roof they begin
    (48, "↓ down", ("specs, seeds:", "3x3:flip=0.1, uct", "Game, Position", "arrays")),
    (228, "↑ up", ("moves, values", "odds, results", "tables, figures", "progress")),
    (408, "imports", ("downwards only", "(make check)")),
)
COLOURS = {
    "ask": "who asks",
    "measure": "who measures",
    "play": "who plays",
    "rule": "what a game is",
    "kernel": "where time goes",
    "base": "the ground",
}
STYLE = """<style>
  svg { font-family: system-ui, "Segoe UI", Helvetica, Arial, sans-serif; font-size: 15px; }
  .sheet { fill: #fffdf6; } .ink { fill: #2a2826; } .faint { fill: #6b665f; font-size: 13px; }
  .wall { fill: none; stroke: #2a2826; stroke-width: 1.5; }
  .name { font-weight: 600; font-family: ui-monospace, Menlo, Consolas, monospace; }
  .way { stroke: #6b665f; stroke-width: 1.3; fill: none; marker-end: url(#tip); }
  .both { marker-start: url(#tip); } .big { stroke-width: 2.2; } .tip { fill: #6b665f; }
  .ask { fill: #dbe7f6; } .measure { fill: #dcefe6; } .play { fill: #fbe3cc; }
  .rule { fill: #eadff2; } .kernel { fill: #f6d3cf; } .base { fill: #e8e3d8; }
  @media (prefers-color-scheme: dark) {
    .sheet { fill: #1f2129; } .ink { fill: #f0ede6; } .faint, .tip { fill: #b3aea5; }
    .wall { stroke: #f0ede6; } .way { stroke: #b3aea5; }
    .ask { fill: #28405f; } .measure { fill: #24493a; } .play { fill: #5c3d1d; }
    .rule { fill: #47345a; } .kernel { fill: #63302b; } .base { fill: #403d37; }
  }
</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" \
orient="auto-start-reverse"><path class="tip" d="M0 0L8 4L0 8Z"/></marker></defs>"""

WIDTH, LEFT, RIGHT = 856, 192, 640  # of the sheet; the inside of the walls
ROOF, ROW, GAP = 104, 40, 6
LETTER = 8.6  # the width of one letter of a name


def layers() -> list[list[str]]:
    """The rooms of each row, from the roof to the ground."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    told = project["tool"]["importlinter"]["contracts"][0]["layers"]
    return [[room.strip().removeprefix("noughts.") for room in row.split("|")] for row in told]


def room(name: str, x: float, y: float, width: float) -> str:
    """One room: a box, its name, what it is for."""
    colour, words = WORDS[name]
    is_alone = width == RIGHT - LEFT
    text = x + 116 if is_alone else x + 12 + LETTER * len(name) + 12
    said = f'<text class="ink" x="{text:g}" y="{y + 25:g}">{words}</text>' if words else ""
    return (
        f'<rect class="{colour}" x="{x:g}" y="{y:g}" width="{width:g}" height="{ROW}" rx="4"/>\n'
        f'<text class="ink name" x="{x + 12:g}" y="{y + 25:g}">{name}</text>{said}'
    )


def house() -> str:
    """The whole drawing."""
    (top,), *rows = layers()
    bottom = ROOF + 8 + len(rows) * (ROW + GAP)
    height = bottom + 58
    middle = (LEFT + RIGHT) / 2
    roof = f"M174 {ROOF}L{middle:g} 18L658 {ROOF}Z"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" role="img" aria-labelledby="title">',
        '<title id="title">The house: every package stands on those below it and imports nothing '
        "above it</title>",
        STYLE,
        f'<rect class="sheet" width="{WIDTH}" height="{height}" rx="10"/>',
        f'<path class="{WORDS[top][0]}" d="{roof}"/><path class="wall" d="{roof}"/>',
        f'<text class="ink name" x="{middle:g}" y="72" text-anchor="middle">{top}</text>'
        f'<text class="ink" x="{middle:g}" y="92" text-anchor="middle">{WORDS[top][1]}</text>',
    ]
    for index, row in enumerate(rows):
        y = ROOF + 8 + index * (ROW + GAP)
        width = (RIGHT - LEFT + GAP) / len(row) - GAP
        parts += [room(name, LEFT + n * (width + GAP), y, width) for n, name in enumerate(row)]
        if row[0] in OUTSIDE:
            parts.append(
                f'<path class="way both" d="M646 {y + 20}H674"/>'
                f'<text class="faint" x="680" y="{y + 24}">{OUTSIDE[row[0]]}</text>'
            )
    wall = f"V{bottom + 2}"
    parts += [
        f'<path class="wall" d="M184 {ROOF}{wall}H648"/>'
        f'<path class="wall" d="M648 {ROOF}{wall}" stroke-dasharray="2 4"/>',
        f'<path class="way big" d="M162 130V{bottom - 172}"/>',
        f'<path class="way big" d="M142 {bottom - 172}V130"/>',
    ]
    for below, head, lines in BESIDE:
        y = ROOF + below
        parts.append(
            f'<text class="ink" x="134" y="{y}" text-anchor="end" font-weight="600">{head}</text>'
        )
        parts += [
            f'<text class="faint" x="134" y="{y + 18 * n}" text-anchor="end">{line}</text>'
            for n, line in enumerate(lines, 1)
        ]
    parts.append(
        f'<text class="faint" x="{LEFT}" y="{bottom + 28}">A row may import what is below it; '
        "rooms side by side do not know each other.</text>"
    )
    x = 40.0
    for colour, words in COLOURS.items():
        parts.append(
            f'<rect class="{colour}" x="{x:g}" y="{bottom + 38}" width="12" height="12" rx="2"/>'
            f'<text class="faint" x="{x + 17:g}" y="{bottom + 48}">{words}</text>'
        )
        x += 45 + 6.4 * len(words)
    return "\n".join([*parts, "</svg>", ""])


def take() -> None:
    """Write it where the page shows it."""
    DRAWING.write_text(house(), encoding="utf-8")
