"""TD and Q-learning with a quadratic function of the board."""
