"""Learners that keep a number for every board, and the table that learns from you."""
