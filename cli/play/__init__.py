"""Playing a game: seats, the loop at the prompt, input, undo, hot reload, saving."""
