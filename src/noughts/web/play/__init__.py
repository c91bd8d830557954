"""Games, positions, moves, values and records for the page."""
