"""The caption under a drawing: whose turn it is or who won, and what the hatching means."""

from noughts.games.game import Position, other
from noughts.games.line_game import LineGame
from noughts.games.svg.ink import COLOURS, INK, PENCIL, Point, Sheet, mark_path, tag, write
from noughts.games.ultimate import ANYWHERE, UltimatePosition

SIZE, SMALL = 14.0, 11.0  # px
GLYPH, GLYPH_GAP = 17.0, 7.0  # px
LETTER = 0.58  # the mean width of a letter, in parts of the font size


def status_words(position: Position) -> str:
    """Whose turn it is and where he must play, or the result; and the clock if there is one."""
    words = _turn(position) if position.result is None else _outcome(position)
    risk = position.game.risk
    if not risk.has_clock:
        return words
    end = "" if risk.last_tick is None else f" of {risk.last_tick}"
    return f"{words} · tick {position.tick}{end}"


def _turn(position: Position) -> str:
    words = f"{position.turn or 'nobody'} to move"
    if isinstance(position, UltimatePosition):
        words += " anywhere" if position.forced == ANYWHERE else f" in mini board {position.forced}"
    return words


def _outcome(position: Position) -> str:
    game, result = position.game, position.result
    if result is None or result == "draw":
        return "Draw"
    if isinstance(game, LineGame) and game.is_misere:
        return f"{result} wins: {other(result)} made a line"
    if isinstance(position, UltimatePosition) and position.winning_line is None:
        minis = sorted((position.owners.count("X"), position.owners.count("O")))
        return f"{result} wins by {minis[1]} mini boards to {minis[0]}"
    return f"{result} wins"


def _notes(position: Position) -> list[str]:
    return [note for note in (_astray(position), _risk_words(position)) if note]


def _astray(position: Position) -> str:
    """What became of the last move if it did not land as meant."""
    risk = position.game.risk
    if position.last is None or not risk.is_risky:
        return ""
    landed = position.board[position.last]
    if landed == position.game.after(position.mover, -1):
        return ""
    if landed != ".":
        return "the last mark flipped"
    return f"the last mark {'fizzled' if risk.fizzle[position.last] else 'faded'}"


def _risk_words(position: Position) -> str:
    """What the hatching stands for; empty without a risk."""
    risk = position.game.risk
    kinds = [
        word
        for word, is_there in (
            ("flip", any(risk.flip) or risk.has_clock),
            ("fizzle", risk.fizzles),
            ("fade", risk.fades),
        )
        if is_there
    ]
    if not kinds:
        return ""
    listed = " or ".join(filter(None, (", ".join(kinds[:-1]), kinds[-1])))
    return f"hatched: chance to {listed}"


def caption_width(position: Position) -> float:
    """How wide the caption is at least, in px."""
    status = GLYPH + GLYPH_GAP + _width(status_words(position), SIZE)
    return max(status, *(_width(note, SMALL) for note in ("", *_notes(position))))


def caption(position: Position, at: Point, width: float) -> tuple[str, float]:
    """The caption below this point, and the height at which the page may end."""
    x, y = at[0], at[1] + 32.0
    words, start, parts = status_words(position), x, []
    mark = position.turn if position.result is None else position.result
    if mark is not None and mark != "draw":
        glyph = Sheet(0, 1, 1, (x, y - GLYPH + 4), (GLYPH, 0.0), (0.0, GLYPH))
        path = mark_path(glyph, mark, 0, 0.36, 0.5, 0.5)
        parts.append(tag("path", d=path, stroke=COLOURS[mark], stroke_width=2.4))
        start += GLYPH + GLYPH_GAP
    parts.append(write(words, (start, y), SIZE, INK))
    room = x + width - start - _width(words, SIZE) - 12
    name = str(position.game)
    for spec in (name, name.partition(":")[0]):
        if _width(spec, SMALL) <= room:
            parts.append(write(spec, (x + width, y), SMALL, PENCIL, text_anchor="end"))
            break
    for i, note in enumerate(_notes(position)):
        y += 17.0 if i else 20.0
        parts.append(write(note, (x, y), SMALL, PENCIL))
    return "".join(parts), y + 18.0


def _width(text: str, size: float) -> float:
    return len(text) * size * LETTER
