"""Moves, pieces and values in words."""
