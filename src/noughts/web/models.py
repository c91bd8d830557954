"""What requests and answers of all parts have in common, as the schema tells it.

What is drawn is told as `games/view.py` has it: its dataclasses stand in the schema as they are.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from noughts.games.game import Mark as Mark
from noughts.games.game import Result as Result
from noughts.games.view import PositionView
from noughts.web.settings import LONGEST_SPEC, MOST_MOVES

SpecText = Annotated[str, Field(min_length=1, max_length=LONGEST_SPEC, examples=["3x3:flip=0.1"])]
MoveNumber = Annotated[int, Field(ge=0, lt=10**9, strict=True)]
LandingText = Annotated[
    str, Field(pattern=r"^[XO-](:[0-9]{1,3}(/[0-9]{1,3}){0,399})?$", examples=["X", "O:3/4"])
]
Seed = Annotated[int, Field(ge=0, lt=2**53, strict=True)]
Seconds = Annotated[float, Field(ge=0, le=1e9)]
AgentText = Annotated[str, Field(min_length=1, max_length=LONGEST_SPEC, examples=["alphabeta"])]


class Request(BaseModel):
    """Unknown fields are refused: a misspelt one would be ignored without a word."""

    model_config = ConfigDict(extra="forbid")


class GameRequest(Request):
    game: SpecText


class Place(GameRequest):
    """Where a game stands."""

    start: Annotated[str, Field(min_length=1, max_length=2000)] | None = None
    moves: Annotated[list[MoveNumber], Field(max_length=MOST_MOVES)] = []
    landings: Annotated[list[LandingText | None], Field(max_length=MOST_MOVES)] = []


class ProblemAnswer(BaseModel):
    """What every error looks like."""

    type: str
    title: str
    status: int
    detail: str
    where: list[str | int] | None = None


class PositionAnswer(BaseModel):
    game: str
    text: str
    board: str
    turn: Mark
    result: Result | None
    ply: int
    moves: list[int] | None
    open_cells: list[int]
    last: int | None
    tick: int
    longest_wait: int
    odds: dict[str, list[float]] | None
    view: PositionView


class TurnAnswer(BaseModel):
    ply: int
    turn: Mark
    move: int
    name: str
    cell: int
    wait: int
    landing: str
    kind: Literal["meant", "flip", "fizzle"]
    chance: float
    faded: list[int]
    board: str


class ThoughtAnswer(BaseModel):
    nodes: int
    depth: int
    seconds: float
    memory: int
    value: float | None
    exact: bool
    note: str


class MoveAnswer(BaseModel):
    agent: str
    turn: TurnAnswer
    seed: int
    thought: ThoughtAnswer | None
    position: PositionAnswer
    compiled: bool = True  # False: interpreted, because that was sooner


class OptionAnswer(BaseModel):
    key: str
    kind: str
    default: Any
    help: str
    low: float | None = None
    high: float | None = None
    choices: list[str] | None = None
    required: bool = False
