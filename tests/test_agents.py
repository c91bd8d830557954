"""Agents by name: specs, options, the registry, plain functions, and the simple players."""

import json
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import EntryPoint

import numpy as np
import pytest

import noughts
from noughts import agents, plugins
from noughts.agents import BUILT_IN, Agent, AgentListing, FunctionAgent
from noughts.cli import main
from noughts.errors import NoughtsWarning
from noughts.games.game import Position
from noughts.options import Option, choice, flag, number, options_of, text, vector, whole
from noughts.search.simple import FixedAgent, HumanAgent

RNG = np.random.default_rng


@dataclass(eq=False, repr=False)
class Sample(Agent):
    """An agent with one option of every kind."""

    name = "sample"
    count: int = whole(3, 1, 9, "A whole number.")
    limit: float | None = number(None, 0.5, 2.0, "A number.")
    mode: str = choice("slow", ("slow", "fast"), "A word.")
    loud: bool = flag("A flag.")
    odds: tuple[float, ...] = vector((1.0,), 0.0, 1.0, "A vector.")
    label: str | None = text(None, "A text.")

    def choose(self, position: Position, rng: np.random.Generator) -> int:
        return position.moves[0]


SAMPLE = AgentListing("sample", f"{__name__}:Sample", "for tests")


@pytest.fixture
def sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.agents._registry", lambda: {"sample": SAMPLE})


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize(
    ("spec", "canonical"),
    [
        ("sample", "sample"),
        ("sample:count=3,mode=slow", "sample"),
        ("sample:mode=fast,count=5", "sample:count=5,mode=fast"),
        ("sample:loud,limit=1.50", "sample:limit=1.5,loud"),
        ("sample:odds=0/0.50/1,label=my-file.json", "sample:odds=0/0.5/1,label=my-file.json"),
    ],
)
def test_canonical_spec_round_trips(spec: str, canonical: str) -> None:
    made = noughts.agent(spec)
    assert str(made) == canonical
    assert str(noughts.agent(str(made))) == canonical
    assert repr(made) == f"noughts.agent({canonical!r})"


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("sample:count=0", "count=0 is not a whole number from 1 to 9."),
        ("sample:count=1.5", "count=1.5 is not a whole number from 1 to 9."),
        ("sample:count", "'count' needs a value such as count=3."),
        ("sample:limit=9", "limit=9 is not a number from 0.5 to 2."),
        ("sample:mode=medium", "mode=medium is not known; allowed: slow, fast."),
        ("sample:loud=1", "'loud' is a flag and takes no value, not '1'."),
        ("sample:odds=1/2", "odds=2 is not a number from 0 to 1."),
        ("sample:size=1", "'sample' has no option 'size'; allowed: count, limit, mode, loud, "),
        ("wizard", "'wizard' is not an agent; agents: sample."),
        ("", "'' has no name"),
    ],
)
def test_bad_specs_are_one_clear_sentence(spec: str, sentence: str) -> None:
    with pytest.raises(noughts.ParseError) as caught:
        noughts.agent(spec)
    assert str(caught.value).startswith(sentence)


def test_options_are_checked_when_an_agent_is_made_in_python() -> None:
    with pytest.raises(noughts.ParseError, match="count=20"):
        Sample(count=20)
    with pytest.raises(noughts.ParseError, match="mode=loud"):
        Sample(mode="loud")
    assert str(Sample(limit=1)) == "sample:limit=1"
    assert Sample(odds=[0.5, 1]).odds == (0.5, 1.0)  # type: ignore[arg-type]


def test_options_describe_themselves() -> None:
    by_key = {option.key: option for option in Sample.options()}
    assert list(by_key) == ["count", "limit", "mode", "loud", "odds", "label"]
    assert by_key["count"] == Option("count", "whole", 3, "A whole number.", 1, 9)
    assert by_key["count"].to_dict() == {
        "key": "count",
        "kind": "whole",
        "default": 3,
        "help": "A whole number.",
        "low": 1,
        "high": 9,
    }
    assert by_key["mode"].to_dict()["choices"] == ["slow", "fast"]
    assert [o.usage for o in Sample.options()][:4] == [
        "count=3",
        "limit=NUMBER",
        "mode=slow",
        "loud",
    ]


@pytest.mark.parametrize("listing", BUILT_IN, ids=lambda listing: listing.name)
def test_every_built_in_agent_is_there_and_describes_its_options(listing: AgentListing) -> None:
    made = noughts.agent(listing.name)
    assert str(made) == listing.name
    assert listing.summary
    for option in listing.options:
        assert option.help.endswith(".")
        json.dumps(option.to_dict())
        if option.default is not None:
            option.check(option.default)


def test_functions_are_agents() -> None:
    def leftmost(position: Position, rng: np.random.Generator) -> int:
        return position.moves[0]

    made = noughts.agent(leftmost)
    assert str(made) == "leftmost"
    assert made.choose(noughts.game("3x3").start(), RNG(0)) == 0
    assert noughts.agent(made) is made
    with pytest.raises(noughts.IllegalMove):
        noughts.agent(lambda position, rng: 99).choose(noughts.game("3x3").start(), RNG(0))
    for wrong in (3, None, Sample):
        with pytest.raises(noughts.ParseError, match="An agent is named by a text"):
            noughts.agent(wrong)  # type: ignore[arg-type]


def _plug_in(position: Position, rng: np.random.Generator) -> int:
    return position.moves[-1]


def test_plug_ins_are_classes_or_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {
        "last": AgentListing("last", f"{__name__}:_plug_in", is_ours=False),
        "broken": AgentListing("broken", f"{__name__}:RNG_MISSING", is_ours=False),
        "misnamed": AgentListing("misnamed", f"{__name__}:Sample", is_ours=False),
    }
    monkeypatch.setattr("noughts.agents._registry", lambda: rows)
    last = noughts.agent("last")
    assert isinstance(last, FunctionAgent)
    assert str(last) == "last"
    assert last.choose(noughts.game("3x3").start(), RNG(0)) == 8
    assert options_of(rows["last"].resolve()) == ()
    with pytest.raises(noughts.ParseError, match="takes no options"):
        noughts.agent("last:speed=1")
    for name in ("broken", "misnamed"):
        with pytest.raises(noughts.ParseError, match="neither an Agent class"):
            noughts.agent(name)


def test_random_is_uniform_and_seeded() -> None:
    start = noughts.game("3x3").start()
    rng = RNG(1)
    moves = [noughts.agent("random").choose(start, rng) for _ in range(900)]
    counts = [moves.count(cell) for cell in range(9)]
    assert min(counts) > 60
    assert max(counts) < 140
    again = RNG(1)
    assert moves[:9] == [noughts.agent("random").choose(start, again) for _ in range(9)]


def test_fixed_plays_by_its_weights() -> None:
    position = noughts.game("3x3").parse("X../.O./...")
    agent = noughts.agent("fixed:weights=9/0/1/0/9/0/3/0/0")
    assert isinstance(agent, FixedAgent)
    assert agent.probabilities(position) == {1: 0, 2: 0.25, 3: 0, 5: 0, 6: 0.75, 7: 0, 8: 0}
    rng = RNG(2)
    moves = [agent.choose(position, rng) for _ in range(400)]
    assert set(moves) == {2, 6}
    assert 60 < moves.count(2) < 140
    # Nothing left that weighs anything: uniform.
    only_centre = noughts.agent("fixed:weights=0/0/0/0/1/0/0/0/0")
    assert isinstance(only_centre, FixedAgent)
    assert set(only_centre.probabilities(position).values()) == {1 / 7}
    with pytest.raises(noughts.ParseError, match="weights has 2 values, but 3x3 has 9 cells"):
        noughts.agent("fixed:weights=1/2").choose(position, rng)


def test_human_is_asked_until_the_move_is_legal() -> None:
    answers = iter(["", "centre", "0", "99", " 4 "])
    complaints: list[str] = []

    def ask(position: Position, complaint: str) -> str:
        complaints.append(complaint)
        return next(answers)

    position = noughts.game("3x3").start().play(0)
    assert HumanAgent(ask).choose(position, RNG(0)) == 4
    assert complaints[0] == ""
    assert "'centre' is not a cell" in complaints[2]
    assert "holds X" in complaints[3]
    assert "not on the board" in complaints[4]


def test_human_at_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: "7")
    assert noughts.agent("human").choose(noughts.game("3x3").start(), RNG(0)) == 7

    def ended(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", ended)
    with pytest.raises(noughts.NoughtsError, match="input ended"):
        noughts.agent("human").choose(noughts.game("3x3").start(), RNG(0))


@pytest.mark.parametrize("spec", ["random", "fixed", "minimax", "heuristic", "alphabeta", "human"])
def test_a_finished_game_has_no_move(spec: str) -> None:
    over = noughts.game("3x3").parse("XXX/OO./...")
    with pytest.raises(noughts.NoughtsError, match="over"):
        noughts.agent(spec).choose(over, RNG(0))
    assert noughts.agent(spec).values(over) == {}


@pytest.mark.parametrize("spec", ["minimax", "heuristic:depth=3", "alphabeta"])
def test_thoughts_are_reported(spec: str) -> None:
    agent = noughts.agent(spec)
    assert agent.last is None
    agent.choose(noughts.game("3x3").parse("X.O/.../..."), RNG(0))
    assert agent.last is not None
    assert agent.last.nodes > 1
    assert agent.last.depth > 1
    assert agent.last.seconds > 0
    assert agent.last.memory > 0
    assert agent.last.value is not None
    agent.reset()
    assert agent.last is None


def test_minimax_says_when_it_would_take_for_ever() -> None:
    with pytest.raises(noughts.NoughtsError, match="depth=N"):
        noughts.agent("minimax").choose(noughts.game("4x4").start(), RNG(0))
    assert noughts.agent("minimax:depth=3").choose(noughts.game("4x4").start(), RNG(0)) == 0


def test_naming_agents_loads_neither_a_compiler_nor_a_network() -> None:
    script = (
        "import sys, noughts; [row.options for row in noughts.listed_agents()];"
        "noughts.agent('alphabeta:time=1');"
        "sys.exit(any(name in sys.modules for name in ('numba', 'jax', 'matplotlib')))"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agents"]) == 0
    out = capsys.readouterr().out
    for listing in BUILT_IN:
        assert listing.name in out
    assert "weights=1" in out
    assert main(["agents", "alphabeta:time=2", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["agent"] == "alphabeta"
    assert {option["key"] for option in row["options"]} >= {"depth", "time", "memory"}
    assert main(["agents", "nobody"]) == 2
    assert "is not an agent" in capsys.readouterr().err


def test_agents_of_other_packages_cannot_break_ours(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One cannot be loaded, one takes a name of ours, one is fine, one leaves out how it plays."""
    points = [
        EntryPoint("lost", "no.such.module:Agent", agents.ENTRY_POINTS),
        EntryPoint("uct", "test_agents:last_move", agents.ENTRY_POINTS),
        EntryPoint("last", "test_agents:last_move", agents.ENTRY_POINTS),
        EntryPoint("mute", "test_agents:Mute", agents.ENTRY_POINTS),
    ]
    monkeypatch.setattr(plugins, "entry_points", lambda group: points)
    agents._registry.cache_clear()
    try:
        with pytest.warns(NoughtsWarning, match="'uct' .* is left out: the name is taken"):
            assert main(["agents"]) == 0
        told = capsys.readouterr().out
        sentence = "The agent 'lost' of another package cannot be loaded: No module named 'no'."
        assert f"lost          {sentence}" in told
        assert "last          plays the last of the legal moves" in told
        assert main(["agents", "lost"]) == 2
        assert sentence in capsys.readouterr().err
        assert agents.agent("uct").name == "uct"
        with pytest.raises(noughts.ParseError, match="cannot be made: Mute does not say `choose`"):
            agents.agent("mute")
    finally:
        agents._registry.cache_clear()


class Mute(Agent):
    name = "mute"


def last_move(position: Position, rng: np.random.Generator) -> int:
    """Plays the last of the legal moves."""
    return position.moves[-1]
