"""What is certain about a position, and where from. Nobody else calls a value exact or proven.

    known(position)         Known(low, high, plies, source), or None
    known_moves(position)   {move: Known} of the moves about which something is certain

The sources, in the order in which they are asked: the end of the game, tables of all boards,
theorems, other packages, certificates, small searches. `limits.py` says how much they may compute.
"""

from noughts.knowledge.asking import known, known_moves
from noughts.knowledge.judgement import Judgement, claimed, judge
from noughts.knowledge.known import Known
from noughts.knowledge.sources import Source, add_source

__all__ = [
    "Judgement",
    "Known",
    "Source",
    "add_source",
    "claimed",
    "judge",
    "known",
    "known_moves",
]
