"""What each seat is shown: the view of a state, the board, the log."""
