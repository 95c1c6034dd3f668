"""Tools for authors: worked examples of a game that run as tests, and which rules tests reach."""
