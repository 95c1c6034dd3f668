"""Bots against each other: the games they play, the file these are kept in, and what follows from them."""
