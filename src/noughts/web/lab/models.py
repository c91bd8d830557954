"""What the addresses of the Lab take and answer; `docs/api.md` explains it."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from noughts.web.models import (
    OptionAnswer,
    Request,
)


class JobRequest(Request):
    kind: Annotated[str, Field(max_length=40, examples=["match"])]
    options: Annotated[dict[str, Any], Field(max_length=60, default_factory=dict)]


class FormField(OptionAnswer):
    required: bool


class VariantAnswer(BaseModel):
    name: str
    summary: str
    fields: list[FormField]


class KindAnswer(BaseModel):
    kind: str
    summary: str
    fields: list[FormField]
    variants: list[VariantAnswer] | None


class KindsAnswer(BaseModel):
    kinds: list[KindAnswer]


class FileAnswer(BaseModel):
    path: str
    size: int
    kind: str


class RunSummary(BaseModel):
    id: str
    kind: str
    title: str
    state: Literal["waiting", "running", "done", "stopped", "failed"]
    message: str | None
    done: int
    total: int
    text: str
    seconds: float | None
    started: str | None
    changed: str
    from_page: bool
    can_resume: bool
    options: Any
    command: str | None


class RunAnswer(RunSummary):
    partial: dict[str, Any] = {}
    files: list[FileAnswer] = []


class RunsAnswer(BaseModel):
    runs: list[RunSummary]
