"""The proof that the first player wins Qubic: its search, its certificate, and who plays by it."""
