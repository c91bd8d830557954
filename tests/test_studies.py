"""The studies, in their quick versions: what they claim is what the games say."""

import json
import shutil
from fractions import Fraction
from pathlib import Path

import pytest
from quick_studies import (
    ARENA,
    EXACT,
    LEARNING,
    QuickRuns,
    check_files,
    check_nothing_again,
    table,
)

from noughts import ParseError
from noughts.cli import main
from noughts.jobs import Study
from noughts.solve import odds, policy, solve
from noughts.studies import (
    listed_studies,
    registry,
    run_study,
    study_parameters,
)
from noughts.studies.risk import danger_curve
from noughts.studies.risk.fractions import RiskyBoard, duel

NAMES = [listing.name for listing in listed_studies()]
# Mission R1's sweep log of the stochastic world.
SWEEPS = [
    (0.95, 0.29935094203553664),
    (0.9, 0.18552375371856858),
    (0.9, 0.12448458487334439),
    (0.9, 0.08418015865861354),
    (0.9, 0.03923012507887873),
    (0.820212, 0.013901889434778688),
    (0.7528356, 0.0031635938564860736),
    (0.3744788, 0.0003390430131614532),
    (0.27007661, 2.434657982511494e-05),
    (0.0, 0.0),
]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> QuickRuns:
    return QuickRuns(tmp_path_factory.mktemp("runs"))


def test_every_study_is_run_by_one_file_of_tests() -> None:
    assert sorted([*EXACT, *ARENA, *LEARNING]) == sorted(NAMES)


@pytest.mark.parametrize("name", EXACT)
def test_files_exist_and_parse(name: str, runs: QuickRuns) -> None:
    check_files(name, runs)


@pytest.mark.parametrize("name", EXACT)
def test_a_finished_run_works_on_nothing_again(
    name: str, runs: QuickRuns, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_nothing_again(name, runs, monkeypatch)


def test_all_studies_have_reports_that_a_page_leads_to(
    runs: QuickRuns,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """`noughts study all` does what is missing, here one unit, and nothing again."""
    names = ("classic-in-danger", "seven-worlds")
    chosen = {name: registry.listed_study(name) for name in names}
    monkeypatch.setattr(registry, "_registry", lambda: chosen)
    out = tmp_path / "all"
    for name in names:
        shutil.copytree(runs[name][0], out / name)
    log = out / "seven-worlds" / "log.jsonl"
    *rest, last = log.read_text().splitlines(keepends=True)
    log.write_text("".join(rest))
    (out / "classic-in-danger" / "report.html").unlink()
    assert main(["study", "all", "--quick", "--out", str(out)]) == 0
    page = Path(capsys.readouterr().out.strip())
    text = page.read_text(encoding="utf-8")
    for name in names:
        assert f'href="{name}/report.html"' in text
        assert (page.parent / name / "report.html").exists()
    *same, again = log.read_text().splitlines(keepends=True)
    assert same == rest
    assert json.loads(again)["result"] == json.loads(last)["result"]


def test_games_repeat_from_their_seed(tmp_path: Path) -> None:
    small = {"boards": "3x3", "worlds": "blind", "games": 500}
    played = []
    for number, seed in enumerate((1, 1, 2)):
        parameters = study_parameters("bigger-boards", **small, seed=seed)
        folder, _ = run_study("bigger-boards", parameters, tmp_path / str(number))
        played.append((folder / "tables/odds.csv").read_bytes())
    assert played[0] == played[1] != played[2]


def test_seven_worlds(runs: QuickRuns) -> None:
    _, report = runs["seven-worlds"]
    worlds = {row["world"]: row for row in table(report, "worlds")}
    assert len(worlds) == 7
    assert worlds["stochastic"]["value"] == pytest.approx(2991541 / 25000000, abs=1e-12)
    assert worlds["blind"]["value"] == pytest.approx(3 / 256, abs=1e-12)
    assert worlds["classic"]["optimal–random"] > 0.9
    rows = table(report, "odds")
    assert len(rows) == 28
    assert all(row["inside"] for row in rows)
    for row in rows:
        assert row["X"] + row["draw"] + row["O"] == pytest.approx(1, abs=1e-12)
        assert row["value"] == pytest.approx(row["X"] - row["O"], abs=1e-12)
    sweeps = [row for row in table(report, "sweeps") if row["world"] == "stochastic"]
    for row, (largest, mean) in zip(sweeps, SWEEPS, strict=True):
        assert row["max difference"] == pytest.approx(largest, abs=1e-12)
        assert row["mean difference"] == pytest.approx(mean, abs=1e-12)


def test_classic_in_danger(runs: QuickRuns) -> None:
    _, report = runs["classic-in-danger"]
    worlds = {row["world"]: row for row in table(report, "costs")}
    assert set(worlds) == {"noisy-classic", "quarter", "blind", "random", "reverse"}
    assert worlds["blind"]["classic–optimal"] == pytest.approx(-19 / 256, abs=1e-12)
    assert worlds["quarter"]["classic–optimal"] == pytest.approx(-887 / 16384, abs=1e-12)
    assert worlds["reverse"]["classic–optimal"] == pytest.approx(-1)
    for row in worlds.values():
        # Nobody does better in a seat than the optimal player's value against the optimal one.
        assert row["classic–optimal"] <= row["value"] + 1e-12
        assert row["optimal–classic"] >= row["value"] - 1e-12
    assert "reverse as O" in report.answers[0]
    assert all(row["inside"] for row in table(report, "odds"))


def test_danger_curve_answers_the_hypothesis(runs: QuickRuns) -> None:
    _, report = runs["danger-curve"]
    verdicts = {
        (row["claim"], row["seat"], row["measure"]): row for row in table(report, "hypothesis")
    }
    for seat in "XO":
        rising = verdicts["0 to ½, rises", seat, "result"]
        assert not rising["holds"]
        assert rising["last"] < rising["first"] == 0.0
        assert verdicts["½ to 1, falls", seat, "result, foreseen"]["holds"]
        assert verdicts["½ to 1, falls", seat, "result"]["last"] == pytest.approx(-1)
    assert "to ½? No." in report.answers[0]
    assert "-19/256 as X, -17/256 as O" in report.answers[0]


def test_danger_curve_first_moves(runs: QuickRuns) -> None:
    _, report = runs["danger-curve"]
    tied, half, late = table(report, "first-moves")
    assert (tied["p"], tied["best after"]) == ("0", "centre")
    assert float(half["p"]) == pytest.approx(0.5, abs=1e-9)
    assert (half["best before"], half["best after"]) == ("centre", "edge")
    assert (late["best before"], late["best after"]) == ("edge", "centre")
    change = float(late["p"])
    for p, best in ((change - 1e-7, 1), (change + 1e-7, 4)):
        solution = solve(f"3x3:flip={p!r}")
        assert best in solution.best_moves(solution.game.start())
        assert 5 - best not in solution.best_moves(solution.game.start())


def test_at_one_half_all_players_draw_equally_often(
    runs: QuickRuns,
) -> None:
    _, report = runs["danger-curve"]
    half = next(row for row in table(report, "curve") if row["p"] == 0.5)
    draws = [value for name, value in half.items() if name.endswith(" draw")]
    assert len(draws) == 9
    assert draws == pytest.approx([1 / 16] * 9, abs=1e-12)
    assert danger_curve.count_colourings() == {
        "nobody": 32,
        "only X": 198,
        "only O": 198,
        "both": 84,
    }
    fixed = odds("3x3:flip=0.5", "fixed:weights=9/1/2/3/1/5/6/1/8", "optimal")
    assert fixed.draw == pytest.approx(1 / 16, abs=1e-12)
    assert abs(fixed.value) <= 84 / 512


@pytest.mark.parametrize("vector", ["0.3", "0.9/0.3/0.5/0.2/0.95/0.7/0.6/0.45/0.1"])
def test_the_mirror_world_is_misere(vector: str) -> None:
    mirrored = "/".join(repr(1 - float(word)) for word in vector.split("/"))
    one, two = solve(f"3x3:flip={vector}"), solve(f"3x3:misere,flip={mirrored}")
    first, second = (s.values(s.game.start()) for s in (one, two))
    assert list(first.values()) == pytest.approx(list(second.values()), abs=1e-12)


@pytest.mark.parametrize("p", ["0", "1/4", "2/5", "1/2", "9/10"])
def test_fractions_agree_with_the_solver(p: str) -> None:
    risk = Fraction(p)
    game = f"3x3:flip={float(risk)!r}"
    solution = solve(game)
    values = solution.values(solution.game.start())
    world = RiskyBoard(risk)
    exact = world.move_values()
    assert [float(exact[cell]) for cell in range(9)] == pytest.approx(
        list(values.values()), abs=1e-12
    )
    best, classic = policy(game, "optimal"), policy(game, "optimal:of=3x3")
    assert odds(game, classic, best).value == pytest.approx(float(duel(world, "X")), abs=1e-12)
    assert odds(game, best, classic).value == pytest.approx(float(duel(world, "O")), abs=1e-12)


def test_known_fractions() -> None:
    assert RiskyBoard(Fraction(1, 4)).value() == Fraction(2155, 32768)
    assert RiskyBoard(Fraction(1, 2)).value() == Fraction(3, 256)


def test_danger_curve_needs_one_half() -> None:
    with pytest.raises(ParseError, match="odd"):
        study_parameters("danger-curve", steps=5)


def test_bigger_boards(runs: QuickRuns) -> None:
    _, report = runs["bigger-boards"]
    costs = {row["board"]: row for row in table(report, "costs")}
    assert costs["3x3"]["running states"] == 22_186
    assert costs["3x4"]["states"] == 2 * 3**12
    assert costs["3x4"]["peak, MB"] >= 3**12 * 8 / 1e6
    values = {(row["board"], row["world"]): row for row in table(report, "values")}
    assert values["3x4", "0"]["value"] == 1.0
    assert values["3x3", "blind"]["value"] == 3 / 256
    assert "agrees with the outcomes" in report.answers[0]


def test_bigger_boards_refuses_a_risk_on_top_of_a_risk() -> None:
    with pytest.raises(ParseError, match="without risk"):
        study_parameters("bigger-boards", boards="3x3:flip=0.1")


def test_lost_time(runs: QuickRuns) -> None:
    _, report = runs["lost-time"]
    fizzle = {(row["flip"], row["fizzle"]): row for row in table(report, "fizzle")}
    assert fizzle[0.0, 0.0]["value"] == 0.0
    assert fizzle[0.25, 0.0]["value"] == pytest.approx(2155 / 32768, abs=1e-12)
    # Where a mark is as likely the opponent's as one's own, every first cell is as good.
    assert fizzle[0.25, 0.5]["best first move"] == "any"
    fade = table(report, "fade")
    assert all(row["bound"] <= 1e-8 for row in fade)
    assert any(row["value"] > 0.05 for row in fade)
    still, *moving = table(report, "hazard")
    assert still["40 ticks"] == 0.0
    for row in moving:
        assert row["next change"] == pytest.approx(row["40 ticks"] - row["20 ticks"], abs=1e-15)
        assert abs(row["next change"]) < 0.02


def test_three_players(runs: QuickRuns) -> None:
    folder, report = runs["three-players"]
    drawn = (folder / "figures/kingmaking.svg").read_text(encoding="utf-8")
    assert ">1x5:k=2<" in drawn
    assert ">3x3:flip=0.1<" not in drawn  # a ten-thousandth between tie rules is not to be seen
    worth = {row["board"]: row for row in table(report, "worth")}
    assert worth["3x3"]["running boards"] == 173_098
    assert worth["3x3"]["draw"] == 1.0
    # Two opponents always beat the third who moves last on 2×4, and nobody on 3×3.
    assert worth["2x4:k=3"]["guarantee T"] == -0.5
    assert worth["3x3"]["guarantee T"] == 0.0
    odds = {(row["board"], row["ties"]): row for row in table(report, "kingmaking")}
    assert odds["1x5:k=2", "lowest"]["draw"] == 1.0
    assert odds["1x5:k=2", "uniform"]["X wins"] == pytest.approx(1 / 6, abs=1e-12)
    for row in table(report, "risk"):
        assert abs(sum(row[f"worth {mark}"] for mark in "XOT")) < 1e-12
        assert all(row[f"worth {mark}"] >= row[f"guarantee {mark}"] - 1e-12 for mark in "XOT")
    assert "T on 2x4:k=3" in report.answers[0]
    with pytest.raises(ParseError, match="without risk"):
        study_parameters("three-players", boards="3x3:flip=0.1")


def test_the_command_lists_runs_and_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["study", "--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [*NAMES, "all"]
    quick = ["--boards", "3x3", "--worlds", "0.1", "--games", "100"]
    assert main(["study", "bigger-boards", *quick, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["folder"] == "runs/bigger-boards-1"
    assert printed["tables"]["values"][0]["best first cells"] == "4"
    assert main(["study", "bigger-boards", *quick, "--out", "runs/bigger-boards-1"]) == 0
    assert "runs/bigger-boards-1/report.html" in capsys.readouterr().out
    assert main(["study", "bigger-boards", "--quick", "--out", "runs/bigger-boards-1"]) == 2
    assert "another config" in capsys.readouterr().err
    assert main(["study", "nothing"]) == 2
    assert "seven-worlds" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main(["study", "seven-worlds", "--games", "many"])
    assert "games=many" in capsys.readouterr().err


def test_a_command_says_what_was_changed() -> None:
    job = Study(name="danger-curve", parameters={"steps": 20})
    assert job.command == job.check().command == "noughts study danger-curve --steps 20"
