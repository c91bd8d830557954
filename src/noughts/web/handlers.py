"""Lets every error leave the app as a problem."""

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from noughts.errors import NoughtsError
from noughts.web.problems import (
    MEDIA_TYPE,
    TITLES,
    UNREADABLE,
    Problem,
    problem_data,
    title_of,
)


def install(app: FastAPI) -> None:
    """Let every error of the app leave it as a problem."""
    app.add_exception_handler(Problem, _tell_problem)
    app.add_exception_handler(NoughtsError, _tell_noughts)
    app.add_exception_handler(RequestValidationError, _tell_invalid)
    app.add_exception_handler(HTTPException, _tell_http)


def _answer(data: dict[str, Any], headers: Mapping[str, str] | None = None) -> JSONResponse:
    return JSONResponse(data, data["status"], dict(headers or {}), media_type=MEDIA_TYPE)


async def _tell_problem(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Problem)
    return _answer(problem_data(error.status, error.title, error.detail), error.headers)


async def _tell_noughts(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, NoughtsError)
    return _answer(problem_data(422, title_of(error), str(error)))


async def _tell_invalid(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = list(first["loc"])
    if first["type"] == "json_invalid":
        return _answer(problem_data(400, TITLES[400], "The body of the request is not JSON."))
    field = ".".join(map(str, where[1:])) or "The request"
    reason = str(first["msg"]).removeprefix("Value error, ").rstrip(".")
    return _answer(problem_data(422, UNREADABLE, f"{field}: {reason}.", where))


async def _tell_http(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    title = TITLES.get(error.status_code, "Not possible")
    detail = {
        404: "There is nothing at this address.",
        405: "This address takes another method.",
    }.get(error.status_code, str(error.detail))
    return _answer(problem_data(error.status_code, title, detail), error.headers)
