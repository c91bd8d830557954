"""What the addresses of play take and answer; `docs/api.md` explains it."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from noughts.games.view import GameView, LandingView, RiskView
from noughts.web.models import (
    AgentText,
    GameRequest,
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
    view: GameView
    board: str
    owners: list[str]
    risk: list[float]
    struck: bool
    values: bool
    opponent: str | None


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


class ExactAnswer(BaseModel):
    possible: bool
    ready: bool
    seconds: float | None
    reason: str | None


class LandingRequest(GameRequest):
    tick: Annotated[int, Field(ge=0, le=10**6, strict=True)] = 0


class GameAnswer(BaseModel):
    game: str
    name: str
    cells: int
    risk: RiskView
    takes_risk: bool  # whether a risk can be painted on its board
    exact: ExactAnswer
    agents: dict[str, str | None]
    unasked: list[str]  # agents of which it is not known yet whether they can play it
    view: GameView
    landing: LandingView | None
    wait_step: int  # between the numbers of a move and of the same move a tick later
    position: PositionAnswer


class AgentAnswer(BaseModel):
    name: str
    summary: str
    suggested: str
    values: bool  # whether it can be asked what moves are worth
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
    name: str
    cell: int
    wait: int
    value: float
    exact: bool
    best: bool
    spread: float | None  # standard error of an estimate, where there is one
    odds: list[float] | None  # X wins, a draw, O wins; where they are known
    low: float
    high: float
    known: str | None
    plies: int | None


class ValuesAnswer(BaseModel):
    agent: str
    source: str
    exact: bool
    value: float
    spread: float | None
    plies: int | None  # within which a known win is over
    seconds: float
    values: list[MoveValue]
    best: list[int]  # of estimates: those that chance may have made worse than the first
    clear: bool  # whether the best stand out: known, alike, or beyond the noise
    line: list[int] | None
    line_names: list[str] | None
    expected: list[str]  # how the game may go on, by who estimated it
    note: str
    compiled: bool
    final: bool  # False: better values can be had, or follow
    effort: str  # what went into an estimate, such as "2,000 simulations"


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
    best_names: list[str]
    best_value: float
    regret: float
    grade: Literal["blunder", "mistake", "slip"] | None
    luck: float
    exact: bool


class SplitAnswer(BaseModel):
    start: float
    cost: dict[Mark, float]  # what each seat's choices lost
    luck: float  # what the dice gave X
    rest: float  # 0 where all is known; elsewhere what the search thought better of
    end: float


class AnalysisAnswer(BaseModel):
    agent: str
    source: str
    exact: bool
    curve: list[CurvePoint]
    moves: list[JudgedMove]
    costliest: dict[Mark, list[int]]
    split: SplitAnswer


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
