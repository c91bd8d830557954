"""What first moves are worth, and the proof of Qubic."""
