"""What runs in the processes of the engine: the worker, and what it can be asked."""
