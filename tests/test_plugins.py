"""Games of other packages, through their entry points alone: wild tic-tac-toe and the toy.

Wild is installed into a folder of its own. `plugin_report.py` lets the house play a game in
a process that compiles nothing; a slow test compares with one that does.
"""

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import plugged
import pytest
from toy_family import ToyRules, plain_after, plain_moves, plain_result

import noughts
from noughts.arena import replay
from noughts.cli import main
from noughts.errors import NoughtsWarning
from noughts.search.engines.listed import ListedEngine
from noughts.testing import check_game

HERE = Path(__file__).parent
WILD = HERE.parent / "examples" / "wild"
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which wild is installed, and the metadata of the toy."""
    folder = plugged.install(WILD, tmp_path_factory.mktemp("packages"))
    shutil.copy(WILD.parent / "vanishing.py", folder)
    games = {"toy": "toy_game:toy", "vanishing": "vanishing:vanishing"}
    return plugged.publish(folder, "small", {"noughts.games": games})


@pytest.fixture
def plugged_in(packages: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """They are installed, for this process and for those that it starts."""
    plugged.plug_in(monkeypatch, packages)
    yield
    monkeypatch.undo()
    plugged.forget()


@pytest.fixture(scope="module")
def report(packages: Path) -> Any:
    """What the house made of a game, without a compiler; asked once."""

    @cache
    def asked(spec: str, jit: str = "never") -> dict[str, Any]:
        path = os.pathsep.join(map(str, [packages, HERE]))
        done = subprocess.run(
            [sys.executable, str(HERE / "plugin_report.py"), spec],
            env={**os.environ, "PYTHONPATH": path, "NOUGHTS_JIT": jit},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    return asked


GAMES = ["wild", "wild:misere", "wild:size=4x4,k=3", "toy", "toy:lift", "vanishing"]


@pytest.mark.parametrize("spec", GAMES)
def test_every_room_plays_it(report: Any, spec: str) -> None:
    found = report(spec)
    refusals = [(room, told) for room, told in found.items() if str(told).startswith("refused")]
    assert refusals == []
    assert found["checks"] == "kept"
    for agent, told in found["matches"].items():
        *games, moves = told[:7]
        chosen = sum(len(game) - 1 for game in games)
        tosses = 6 if spec.startswith("toy") else 0
        assert moves == chosen - tosses, agent  # nobody is charged for a toss
        assert told[7:] in ([], ["the position came 3 times"]), agent
    assert {row[1] for row in found["gymnasium"]}.isdisjoint({""})


def test_agents_of_ours_beat_the_random_player_at_it(report: Any) -> None:
    for spec in ("wild", "toy"):
        for agent, told in report(spec)["matches"].items():
            if agent != "random":
                wins = [game[-1] == "XO"[index % 2] for index, game in enumerate(told[:6])]
                assert sum(wins) >= 3, (spec, agent)


def test_with_three_seats_it_is_checked_and_played_at_random_and_the_rest_says_why_not(
    report: Any,
) -> None:
    found = report("toy:players=3")
    assert found["checks"] == "kept"
    tally = re.match(r"Tally\(x=\d+, o=\d+, draws=\d+, turns=\d+, t=\d+\)", found["playouts"])
    assert tally
    assert len(found["matches"]["random"][0]) > 1
    for told in (*found.values(), *found["matches"].values()):
        if isinstance(told, str) and told.startswith("refused"):
            assert re.fullmatch(r"refused: [^.]*[^.]*is for two players; \S+ has 3\.", told), told


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["wild", "toy:lift", "vanishing"])
def test_compiled_it_is_the_same(report: Any, spec: str) -> None:
    assert report(spec, "always") == report(spec)


# ---- Wild, exactly ---------------------------------------------------------------------------


@cache
def plain_value(board: str) -> int:
    """What wild is worth to whoever is on turn, by going through everything."""
    best = -1 if "." in board else 0
    for cell in range(9):
        for mark in "XO" if board[cell] == "." else "":
            after = board[:cell] + mark + board[cell + 1 :]
            is_won = any({after[i] for i in line} == {mark} for line in LINES if cell in line)
            best = max(best, 1 if is_won else -plain_value(after))
            if best == 1:
                return 1
    return best


def test_wild_is_won_by_the_centre_and_everybody_who_is_sure_says_so(report: Any) -> None:
    """The first player takes the centre; values are the first player's."""
    firsts = [f"{'.' * cell}{mark}{'.' * (8 - cell)}" for mark in "XO" for cell in range(9)]
    assert [move for move, board in enumerate(firsts) if plain_value(board) == -1] == [4, 13]
    rows = report("wild")["values"]
    assert rows[0]["position"].startswith(".../.../... X")
    assert rows[0]["chosen"] in (4, 13)
    for row in rows:
        board, turn = row["position"].replace("/", "").split()[:2]
        sign = 1 if turn == "X" else -1
        exact = sign * plain_value(board)
        assert (row["known"], row["value"], row["is_exact"]) == ([exact, exact], exact, True), row
        told = {**row["moves"], str(row["chosen"]): [exact, exact]}
        for move, (low, high) in told.items():
            assert low <= sign * after(board, int(move)) <= high, (row, move)


def after(board: str, move: int) -> int:
    """What a move is worth to whoever makes it."""
    cell, mark = move % 9, "XO"[move // 9]
    then = board[:cell] + mark + board[cell + 1 :]
    is_won = any({then[i] for i in line} == {mark} for line in LINES if cell in line)
    return 1 if is_won else -plain_value(then)


def test_what_is_known_of_the_toy_is_true(report: Any) -> None:
    """Half of its games begin with each seat, so the toss is worth nothing."""
    for spec, can_lift in (("toy", False), ("toy:lift", True)):
        for row in report(spec)["values"]:
            numbers = tuple(map(int, row["position"].rpartition(" ")[2].split("/")))
            worth = toy_worth(can_lift)[numbers[:5], numbers[5]]
            low, high = row["known"] or (-1.0, 1.0)
            assert low <= worth <= high, (spec, row)
            assert not row["is_exact"] or row["value"] == worth, (spec, row)


@cache
def toy_worth(can_lift: bool) -> dict[Any, float]:
    """The toy for X, of every position: what nobody can force within any number of moves is 0."""
    rules, worth = ToyRules(2, can_lift), {}
    for board in itertools.product(range(3), repeat=5):
        for seat in range(3):
            ended = plain_result((board, seat))
            worth[board, seat] = {1: 1.0, 2: -1.0}.get(ended, 0.0)
    while True:
        is_settled = True
        for position, value in worth.items():
            if plain_result(position) != 0:
                continue
            found = [
                sum(p * worth[then] for p, then in plain_after(rules, position, move))
                for move in plain_moves(rules, position)
            ]
            best = max(found, default=0.0) if position[1] == 1 else min(found, default=0.0)
            if best != value:
                worth[position], is_settled = best, False
        if is_settled:
            return worth


def test_what_is_known_of_vanishing_is_true_though_positions_come_again(report: Any) -> None:
    """A win is known; that nobody can force one is never proven by a search."""
    worth = vanishing_worth()
    assert [-worth[(), (cell,)] for cell in range(9)] == [0, 1, 0, 1, 0, 1, 0, 1, 0]
    decided = 0
    for row in report("vanishing")["values"]:
        *slots, seat = map(int, row["position"].rpartition(" ")[2].split("/"))
        x, o = (tuple(slot - 1 for slot in own if slot) for own in (slots[:3], slots[3:]))
        exact = worth[x, o] if seat == 1 else -worth[o, x]
        low, high = row["known"] or (-1.0, 1.0)
        assert low <= exact <= high, row
        assert not row["is_exact"] or row["value"] == exact, row
        assert exact != 0 or not row["is_exact"], row
        decided += low == high
    assert decided > 0


@cache
def vanishing_worth() -> dict[Any, int]:
    """What (own marks, the other's), oldest first, are worth to whoever is on turn, backwards."""
    after: dict[Any, list[Any]] = {}
    stack: list[Any] = [((), ())]
    lines = {frozenset(line) for line in LINES}
    while stack:
        own, others = position = stack.pop()
        if position not in after:
            is_over = frozenset(others) in lines
            cells = () if is_over else set(range(9)) - {*own, *others}
            after[position] = [(others, (*own, cell)[-3:]) for cell in cells]
            stack += after[position]
    worth = {position: -1 for position, then in after.items() if not then}
    found = True
    while found:
        found = False
        for position, then in after.items():
            if position not in worth:
                told = [worth.get(one) for one in then]
                if -1 in told or all(one == 1 for one in told):
                    worth[position], found = 1 if -1 in told else -1, True
    return {position: worth.get(position, 0) for position in after}


@pytest.mark.usefixtures("plugged_in")
def test_a_position_that_comes_for_the_third_time_is_a_draw() -> None:
    """Both put a mark at their end of the strip and lift it again."""

    def shuffle(position: noughts.Position, rng: object) -> int:
        end = 0 if position.turn == "X" else 4
        return end if end in position.moves else 5 + end

    result = noughts.match("toy:lift", shuffle, shuffle, games=2, seed=1)
    assert result.reasons == {"the position came 3 times": 2}
    for record in result.records:
        assert (record.result, len(record.moves)) == ("draw", 9)  # the toss, and four moves twice
        positions = replay(record)
        assert positions.count(positions[-1]) == 3


@pytest.mark.usefixtures("plugged_in")
def test_the_plain_search_proves_nothing_by_a_repetition() -> None:
    """Vanishing without its kernels: what is called proven is true, and no draw ever is."""
    game = unkernelled(noughts.game("vanishing"))
    engine, rng, worth = ListedEngine(), np.random.default_rng(3), vanishing_worth()
    proven = 0
    position = game.start()
    for _ in range(40):
        position = position.play(int(rng.choice(position.moves)))
        if position.result is not None:
            position = game.start()
        if position.board.count(".") > 3:
            continue
        answer = engine.look(position, 4)
        x, o = (tuple(slot - 1 for slot in own if slot) for own in position.slots)  # type: ignore
        exact = worth[x, o] if position.turn == "X" else -worth[o, x]
        assert not answer.is_proven or answer.value == exact != 0, position
        proven += answer.is_proven
    assert proven > 2


def unkernelled(game: Any) -> Any:
    """The same game as a subclass that changes something, so that no kernel plays it."""

    class Plain(type(game)):  # type: ignore[misc]
        def start(self) -> Any:
            return super().start()

    plain = Plain()
    assert not plain.has_kernels
    return plain


# ---- Commands --------------------------------------------------------------------------------


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    code = main(list(words))
    printed = capsys.readouterr()
    assert code == 0, printed.err
    return printed.out


@pytest.mark.usefixtures("plugged_in")
def test_wild_is_played_in_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["?", "9x", "4", "4x", "4o", "u", "0 O", "q"])
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    printed = run(capsys, "play", "wild", "--o", "random", "--seed", "1")
    assert "Type the number of a cell and a mark, such as 4X or 4O." in printed
    assert "Cell 9 is not on the board" in printed
    assert "'4' is not a move; type the number of a cell and a mark" in printed
    assert "X (human) plays 4X." in printed
    assert "Move 4O is not allowed" in printed
    assert "X (human) plays 0O." in printed


@pytest.mark.usefixtures("plugged_in")
def test_the_toy_is_tossed_and_played_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    printed = run(capsys, "play", "toy:lift", "--x", "random", "--o", "random", "--seed", "2")
    assert re.search(r"It is tossed who moves: [XO]\.", printed)
    assert "plays lift " in printed
    assert printed.rstrip().endswith(("wins.", "A draw."))


@pytest.mark.usefixtures("plugged_in")
def test_in_the_terminal_the_third_time_is_a_draw_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both put a mark and lift it again; whoever the toss lets begin."""
    answers = itertools.cycle(["0", "4", "lift 0", "lift 4"])
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    printed = run(capsys, "play", "toy:lift", "--x", "human", "--o", "human", "--seed", "1")
    assert printed.rstrip().endswith("A draw: the position came 3 times.")


@pytest.mark.usefixtures("plugged_in")
def test_commands_know_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "wild tic-tac-toe: you place either mark" in run(capsys, "games")
    assert run(capsys, "perft", "wild", "3", "--json").count("4032") == 1
    told = json.loads(run(capsys, "values", "wild", "XOX/..O/O.. X to move", "--json"))
    assert {row["exact"] for row in told["moves"]} == {True}
    match = ("match", "toy:lift", "random", "random", "--games", "4", "--seed", "1")
    run(capsys, *match, "--out", str(tmp_path / "run"))
    log = str(tmp_path / "run" / "log.jsonl")
    assert "4 games, all as recorded" in run(capsys, "replay", log)
    assert "It is tossed who moves" in run(capsys, "replay", log, "--game", "0")


@pytest.mark.usefixtures("plugged_in")
@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("wild:flip=0.1", "'wild' has no option 'flip'; allowed: size, k, misere."),
        ("wild:size=3", "boards are ROWSxCOLUMNS"),
        ("wild:k=21", "k=21 is not a whole number from 1 to 20."),
    ],
)
def test_bad_specs_of_it_are_one_sentence(
    capsys: pytest.CaptureFixture[str], spec: str, sentence: str
) -> None:
    assert main(["games", spec]) == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert told.count("\n") == 1


# ---- Strangers who err -----------------------------------------------------------------------

LOOK = """
import sys
from noughts.cli import main
code = main()
sys.stderr.write("numba" if "numba" in sys.modules else "no numba")
sys.exit(code)
"""


@pytest.fixture
def half_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A package some of whose entry points are wrong, or take a name of ours."""
    games = {"falling": "falling:falling", "3x3": "falling:falling", "lost": "no.such:thing"}
    agents = {"last": "falling:last", "uct": "falling:last", "lost": "no.such:thing"}
    groups = {"noughts.games": games, "noughts.agents": agents}
    plugged.plug_in(monkeypatch, plugged.publish(tmp_path, "half-broken", groups))
    with pytest.warns(NoughtsWarning, match="is left out: the name is taken"):
        assert "falling" in [row.spec for row in noughts.listed_games()]
    with pytest.warns(NoughtsWarning, match="is left out: the name is taken"):
        noughts.agent("last")
    yield
    monkeypatch.undo()
    plugged.forget()


@pytest.mark.usefixtures("half_broken")
def test_a_rule_that_a_subclass_changes_is_never_played_by_the_rules_of_its_parent() -> None:
    game, rng = noughts.game("falling"), np.random.default_rng(1)
    check_game(game, positions=60)
    assert [noughts.perft(game, depth) for depth in range(4)] == [1, 3, 9, 27]
    for spec in ("uct", "flat", "maxn"):
        with pytest.raises(noughts.NoughtsError, match="falling has rules of its own, and no"):
            noughts.match(game, spec, "random", games=2, seed=1)
    with pytest.raises(noughts.NoughtsError, match="falling has rules of its own, and no kernel"):
        noughts.playouts(game, 1)
    result = noughts.match(game, "alphabeta:depth=3", "random", games=4, seed=1)
    assert result.reasons == {}
    position = game.start()
    agent = noughts.agent("alphabeta:depth=9")
    while position.result is None:
        move = agent.choose(position, rng)
        assert move in position.moves
        assert (agent.last.value, agent.last.is_exact) == (worth(position), True)
        position = position.play(move)


def worth(position: noughts.Position) -> float:
    """The value for X by going through everything."""
    if position.result is not None:
        return position.game.worth(position.result)[0]
    pick = max if position.turn == "X" else min
    return pick(worth(position.play(move)) for move in position.moves)


@pytest.mark.usefixtures("half_broken")
def test_a_game_without_kernels_has_an_opponent_and_values_in_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["6", "q"])
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    assert re.search(r"O \(alphabeta\) plays [378]\.", run(capsys, "play", "falling"))
    told = json.loads(run(capsys, "values", "falling", "XO./OXO/XXO O to move", "--json"))
    assert [(row["move"], row["value"], row["exact"]) for row in told["moves"]] == [(2, -1.0, True)]


@pytest.mark.usefixtures("half_broken")
def test_what_is_broken_is_one_line_and_what_is_ours_stays_ours(
    capsys: pytest.CaptureFixture[str],
) -> None:
    games = run(capsys, "games").splitlines()
    assert [line for line in games if line.startswith("lost ")] == [
        f"{'lost':33}  The game 'lost' of another package cannot be loaded: No module named 'no'."
    ]
    assert any(line.startswith("falling ") and "fall down" in line for line in games)
    agents = run(capsys, "agents")
    assert agents.count("cannot be loaded: No module named 'no'.") == 1
    assert re.search(r"^last +plays the last of the legal moves$", agents, re.MULTILINE)
    assert type(noughts.game("3x3")).__name__ == "LineGame"
    assert type(noughts.agent("uct")).__name__ == "UctAgent"
    for words in (["games", "lost"], ["play", "3x3", "--x", "lost"]):
        assert main(words) == 2
        assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.usefixtures("half_broken")
def test_an_agent_of_another_package_plays_at_once(tmp_path: Path) -> None:
    """Nothing is compiled for it, although nothing is in the cache."""
    done = subprocess.run(
        [sys.executable, "-c", LOOK, "match", "qubic", "last", "random", "--games", "40"],
        env={**os.environ, "NOUGHTS_CACHE": str(tmp_path / "empty")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.endswith("no numba")
