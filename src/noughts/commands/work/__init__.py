"""Commands that leave a run folder: match, tournament, train, study."""
