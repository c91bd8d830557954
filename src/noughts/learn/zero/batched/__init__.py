"""Networks for any game: many games searched in lockstep, leaves judged in batches."""
