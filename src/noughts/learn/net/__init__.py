"""Q-learning with a small network."""
