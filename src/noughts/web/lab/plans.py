"""From a form to work: the checked plan of a job, its name, its command line, and doing it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noughts.errors import ParseError
from noughts.web.lab.forms import check_fits, check_opponent, learner_spec, read_form
from noughts.web.play.agents import check_text
from noughts.web.play.places import page_game

if TYPE_CHECKING:
    from noughts.learn.training import Plan as TrainingPlan

Plan = dict[str, Any]  # {"kind", "name" of the folder, "title", "command", "options", "total"}
Progress = Callable[[int, int, str], None]


def plan_job(kind: str, options: Mapping[str, Any], runs: Path) -> Plan:
    """Check a form; everything that is needed to run it later, as plain data."""
    checked = read_form(kind, options, runs)
    told: Plan = {"kind": kind, "options": checked}
    if kind in ("match", "tournament"):
        check_fits(checked, runs)
        agents = checked.get("agents") or [checked["first"], checked["second"]]
        command = f"noughts {kind} {checked['game']} {' '.join(agents)} --games {checked['games']}"
        told |= {"name": kind, "title": f"{' – '.join(agents)} on {checked['game']}"}
        return told | {"command": f"{command} --seed {checked['seed']}"}
    if kind == "solve":
        from noughts.games.registry import game as read_game
        from noughts.solve.limits import check_solvable

        game = check_solvable(read_game(checked["game"]))
        method = "" if checked["method"] == "auto" else f" --method {checked['method']}"
        return told | {
            "name": "solve",
            "title": f"the values of {game}",
            "command": f"noughts solve {game}{method}",
        }
    if kind == "study":
        return told | _plan_study(checked)
    checked["learner"] = learner_spec(checked, runs)
    checked["opponent"] = check_opponent(checked["opponent"], runs)
    return told | _plan_training(checked)


def _plan_study(checked: Plan) -> Plan:
    from noughts.studies import study_command, study_parameters

    name = checked["name"]
    own = {key: tuple(v) if isinstance(v, list) else v for key, v in checked["own"].items()}
    parameters = study_parameters(name, checked["quick"], **own)
    command = study_command(name, parameters)
    return {"name": name, "title": f"study {name}", "command": command}


def _plan_training(checked: Plan) -> Plan:
    plan = _training(checked)
    title = f"{plan.learner} learns {plan.game}"
    return {"name": plan.learner.name, "title": title, "command": plan.command}


def _training(options: Plan) -> "TrainingPlan":
    from noughts.learn.training import make_plan

    return make_plan(
        options["game"],
        options["learner"],
        games=options["games"],
        minutes=options["minutes"],
        seed=options["seed"],
        opponent=options["opponent"],
        checkpoints=options["checkpoints"],
    )


def plan_of_config(config: Mapping[str, Any], runs: Path) -> Plan:
    """The plan of a run that the command line began, from its config."""
    arena = {key: config.get(key) for key in ("games", "seed", "openings", "move_time")}
    try:
        if "match" in config:
            first, second = config["agents"]
            given = arena | {"game": config["match"], "first": first, "second": second}
            return plan_job("match", given, runs)
        if "tournament" in config:
            given = arena | {"game": config["tournament"], "agents": list(config["agents"])}
            return plan_job("tournament", given, runs)
        if "study" in config:
            return plan_job("study", {"name": config["study"], **config["parameters"]}, runs)
        if "train" in config:
            return _plan_of_training(config, runs)
        if "solve" in config:
            given = {"game": config["solve"], "method": config["method"]}
            return plan_job("solve", given, runs)
    except (KeyError, TypeError, ValueError):
        raise ParseError("The config of this run cannot be read.") from None
    raise ParseError("This run has no config that the page knows; go on with it in a terminal.")


def _plan_of_training(config: Mapping[str, Any], runs: Path) -> Plan:
    from noughts.learn.registry import learner as read_learner
    from noughts.options import options_of

    learner = read_learner(config["train"])
    for option in options_of(learner):
        value = getattr(learner, option.key)
        if option.kind == "text" and value is not None:
            check_text(option.key, value, runs)
    keys = ("games", "minutes", "seed", "checkpoints")
    checked = {key: config[key] for key in keys} | {"learner": str(learner)}
    checked["game"] = str(page_game(config["game"]))
    checked["opponent"] = check_opponent(config["opponent"], runs)
    return {"kind": "train", "options": checked} | _plan_training(checked)


def carry_out(plan: Plan, folder: Path, progress: Progress) -> Plan:
    """Do the work of a plan in its folder; answers and facts for the page."""
    return _WORK[plan["kind"]](plan["options"], folder, progress)


def _match(options: Plan, folder: Path, progress: Progress) -> Plan:
    from noughts.arena import match
    from noughts.report.run import write_report
    from noughts.web.lab.reports import match_report

    result = match(
        options["game"],
        options["first"],
        options["second"],
        options["games"],
        options["seed"],
        openings=options["openings"],
        move_time=options["move_time"],
        jobs=options["jobs"],
        folder=folder,
        progress=progress,
    )
    report = match_report(result)
    write_report(folder, report)
    return {"answers": report.answers, "facts": result.to_dict()}


def _tournament(options: Plan, folder: Path, progress: Progress) -> Plan:
    from noughts.arena import tournament

    played = tournament(
        options["game"],
        options["agents"],
        options["games"],
        options["seed"],
        openings=options["openings"],
        move_time=options["move_time"],
        jobs=options["jobs"],
        folder=folder,
        progress=progress,
    )
    return {"answers": played.report().answers}


def _solve(options: Plan, folder: Path, progress: Progress) -> Plan:
    from noughts.report.run import Run, write_report
    from noughts.solve import solve
    from noughts.web.lab.reports import solution_report

    method = None if options["method"] == "auto" else options["method"]
    Run(folder, {"solve": options["game"], "method": options["method"]})
    solution = solve(options["game"], method, progress=progress)
    report = solution_report(solution)
    write_report(folder, report)
    start = solution.game.start()
    facts = {"value": solution.value(start), "best": list(solution.best_moves(start))}
    facts |= {"states": solution.states, "seconds": solution.seconds, "method": solution.method}
    return {"answers": report.answers, "facts": facts}


def _study(options: Plan, folder: Path, progress: Progress) -> Plan:
    from noughts.studies import run_study, study_parameters

    own = {key: tuple(v) if isinstance(v, list) else v for key, v in options["own"].items()}
    parameters = study_parameters(options["name"], options["quick"], **own)
    _, report = run_study(options["name"], parameters, folder, progress)
    return {"answers": report.answers}


def _train(options: Plan, folder: Path, progress: Progress) -> Plan:
    from noughts.learn.training import run_plan
    from noughts.learn.training_report import grade_sentences

    plan = _training(options)
    training = run_plan(plan, folder, progress)
    name = f"{plan.learner.name}:run={training.folder}"
    answers = [*grade_sentences(training.grades), f"Play it as `{name}`."]
    return {"answers": answers, "facts": {"games": training.games, "agent": name}}


_WORK: dict[str, Callable[[Plan, Path, Progress], Plan]] = {
    "match": _match,
    "tournament": _tournament,
    "solve": _solve,
    "study": _study,
    "train": _train,
}
