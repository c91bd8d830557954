"""Marks land and leave in one place per family: every definition that does it is listed here.

A kernel that writes into an array of marks, adds a mark to the number of a board, or sets a bit of
a set of cells states a rule. The rules of a family stand once, in its file of `kernels/rules/`; a
second statement needs a reason, and stands here with it.
"""

import ast
from pathlib import Path

KERNELS = Path(__file__).parents[1] / "src" / "noughts" / "kernels"

MARKS = {"board", "counts", "marks", "owners"}  # what arrays of marks are called


def writers() -> dict[str, set[str]]:
    """File -> the functions that place or remove a mark, or copy marks."""
    found: dict[str, set[str]] = {}
    for path in sorted(KERNELS.rglob("*.py")):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef) and any(map(_is_mark, ast.walk(function))):
                found.setdefault(str(path.relative_to(KERNELS)), set()).add(function.name)
    return found


def _is_mark(node: ast.AST) -> bool:
    """Whether this is a store into marks, a change of a board's number, or a bit that is set."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        return _name(node.value).removeprefix("out_") in MARKS
    if not isinstance(node, ast.AugAssign) or not isinstance(node.target, ast.Name):
        return False
    written = ast.unparse(node.value)
    is_bit = isinstance(node.op, ast.BitOr) and "<<" in written
    return is_bit or (node.target.id in ("index", "own") and ".power[" in written)


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript):
        return _name(node.value)
    return node.id if isinstance(node, ast.Name) else ""


# What the functions below do, family by family; whoever adds one says here why it is needed.
LISTED = {
    # Lines: marks land in `place` and leave in `unplace`; the others write whole positions.
    "rules/lines.py": {"place", "unplace", "load", "copy", "fill_counts"},
    "rules/line_search.py": {"load"},
    # The same as bits, for random games.
    "rules/masks.py": {"load", "playout"},
    # Ultimate: `place`, `fade` and `take_back`; random games also fill what is closed.
    "rules/ultimate.py": {"place", "fade", "take_back", "playout", "_close", "load", "copy"},
    "rules/ultimate_search.py": {"_turned"},  # the image of a position
    # Kept apart: boards as base-3 numbers, in the sweep and for players that are tables.
    "sweep.py": {"split_board"},
    "policies.py": {"simulate", "_choose_cells"},
    "learn/table_grading.py": {"mark_reachable", "mark_running"},  # flags, not marks
    # Kept apart: the folded Ultimate player reads threats from sets of cells.
    "zero/threats.py": {"winning_minis", "wins_in_three"},
    "proof/extract.py": {"count_marks"},  # the counts of a position that is read
}


def test_every_definition_that_places_or_removes_a_mark_is_listed() -> None:
    assert writers() == LISTED


def test_a_second_statement_of_a_rule_is_seen() -> None:
    for line in ("board[cell] = mark", "state.marks[0, mini] |= 1", "index += 2 * rules.power[c]"):
        assert any(map(_is_mark, ast.walk(ast.parse(line)))), line
    assert not any(map(_is_mark, ast.walk(ast.parse("values[board] = 1.0; n += board[0]"))))
