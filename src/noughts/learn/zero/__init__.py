"""Networks that teach themselves: self-play, search with a network, training."""
