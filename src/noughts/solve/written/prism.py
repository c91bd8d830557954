"""A line game in the language of PRISM-games, so that other model checkers can be asked about it.

The model is a turn-based stochastic game (`smg`): one variable per cell (0 empty, 1 X, 2 O), whose
`turn` it is, and one command per cell and player whose branches are the landings. A line, or a full
board, ends the game; one more step, [settle], pays 1 + result, because model checkers want
rewards that are not negative:

    value of the game  =  <<x>> R{"outcome"}max=? [ F "settled" ]  -  1

Marks that fade do so one cell at a time, in a phase between two turns. A clock is a variable too:
[wait] lets it run by a tick. With `opponent` O's choices become those of a player who plays at
random, and the model an `mdp`: what tools that know no games can check.
"""

import math
from collections.abc import Iterator
from pathlib import Path

from noughts.errors import NoughtsError
from noughts.files import replacing
from noughts.games.game import Game
from noughts.games.registry import game as read_game
from noughts.solve.limits import clock_end

OPPONENTS = ("optimal", "random")
PROPERTIES = ".props"


def prism_model(game: Game | str, opponent: str = "optimal") -> str:
    """The text of the model: an smg against the optimal opponent, an mdp against a random one."""
    rules = _check(read_game(game), opponent)
    return "\n".join(_Writer(rules, opponent == "random").lines()) + "\n"


def prism_properties(game: Game | str, opponent: str = "optimal") -> str:
    """The question to ask of the model, and how the answer is read."""
    rules = _check(read_game(game), opponent)
    query = 'R{"outcome"}max=? [ F "settled" ]'
    if opponent == "optimal":
        query = f"<<x>> {query}"
    return f"// {rules}: subtract 1 from the answer for the expected result of X.\n{query};\n"


def save_prism(game: Game | str, path: str | Path, opponent: str = "optimal") -> Path:
    """Write the model, and beside it the properties; the path of the properties."""
    path = Path(path)
    beside = path.with_suffix(PROPERTIES)
    if beside == path:
        raise NoughtsError(f"{path} is the name of the properties; a model ends with .prism.")
    for target, text in (
        (path, prism_model(game, opponent)),
        (beside, prism_properties(game, opponent)),
    ):
        with replacing(target) as file:
            file.write(text)
    return beside


def _check(game: Game, opponent: str) -> Game:
    if opponent not in OPPONENTS:
        raise NoughtsError(f"opponent={opponent} is not known; allowed: {', '.join(OPPONENTS)}.")
    game.lines_for("only boards of lines can be exported")
    for name, chances in (("fade", game.risk.fade), ("fizzle", game.risk.fizzle)):
        if max(chances) == 1.0:
            raise NoughtsError(f"{game} may never end: {name} is 1 in a cell, so no model says it.")
    if opponent == "random" and game.risk.has_clock:
        raise NoughtsError(f"{game} has a clock; a random opponent is exported without one.")
    clock_end(game)
    return game


class _Writer:
    """Writes one model, line by line."""

    def __init__(self, game: Game, is_mdp: bool) -> None:
        self.game = game
        self.risk = game.risk
        self.is_mdp = is_mdp
        self.fading = [c for c in range(game.cells) if game.risk.fade[c] > 0.0]

    def lines(self) -> Iterator[str]:
        yield f"// {self.game}, written by Noughts. Cells: 0 empty, 1 X, 2 O."
        yield "mdp" if self.is_mdp else "smg"
        yield ""
        yield from self._constants()
        yield from self._formulas()
        if not self.is_mdp:
            yield from self._players()
        yield "module board"
        yield from self._variables()
        for cell in range(self.game.cells):
            yield from self._moves(cell)
        if self.risk.has_clock:
            yield from self._waits()
        if self.is_mdp:
            yield from self._random_moves()
        for cell in self.fading:
            yield from self._fade(cell)
        yield "  [settle] over & !settled -> (settled'=true);"
        yield "  [rest] settled -> true;"
        yield "endmodule"
        yield ""
        yield from self._rewards()

    def _constants(self) -> Iterator[str]:
        """exp(-hazard · tick) is kept^tick, which the language can say."""
        if not self.risk.has_clock:
            return
        for cell, hazard in enumerate(self.risk.hazard):
            yield f"const double kept{cell} = {math.exp(-hazard * self.risk.tick_length)!r};"
        yield ""

    def _formulas(self) -> Iterator[str]:
        for name, mark in (("x_line", 1), ("o_line", 2)):
            lines = (
                " & ".join(f"c{cell}={mark}" for cell in line) for line in self.game.deciding_lines
            )
            yield f"formula {name} = {' | '.join(f'({line})' for line in lines)};"
        full = " & ".join(f"c{cell}>0" for cell in range(self.game.cells))
        # A full board ends the game before anything fades from it.
        yield f"formula full = {full};"
        over = "x_line | o_line | full"
        yield f"formula over = {over};"
        choosing = "!over & phase=0" if self.fading else "!over"
        yield f"formula choosing = {choosing};"
        if self.is_mdp:
            filled = "-".join(f"min(c{cell},1)" for cell in range(self.game.cells))
            yield f"formula empty = {self.game.cells}-{filled};"
        yield 'label "settled" = settled;'
        yield ""

    def _players(self) -> Iterator[str]:
        """Chance moves and the end belong to X, who has no choice in them."""
        cells = range(self.game.cells)
        waits = ["wait"] if self.risk.has_clock else []
        fades = [f"fade{cell}" for cell in self.fading]
        for name in ("x", "o"):
            actions = [f"{name}{cell}" for cell in cells] + [f"{name}_{wait}" for wait in waits]
            if name == "x":
                actions += [*fades, "settle", "rest"]
            yield f"player {name}"
            yield "  " + ", ".join(f"[{action}]" for action in actions)
            yield "endplayer"
        yield ""

    def _variables(self) -> Iterator[str]:
        for cell in range(self.game.cells):
            yield f"  c{cell} : [0..2] init 0;"
        yield "  turn : [1..2] init 1;"
        yield "  settled : bool init false;"
        if self.fading:
            yield f"  phase : [0..{len(self.fading)}] init 0;"
        if self.risk.has_clock:
            yield f"  tick : [0..{clock_end(self.game)}] init 0;"
            if self._counts_waits:
                yield f"  waited : [0..{self.risk.longest_wait}] init 0;"
        if self.is_mdp:
            yield f"  chosen : [0..{self.game.cells}] init 0;"

    @property
    def _counts_waits(self) -> bool:
        """Whether one turn may be shorter than what is left of the clock."""
        return self.risk.last_tick is None or self.risk.longest_wait < self.risk.last_tick

    def _moves(self, cell: int) -> Iterator[str]:
        for player in (1,) if self.is_mdp else (1, 2):
            guard = f"choosing & turn={player} & c{cell}=0"
            yield f"  [{'xo'[player - 1]}{cell}] {guard} -> {self._landings(cell, player)};"

    def _landings(self, cell: int, player: int, also: str = "") -> str:
        """The branches of a move: own mark, the opponent's, nothing."""
        odds = self._odds(cell)
        after = f"(turn'={3 - player})" + also
        if self.fading:
            after += " & (phase'=1)"
        if self.risk.has_clock and self._counts_waits:
            after += " & (waited'=0)"
        marks = (player, 3 - player, 0)
        return " + ".join(
            f"{chance} : " + (f"(c{cell}'={mark}) & {after}" if mark else after)
            for chance, mark in zip(odds, marks, strict=True)
            if chance is not None
        )

    def _odds(self, cell: int) -> tuple[str | None, str | None, str | None]:
        own, flip, fizzle = self.risk.landing_odds(cell, 0)
        if not self.risk.hazard[cell]:
            return _text(own), _text(flip), _text(fizzle)
        kept = f"pow(kept{cell},tick)" if own == 1.0 else f"{own!r}*pow(kept{cell},tick)"
        lost = f"-{fizzle!r}" if fizzle else ""
        return kept, f"1{lost}-{kept}", _text(fizzle)

    def _waits(self) -> Iterator[str]:
        end, counts = clock_end(self.game), self._counts_waits
        may = f"tick<{end}" + (f" & waited<{self.risk.longest_wait}" if counts else "")
        then = "(tick'=tick+1)" + (" & (waited'=waited+1)" if counts else "")
        for player, name in ((1, "x"), (2, "o")):
            yield f"  [{name}_wait] choosing & turn={player} & {may} -> {then};"

    def _random_moves(self) -> Iterator[str]:
        """O draws an empty cell first, and then it lands as usual."""
        draws = " + ".join(
            f"(1-min(c{cell},1))/empty : (chosen'={cell + 1})" for cell in range(self.game.cells)
        )
        yield f"  [draw] choosing & turn=2 & chosen=0 -> {draws};"
        for cell in range(self.game.cells):
            landings = self._landings(cell, 2, " & (chosen'=0)")
            yield f"  [o{cell}] choosing & turn=2 & chosen={cell + 1} -> {landings};"

    def _fade(self, cell: int) -> Iterator[str]:
        """Phase n decides about the n-th cell that may fade."""
        number = self.fading.index(cell) + 1
        then = f"(phase'={number + 1 if number < len(self.fading) else 0})"
        chance, guard = self.risk.fade[cell], f"!over & phase={number}"
        fates = f"{chance!r} : (c{cell}'=0) & {then} + {1.0 - chance!r} : {then}"
        yield f"  [fade{cell}] {guard} & c{cell}>0 -> {fates};"
        yield f"  [fade{cell}] {guard} & c{cell}=0 -> {then};"

    def _rewards(self) -> Iterator[str]:
        """1 + result: 2 for X, 1 for a draw, nothing for O."""
        winning = "o_line" if self.game.is_misere else "x_line"
        yield 'rewards "outcome"'
        yield f"  [settle] {winning} : 2;"
        yield "  [settle] !x_line & !o_line : 1;"
        yield "endrewards"


def _text(chance: float) -> str | None:
    """A probability, or None for a branch that is never taken."""
    return repr(chance) if chance else None
