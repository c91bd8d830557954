"""Agents that think at the board. Each is found by its name, through `noughts.agent`."""
