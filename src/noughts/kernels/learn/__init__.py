"""Kernels that play games and learn from them in one loop."""
