"""Agents measured against what is known."""
