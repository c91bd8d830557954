"""Every hot loop of Noughts: arrays and tuples of arrays in, arrays out.

Nothing here knows a Game or a Position. Rules are data (the NamedTuples of `rules.py`), never
callbacks, so a kernel compiles once for all games and its machine code is found again by the next
process. Cells hold EMPTY, X or O; a result is RUNNING, X, O or DRAW.
"""
