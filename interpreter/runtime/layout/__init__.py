"""The layout of the state: the content of each cell, and the numbers that stand for values."""
