"""Passes that compute conditions for all places of a board at once."""
