"""How fast the laboratory is, and whether it still says what it said."""
