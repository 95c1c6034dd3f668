"""Views: everything each seat is shown of a state, the board, the log."""
