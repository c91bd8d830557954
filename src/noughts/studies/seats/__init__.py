"""Studies of games of more than two players."""
