// What the page's scripts may rely on: the answers of the server, as its schema tells them.
// `check_types.py` writes the schema anew before each check.

import type { components } from "../../build/types/schema";

declare global {
  /** An answer of the server by its name in the schema. */
  type Answer<Name extends keyof components["schemas"]> = components["schemas"][Name];

  type Seat = "X" | "O";
  type Place = { game: string; start: string | null; moves: number[]; landings: (string | null)[] };
  type GameInfo = Answer<"GameAnswer"> & { spec: string };
  type Position = Answer<"PositionAnswer">;
  type Turn = Answer<"TurnAnswer"> & { thought?: Answer<"ThoughtAnswer"> | null };
  type MoveValue = Answer<"MoveValue">;

  interface Api {
    status(): Promise<Answer<"StatusAnswer">>;
    games(): Promise<Answer<"GamesAnswer">>;
    agents(): Promise<Answer<"AgentAnswer">[]>;
    game(spec: string, signal?: AbortSignal): Promise<GameInfo>;
    landing(spec: string, tick: number): Promise<Answer<"LandingView"> | null>;
    position(place: Place, signal?: AbortSignal): Promise<Answer<"HistoryAnswer">>;
    play(place: Place, move: number, seed: number, signal?: AbortSignal): Promise<Answer<"PlayAnswer">>;
    move(place: Place, agent: string, seed: number, signal?: AbortSignal): Promise<Answer<"MoveAnswer">>;
    values(place: Place, agent: string, onLine: (answer: Answer<"ValuesAnswer">) => void, signal?: AbortSignal): Promise<Answer<"ValuesAnswer">>;
    analysis(place: Place, agent: string, signal?: AbortSignal): Promise<Answer<"AnalysisAnswer">>;
    writeReplay(place: Place, seats: Record<Seat, string>): Promise<Answer<"FileText">>;
    readReplay(text: string): Promise<Answer<"RecordsAnswer">>;
    tables(): Promise<Answer<"TableName">[]>;
    table(name: string): Promise<Answer<"TableAnswer">>;
    makeTable(name: string, options: { game: string; step: string }): Promise<Answer<"TableAnswer">>;
    changeTable(name: string, options: { step: string }): Promise<Answer<"TableAnswer">>;
    tableMove(name: string, place: Place, seed: number, signal?: AbortSignal): Promise<Answer<"LearnMoveAnswer">>;
    tableGame(name: string, place: Place): Promise<Answer<"LessonAnswer">>;
    [name: string]: (...given: any[]) => Promise<any>; // of the Lab, whose rows differ from job to job
  }
}
