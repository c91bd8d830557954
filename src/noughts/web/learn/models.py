"""What the addresses of the table take and answer; `docs/api.md` explains it."""

from typing import Literal

from pydantic import BaseModel

from noughts.web.models import (
    Mark,
    MoveAnswer,
    Place,
    Request,
    Result,
    Seed,
    SpecText,
)


class LearnMoveRequest(Place):
    seed: Seed | None = None


class TableRequest(Request):
    game: SpecText
    step: Literal["shrinking", "constant"] = "shrinking"


class StepRequest(Request):
    step: Literal["shrinking", "constant"]


class TableName(BaseModel):
    name: str


class TablesAnswer(BaseModel):
    tables: list[TableName]


class Odds(BaseModel):
    win: float
    draw: float
    loss: float


class SeatStrength(BaseModel):
    optimal: Odds
    random: Odds


class Strength(BaseModel):
    X: SeatStrength
    O: SeatStrength  # noqa: E741 - it is the mark


class StrengthPoint(BaseModel):
    games: int
    strength: Strength


class TableAnswer(BaseModel):
    name: str
    game: str
    games: int
    step: Literal["shrinking", "constant"]
    step_size: float
    learned: int
    strength: Strength | None  # None: nobody worked it out yet
    first: Strength | None
    curve: list[StrengthPoint]


class TableValue(BaseModel):
    move: int
    value: float


class LearnMoveAnswer(MoveAnswer):
    values: list[TableValue]


class Change(BaseModel):
    ply: int
    seat: Mark
    board: str
    before: float
    after: float


class LessonAnswer(BaseModel):
    table: TableAnswer
    result: Result
    before: Strength
    after: Strength
    changes: list[Change]
