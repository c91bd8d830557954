"""Tables that a person teaches: one per game at the terminal, named ones on the page."""
