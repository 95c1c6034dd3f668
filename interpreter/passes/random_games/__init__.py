"""Passes for games that are played at random as a whole, by one generated function."""
