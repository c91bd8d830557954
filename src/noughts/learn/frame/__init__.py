"""What every learner shares: the promise, the training loop, checkpoints, grading."""
