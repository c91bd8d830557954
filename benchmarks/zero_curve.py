"""How strong the network `noughts` was at each stage of its training, and which one to ship.

    python benchmarks/zero_curve.py RUN --out FOLDER [--pairs 200] [--uct-games 100] [--ship]

Every snapshot that the run kept plays the last one (kernel against kernel, 100 simulations, paired
openings of four random plies) and, with 100 simulations, `uct:simulations=2000`. The table goes to
FOLDER/curve.json and the terminal, the figure to FOLDER/ultimate-zero.svg. `--ship` writes the last
network into the package, with the command that made it.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import noughts
import noughts.learn.zero
from noughts.games.game import Position
from noughts.kernels.zero.folded import FoldedNet
from noughts.learn.runs import TrainingLog
from noughts.learn.zero.agent import learner_of
from noughts.learn.zero.folded_files import SHIPPED, save_folded
from noughts.learn.zero.folded_network import fold
from noughts.learn.zero.folded_player import FoldedPlayer
from noughts.learn.zero.ultimate_learner import UltimateLearner, match
from noughts.report import draw_figure
from noughts.report.figure import O_COLOUR, X_COLOUR
from noughts.solve.simulation import wilson

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

UCT = "uct:simulations=2000,exploration=0.7"
SEED = 1


def against_uct(net: FoldedNet, games: int) -> float:
    """The score of 100 simulations against UCT, in pairs from four random plies."""
    zero, uct = FoldedPlayer(simulations=100, net=net), noughts.agent(UCT)
    points = 0.0
    for index in range(games):
        rng = np.random.default_rng([SEED, index // 2])
        position: Position = noughts.game("ultimate").start()
        for _ in range(4):
            position = position.play(int(rng.choice(position.open_cells)))
        seat = "XO"[index % 2]
        zero.reset()
        uct.reset()
        while position.result is None:
            agent = zero if position.turn == seat else uct
            position = position.play(agent.choose(position, rng))
        points += 1.0 if position.result == seat else 0.5 if position.result == "draw" else 0.0
    return points / games


def seconds_at(log: TrainingLog, games: int) -> float:
    """How long learning had taken after so many games."""
    return sum(line["seconds"] for line in log.lines if line["result"]["games"] <= games)


def draw(canvas: "Canvas", rows: list[dict[str, Any]]) -> None:
    """Two curves over the minutes of training."""
    axes = canvas.add_subplot()
    minutes = [row["minutes"] for row in rows]
    uct, last = [row["against_uct"] for row in rows], [row["against_last"] for row in rows]
    axes.plot(minutes, uct, color=X_COLOUR, marker="o", label=f"100 simulations against {UCT}")
    axes.plot(minutes, last, color=O_COLOUR, marker="s", label="against the last network")
    axes.set_xlabel("minutes of training on two cores")
    axes.set_ylabel("score")
    axes.set_ylim(0, 1)
    axes.legend(loc="lower right")


def main() -> int:
    """Rate the snapshots of a run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--uct-games", type=int, default=100)
    parser.add_argument("--ship", action="store_true")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    learner: UltimateLearner = learner_of(options.run).folded_learner
    if options.ship:
        config = json.loads((options.run / "config.json").read_text())
        command = f"noughts train ultimate {config['train']} --games {config['games']}"
        folder = Path(noughts.learn.zero.__file__).parent / "data"
        folder.mkdir(exist_ok=True)
        made_by = f"{command} --seed {config['seed']}"
        if learner.games < config["games"]:
            made_by += f", as it was after {learner.games} games"
        save_folded(folder / SHIPPED, learner.playing_weights, made_by)
        return 0
    log, last, rows = TrainingLog(options.run), learner.net, []
    for index, games in enumerate(learner.snapshot_games):
        net = fold(learner.snapshot(index))
        wins, draws, losses = match(net, last, SEED, options.pairs)
        score = (wins + draws / 2) / (wins + draws + losses)
        row = {
            "games": games,
            "minutes": seconds_at(log, games) / 60,
            "against_last": score,
            "interval": wilson(round(2 * wins + draws), 2 * (wins + draws + losses)),
            "against_uct": against_uct(net, options.uct_games),
        }
        rows.append(row)
        print({key: value for key, value in row.items() if key != "interval"}, flush=True)
    (options.out / "curve.json").write_text(json.dumps(rows, indent=1) + "\n")
    caption = "Strength of the network noughts over its training."
    figure = draw_figure("ultimate-zero", caption, lambda canvas: draw(canvas, rows))
    (options.out / "ultimate-zero.svg").write_text(figure.svg)
    return 0


if __name__ == "__main__":
    sys.exit(main())
