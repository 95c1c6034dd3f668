"""A compiled game that runs: its program, values of its expressions, its seats, and the machine engine."""
