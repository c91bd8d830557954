"""The addresses of play: games, agents, positions, moves, values, analysis."""

import json
import secrets
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from noughts import __version__
from noughts.arena.record import read_landing
from noughts.web.engine.calls import engine_answer, engine_document
from noughts.web.engine.pool import Pool
from noughts.web.engine.routes import OFFHAND, route_of_move, route_of_values
from noughts.web.engine.tickets import Route
from noughts.web.models import GameRequest, MoveAnswer, Place
from noughts.web.play import models
from noughts.web.play.agents import agents_data
from noughts.web.play.boards import described_game, games_data
from noughts.web.play.places import (
    checked_landing,
    history_data,
    outcomes_of,
    position_data,
    positions_of,
    rng_of,
    turn_data,
)
from noughts.web.settings import (
    ANALYSIS_SECONDS,
    MOST_MOVES,
    MOST_OPTIONS,
    MOVE_SECONDS,
    VALUES_SECONDS,
)

FITS_SECONDS = 10.0

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
    elif not pool.is_warm:
        what = name or "the first engine"
        message = f"Compiling ahead: {what} ({min(done + 1, total)} of {total})."
    return {
        "version": __version__,
        "ready": pool.is_warm,
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
    pool: Pool = request.app.state.pool
    if pool.is_warm and pool.waiting == 0:  # a board is drawn before anything is compiled
        data = {"game": told["game"]}
        status, document = await engine_document(request, "fits", data, FITS_SECONDS, OFFHAND)
        if status == 200:
            told = told | {"agents": told["agents"] | json.loads(document)}
    return told


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


@router.post("/analysis", response_model=models.AnalysisAnswer)
async def analysis(request: Request, body: models.ValuesRequest) -> Response:
    """The evaluation of a whole game, and what every choice lost."""
    route = Route(is_heavy=True)
    return await engine_answer(request, "analysis", body.model_dump(), ANALYSIS_SECONDS, route)
