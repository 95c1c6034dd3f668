"""Passes about loops: what they go through, how often, and what is computed before them."""
