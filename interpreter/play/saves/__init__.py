"""Saves: a header and the moves, and replaying them."""
