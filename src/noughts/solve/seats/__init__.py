"""Exact answers about games of more than two players: equilibria, guarantees, odds."""
