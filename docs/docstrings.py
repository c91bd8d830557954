"""Docstrings and signatures as the API page shows them.

Our docstrings are plain text: `code` in backticks, and tables whose columns are lined up with
blanks. The first is what Sphinx's default role makes of it; the second is kept as it stands. Types
link to the public name of a class, whichever file it is written in, and long unions have a name.
"""

import re
from typing import Any

from docutils.nodes import Element, reference
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

import noughts

LINED_UP = re.compile(r"^\S.*? {2,}\S")  # two columns
FIELD_NUMBER = "Alias for field number"  # all that a NamedTuple says of its fields
CHOOSE = r"~?\S*Callable\[\[\S*Position, \S*Generator\], int\]"
NAMED = (  # types that are shorter by name
    (rf"str \| \S*Policy \| \S*Solution \| \S*Agent \| {CHOOSE}", "~noughts.solve.api.AnyPlayer"),
    (rf"str \| \S*Agent \| {CHOOSE}", "~noughts.arena.play.Player"),
    (CHOOSE, "~noughts.agents.ChooseFunction"),
    (r"~?\S*Callable\[\[int, int, str\], None\]", "~noughts.solve.api.Progress"),
    (r"~?[\w.]*ndarray\[[^\]]*\], [\w.~]*dtype\[[^\]]*\]\]", "~numpy.ndarray"),
)


def setup(app: Sphinx) -> dict[str, bool]:
    """Sphinx calls this."""
    app.connect("autodoc-process-docstring", _keep_columns)
    app.connect("autodoc-process-signature", _name_long_types)
    app.connect("autodoc-skip-member", _skip)
    app.connect("missing-reference", _public_name)
    return {"parallel_read_safe": True}


def _keep_columns(
    app: Sphinx, what: str, name: str, found: Any, options: Any, lines: list[str]
) -> None:
    """Paragraphs of lined-up columns become literal blocks."""
    paragraphs = re.split(r"\n{2,}", "\n".join(lines))
    lines[:] = "\n\n".join(map(_literal_if_lined_up, paragraphs)).split("\n")


def _literal_if_lined_up(paragraph: str) -> str:
    rows = paragraph.split("\n")
    if len(rows) < 2 or not all(LINED_UP.match(row) or row.startswith(" ") for row in rows):
        return paragraph
    return "::\n\n" + "\n".join(f"    {row}" for row in rows)


def _name_long_types(
    app: Sphinx,
    what: str,
    name: str,
    found: Any,
    options: Any,
    taken: str | None,
    given: str | None,
) -> tuple[str | None, str | None]:
    return _shorter(taken), _shorter(given)


def _shorter(signature: str | None) -> str | None:
    for union, named in NAMED:
        signature = signature and re.sub(union, named, signature)
    return signature


def _skip(
    app: Sphinx, what: str, name: str, found: Any, is_skipped: bool, options: Any
) -> bool | None:
    """Fields of NamedTuples stand in the signature, and nothing more is known of them."""
    return True if (getattr(found, "__doc__", "") or "").startswith(FIELD_NUMBER) else None


def _public_name(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: Element
) -> reference | None:
    """noughts.games.game.Game is documented as noughts.Game."""
    name = node.get("reftarget", "").rpartition(".")[2]
    if node.get("refdomain") != "py" or name not in noughts.__all__:
        return None
    python = env.get_domain("py")
    return python.resolve_xref(
        env, node["refdoc"], app.builder, "obj", f"noughts.{name}", node, content
    )
