"""The course of play: calls, endings, and loops that undo themselves."""
