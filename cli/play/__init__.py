"""The play loop: seats, input, undo, hand-over, the save."""
