"""The play loop: who sits where, what is typed, undo, hand-over, the save."""
