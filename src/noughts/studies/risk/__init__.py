"""What risk does: marks that flip, fizzle and fade."""
