"""Many games a step at a time: what reinforcement learning calls an environment."""
