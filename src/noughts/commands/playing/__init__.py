"""Commands that play: at the terminal, on the page, with other programs."""
