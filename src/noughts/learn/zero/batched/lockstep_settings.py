"""How a lockstep search is run, and the presets that have names."""

from dataclasses import dataclass, replace
from typing import Literal


@dataclass(frozen=True)
class SearchSettings:
    """One search, and how self-play chooses a move from it.

    Self-play explores by one of: Gumbel noise (`root="gumbel"`, all game long); a temperature of 1
    for the first `warm_moves` moves and Dirichlet noise in the root's priors; or R5's ε-choice.
    """

    simulations: int = 600
    root: Literal["puct", "gumbel"] = "puct"
    exploration: float = 1.25  # c of PUCT
    parent_share: float = 1.0  # Q of a move never visited: this share of the parent's value ...
    reduction: float = 0.25  # ... less this
    leaves: int = 1  # of one game in a batch, under virtual loss
    reuse: bool = False  # keep the subtree of the move that was played
    considered: int = 16  # moves that sequential halving starts with
    gumbel: float = 0.0  # scale of the Gumbel noise
    dirichlet: float = 0.0  # share of Dirichlet noise in the priors of the root
    alpha: float = 0.8  # its concentration
    warm_moves: int = 0  # plies that are drawn by visits
    epsilon: float = 0.0  # one of the moves within this share of visits of the best is drawn


# R5: c = 2, 600 simulations, Q = 0 before the first visit, ε-choice and no other noise.
R5 = SearchSettings(exploration=2.0, parent_share=0.0, reduction=0.0, epsilon=0.05)
# Self-play with few simulations: the default of batched training.
GUMBEL = SearchSettings(simulations=32, root="gumbel", gumbel=1.0)
# Self-play in AlphaZero's manner.
PUCT = SearchSettings(simulations=100, reuse=True, dirichlet=0.25, warm_moves=12)
# Playing to win: no noise; leaves of one game share batches.
PLAY = SearchSettings(leaves=8, reuse=True)
WALKS_PER_LEAF = 32  # virtual losses mislead a search of few simulations

PRESETS = {"r5": R5, "gumbel": GUMBEL, "puct": PUCT, "play": PLAY}


def to_play(simulations: int) -> SearchSettings:
    """PLAY with a number of simulations, and no more leaves in a batch than that number bears."""
    leaves = min(PLAY.leaves, max(1, simulations // WALKS_PER_LEAF))
    return replace(PLAY, simulations=simulations, leaves=leaves)
