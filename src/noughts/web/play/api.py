"""The addresses of play: games, agents, positions, moves, values, analysis."""

import secrets
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response, StreamingResponse
from starlette.concurrency import run_in_threadpool

from noughts import __version__
from noughts.arena.record import read_landing
from noughts.games.view import LandingView
from noughts.web.engine.calls import engine_answer
from noughts.web.engine.pool import Pool
from noughts.web.engine.tickets import Route
from noughts.web.models import GameRequest, MoveAnswer, Place
from noughts.web.play import models
from noughts.web.play.agents import agents_data, page_listings
from noughts.web.play.described import described_game, games_data, is_learned
from noughts.web.play.fits import Fits
from noughts.web.play.places import (
    checked_landing,
    history_data,
    landing_data,
    outcomes_of,
    page_game,
    position_data,
    positions_of,
    rng_of,
    turn_data,
)
from noughts.web.play.routes import route_of_move, route_of_values
from noughts.web.play.streams import LINES, values_stream
from noughts.web.play.values import AUTO
from noughts.web.settings import (
    ANALYSIS_SECONDS,
    MOST_MOVES,
    MOST_OPTIONS,
    MOVE_SECONDS,
    VALUES_SECONDS,
)

router = APIRouter(prefix="/api", tags=["play"])


@router.get("/status", response_model=models.StatusAnswer)
async def status(request: Request) -> dict[str, Any]:
    """Whether everything is compiled, and how busy the engines are."""
    pool: Pool = request.app.state.pool
    name, done, total = pool.warming
    preparing = pool.preparing
    message = "Ready."
    if preparing:
        what, seconds = max(preparing, key=lambda row: row[1])
        message = f"Preparing {what}: about {seconds:.0f} s."
    elif not pool.is_up:
        message = "The engines are starting."
    elif not pool.is_warm:
        what = name or "the first engine"
        message = f"Compiling ahead: {what} ({min(done + 1, total)} of {total})."
    return {
        "version": __version__,
        "ready": pool.is_warm and pool.is_up,
        "message": message,
        "preparing": [{"what": what, "seconds": seconds} for what, seconds in preparing],
        "warming": name,
        "done": done,
        "total": total,
        "workers": pool.size,
        "busy": pool.busy,
        "waiting": pool.waiting,
        "limits": {
            "moves": MOST_MOVES,
            "seconds": {
                "move": MOVE_SECONDS,
                "values": VALUES_SECONDS,
                "analysis": ANALYSIS_SECONDS,
            },
            "options": MOST_OPTIONS,
        },
    }


@router.get("/games", response_model=models.GamesAnswer)
def games() -> dict[str, Any]:
    """The games of the chooser, the named worlds, and examples of specs."""
    return games_data()


@router.post("/game", response_model=models.GameAnswer)
async def game(request: Request, body: GameRequest) -> dict[str, Any]:
    """Everything about one game that a drawing needs."""
    told = await run_in_threadpool(described_game, body.game)
    fits: Fits = request.app.state.fits
    found = await fits.refusals(told["game"])
    unasked = [row.name for row in page_listings() if is_learned(row) and row.name not in found]
    return told | {"agents": told["agents"] | found, "unasked": unasked}


@router.post("/landing", response_model=LandingView | None)
def landing(body: models.LandingRequest) -> dict[str, Any] | None:
    """How a mark lands in every cell at a time of the clock; null where nothing is risky."""
    return landing_data(page_game(body.game), body.tick)


@router.get("/agents", response_model=models.AgentsAnswer)
def agents() -> dict[str, Any]:
    """Who can sit opposite, with a form of their options."""
    return agents_data()


@router.post("/position", response_model=models.HistoryAnswer)
def position(body: Place) -> dict[str, Any]:
    """Where a game stands after its moves."""
    place = body.model_dump()
    positions = positions_of(place)
    told = [position_data(position, ply) for ply, position in enumerate(positions)]
    return {
        "position": told[-1],
        "history": history_data(place, positions),
        "start": told[0],
        "positions": told,
    }


@router.post("/play", response_model=models.PlayAnswer)
def play(body: models.PlayRequest) -> dict[str, Any]:
    """A person's move: the landing that is forced, or one drawn from the seed."""
    positions = positions_of(body.model_dump())
    before, ply = positions[-1], len(positions) - 1
    move = before.check_move(body.move)
    seed = secrets.randbits(32) if body.seed is None else body.seed
    forced = None if body.landing is None else read_landing(body.landing)
    if forced is not None:
        checked_landing(before, move, forced)
        landing, after = forced, before.play(move, forced)
    else:
        landing, after = before.sample(move, rng_of(seed, ply, 0))
    return {
        "turn": turn_data(before, move, landing, after, ply),
        "seed": seed,
        "outcomes": outcomes_of(before, move),
        "position": position_data(after, ply + 1),
    }


@router.post("/move", response_model=MoveAnswer)
async def move(request: Request, body: models.MoveRequest) -> Response:
    """An agent's move and how it landed."""
    data = body.model_dump()
    if data["seed"] is None:
        data["seed"] = secrets.randbits(32)
    route = route_of_move(body.agent, body.game)
    return await engine_answer(request, "move", data, MOVE_SECONDS, route)


@router.post("/values", response_model=models.ValuesAnswer)
async def values(request: Request, body: models.ValuesRequest) -> Response:
    """What every legal move is worth, for X; `quick` for an estimate in a moment."""
    route = route_of_values(body.agent, body.game, body.quick)
    return await engine_answer(request, "values", body.model_dump(), VALUES_SECONDS, route)


@router.post(
    "/values/stream",
    response_class=StreamingResponse,
    responses={200: {"content": {LINES: {}}, "description": "A line of values after the other."}},
)
async def values_as_they_come(request: Request, body: models.ValuesRequest) -> Response:
    """The same line by line, each better than the one before; `final` is true in the last."""
    data = body.model_dump()
    route = route_of_values(body.agent, body.game, body.quick)
    has_first = body.agent == AUTO and not body.quick
    return await values_stream(request, data, VALUES_SECONDS, route, has_first)


@router.post("/analysis", response_model=models.AnalysisAnswer)
async def analysis(request: Request, body: models.ValuesRequest) -> Response:
    """The evaluation of a whole game, and what every choice lost."""
    route = Route(is_heavy=True)
    return await engine_answer(request, "analysis", body.model_dump(), ANALYSIS_SECONDS, route)
