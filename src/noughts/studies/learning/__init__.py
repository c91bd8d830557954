"""Learners measured while they learn."""
