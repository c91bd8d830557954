"""What `first_minute.py` found out about each card, and its tables."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

QUIET_LIMIT, BUSY_LIMIT = 0.5, 1.5  # seconds to something true
LONGEST = 120.0  # that anything is waited for
STATUS_LOOK = 0.5  # between two looks at the server's status
PATIENCE = 3.0  # before the next click, whether the last one was answered or not
ACTIONS = (
    "page",
    "card",
    "values",
    "mark",
    "reply",
    "undo",
    "mark 2",
    "reply 2",
    "lab",
    "learn",
    "link",
)


@dataclass(frozen=True)
class Answer:
    """What one click came to. `seconds` is None where nothing true came in time."""

    action: str
    seconds: float | None
    kind: str
    text: str
    is_lost: bool
    is_abandoned: bool  # something else was clicked before it could come

    def words(self, limit: float) -> str:
        """For the table: seconds and what it was; ! where it was too late."""
        if self.is_lost:
            return "LOST"
        if self.seconds is None:
            return f">{PATIENCE:g} !" if self.is_abandoned else f">{LONGEST:g} !"
        kind = f" {self.kind}" if self.action.startswith(("values", "reply")) else ""
        return f"{self.seconds:.2f}{kind}{' !' if self.seconds > limit else ''}"


@dataclass(frozen=True)
class Preparation:
    """Something that the server said it was preparing, and how that came out."""

    what: str
    announced: float
    took: float
    counts_down: bool

    @property
    def is_right(self) -> bool:
        return self.counts_down and self.announced / 2 <= self.took <= 2 * self.announced


def preparations(looks: Sequence[tuple[float, Mapping[str, float]]]) -> list[Preparation]:
    """Those that came to an end. What a look does not name is over; named again, it is another."""
    open_ones: dict[str, list[tuple[float, float]]] = {}  # what -> (when, seconds left)
    ended = []
    for when, told in looks:
        for what in sorted(open_ones.keys() - told.keys()):
            ended.append(judge_preparation(what, open_ones.pop(what)))
        for what, left in told.items():
            open_ones.setdefault(what, []).append((when, left))
    return ended


def judge_preparation(what: str, left: Sequence[tuple[float, float]]) -> Preparation:
    """What was announced first, and how long it then took; a single look counts down by itself."""
    times, announced = zip(*left, strict=True)
    took = times[-1] - times[0] + STATUS_LOOK / 2
    counts_down = all(b <= a + 0.1 for a, b in pairwise(announced))
    return Preparation(what, announced[0], took, counts_down)


@dataclass(frozen=True)
class Start:
    """A fresh start that went on to a compiled answer: seconds from the click on the card."""

    first: float | None  # to an answer of an engine, compiled or not
    compiled: float | None
    cpu: float | None  # of the server and its workers until then, where the system tells


@dataclass
class Card:
    """All that was found out about one card."""

    spec: str
    answers: list[Answer] = field(default_factory=list)
    empty_words: dict[str, float] = field(default_factory=dict)  # seconds that each stood there
    lines: list[dict[str, Any]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    starts: list["Start"] = field(default_factory=list)
    starts_before: list["Start"] = field(default_factory=list)
    preparations: list[Preparation] = field(default_factory=list)


def aligned(lines: Sequence[Sequence[str]]) -> str:
    """A table as text, the first column to the left."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            word.rjust(width) if i else word.ljust(width)
            for i, (word, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def clicks_table(cards: Sequence[Card], limit: float) -> str:
    """Seconds from each click to something true."""
    lines = [["card", *ACTIONS]]
    for card in cards:
        told = {answer.action: answer.words(limit) for answer in card.answers}
        lines.append([card.spec, *(told.get(action, "–") for action in ACTIONS)])
    return aligned(lines)


def middle(values: Sequence[float | None]) -> float | None:
    """The median; None where one of them never came."""
    known = [value for value in values if value is not None]
    return median(known) if known and len(known) == len(values) else None


def seconds(values: Sequence[float | None]) -> str:
    found = middle(values)
    return f">{LONGEST:g}" if found is None else f"{found:.2f}"


def ratio(over: Sequence[float | None], under: Sequence[float | None]) -> str:
    above, below = middle(over), middle(under)
    return f"{above / below:.2f}" if above and below else "–"


def compiled_table(cards: Sequence[Card]) -> str:
    """Seconds from the click on a card to its first answer, and to its first compiled one."""
    head = ["card", "first answer", "first compiled", "CPU"]
    has_before = any(card.starts_before for card in cards)
    lines = [head + (["before", "CPU", "ratio", "CPU ratio"] if has_before else [])]
    for card in cards:
        after, before = (
            [[getattr(start, key) for start in starts] for key in ("compiled", "cpu")]
            for starts in (card.starts, card.starts_before)
        )
        line = [card.spec, seconds([start.first for start in card.starts])]
        line += map(seconds, after)
        if has_before:
            line += [*map(seconds, before), *map(ratio, after, before)]
        lines.append(line)
    return aligned(lines)


def remarks(cards: Sequence[Card]) -> list[str]:
    """What the tables do not show."""
    found = []
    for card in cards:
        for word, spent in card.empty_words.items():
            if spent > QUIET_LIMIT:
                found.append(f"{card.spec}: “{word} …” stood there for {spent:.1f} s")
        for made in card.preparations:
            verdict = "right" if made.is_right else "WRONG"
            way = "" if made.counts_down else ", not counting down"
            found.append(
                f"{card.spec}: {made.what}, announced {made.announced:.1f} s, took "
                f"{made.took:.1f} s{way}: {verdict}"
            )
        found += [f"{card.spec}: {problem}" for problem in card.problems]
    return found


def save(path: Path, cards: Sequence[Card], about: Mapping[str, Any]) -> None:
    data = {"about": about, "cards": [asdict(card) for card in cards]}
    path.write_text(json.dumps(data, indent=2, ensure_ascii=False))
