"""Long jobs and run folders."""
