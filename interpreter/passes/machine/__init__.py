"""Passes for random games, which one generated function plays as a whole."""
