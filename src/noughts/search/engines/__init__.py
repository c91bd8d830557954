"""Iterative deepening, and the engines that it deepens: one per kind of game."""
