"""Who wins Qubic by the certificate, written plainly over positions: slow, and easy to believe."""

from noughts.games.game import Mark, Position
from noughts.games.line_game import LinePosition
from noughts.prove.book import shipped_book
from noughts.prove.line import forced_line, reader_of


def proven_winner(position: Position) -> Mark | None:
    """Who is known to win: by force, or in Qubic X by the certificate; None if nobody is."""
    if not isinstance(position, LinePosition) or position.result is not None:
        return None
    if forced_line(position):
        return position.turn
    if position.turn == "X":
        return "X" if proven_move(position) is not None else None
    return "X" if str(position.game) == "qubic" and _is_answered(position) else None


def proven_move(position: LinePosition) -> int | None:
    """X's move in Qubic by the certificate, or his block of a three that the proof answers."""
    if str(position.game) != "qubic" or position.turn != "X" or position.result is not None:
        return None
    reader = reader_of(position.game)
    blocks = reader.completing(position.o_mask, position.x_mask)
    if not blocks:
        return shipped_book().move_in(position)
    if len(blocks) > 1:
        return None
    after = position.play(blocks[0])
    return blocks[0] if _is_answered(after) else None


def _is_answered(position: LinePosition) -> bool:
    """Whether every reply of O leads to a proven win of X."""
    replies = (position.play(cell) for cell in position.moves)
    return all(after.result is None and proven_winner(after) == "X" for after in replies)
