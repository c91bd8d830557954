"""How much networks `noughts` of several widths learn from the same games.

    python benchmarks/zero_widths.py RUN [--late] [--steps 4000] [--seed 1]

RUN is a run of `noughts train ultimate zero`, whose memory is the lesson. Networks begin with
random weights, or with --late with those of the run, with as many hidden units and with twice as
many, at half the learning rate. All take the same steps; the losses are those of 60,000 positions
that none of them saw, the youngest of the memory: a run has not trained on its last games. They are
sums over chances: lower is better, and none can reach zero.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.zero.selfplay import Samples, fill_batch
from noughts.learn.zero.agent import learner_of
from noughts.learn.zero.folded.configurations import augmentation, features
from noughts.learn.zero.folded.learner import Settings, UltimateLearner
from noughts.learn.zero.folded.lessons import Positions, new_batch
from noughts.learn.zero.folded.network import Sizes, Weights, forward, grow

WIDTHS = (Sizes(128, 32), Sizes(256, 32), Sizes(128, 64), Sizes(128, 96))
UNSEEN, PART = 60_000, 4_000
ROUNDS = 40  # the learning rate falls from one to the next


def log_softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Logarithms of the chances that logits [B, n] stand for."""
    shifted = logits - logits.max(axis=1, keepdims=True)
    found: NDArray[np.float32] = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return found


def losses(weights: Weights, samples: Samples) -> NDArray[np.float64]:
    """The mean losses of policy and value over all samples."""
    found = []
    for first in range(0, len(samples.forced), PART):
        rows = np.arange(first, min(first + PART, len(samples.forced)))
        batch = new_batch(len(rows))
        fill_batch(samples, augmentation(), rows, np.zeros_like(rows), batch)
        _, _, legal, policy, odds = batch
        value, logits = forward(np, weights, features(), batch.boards, batch.forced)
        chances = log_softmax(np.where(legal, logits, np.float32(-1e9)))
        found.append([-(policy * chances).sum(), -(odds * log_softmax(value)).sum()])
    total: NDArray[np.float64] = np.sum(found, axis=0) / len(samples.forced)
    return total


def taught(
    sizes: Sizes, start: Weights | None, lesson: Samples, options: argparse.Namespace
) -> Weights:
    """The weights after so many steps on the lesson."""
    rate = Settings().rate * (1.0 if start is None else 0.5)
    settings = Settings(hidden=sizes.hidden, code=sizes.code, horizon=ROUNDS, rate=rate)
    learner = UltimateLearner(settings, options.seed)
    if start is not None:
        learner.trainer.restore(grow(start, options.seed, sizes), ())
    learner.memory = Positions(len(lesson.forced))
    learner.memory.add([lesson])
    for learner.games in range(ROUNDS):
        steps = options.steps * (learner.games + 1) // ROUNDS
        learner.memory.seen = -(-steps * settings.batch // settings.samples)  # so many are due
        learner.train()
    return learner.trainer.mean


def main() -> int:
    """Print one line for each width."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("--late", action="store_true")
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    run = learner_of(options.run).folded_learner
    samples = Samples(**run.memory.memory.in_order())
    lesson = Samples._make(array[:-UNSEEN] for array in samples)
    unseen = Samples._make(array[-UNSEEN:] for array in samples)
    start = run.trainer.mean if options.late else None
    doubled = run.sizes._replace(hidden=2 * run.sizes.hidden)
    if start is not None:
        print("before: {:.4f} {:.4f}".format(*losses(start, unseen)), flush=True)
    for sizes in (run.sizes, doubled) if options.late else WIDTHS:
        policy, value = losses(taught(sizes, start, lesson, options), unseen)
        print(f"hidden={sizes.hidden},code={sizes.code}: {policy:.4f} {value:.4f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
