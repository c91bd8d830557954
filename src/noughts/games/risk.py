"""Risk: how a chosen mark lands. It is independent of the board, and the kinds combine.

For cell i and clock t the mark of the player on turn

    lands as his own with      own(i, t) = (1 - flip(i) - fizzle(i)) · exp(-hazard(i) · t),
    fizzles with               fizzle(i): nothing lands and the turn is lost,
    lands as the opponent's    with what is left, 1 - fizzle(i) - own(i, t);
                               with more players as one of theirs, each equally likely.

Without a hazard this is `flip` and `fizzle` as they stand; with a hazard alone the mark flips with
1 - exp(-hazard·t). At the start of every turn each filled cell empties with fade(i), on its own.
The clock runs from 0 to `limit` in `ticks` equal steps. The player on turn may wait before he
plays, up to `turn_limit` and the end of the clock; playing itself takes no time.
"""

import math
from dataclasses import dataclass, replace

from noughts.errors import ParseError
from noughts.games.grammar import FLAG, Spec, format_number, format_vector, read_number

# The flip risks of the published 3×3 study; mission R1.
STOCHASTIC = (0.9, 0.3, 0.5, 0.2, 0.95, 0.7, 0.6, 0.45, 0.1)
CONSTANT_WORLDS = {"classic": 0.0, "quarter": 0.25, "blind": 0.5, "reverse": 1.0}
SEEDED_WORLDS = ("noisy-classic", "noisy-reverse", "random")
WORLDS = (*CONSTANT_WORLDS, "stochastic", *SEEDED_WORLDS)

OPTIONS = ("flip", "fizzle", "fade", "hazard", "limit", "turn_limit", "ticks", "seed")
DEFAULT_TICKS = 100
MAX_TICKS = 100_000

Vector = tuple[float, ...]


@dataclass(frozen=True)
class Risk:
    """The risk vectors, one entry per cell, and the clock."""

    flip: Vector
    fizzle: Vector
    fade: Vector
    hazard: Vector
    limit: float | None = None
    turn_limit: float | None = None
    ticks: int = DEFAULT_TICKS
    options: tuple[tuple[str, str], ...] = ()  # canonical, as they stand in a spec

    @property
    def is_risky(self) -> bool:
        """False when every mark lands as it was meant."""
        return bool(self.options)

    @property
    def has_clock(self) -> bool:
        return any(self.hazard)

    @property
    def fades(self) -> bool:
        return any(self.fade)

    @property
    def fizzles(self) -> bool:
        return any(self.fizzle)

    @property
    def tick_length(self) -> float:
        """The time between two ticks."""
        whole = self.limit if self.limit is not None else self.turn_limit
        return 0.0 if whole is None else whole / self.ticks

    @property
    def last_tick(self) -> int | None:
        """Where the game's clock stops; None when only turns are limited."""
        if not self.has_clock:
            return 0
        return self.ticks if self.limit is not None else None

    @property
    def longest_wait(self) -> int:
        """How many ticks a single turn may take."""
        if not self.has_clock:
            return 0
        if self.turn_limit is None:
            return self.ticks
        # The small term keeps 0.3 / 0.1 at three ticks.
        return min(self.ticks, int(self.turn_limit / self.tick_length + 1e-9))

    def waits(self, tick: int) -> int:
        """How many ticks the player on turn may still wait."""
        if self.last_tick is None:
            return self.longest_wait
        return min(self.longest_wait, self.last_tick - tick)

    def landing_odds(self, cell: int, tick: int) -> tuple[float, float, float]:
        """The probabilities that the own mark, an opponent's mark, nothing lands."""
        flip, fizzle = self.flip[cell], self.fizzle[cell]
        own = 1.0 - (flip + fizzle)  # in this order 0.9 and 0.1 leave exactly nothing
        if self.has_clock:
            kept = math.exp(-self.hazard[cell] * tick * self.tick_length)
            flip += own * (1.0 - kept)
            own *= kept
        return own, flip, fizzle

    def loss_odds(self, cell: int, tick: int) -> float:
        """The probability that a mark played now is not there, as it was meant, a turn later."""
        own, _, _ = self.landing_odds(cell, tick)
        return min(1.0, 1.0 - own * (1.0 - self.fade[cell]))

    def finer_clock(self, times: int) -> "Risk":
        """The same with each tick cut into so many."""
        ticks = times * self.ticks
        options = tuple((k, str(ticks) if k == "ticks" else text) for k, text in self.options)
        return replace(self, ticks=ticks, options=options)

    def colours(self) -> tuple[tuple[float, ...], ...]:
        """What a symmetry must keep: the risks of each cell."""
        return tuple(zip(self.flip, self.fizzle, self.fade, self.hazard, strict=True))


def no_risk(cells: int) -> Risk:
    """Every mark lands as it was meant."""
    nowhere = (0.0,) * cells
    return Risk(nowhere, nowhere, nowhere, nowhere)


def _read_vector(key: str, text: str, cells: int, seed: int, highest: float) -> Vector:
    """A number for all cells, a vector, or a named world."""
    if text in CONSTANT_WORLDS:
        return (CONSTANT_WORLDS[text],) * cells
    if text == "stochastic":
        if cells != len(STOCHASTIC):
            raise ParseError(f"{key}=stochastic is a world of 9 cells; this board has {cells}.")
        return STOCHASTIC
    if text in SEEDED_WORLDS:
        return _draw_world(key, text, cells, seed)
    words = text.split("/")
    if len(words) == 1:
        if not any(letter.isdigit() for letter in text):
            raise ParseError(
                f"{key}={text} is neither a number, a vector a/b/c, nor a world; "
                f"worlds: {', '.join(WORLDS)}."
            )
        return (read_number(key, text, 0.0, highest),) * cells
    if len(words) != cells:
        raise ParseError(f"{key} has {len(words)} values, but the board has {cells} cells.")
    return tuple(read_number(key, word, 0.0, highest) for word in words)


def _draw_world(key: str, world: str, cells: int, seed: int) -> Vector:
    import numpy as np  # only drawn worlds need it, and importing it takes longer than all the rest

    noise = np.random.default_rng([seed, OPTIONS.index(key)]).random(cells)
    if world == "noisy-classic":
        noise = 0.1 * noise
    elif world == "noisy-reverse":
        noise = 1.0 - 0.1 * noise
    return tuple(noise.tolist())


def read_risk(spec: Spec, cells: int) -> Risk:
    """The risk that a spec states for a board of this many cells."""
    seed = spec.whole("seed", 0, 2**32 - 1, 0)
    vectors: dict[str, Vector] = {}
    canonical: dict[str, str] = {}
    drawn = False
    for key in ("flip", "fizzle", "fade", "hazard"):
        text = spec.options.get(key, "0")
        if text == FLAG:
            raise ParseError(f"'{key}' needs a value such as {key}=0.1.")
        if key == "hazard" and text in WORLDS:
            raise ParseError(f"hazard={text} is not a rate; it takes a number or a vector a/b/c.")
        vector = _read_vector(key, text, cells, seed, 1e6 if key == "hazard" else 1.0)
        vectors[key] = vector
        if text in SEEDED_WORLDS:
            canonical[key], drawn = text, True
        elif key != "hazard" and vector == STOCHASTIC:
            canonical[key] = "stochastic"
        elif any(vector):
            canonical[key] = format_vector(vector)
    for cell, (flip, fizzle) in enumerate(zip(vectors["flip"], vectors["fizzle"], strict=True)):
        if flip + fizzle > 1.0:
            raise ParseError(f"flip + fizzle is {flip + fizzle:g} in cell {cell}; at most 1.")
    if "seed" in spec.options and not drawn:
        raise ParseError(
            f"seed is for drawn worlds; set flip, fizzle or fade to {', '.join(SEEDED_WORLDS)}."
        )
    clock = _read_clock(spec, has_hazard=any(vectors["hazard"]), canonical=canonical)
    if drawn:
        canonical["seed"] = str(seed)
    limit, turn_limit, ticks = clock
    return Risk(
        **vectors, limit=limit, turn_limit=turn_limit, ticks=ticks, options=tuple(canonical.items())
    )


def _read_clock(
    spec: Spec, has_hazard: bool, canonical: dict[str, str]
) -> tuple[float | None, float | None, int]:
    limits: dict[str, float | None] = {}
    for key in ("limit", "turn_limit"):
        limits[key] = None
        if key in spec.options:
            limits[key] = read_number(key, spec.options[key] or "nothing", 1e-9, 1e9)
    ticks = spec.whole("ticks", 1, MAX_TICKS, DEFAULT_TICKS)
    if not has_hazard:
        for key in ("limit", "turn_limit", "ticks"):
            if key in spec.options and "hazard" not in spec.options:
                raise ParseError(f"{key} belongs to a clock; it needs hazard=RATE beside it.")
        return None, None, DEFAULT_TICKS
    limit, turn_limit = limits["limit"], limits["turn_limit"]
    if limit is None and turn_limit is None:
        raise ParseError("hazard needs a clock: add limit=T for the game, or turn_limit=U.")
    if limit is not None and turn_limit is not None and turn_limit < limit / ticks:
        raise ParseError(
            f"turn_limit={format_number(turn_limit)} is shorter than a tick of "
            f"{format_number(limit / ticks)}; take more ticks."
        )
    for key, value in limits.items():
        if value is not None:
            canonical[key] = format_number(value)
    canonical["ticks"] = str(ticks)
    return limit, turn_limit, ticks
