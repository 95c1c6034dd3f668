"""Visibility: which pieces, notes and values a seat may see."""
