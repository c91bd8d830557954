"""What the numbers of a training may be, for `zero` and for whom it hands on to alike."""

SIMULATIONS = 2, 10**6
RATE = 1e-7, 1.0
BATCH = 1, 1 << 16
SAMPLES = 0.01, 1000.0
MEMORY = 1, 10**8
ROUND = 1, 10**6
HIDDEN = 1, 4096
DECAY = 0.0, 1.0
OPENING = 0, 100
RESULTS = 0.0, 1.0
GATE = 0, 10**9
GATE_GAMES = 2, 10**6
