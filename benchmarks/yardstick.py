"""A hand-written game in plain Python: the baseline speed of this machine, measured in the same run."""

from random import Random

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def playout(random: Random) -> int:
    """Play three in a row on nine squares at random; returns the number of moves."""
    squares = [0] * 9
    mark = 1
    for made in range(1, 10):
        free = [square for square in range(9) if not squares[square]]
        squares[free[int(random.random() * len(free))]] = mark
        for a, b, c in LINES:
            if squares[a] == squares[b] == squares[c] == mark:
                return made
        mark = 3 - mark
    return 9


def playouts(games: int, seed: int) -> int:
    """Play many of them; returns the total number of moves."""
    random = Random(seed)
    return sum(playout(random) for _ in range(games))
