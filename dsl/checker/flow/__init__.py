"""Checks of the course of play: calls, endings, and loops that undo their own work."""
