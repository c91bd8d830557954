"""Searches over the verbs of `rules`: each is written once, for every family of games."""
