"""Symbols of declarations, names of functions, and unknown names."""
