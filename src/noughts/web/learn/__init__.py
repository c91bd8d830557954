"""The table that learns from a person."""
