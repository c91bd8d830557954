"""The app of `noughts serve`: the page at `/`, JSON under `/api`, the schema at `/docs`."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles
from starlette.concurrency import run_in_threadpool
from starlette.routing import Match, Mount

from noughts import __version__
from noughts.solve.written.store import sweep_home
from noughts.web import handlers, models
from noughts.web.engine.pool import Pool
from noughts.web.guard import Guard
from noughts.web.lab import api as lab_api
from noughts.web.lab.jobs import Jobs
from noughts.web.learn import api as learn_api
from noughts.web.play import api as play_api
from noughts.web.play import replay_api
from noughts.web.play.fits import Fits
from noughts.web.problems import MEDIA_TYPE
from noughts.web.settings import Settings

_PROBLEM: dict[str, Any] = {
    "model": models.ProblemAnswer,
    "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemAnswer"}}},
}
RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {**_PROBLEM, "description": description}
    for status, description in (
        (400, "The body is not JSON."),
        (403, "Another site or another host name asked."),
        (413, "The body is too long."),
        (415, "The body is not declared as JSON."),
        (404, "There is no such run, table or file."),
        (409, "It is running, or cannot be changed now."),
        (422, "The input is wrong, or more than a page may ask for."),
        (429, "Too many requests are waiting."),
        (507, "The disk is full, or may not be written."),
    )
}


def create_app(settings: Settings) -> FastAPI:
    """The app with its workers, which start when it does."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.lessons = asyncio.Lock()
        app.state.pool = Pool(settings.workers, settings.runs, settings.warms_up)
        app.state.fits = Fits(app.state.pool)
        app.state.jobs = Jobs(settings.runs, settings.running_jobs)
        app.state.is_closing = False
        await run_in_threadpool(sweep_home)
        app.state.jobs.take_up()
        try:
            yield
        finally:
            app.state.is_closing = True
            app.state.jobs.close()
            app.state.pool.close()

    app = FastAPI(
        title="Noughts",
        version=__version__,
        description="The tic-tac-toe family: play, values, learning, experiments.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        responses=RESPONSES,
    )
    app.state.settings = settings
    handlers.install(app)
    for module in (play_api, replay_api, learn_api, lab_api):
        app.include_router(module.router)
    _add_pages(app)
    app.add_middleware(Guard, settings=settings)
    return app


def _add_pages(app: FastAPI) -> None:
    here = Path(str(files("noughts.web")))

    @app.get("/docs", include_in_schema=False)
    def reference() -> FileResponse:
        return FileResponse(here / "reference" / "index.html")

    app.mount("/docs", StaticFiles(directory=here / "reference"), name="reference")
    page = StaticFiles(directory=here / "static", html=True)
    app.router.routes.append(_PageMount("/", page, name="page"))


class _PageMount(Mount):
    """Everything but the API: a wrong method there is told as such, not as a missing file."""

    def matches(self, scope: Any) -> tuple[Match, Any]:
        if scope.get("path", "").startswith("/api"):
            return Match.NONE, {}
        return super().matches(scope)
