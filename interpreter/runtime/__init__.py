"""What code of either engine works on and calls: the layout of a state, moves of pieces, chance, searches in boards."""
