"""Notation and labels: moves, pieces and values rendered as text."""
