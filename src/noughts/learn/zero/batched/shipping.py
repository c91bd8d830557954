"""From a run of training to the network that comes with the package.

    noughts train 3x3 zero:simulations=50,samples=16 --games 4096 --seed 1 --out runs/zero-3x3
    python -m noughts.learn.zero.batched.shipping runs/zero-3x3

Only the weights are kept, with the command that made them.
"""

import json
import sys
from pathlib import Path

from noughts.errors import NoughtsError
from noughts.learn.frame.runs import load_learner
from noughts.learn.zero.batched.networks import save_network, shipped_name
from noughts.learn.zero.batched.player import BatchedPlayer

FOLDER = Path(__file__).parent.parent / "data"


def ship(run: Path, folder: Path = FOLDER) -> Path:
    """Write the network of a run's youngest checkpoint; where it is."""
    player = load_learner(str(run), "zero").player()
    if not isinstance(player, BatchedPlayer):
        raise NoughtsError(f"{run} did not train a network that is read in batches.")
    assert player.game is not None
    assert player.network is not None
    assert player.weights is not None
    config = json.loads((run / "config.json").read_text(encoding="utf-8"))
    facts = " ".join(f"{key}={config[key]}" for key in ("game", "train", "games", "seed"))
    path = folder / shipped_name(player.game)
    save_network(path, player.game, player.network, player.weights, facts)
    return path


if __name__ == "__main__":
    for name in sys.argv[1:]:
        ship(Path(name))
