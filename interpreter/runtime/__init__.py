"""Data and functions for code of either engine: the layout of a state, moves of pieces, chance, searches in boards."""
