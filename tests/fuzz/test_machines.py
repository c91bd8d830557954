"""State machines: games against the plain rules, and runs that are stopped, damaged and resumed."""

import contextlib
import json
import tempfile
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from reference import Lines, Risks, State, Ultimate

import noughts
from noughts.adapters.batch import Batch
from noughts.errors import NoughtsError

GAMES: dict[str, Any] = {
    "3x3:misere": Lines(is_misere=True),
    "4x4:k=3,flip=0.2,fizzle=0.1": Lines(Risks(flip=0.2, fizzle=0.1), rows=4, columns=4, k=3),
    "3x3:fade=0.1": Lines(Risks(fade=0.1)),
    "3x3x3:flip=0.3": Lines(Risks(flip=0.3), layers=3),
    "3x3:hazard=0.2,limit=2,ticks=3": Lines(Risks(hazard=0.2, limit=2.0, ticks=3)),
    "ultimate": Ultimate(),
    "ultimate:won=open,tiebreak=boards,flip=0.1": Ultimate(
        Risks(flip=0.1), won="open", tiebreak="boards"
    ),
}


class GameMachine(RuleBasedStateMachine):
    """One game, played in the package, in the plain rules, and in the kernels' batch."""

    @initialize(spec=st.sampled_from(sorted(GAMES)))
    def begin(self, spec: str) -> None:
        self.game, self.rules = noughts.game(spec), GAMES[spec]
        self.position: Any = self.game.start()
        self.state: State = self.rules.start()

    @precondition(lambda self: self.position.result is None)
    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        """A legal move and one of the ways in which it may land, in both."""
        move = data.draw(st.sampled_from(self.position.moves))
        found = {as_state(p): (chance, p) for chance, p in self.position.landings(move)}
        expected: dict[State, float] = {}
        for chance, state in self.rules.landings(self.state, move):
            expected[state] = expected.get(state, 0.0) + chance
        assert set(found) == set(expected)
        for state, chance in expected.items():
            assert found[state][0] == pytest.approx(chance, abs=1e-12)
        self.state = data.draw(st.sampled_from(sorted(expected, key=str)))
        self.position = found[self.state][1]

    @precondition(lambda self: self.position.result is None)
    @rule(move=st.integers(-3, 400))
    def refuse(self, move: int) -> None:
        """An illegal move is refused and changes nothing."""
        if move not in self.position.moves:
            before = self.position.to_text()
            with pytest.raises(noughts.IllegalMove):
                self.position.play(move)
            assert self.position.to_text() == before

    @rule()
    def write_and_read(self) -> None:
        """Texts, drawings and JSON give the position back."""
        for text in (self.position.to_text(), str(self.position)):
            assert self.game.parse(text) == self.position
        again = noughts.Position.from_json(self.position.to_json())
        assert again == self.position
        assert again.result == self.position.result

    @rule(data=st.data())
    def turn_around(self, data: st.DataObject) -> None:
        """A symmetric image has the same smallest image, and as many moves."""
        image = self.position.permuted(data.draw(st.sampled_from(self.game.symmetries())))
        assert image.canonical() == self.position.canonical()
        assert len(image.moves) == len(self.position.moves)

    @rule(seed=st.integers(0, 2**32 - 1))
    def step_in_the_kernels(self, seed: int) -> None:
        """A kernel that steps through a game lands where the rules allow."""
        batch = Batch(self.game, 1, seed)
        position = batch.position()
        for _ in range(3):
            move = batch.choose()
            assert batch.step(move)[0].all()
            after = batch.position()
            assert after in [landed for _, landed in position.landings(int(move[0]))]
            position = after
            if position.result is not None:
                break

    @invariant()
    def agree(self) -> None:
        assert as_state(self.position) == self.state
        assert list(self.position.moves) == self.rules.moves(self.state)


def as_state(position: Any) -> State:
    """A position in the words of the plain rules."""
    owners = tuple(getattr(position, "owners", ""))
    forced = getattr(position, "forced", 9)
    return State(
        board=tuple(position.board),
        turn=position.turn,
        tick=position.tick,
        result=position.result,
        forced=None if forced == 9 else forced,
        owners=owners,
    )


class Stopped(Exception):
    """Raised from a progress callback, as somebody does who cancels."""


class RunMachine(RuleBasedStateMachine):
    """A match in a run folder that is stopped, cut and damaged, and goes on."""

    game, agents, games = "3x3:flip=0.1", ("random", "fixed:weights=1/2/1/2/5/2/1/2/1"), 8
    truth: tuple[str, ...] = ()

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self.folder = Path(self._folder.name) / "run"

    def teardown(self) -> None:
        self._folder.cleanup()

    def go_on(self, stop_after: int | None = None) -> tuple[str, ...]:
        def progress(done: int, total: int, text: str) -> None:
            if done == stop_after:
                raise Stopped

        folder = self.folder if stop_after is not None or self.truth else None
        result = noughts.match(
            self.game, *self.agents, games=self.games, seed=4, folder=folder, progress=progress
        )
        return tuple(timeless(record.to_dict()) for record in result.records)

    @initialize()
    def play_undisturbed(self) -> None:
        if not RunMachine.truth:
            RunMachine.truth = self.go_on()

    @rule(stop_after=st.integers(1, 7))
    def stop(self, stop_after: int) -> None:
        with pytest.raises(Stopped):
            self.go_on(stop_after)

    @rule()
    def finish(self) -> None:
        assert self.go_on() == self.truth

    @rule(share=st.floats(0.0, 1.0))
    def cut(self, share: float) -> None:
        """As if the machine had gone down while a line was written."""
        log = self.folder / "log.jsonl"
        if log.exists():
            content = log.read_bytes()
            log.write_bytes(content[: int(share * len(content))])

    @rule(share=st.floats(0.0, 1.0, exclude_max=True), change=st.integers(1, 255))
    def damage(self, share: float, change: int) -> None:
        """A byte that changed on the disk is told, or it changes nothing that is reported."""
        log = self.folder / "log.jsonl"
        if not log.exists() or not log.stat().st_size:
            return
        good = log.read_bytes()
        bad = bytearray(good)
        bad[int(share * len(good))] ^= change
        log.write_bytes(bad)
        with contextlib.suppress(NoughtsError):
            assert self.go_on() == self.truth
        log.write_bytes(good)

    @rule(other=st.integers(0, 3))
    def ask_something_else(self, other: int) -> None:
        """The folder of one question takes no other."""
        if (self.folder / "config.json").exists():
            with pytest.raises(NoughtsError, match="another config"):
                noughts.match(self.game, *self.agents, games=2, seed=5 + other, folder=self.folder)

    @invariant()
    def keep_whole_lines_only(self) -> None:
        names = [path.name for path in self.folder.iterdir()] if self.folder.exists() else []
        assert set(names) <= {"config.json", "log.jsonl", ".lock"}


def timeless(record: dict[str, Any]) -> str:
    del record["seconds"]
    return json.dumps(record)


FEW = settings(max_examples=12, stateful_step_count=12)
MANY = settings(max_examples=300, stateful_step_count=40)


@pytest.mark.parametrize("machine", [GameMachine, RunMachine])
def test_machines(machine: type[RuleBasedStateMachine]) -> None:
    run_state_machine_as_test(machine, settings=FEW)


@pytest.mark.slow
@pytest.mark.parametrize("machine", [GameMachine, RunMachine])
def test_machines_for_long(machine: type[RuleBasedStateMachine]) -> None:
    run_state_machine_as_test(machine, settings=MANY)


def test_random_generators_are_left_alone() -> None:
    """A run draws from its own seeds only."""
    before = np.random.get_state()[1].tolist()  # type: ignore[index]
    noughts.match("3x3", "random", "random", games=2, seed=1)
    assert np.random.get_state()[1].tolist() == before  # type: ignore[index]
