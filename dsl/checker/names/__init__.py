"""Symbols of declarations, names of functions, and names without a meaning."""
