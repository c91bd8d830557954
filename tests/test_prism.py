"""The exported models, read back twice: by Storm, and by a small reader of the language here."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

import noughts
from noughts.cli import main
from noughts.solve.written.prism import prism_model, prism_properties, save_prism

SPECS = [
    "2x3:flip=0.1/0.9/0.3/0.2/0.4/0.6",
    "2x3:k=3,misere,flip=0.2",
    "2x2:k=2,flip=0.1,fizzle=0.2",
    "1x3:k=2,flip=0.1,fade=0/0.2/0.3",
    "2x2:k=2,hazard=0.5/2/1/0,limit=2,ticks=3,fizzle=0.1",
    "1x4:k=2,hazard=0.5,limit=2,turn_limit=1,ticks=4,flip=0.1",
    "1x3:k=2,hazard=0.5/1/2,turn_limit=1,ticks=2",
]

Key = tuple[int, ...]
Branches = list[tuple[float, Key]]


class Model:
    """The guarded commands of a model, as Python expressions over its variables."""

    def __init__(self, text: str) -> None:
        text = re.sub(r"//.*", "", text)
        self.constants = {
            name: float(value) for name, value in re.findall(r"const double (\w+) = ([^;]+);", text)
        }
        self.formulas = dict(re.findall(r"formula (\w+) = ([^;]+);", text))
        self.variables: dict[str, int] = {}
        for name, first in re.findall(r"(\w+) : (?:\[0?1?\.\.\d+\]|bool) init (\w+);", text):
            self.variables[name] = {"true": 1, "false": 0}.get(first) or int(
                {"false": "0"}.get(first, first)
            )
        module = text.partition("module board")[2].partition("endmodule")[0]
        self.commands = [
            (action, self._compile(guard), self._updates(right))
            for action, guard, right in re.findall(r"\[(\w+)\] (.+?) -> (.+?);", module)
        ]
        rewards = text.partition("rewards")[2]
        self.rewards = [
            (action, self._compile(guard), float(amount))
            for action, guard, amount in re.findall(r"\[(\w+)\] (.+?) : (\d+);", rewards)
        ]

    def _compile(self, expression: str) -> object:
        for _ in range(4):  # formulas may name formulas
            for name, meaning in self.formulas.items():
                expression = re.sub(rf"\b{name}\b", f"({meaning})", expression)
        expression = re.sub(r"(?<![<>!=])=", "==", expression)
        expression = expression.replace("&", " and ").replace("|", " or ").replace("!", " not ")
        return compile(expression.replace("true", "True").strip(), "guard", "eval")

    def _updates(self, text: str) -> list[tuple[object, list[tuple[str, object]]]]:
        found = []
        for branch in text.split(" + "):
            chance, colon, rest = branch.partition(" : ")
            if not colon:
                chance, rest = "1", branch
            pairs = re.findall(r"\((\w+)'=([^()]+)\)", rest)
            found.append(
                (self._compile(chance), [(name, self._compile(new)) for name, new in pairs])
            )
        return found

    def solve(self) -> float:
        """Explore, then iterate values: X maximises the reward, O minimises it."""
        names = list(self.variables)
        start = tuple(self.variables.values())
        functions = {"pow": math.pow, "min": min, "True": True, "__builtins__": {}}
        choices: dict[Key, list[tuple[float, Branches]]] = {}
        waiting = [start]
        while waiting:
            key = waiting.pop()
            if key in choices:
                continue
            state = {**functions, **self.constants, **dict(zip(names, key, strict=True))}
            choices[key] = []
            for action, guard, updates in self.commands:
                if action == "rest" or not eval(guard, state):
                    continue
                paid = sum(r for a, when, r in self.rewards if a == action and eval(when, state))
                branches: Branches = []
                for chance, changes in updates:
                    p = eval(chance, state)
                    after = dict(zip(names, key, strict=True))
                    after.update({name: int(eval(new, state)) for name, new in changes})
                    if p > 0:
                        branches.append((p, tuple(after[name] for name in names)))
                assert sum(p for p, _ in branches) == pytest.approx(1.0, abs=1e-12)
                choices[key].append((paid, branches))
                waiting += [child for _, child in branches]
        turn = names.index("turn")
        values = dict.fromkeys(choices, 0.0)
        change = 1.0
        while change > 1e-13:
            change = 0.0
            for key in reversed(choices):
                if choices[key]:
                    best = max if key[turn] == 1 else min
                    value = best(
                        paid + sum(p * values[child] for p, child in branches)
                        for paid, branches in choices[key]
                    )
                    change = max(change, abs(value - values[key]))
                    values[key] = value
        return values[start]


@pytest.mark.parametrize("spec", SPECS)
def test_the_text_of_a_model_says_what_we_solve(spec: str) -> None:
    solution = noughts.solve(spec)
    exact = solution.value(solution.game.start())
    assert Model(prism_model(spec)).solve() - 1.0 == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("spec", [*SPECS[:4], "3x3:flip=0/0/0/0/0.3/0/0/0/0"])
def test_storm_solves_the_one_player_version(spec: str, tmp_path: Path) -> None:
    """X against a random O is a Markov decision process, which Storm checks whole."""
    stormpy = pytest.importorskip("stormpy")
    save_prism(spec, tmp_path / "model.prism", "random")
    program = stormpy.parse_prism_program(str(tmp_path / "model.prism"))
    query = prism_properties(spec, "random").splitlines()[1].rstrip(";")
    properties = stormpy.parse_properties(query, program)
    model = stormpy.build_model(program, properties)
    found = stormpy.model_checking(model, properties[0])
    exact = noughts.best_response(spec, "random", seat="X")
    value = found.get_value(model.initial_states[0]) - 1.0
    assert value == pytest.approx(exact.value, abs=2e-6)  # Storm iterates to 1e-6


@pytest.mark.parametrize("spec", [*SPECS, "3x3:flip=0/0/0/0/0.3/0/0/0/0"])
def test_storm_reads_the_game(spec: str, tmp_path: Path) -> None:
    """Storm builds the game but has no checker for it: the values are iterated on what it built."""
    stormpy = pytest.importorskip("stormpy")
    save_prism(spec, tmp_path / "model.prism")
    program = stormpy.parse_prism_program(str(tmp_path / "model.prism"))
    model = stormpy.build_model(program)
    solution = noughts.solve(spec)
    exact = solution.value(solution.game.start())
    assert iterate_storm(model) - 1.0 == pytest.approx(exact, abs=1e-9)


def iterate_storm(model) -> float:  # type: ignore[no-untyped-def]
    """Value iteration over the choices of a game that Storm built; it knows whose state it is."""
    matrix = model.transition_matrix
    rewards = model.reward_models["outcome"].state_action_rewards
    groups = []
    for state in range(model.nr_states):
        rows = []
        for row in range(matrix.get_row_group_start(state), matrix.get_row_group_end(state)):
            entries = [(entry.value, entry.column) for entry in matrix.get_row(row)]
            if entries != [(1.0, state)]:
                rows.append((rewards[row], entries))
        groups.append((min if model.get_player_of_state(state) == 1 else max, rows))
    values = np.zeros(model.nr_states)
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for state in range(model.nr_states - 1, -1, -1):
            best, rows = groups[state]
            if rows:
                value = best(
                    paid + sum(p * values[to] for p, to in branch) for paid, branch in rows
                )
                change = max(change, abs(value - values[state]))
                values[state] = value
    return float(values[model.initial_states[0]])


def test_the_command_writes_the_model_and_the_question(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "new" / "risky.prism"
    assert main(["solve", "3x3:flip=stochastic", "--prism", str(path)]) == 0
    assert f"written to {path}" in capsys.readouterr().out
    assert path.read_text() == prism_model("3x3:flip=stochastic")
    assert '<<x>> R{"outcome"}max=? [ F "settled" ];' in path.with_suffix(".props").read_text()


@pytest.mark.parametrize(
    ("spec", "opponent", "message"),
    [
        ("ultimate", "optimal", "ultimate is not a line game"),
        ("3x3:fade=1", "optimal", "may never end: fade is 1"),
        ("3x3:fizzle=0/0/0/0/1/0/0/0/0", "optimal", "may never end: fizzle is 1"),
        ("3x3:hazard=1,turn_limit=1,fizzle=0.1", "optimal", "clock of .* never stops"),
        ("3x3:hazard=1,limit=1", "random", "has a clock"),
        ("3x3", "clever", "opponent=clever is not known; allowed: optimal, random"),
    ],
)
def test_what_cannot_be_exported_is_said(spec: str, opponent: str, message: str) -> None:
    with pytest.raises(noughts.NoughtsError, match=message):
        prism_model(spec, opponent)


def test_the_properties_do_not_overwrite_the_model(tmp_path: Path) -> None:
    with pytest.raises(noughts.NoughtsError, match=r"a model ends with \.prism"):
        save_prism("3x3", tmp_path / "model.props")
