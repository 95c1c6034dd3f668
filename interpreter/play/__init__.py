"""A game at the table: states with undo, their trace, and saves."""
