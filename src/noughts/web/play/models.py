"""What the addresses of play take and answer; `docs/api.md` explains it."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from noughts.web.models import (
    AgentText,
    LandingText,
    Mark,
    MoveNumber,
    OptionAnswer,
    Place,
    PositionAnswer,
    Request,
    Result,
    Seconds,
    Seed,
    TurnAnswer,
)
from noughts.web.settings import LONGEST_SPEC, MOST_MOVES


class PlayRequest(Place):
    move: MoveNumber
    landing: LandingText | None = None
    seed: Seed | None = None


class MoveRequest(Place):
    agent: AgentText
    seed: Seed | None = None


class ValuesRequest(Place):
    agent: AgentText = "auto"
    quick: bool = False  # a first estimate, in a moment


class WriteRequest(Place):
    seats: dict[Mark, Annotated[str, Field(max_length=LONGEST_SPEC)]]
    seconds: Annotated[list[Seconds], Field(max_length=MOST_MOVES, default_factory=list)]


class ReadRequest(Request):
    text: Annotated[str, Field(min_length=1, max_length=2_000_000)]


class Preparation(BaseModel):
    what: str
    seconds: float  # that are left, about


class StatusAnswer(BaseModel):
    version: str
    ready: bool
    message: str
    preparing: list[Preparation]
    warming: str | None
    done: int
    total: int
    workers: int
    busy: int
    waiting: int
    limits: dict[str, Any]


class Card(BaseModel):
    spec: str
    name: str
    summary: str
    kind: str
    rows: int
    columns: int
    layers: int


class World(BaseModel):
    name: str
    summary: str
    cells: int | None
    seeded: bool


class Example(BaseModel):
    spec: str
    summary: str


class GamesAnswer(BaseModel):
    cards: list[Card]
    worlds: list[World]
    examples: list[Example]
    limits: dict[str, int]


class RiskAnswer(BaseModel):
    is_risky: bool
    flip: list[float]
    fizzle: list[float]
    fade: list[float]
    hazard: list[float]
    has_clock: bool
    limit: float | None
    turn_limit: float | None
    ticks: int
    tick_length: float


class ExactAnswer(BaseModel):
    possible: bool
    ready: bool
    seconds: float | None
    reason: str | None


class GameAnswer(BaseModel):
    game: str
    name: str
    kind: Literal["lines2d", "lines3d", "ultimate"]
    rows: int
    columns: int
    layers: int
    cells: int
    k: int | None
    misere: bool
    won: str | None
    tiebreak: str | None
    lines: list[list[int]]
    places: list[list[int]]
    risk: RiskAnswer
    symmetries: int | None
    orbits: list[int] | None
    exact: ExactAnswer
    agents: dict[str, str | None]
    position: PositionAnswer


class AgentAnswer(BaseModel):
    name: str
    summary: str
    suggested: str
    options: list[OptionAnswer]


class AgentsAnswer(BaseModel):
    agents: list[AgentAnswer]


class HistoryAnswer(BaseModel):
    position: PositionAnswer
    history: list[TurnAnswer]
    start: PositionAnswer
    positions: list[PositionAnswer]


class Outcome(BaseModel):
    landing: str
    chance: float


class PlayAnswer(BaseModel):
    turn: TurnAnswer
    seed: int
    outcomes: list[Outcome]
    position: PositionAnswer


class MoveValue(BaseModel):
    move: int
    cell: int
    wait: int
    value: float
    exact: bool
    best: bool
    low: float
    high: float
    known: str | None
    plies: int | None


class ValuesAnswer(BaseModel):
    agent: str
    source: str
    exact: bool
    value: float
    seconds: float
    values: list[MoveValue]
    best: list[int]
    line: list[int] | None
    note: str
    compiled: bool


class CurvePoint(BaseModel):
    ply: int
    turn: Mark
    value: float
    exact: bool


class JudgedMove(BaseModel):
    ply: int
    turn: Mark
    move: int
    value: float
    best: list[int]
    best_value: float
    regret: float
    luck: float
    exact: bool


class AnalysisAnswer(BaseModel):
    agent: str
    source: str
    exact: bool
    curve: list[CurvePoint]
    moves: list[JudgedMove]
    costliest: dict[Mark, list[int]]


class FileText(BaseModel):
    name: str
    text: str


class RecordAnswer(BaseModel):
    game: str
    seats: dict[Mark, str]
    moves: list[int]
    landings: list[str]
    opening: int
    result: Result
    reason: str | None
    seconds: list[float]
    nodes: list[int]


class RecordsAnswer(BaseModel):
    count: int
    games: list[RecordAnswer]
