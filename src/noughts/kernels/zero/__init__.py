"""Kernels of tree search with a network."""
