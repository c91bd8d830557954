"""Solutions outside of memory: the store, files for others to read, other languages."""
