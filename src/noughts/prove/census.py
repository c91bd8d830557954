"""What a proof is made of: its moves by the marks on the board, and its hardest replies."""

from collections import Counter
from dataclasses import dataclass

from noughts.games.line_game import LineGame
from noughts.prove.book import Book, smallest_image
from noughts.prove.check import CheckReport, Pair


@dataclass(frozen=True)
class Reply:
    """One reply of O, up to symmetry, and how much of the proof it takes to answer it."""

    cells: tuple[int, ...]  # X's first cell and the reply, of one image
    alike: int  # how many cells of the board are like the reply
    answer: int  # X's next move, in the same image
    moves: int  # listed below it, each counted once
    most_marks: int  # on the board where X has to think last


def moves_by_marks(book: Book) -> dict[int, int]:
    """How many moves are listed for boards with so many marks."""
    counted = Counter((x | o).bit_count() for x, o in book.entries)
    return dict(sorted(counted.items()))


def first_replies(game: LineGame, book: Book, report: CheckReport) -> list[Reply]:
    """Every first reply of O up to symmetry, the hardest first."""
    first = book.entries[0, 0]
    found: dict[Pair, Reply] = {}
    for cell in range(game.cells):
        if cell == first:
            continue
        x, o, image = smallest_image(game, 1 << first, 1 << cell)
        if (x, o) in found:
            known = found[x, o]
            found[x, o] = Reply(
                known.cells, known.alike + 1, known.answer, known.moves, known.most_marks
            )
            continue
        below = _below(report, (x, o)) & book.entries.keys()
        most = max((a | b).bit_count() for a, b in below)
        answer = image.index(book.entries[x, o])
        found[x, o] = Reply((first, cell), 1, answer, len(below), most)
    return sorted(found.values(), key=lambda reply: -reply.moves)


def _below(report: CheckReport, start: Pair) -> set[Pair]:
    seen, stack = {start}, [start]
    while stack:
        for child in report.children.get(stack.pop(), []):
            if child not in seen:
                seen.add(child)
                stack.append(child)
    return seen
