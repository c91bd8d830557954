"""What requests carry and what answers hold, as the schema tells it; `docs/api.md` explains it."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from noughts.web.settings import LONGEST_SPEC, MOST_MOVES

Mark = Literal["X", "O"]
Result = Literal["X", "O", "draw"]

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


class PlayRequest(Place):
    move: MoveNumber
    landing: LandingText | None = None
    seed: Seed | None = None


class MoveRequest(Place):
    agent: AgentText
    seed: Seed | None = None


class ValuesRequest(Place):
    agent: AgentText = "auto"


class WriteRequest(Place):
    seats: dict[Mark, Annotated[str, Field(max_length=LONGEST_SPEC)]]
    seconds: Annotated[list[Seconds], Field(max_length=MOST_MOVES)] = []


class ReadRequest(Request):
    text: Annotated[str, Field(min_length=1, max_length=2_000_000)]


class LearnMoveRequest(Place):
    seed: Seed | None = None


class TableRequest(Request):
    game: SpecText
    step: Literal["shrinking", "constant"] = "shrinking"


class StepRequest(Request):
    step: Literal["shrinking", "constant"]


class JobRequest(Request):
    kind: Annotated[str, Field(max_length=40, examples=["match"])]
    options: Annotated[dict[str, Any], Field(max_length=60)] = {}


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
    winning_line: list[int] | None
    forced: int | None
    owners: str | None
    odds: dict[str, list[float]] | None


class TurnAnswer(BaseModel):
    ply: int
    turn: Mark
    move: int
    cell: int
    wait: int
    landing: str
    kind: Literal["meant", "flip", "fizzle"]
    chance: float
    faded: list[int]
    board: str


class StatusAnswer(BaseModel):
    version: str
    ready: bool
    message: str
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


class OptionAnswer(BaseModel):
    key: str
    kind: str
    default: Any
    help: str
    low: float | None = None
    high: float | None = None
    choices: list[str] | None = None
    required: bool = False


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


class Outcome(BaseModel):
    landing: str
    chance: float


class PlayAnswer(BaseModel):
    turn: TurnAnswer
    seed: int
    outcomes: list[Outcome]
    position: PositionAnswer


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


class MoveValue(BaseModel):
    move: int
    cell: int
    wait: int
    value: float
    exact: bool
    best: bool


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
