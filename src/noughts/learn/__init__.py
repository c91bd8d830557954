"""Players that learn beforehand: the table, TD and Q-learning, the network, AlphaZero."""
