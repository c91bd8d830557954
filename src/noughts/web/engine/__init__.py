"""Engine work outside the server: the pool of workers, and what they do."""
