"""The addresses of the Lab: forms, runs, their progress as it happens, their files."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import FileResponse, Response, StreamingResponse
from starlette.concurrency import run_in_threadpool

from noughts.web.engine.calls import engine_answer, engine_document
from noughts.web.lab import models
from noughts.web.lab.folders import file_in
from noughts.web.lab.jobs import Jobs
from noughts.web.play.routes import OFFHAND
from noughts.web.problems import MEDIA_TYPE, Problem

router = APIRouter(prefix="/api/jobs", tags=["lab"])

CHECK_SECONDS = 30.0
LOOK_SECONDS, ALIVE_SECONDS = 0.3, 10.0
FILE_TYPES = {
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "html": "text/html",
    "svg": "image/svg+xml",
    "png": "image/png",
    "json": "application/json",
    "jsonl": "application/jsonl",
    "parquet": "application/vnd.apache.parquet",
}
# A report runs nothing and fetches nothing, whoever wrote the file.
SANDBOX = "sandbox allow-downloads; default-src 'none'; style-src 'unsafe-inline'; img-src data:"

Id = Annotated[str, Path(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$", examples=["match-1"])]


def _jobs(request: Request) -> Jobs:
    jobs: Jobs = request.app.state.jobs
    return jobs


@router.get("/kinds", response_model=models.KindsAnswer)
async def kinds(request: Request) -> Response:
    """The forms of all kinds of jobs."""
    forms = request.app.state.pool.forms
    if forms is not None and forms[0] == 200:  # nobody waits for an engine to say them again
        return Response(forms[1], media_type="application/json")
    return await engine_answer(request, "kinds", {}, CHECK_SECONDS, OFFHAND)


@router.get("", response_model=models.RunsAnswer)
def runs(request: Request) -> dict[str, Any]:
    """All runs, the newest first."""
    return {"runs": _jobs(request).listed()}


@router.post("", status_code=201, response_model=models.RunAnswer)
async def start(request: Request, body: models.JobRequest) -> Any:
    """Check a form and start its job."""
    jobs = _jobs(request)
    status, document = await engine_document(
        request, "plan", body.model_dump(), CHECK_SECONDS, OFFHAND
    )
    if status >= 400:
        return Response(document, status, media_type=MEDIA_TYPE)
    return await run_in_threadpool(jobs.start, json.loads(document))


@router.get("/{id}", response_model=models.RunAnswer)
def run(request: Request, id: Id) -> dict[str, Any]:
    """One run with what is known so far and its files."""
    return _jobs(request).describe(id, with_partial=True, with_files=True)


@router.post("/{id}/cancel", response_model=models.RunAnswer)
def cancel(request: Request, id: Id) -> dict[str, Any]:
    """Stop a run; it can be resumed."""
    return _jobs(request).cancel(id)


@router.post("/{id}/resume", response_model=models.RunAnswer)
async def resume(request: Request, id: Id) -> Any:
    """Go on with a run that was stopped, here or at the command line."""
    jobs = _jobs(request)
    plan, config = await run_in_threadpool(jobs.plan_noted, id)
    if not (await run_in_threadpool(jobs.describe, id))["can_resume"]:
        raise Problem(409, f"{id} cannot be resumed: it is running, or it is done.")
    if plan is None:
        data = {"config": config}
        status, document = await engine_document(request, "plan", data, CHECK_SECONDS, OFFHAND)
        if status >= 400:
            return Response(document, status, media_type=MEDIA_TYPE)
        plan = json.loads(document)
    return await run_in_threadpool(jobs.resume, id, plan)


@router.delete("/{id}", status_code=204, response_class=Response)
def delete(request: Request, id: Id) -> None:
    """Delete a run and its folder."""
    _jobs(request).delete(id)


@router.get("/{id}/files/{path:path}", response_class=FileResponse)
def download(
    request: Request, id: Id, path: str, download: Annotated[bool, Query()] = False
) -> FileResponse:
    """A file of a run."""
    found = file_in(_jobs(request).folder(id), path)
    if found is None:
        raise Problem(404, f"{id} has no file '{path}'.")
    kind = FILE_TYPES[found.suffix.lstrip(".")]
    place = "attachment" if download else "inline"
    headers = {"content-security-policy": SANDBOX, "cache-control": "no-cache"}
    return FileResponse(
        found, media_type=kind, headers=headers, filename=f"{id}-{found.name}",
        content_disposition_type=place,
    )  # fmt: skip


@router.get(
    "/{id}/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}, "description": "Progress as it is."}},
)
async def events(request: Request, id: Id) -> StreamingResponse:
    """The progress of a run as server-sent events, until it ends."""
    first = await run_in_threadpool(_jobs(request).describe, id, True)
    return StreamingResponse(
        _stream(request, id, first),
        media_type="text/event-stream",
        headers={"cache-control": "no-store"},
    )


async def _stream(request: Request, id: str, told: dict[str, Any]) -> AsyncIterator[str]:
    """One event at once, then one whenever something changed, and one at the end."""
    jobs, silence = _jobs(request), 0.0
    before = None
    while True:
        is_over = told["state"] not in ("waiting", "running")
        if is_over:
            yield _event("end", told)
            return
        key = (told["state"], told["done"], told["text"], told.get("partial"))
        if key != before:
            yield _event("progress", told)
            before, silence = key, 0.0
        elif silence >= ALIVE_SECONDS:
            yield ": still there\n\n"
            silence = 0.0
        await asyncio.sleep(LOOK_SECONDS)
        silence += LOOK_SECONDS
        if await request.is_disconnected() or request.app.state.is_closing:
            return
        try:
            told = await run_in_threadpool(jobs.describe, id, True)
        except Problem:  # it was deleted meanwhile
            return


def _event(name: str, data: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"
