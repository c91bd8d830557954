"""How good a player is, exactly or by play."""
