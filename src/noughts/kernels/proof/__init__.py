"""Kernels that prove a win: forced sequences, zones and proof numbers on bit-sliced lines."""
