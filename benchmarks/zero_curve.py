"""How strong the network `noughts` was at each stage of its training, and which one to ship.

    python benchmarks/zero_curve.py RUN … --out FOLDER [--pairs 200] [--uct-games 100] [--ship]

A training may have several stages, each a run that started from the one before; name them in order.
Every snapshot that the runs kept plays the last one (kernel against kernel, 100 simulations, paired
openings of four random plies) and, with 100 simulations, `uct:simulations=2000`. A row goes to
FOLDER/curve.json as soon as it is known, and is not played again; the figure is
FOLDER/ultimate-zero.svg. `--ship` first writes the youngest network into the package, with the
command that made it and the log of its training, and adds the rated snapshots when they are played.
"""

import argparse
import json
import re
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import noughts
import noughts.learn.zero
from noughts.files import replacing
from noughts.games.game import Position
from noughts.kernels.zero.folded import FoldedNet
from noughts.learn.frame.runs import TrainingLog
from noughts.learn.zero.agent import learner_of
from noughts.learn.zero.folded.files import SHIPPED, save_folded
from noughts.learn.zero.folded.learner import GATE_PLIES, UltimateLearner, match
from noughts.learn.zero.folded.network import Sizes, Weights, fold
from noughts.learn.zero.folded.player import FoldedPlayer
from noughts.learn.zero.folded.training_record import (
    NAME,
    Chunk,
    Rating,
    TrainingRecord,
    chunks_of,
    save_record,
)
from noughts.studies.learning.ultimate_zero_figures import draw_strength

SIMULATIONS = 100
UCT = "uct:simulations=2000,exploration=0.7"
SEED = 1
SETTINGS: dict[str, Any] = {
    "zero": f"zero:simulations={SIMULATIONS}", "uct": UCT, "openings": GATE_PLIES, "seed": SEED,
}  # fmt: skip


def against_uct(net: FoldedNet, games: int) -> tuple[int, int, int]:
    """Won, drawn and lost by 100 simulations against UCT, in pairs from four random plies."""
    zero, uct = FoldedPlayer(simulations=SIMULATIONS, net=net), noughts.agent(UCT)
    tally = {"won": 0, "draw": 0, "lost": 0}
    for index in range(games):
        rng = np.random.default_rng([SEED, index // 2])
        position: Position = noughts.game("ultimate").start()
        for _ in range(GATE_PLIES):
            position = position.play(int(rng.choice(position.open_cells)))
        seat = "XO"[index % 2]
        zero.reset()
        uct.reset()
        while position.result is None:
            agent = zero if position.turn == seat else uct
            position = position.play(agent.choose(position, rng))
        result = position.result
        tally["draw" if result == "draw" else "won" if result == seat else "lost"] += 1
    return tally["won"], tally["draw"], tally["lost"]


@dataclass(frozen=True)
class Games:
    """How many games a snapshot plays."""

    pairs: int
    uct_games: int


class Curve:
    """The rated snapshots of a run; those that are in the file are not played again."""

    def __init__(self, folder: Path, numbers: Games, last: int) -> None:
        self._path = folder / "curve.json"
        # Rows against another last network, or with other numbers of games, do not count.
        self._facts = {**SETTINGS, **asdict(numbers), "last": last}
        self.rows: dict[int, Rating] = {}
        if self._path.exists():
            found = json.loads(self._path.read_text(encoding="utf-8"))
            if found["facts"] == self._facts:
                self.rows = {row["games"]: Rating(**row) for row in found["rows"]}

    def add(self, row: Rating) -> None:
        """Keep a row, also on the disk."""
        self.rows[row.games] = row
        with replacing(self._path) as file:
            rows = [asdict(rated) for rated in self.rows.values()]
            file.write(json.dumps({"facts": self._facts, "rows": rows}, indent=1) + "\n")


class Training:
    """One run after the other, each started from the last; games and minutes count through."""

    def __init__(self, runs: list[Path]) -> None:
        self.runs = runs
        self.stages: list[UltimateLearner] = [learner_of(run).folded_learner for run in runs]
        self.last = self.stages[-1]
        self.chunks: list[Chunk] = []
        self.snapshots: list[tuple[int, Weights]] = []
        before = 0
        for run, stage in zip(runs, self.stages, strict=True):
            for chunk in chunks_of(TrainingLog(run), stage.games):
                if before and chunk.games == stage.snapshot_games[0]:  # nobody to play first
                    chunk = replace(chunk, score=None, is_best=None)
                self.chunks.append(replace(chunk, games=chunk.games + before))
            for index, games in enumerate(stage.snapshot_games):
                self.snapshots.append((games + before, stage.snapshot(index)))
            before += stage.games
        self.games = before

    @property
    def made_by(self) -> str:
        """The commands of all stages; folders are called first, second, …"""
        names = ("first", "second", "third", "fourth")
        commands = []
        for index, (run, stage) in enumerate(zip(self.runs, self.stages, strict=True)):
            config = json.loads((run / "config.json").read_text(encoding="utf-8"))
            start = f"start={names[index - 1]}" if index else ""
            learner = re.sub(r"start=[^,]*", start, config["train"])
            if stage.sizes.code != Sizes().code and "code=" not in learner:
                learner += f"{',' if ':' in learner else ':'}code={stage.sizes.code}"
            command = f"noughts train ultimate {learner} --games {config['games']}"
            command += f" --seed {config['seed']}"
            if index + 1 < len(self.runs):
                command += f" --out {names[index]}"
            if stage.games < config["games"]:
                command += f", as it was after {stage.games} games"
            commands.append(command)
        return "; ".join(commands)


def ship(training: Training, rated: list[Rating]) -> None:
    """Write the last network and the record of its training into the package."""
    folder = Path(noughts.learn.zero.__file__).parent / "data"
    folder.mkdir(exist_ok=True)
    save_folded(folder / SHIPPED, training.last.trainer.mean, training.made_by)
    record = TrainingRecord(training.made_by, training.chunks, rated, SETTINGS)
    save_record(folder / NAME, record)


def main() -> int:
    """Rate the snapshots of a training."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--uct-games", type=int, default=100)
    parser.add_argument("--ship", action="store_true")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    training = Training(options.runs)
    numbers = Games(options.pairs, options.uct_games)
    curve = Curve(options.out, numbers, training.games)
    if options.ship:
        ship(training, list(curve.rows.values()))
    record = TrainingRecord("", training.chunks)
    for games, weights in training.snapshots:
        if games in curve.rows:
            continue
        net = fold(weights)
        row = Rating(
            games,
            round(record.minutes_at(games), 2),
            against_uct(net, numbers.uct_games),
            match(net, training.last.net, SEED, numbers.pairs),
        )
        curve.add(row)
        print(asdict(row), flush=True)
    rated = sorted(curve.rows.values(), key=lambda row: row.games)
    if options.ship:
        ship(training, rated)
    figure = draw_strength(TrainingRecord("", record.chunks, rated, SETTINGS))
    (options.out / "ultimate-zero.svg").write_text(figure.svg, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
