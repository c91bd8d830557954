"""The network `noughts` of Ultimate: folded into tables and read inside the search."""
