"""Conditions as terms, and what follows from them."""
