"""Tournaments: tables, files, any number of jobs, and going on after being killed."""

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import FunctionType
from typing import Any

import openpyxl
import pytest
from local_ray import local_ray

import noughts
from noughts.arena import tournament
from noughts.arena.tables import RESULT_COLUMNS
from noughts.cli import main
from noughts.errors import NoughtsError

AGENTS = ["optimal", "random", "fixed:weights=1/2/1/2/5/2/1/2/1"]
RISKY = "3x3:flip=0.1"


def timeless(log: Path) -> list[str]:
    """The lines of a log without the only thing that may differ."""
    lines = []
    for line in log.read_text().splitlines():
        entry = json.loads(line)
        del entry["seconds"], entry["result"]["seconds"], entry["check"]
        lines.append(json.dumps(entry))
    return lines


@pytest.fixture(scope="module")
def played() -> noughts.Tournament:
    return tournament("3x3", ["minimax", "heuristic", "uct:simulations=30", "random"], games=10)


@pytest.fixture(scope="module")
def whole_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "run"
    tournament(RISKY, AGENTS, games=8, seed=5, folder=folder)
    return folder / "log.jsonl"


def test_the_first_table_has_the_published_headers(played: noughts.Tournament) -> None:
    table = played.tables[0]
    assert ",".join(table.columns) == (
        "Algorithm1,Algorithm2,Algorithm1_Wins,Algorithm2_Wins,Tie,Algorithm1_Avg,Algorithm2_Avg"
    )
    assert [row[:2] for row in table.rows][:3] == [
        ("minimax", "heuristic"),
        ("minimax", "uct:simulations=30"),
        ("minimax", "random"),
    ]
    assert len(table.rows) == 6
    for row in table.rows:
        assert row[2] + row[3] + row[4] == 10
        assert row[5] > 0 < row[6]


def test_points_scores_and_ratings_agree(played: noughts.Tournament) -> None:
    standings = played.table("standings")
    assert sum(standings.column("points")) == 60
    assert standings.column("agent")[-1] == "random"
    assert sum(standings.column("wins")) == sum(standings.column("losses"))
    by_agent = dict(zip(standings.column("agent"), standings.column("score"), strict=True))
    for row, name in enumerate(played.agents):
        scores = [score for score in played.scores[row] if score is not None]
        assert sum(scores) / 3 == pytest.approx(by_agent[name])
    ratings = played.table("ratings")
    assert ratings.column("Elo") == sorted(ratings.column("Elo"), reverse=True)
    assert sum(ratings.column("Elo")) == pytest.approx(0, abs=1e-6)
    for _, elo, low, high in ratings.rows:
        assert low <= elo <= high


def test_regret_counts_what_choices_lost(played: noughts.Tournament) -> None:
    regret = {row[0]: row for row in played.table("regret").rows}
    _, _, mean, low, high, optimal = regret["minimax"]
    assert (mean, low, optimal) == (0.0, 0.0, 1.0)
    assert 0.0 < high < 2.0  # nothing was lost, and that is no proof that nothing ever will be
    _, _, mean, low, high, optimal = regret["random"]
    assert mean > 0.1
    assert low < mean < high
    assert 0.3 < optimal < 0.95
    blunders = {row[0]: row for row in played.table("blunders").rows}
    assert blunders["minimax"][1] == 0.0
    exact = noughts.solve("3x3")
    _, loss, drawn, turn, move, best, pairing, game = blunders["random"]
    position = noughts.game("3x3").parse(drawn.replace(" / ", "\n"))
    sign = 1 if turn == "X" else -1
    values = exact.values(position)
    assert loss == sign * (values[best] - values[move]) > 0
    record = played.records[10 * pairing + game]
    assert record.seats[turn] == "random"
    assert move in record.moves


def test_a_game_without_a_table_has_no_regret() -> None:
    result = tournament("5x5:k=4", ["random", "fixed"], games=2)
    assert result.regrets is None
    with pytest.raises(NoughtsError, match="tables: results, standings"):
        result.table("regret")


def test_the_workbook_has_a_sheet_per_table_and_charts(
    played: noughts.Tournament, tmp_path: Path
) -> None:
    path = tmp_path / "t.xlsx"
    played.to_excel(path)
    book = openpyxl.load_workbook(path)
    assert book.sheetnames == [table.name for table in played.tables]
    first = book.worksheets[0]
    assert tuple(cell.value for cell in first[1]) == RESULT_COLUMNS
    assert first.freeze_panes == "A2"
    assert first["C2"].value == played.tables[0].rows[0][2]
    assert len(book["ratings"]._charts) == 1
    assert len(book["standings"]._charts) == 1
    assert played.workbook() == path.read_bytes()


def test_tables_are_written_in_every_format(played: noughts.Tournament, tmp_path: Path) -> None:
    played.to_csv(tmp_path)
    played.to_parquet(tmp_path)
    lines = (tmp_path / "results.csv").read_text().splitlines()
    assert lines[0] == ",".join(RESULT_COLUMNS)
    assert len(lines) == 7
    from pyarrow import parquet

    read = parquet.read_table(io.BytesIO((tmp_path / "ratings.parquet").read_bytes()))
    assert read.column("agent").to_pylist() == played.table("ratings").column("agent")


def test_a_run_folder_holds_everything(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    tournament(RISKY, AGENTS, games=4, seed=5, folder=folder)
    for name in ("config.json", "log.jsonl", "report.html", "tournament.xlsx"):
        assert (folder / name).stat().st_size > 0
    assert {path.name for path in (folder / "figures").iterdir()} == {
        f"{name}.{kind}"
        for name in ("ratings-figure", "crosstable-figure", "time-strength")
        for kind in ("svg", "png")
    }
    page = (folder / "report.html").read_text()
    assert page.count("<svg") == 3
    assert "noughts tournament 3x3:flip=0.1 optimal random" in page
    assert 'src="http' not in page
    assert 'href="http' not in page.replace('xlink:href="http', "")


def test_faults_are_told_and_stop_nothing() -> None:
    def broken(position: Any, rng: Any) -> int:
        raise RuntimeError("no idea")

    result = tournament("3x3", [broken, "random", "fixed"], games=4)
    assert result.totals[0] == (0, 0, 8)
    faults = result.table("faults")
    assert sum(faults.column("games")) == 8
    assert "RuntimeError: no idea" in faults.column("reason")[0]
    assert result.table("standings").column("lost by fault")[-1] == 8


def test_two_jobs_write_the_same_log(whole_log: Path, tmp_path: Path) -> None:
    tournament(RISKY, AGENTS, games=8, seed=5, jobs=2, folder=tmp_path / "two")
    assert timeless(tmp_path / "two" / "log.jsonl") == timeless(whole_log)
    assert len(timeless(whole_log)) == 24


def test_a_log_that_was_cut_anywhere_is_completed(whole_log: Path, tmp_path: Path) -> None:
    text = whole_log.read_bytes()
    config = (whole_log.parent / "config.json").read_bytes()
    for number in range(3):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "config.json").write_bytes(config)
        cut = len(text) * number // 3 + 7 * number
        (folder / "log.jsonl").write_bytes(text[:cut])
        finished = text[:cut].count(b"\n")
        tournament(RISKY, AGENTS, games=8, seed=5, folder=folder)
        assert (
            (folder / "log.jsonl")
            .read_bytes()
            .startswith(b"".join(text.splitlines(keepends=True)[:finished]))
        )
        assert timeless(folder / "log.jsonl") == timeless(whole_log)


KILLED = """
import os, signal, sys
from noughts.arena import tournament

def die(done, total, text):
    if done == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)

arguments = dict(games=8, seed=5, jobs=int(sys.argv[3]), folder=sys.argv[1])
tournament({game!r}, {agents!r}, progress=die, **arguments)
"""


def run_and_kill(folder: Path, done: int, jobs: int) -> int:
    code = KILLED.format(game=RISKY, agents=AGENTS)
    arguments = [sys.executable, "-c", code, str(folder), str(done), str(jobs)]
    # Not captured: its own processes outlive it for a while, and would keep a pipe open.
    quiet = subprocess.DEVNULL
    interpreted = {**os.environ, "NOUGHTS_JIT": "never"}  # the same games, without loading numba
    done = subprocess.run(arguments, stdout=quiet, stderr=quiet, check=False, env=interpreted)
    return done.returncode


@pytest.mark.parametrize(
    ("moments", "jobs"),
    [
        ((3, 4, 17), 1),
        pytest.param((1, 2, 5, 7, 11, 12, 13, 19, 22, 23), 1, marks=pytest.mark.slow),
        pytest.param((1, 2, 5, 7, 11, 12, 13, 19, 22, 23), 2, marks=pytest.mark.slow),
    ],
)
def test_killed_again_and_again_it_ends_with_the_same_games(
    whole_log: Path, tmp_path: Path, moments: tuple[int, ...], jobs: int
) -> None:
    folder = tmp_path / "run"
    for done in moments:
        assert run_and_kill(folder, done, jobs) == -signal.SIGKILL
        assert len(timeless(folder / "log.jsonl")) == done
    tournament(RISKY, AGENTS, games=8, seed=5, jobs=jobs, folder=folder)
    assert timeless(folder / "log.jsonl") == timeless(whole_log)


def dies_once(path: str, number: int) -> int:
    """Kills its own process the first time it is asked for number 5."""
    marker = Path(path)
    if number == 5 and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_process_that_dies_loses_nothing(tmp_path: Path) -> None:
    from noughts.parallel import in_order

    calls = [{"path": str(tmp_path / "died"), "number": number} for number in range(20)]
    assert list(in_order(dies_once, calls, jobs=2)) == [n * n for n in range(20)]
    assert (tmp_path / "died").exists()


@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_ray_plays_the_same_games_and_survives_a_dead_worker(
    whole_log: Path, tmp_path: Path
) -> None:
    from noughts.parallel import in_order

    with local_ray():
        tournament(RISKY, AGENTS, games=8, seed=5, cluster="ray", folder=tmp_path / "ray")
        assert timeless(tmp_path / "ray" / "log.jsonl") == timeless(whole_log)
        calls = [{"path": str(tmp_path / "died"), "number": number} for number in range(20)]
        work = FunctionType(dies_once.__code__, {"Path": Path, "os": os, "signal": signal})
        work.__module__ = "__main__"  # its workers cannot import this file
        assert list(in_order(work, calls, cluster="ray")) == [n * n for n in range(20)]
        assert (tmp_path / "died").exists()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_workers_of_ray_are_killed_under_a_tournament(whole_log: Path, tmp_path: Path) -> None:
    """Time and again a process that plays is killed: the games are those of one process."""
    import ray

    killed = []

    def kill(done: int, total: int, text: str) -> None:
        if done in (5, 15):
            worker = ray.get(ray.remote(lambda: os.getpid()).remote())
            os.kill(worker, signal.SIGKILL)
            killed.append(worker)

    with local_ray():
        tournament(
            RISKY, AGENTS, games=8, seed=5, cluster="ray", folder=tmp_path / "ray", progress=kill
        )
    assert len(killed) == 2
    assert timeless(tmp_path / "ray" / "log.jsonl") == timeless(whole_log)


def test_wrong_agents_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NoughtsError, match="at least 2 agents, not 1"):
        tournament("3x3", ["random"])
    with pytest.raises(NoughtsError, match="'random' is named twice"):
        tournament("3x3", ["random", "optimal", "random"])


# ---- the commands ----


def test_the_commands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["tournament", RISKY, *AGENTS, "--games", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["folder"] == str(Path("runs") / "tournament-1")
    assert next(iter(told["tables"])) == "results"
    assert tuple(told["tables"]["results"][0]) == RESULT_COLUMNS
    assert main(["tournament", RISKY, *AGENTS, "--games", "2", "--out", "runs/tournament-1"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Algorithm1")
    assert out.strip().endswith("report.html")
    assert (
        main(["match", RISKY, "optimal", "random", "--games", "4", "--sprt", "0,50", "--json"]) == 0
    )
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 4
    assert told["sprt"]["verdict"] in (None, 0.0, 50.0)
    assert main(["match", "3x3", "optimal", "random", "--games", "2"]) == 0
    assert "3x3: optimal against random, 2 games" in capsys.readouterr().out
    for wrong in (
        ["tournament", "3x3", "random", "random"],
        ["match", "3x3", "random", "nobody"],
        ["match", "3x3", "random", "random", "--sprt", "1"],
        ["match", "9z9", "random", "random"],
    ):
        assert main(wrong) == 2
        said = capsys.readouterr().err
        assert said.startswith("noughts: ")
        assert said.count("\n") == 1
    assert sorted(path.name for path in Path("runs").iterdir()) == [
        "match-1",
        "match-2",
        "tournament-1",
    ]
