"""Matches between bots: the games, the file that keeps them, and the figures computed from them."""
