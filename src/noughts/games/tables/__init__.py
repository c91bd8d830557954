"""The arrays that kernels take: the rules of a game, and what searches read besides."""
