"""The layout of the state: which cell holds what, and the numbers that stand for values."""
