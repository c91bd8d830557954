"""The one negamax: what the two searches before it said, and a game that is unlike ours."""

import json
from pathlib import Path

import noughts
from noughts.search.engines.negamax import AlphaBetaEngine

GOLDEN = Path(__file__).parent / "golden" / "negamax.json"


def test_scores_and_sureness_are_those_of_the_searches_before_it() -> None:
    """Written by a search of lines and one of Ultimate, of which nothing is left."""
    rows = json.loads(GOLDEN.read_text())
    assert len(rows) > 150
    for spec, depth, text, score, sureness in rows:
        game = noughts.game(spec)
        found = AlphaBetaEngine(game, 1).search(game.parse(text), depth)
        assert (found[0], found[2], found[3]) == (score, sureness, True), (spec, depth, text)
