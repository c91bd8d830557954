"""The addresses of the table that learns from a person."""

import asyncio
import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from noughts.learn.table.taught.files import forget_table, listed_tables, table_path
from noughts.web.engine.calls import engine_answer
from noughts.web.learn import models
from noughts.web.models import Place
from noughts.web.play.routes import LESSON, OFFHAND
from noughts.web.problems import Problem
from noughts.web.settings import LEARN_SECONDS

router = APIRouter(prefix="/api/learn", tags=["learn"])

Name = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$", examples=["mine"])]


def _lock(request: Request) -> asyncio.Lock:
    """Tables are taught one after the other, so that no lesson is lost."""
    lock: asyncio.Lock = request.app.state.lessons
    return lock


def _must_exist(name: str) -> None:
    if not table_path(name).exists():
        raise Problem(404, f"There is no table '{name}'; begin one first.")


@router.get("", response_model=models.TablesAnswer)
def tables() -> dict[str, Any]:
    """The tables there are."""
    return {"tables": [{"name": name} for name in listed_tables()]}


@router.put("/{name}", response_model=models.TableAnswer)
async def begin(request: Request, name: Name, body: models.TableRequest) -> Response:
    """Begin a table, or let it forget everything."""
    data = body.model_dump() | {"name": name}
    async with _lock(request):
        return await engine_answer(request, "learn-begin", data, LEARN_SECONDS, OFFHAND)


@router.get("/{name}", response_model=models.TableAnswer)
async def look(request: Request, name: Name) -> Response:
    """What a table has learned by now."""
    _must_exist(name)
    return await engine_answer(request, "learn-look", {"name": name}, LEARN_SECONDS, LESSON)


@router.patch("/{name}", response_model=models.TableAnswer)
async def change(request: Request, name: Name, body: models.StepRequest) -> Response:
    """Let a table learn on with another step."""
    _must_exist(name)
    data = {"name": name, "step": body.step}
    async with _lock(request):
        return await engine_answer(request, "learn-look", data, LEARN_SECONDS, LESSON)


@router.delete("/{name}", status_code=204, response_class=Response)
async def forget(request: Request, name: Name) -> None:
    """Delete a table."""
    async with _lock(request):
        if not forget_table(name):
            raise Problem(404, f"There is no table '{name}'.")


@router.post("/{name}/move", response_model=models.LearnMoveAnswer)
async def move(request: Request, name: Name, body: models.LearnMoveRequest) -> Response:
    """The table's move against a person."""
    _must_exist(name)
    data = body.model_dump() | {"name": name}
    if data["seed"] is None:
        data["seed"] = secrets.randbits(32)
    return await engine_answer(request, "learn-move", data, LEARN_SECONDS, OFFHAND)


@router.post("/{name}/games", response_model=models.LessonAnswer)
async def learn(request: Request, name: Name, body: Place) -> Response:
    """Teach the table one finished game: what changed, and how strong it is now."""
    _must_exist(name)
    data = body.model_dump() | {"name": name}
    async with _lock(request):
        return await engine_answer(request, "learn-game", data, LEARN_SECONDS, LESSON)
