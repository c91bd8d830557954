"""The rules of every family of games, each written once: tuples of arrays, and their verbs."""
