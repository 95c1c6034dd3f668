"""Bots: they choose moves from what their seat may know."""
