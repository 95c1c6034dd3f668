"""Explanations: the parts of a value, the reasons of a score, why a move is legal or not."""
