"""The forms of the Lab: what a page may ask of a job, made from what the job declares.

So a new study, learner or option of a job has its line the day it is added. Made and checked in a
worker: descriptions may load numba. Here stand only the limits of a page, and what it proposes.
"""

import dataclasses
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from noughts.errors import ParseError
from noughts.games.grammar import parse_spec
from noughts.jobs import KINDS, Job
from noughts.jobs.train import SELF
from noughts.options import Listed, Option
from noughts.web.play.agents import check_text, page_agent
from noughts.web.play.places import page_game
from noughts.web.settings import LONGEST_SPEC

OFFERED = ("match", "tournament", "solve", "study", "train")
MOST_AGENTS = 12
MOST: dict[str, float] = {
    "seed": 2**32 - 1, "jobs": 16, "threads": 16, "move_time": 3600, "minutes": 1440,
    "checkpoints": 100, "agents": MOST_AGENTS,
}  # fmt: skip
MOST_GAMES = {"match": 20_000, "tournament": 20_000, "train": 10_000_000}
PROPOSED: dict[str, dict[str, Any]] = {
    "match": {"agents": ["uct:simulations=600", "alphabeta"]},
    "tournament": {
        "agents": ["random", "heuristic:depth=2", "uct:simulations=600", "alphabeta"],
        "games": 20,
    },
    "train": {"games": 20_000},
}
ALWAYS_PROPOSED = {"game": "3x3", "seed": 1}
LEFT_OUT = ("path", "settings", "learner", "study")  # a page chooses no file; variants are chosen
LEFT_OUT_KEYS = ("cluster",)


def job_kinds() -> list[dict[str, Any]]:
    """All forms, as the page reads them."""
    return [_kind_data(KINDS[kind]) for kind in OFFERED]


def _kind_data(job: type[Job]) -> dict[str, Any]:
    variants = None
    if job.has_variants:
        variants = [data for data in map(_variant_data, job.variants()) if data is not None]
    fields = [_line(option) for option in page_options(job)]
    return {"kind": job.kind, "summary": job.summary, "fields": fields, "variants": variants}


def _variant_data(variant: Listed[Any]) -> dict[str, Any] | None:
    try:
        fields = [_line(option) for option in variant.options]
    except ImportError:  # it needs a package that is not installed
        return None
    if variant.fault:
        return None
    return {"name": variant.name, "summary": variant.summary, "fields": fields}


def _line(option: Option) -> dict[str, Any]:
    empty = {"low": None, "high": None, "choices": None}
    return empty | option.to_dict() | {"required": option.required}


def page_options(job: type[Job]) -> list[Option]:
    """What a page may say of a job, with its limits and proposals."""
    return [
        _page_option(job.kind, option)
        for option in job.options()
        if option.kind not in LEFT_OUT and option.key not in LEFT_OUT_KEYS
    ]


def _page_option(kind: str, option: Option) -> Option:
    most = MOST_GAMES.get(kind) if option.key == "games" else MOST.get(option.key)
    high = option.high if most is None else min(option.high, most)
    proposed = (ALWAYS_PROPOSED | PROPOSED.get(kind, {})).get(option.key, option.default)
    return dataclasses.replace(option, high=high, default=proposed)


def read_form(kind: str, given: Mapping[str, Any]) -> Job:
    """The job that a form asks for; raises a sentence when it is wrong."""
    if kind not in OFFERED:
        raise ParseError(f"'{kind}' is not a kind of job; kinds: {', '.join(OFFERED)}.")
    job, rest = KINDS[kind], dict(given)
    options = page_options(job)
    if not job.has_variants:
        _allow(kind, rest, options)
        return job.of(_read(options, rest))
    name = rest.pop("name", None)
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST_SPEC:
        raise ParseError(f"name is a text of 1 to {LONGEST_SPEC} letters.")
    variant = job.variant(name)
    shared = {option.key for option in options}  # a name that the job uses belongs to the job
    own = [option for option in variant.options if option.key not in shared]
    _allow(f"{kind} {name}", rest, [*options, *own])
    said = _read([option for option in own if rest.get(option.key) is not None], rest)
    return job.of_variant(variant, said, _read(options, rest))


def _allow(what: str, given: Mapping[str, Any], options: Iterable[Option]) -> None:
    names = [option.key for option in options]
    stray = next((key for key in given if key not in names), None)
    if stray is not None:
        raise ParseError(f"'{what}' has no option '{stray}'; it has: {', '.join(names)}.")


def _read(options: Iterable[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    return {option.key: _read_one(option, given.get(option.key)) for option in options}


def _read_one(option: Option, value: Any) -> Any:
    """What JSON holds, as the option takes it; raises a sentence when it does not."""
    if value is None or (value == "" and option.kind != "text"):
        return option.default
    if (option.kind == "flag") != isinstance(value, bool):
        wanted = "is true or false" if option.kind == "flag" else f"takes a {option.kind}"
        raise ParseError(f"{option.key} {wanted}, not {value!r}.")
    if isinstance(value, str) and option.kind in ("whole", "number", "vector"):
        return option.read(value)
    if option.kind == "whole" and isinstance(value, float) and value.is_integer():
        value = int(value)
    return option.check(value)


def check_names(job: Job, runs: Path) -> None:
    """Refuse games, agents and files that a page may not name."""
    for option in job.options():
        value = getattr(job, option.key)
        if option.kind == "game":
            page_game(value)
        elif option.kind == "agents":
            for agent in value:
                page_agent(agent, runs)
        elif option.kind == "opponent" and value != SELF:
            page_agent(value, runs)
        elif option.kind == "learner":
            _check_learner(job, value, runs)


def _check_learner(job: Job, spec: str, runs: Path) -> None:
    """The texts of a learner may name files."""
    parsed = parse_spec(spec)
    for option in job.variant(parsed.name).options:
        if option.kind == "text" and option.key in parsed.options:
            check_text(option.key, parsed.options[option.key], runs)
