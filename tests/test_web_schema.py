"""Whatever a client sends, the server answers as its schema says and never breaks (schemathesis).

Texts drawn at random are hardly ever the names of games, so most requests get games and agents that
exist; all else stays as it was drawn.
"""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from web_server import AGES, Served, serving

from noughts.web.app import create_app
from noughts.web.settings import Settings

CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
GAMES = ("3x3", "3x3:flip=0.1", "3x3:fade=0.1", "ultimate", "3x3x3", "3x3:hazard=1,limit=2,ticks=3")
AGENTS = ("random", "uct:simulations=5", "fixed", "optimal", "heuristic", "uct:time=nan")
QUICK, FULL = 4, 90  # examples of each address

schema = schemathesis.openapi.from_dict(create_app(Settings()).openapi())
answered: list[int] = []


@schema.hook
def map_body(context: Any, body: Any) -> Any:
    """Name games and agents that exist, seven times of eight."""
    if not isinstance(body, dict):
        return body
    number = len(repr(body))
    if number % 8 and isinstance(body.get("game"), str):
        body["game"] = GAMES[number % len(GAMES)]
        body["moves"] = [4, 0, 8][: number % 4]
        body["landings"], body["start"] = [], None
    if number % 8 and isinstance(body.get("agent"), str):
        body["agent"] = AGENTS[number % len(AGENTS)]
    return body


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("runs")) as server:
        yield server


def _settings(examples: int) -> settings:
    return settings(
        max_examples=examples,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


@schema.parametrize()
@_settings(QUICK)
def test_every_address_keeps_its_word(case: Any, served: Served) -> None:
    case.call_and_validate(base_url=served.address, checks=CHECKS, timeout=AGES)


@pytest.mark.slow
@schema.parametrize()
@_settings(FULL)
def test_every_address_keeps_its_word_for_long(case: Any, served: Served) -> None:
    response = case.call_and_validate(base_url=served.address, checks=CHECKS, timeout=AGES)
    answered.append(response.status_code)


@pytest.mark.slow
def test_two_thousand_requests_were_made() -> None:
    assert len(answered) >= 2000
    assert max(answered) < 500
    assert answered.count(200) >= 200  # the others are refused, in a sentence
