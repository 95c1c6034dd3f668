"""`python -m benchmarks.scaling`: how the time per decision grows with the board."""

from __future__ import annotations

from pathlib import Path

from benchmarks.figures import Figure, shown, table
from benchmarks.paired import compared
from benchmarks.worker import by_machine, random_games
from regelwerk import load

BOARDS = (
    ("hex", "hex", 11, 16),
    ("go", "go", 9, 19),
    ("othello", str(Path(__file__).with_name("othello_of_a_size.rules")), 8, 12),
)
"""The name to show, the game with its option `size`, and two sizes."""

PART = 0.6
"""The part of the length of a playout measurement that a round takes."""


def measure(_: str, rounds: int, span: float) -> list[Figure]:
    """Larger boards: the time of a decision of random games, small and large board in turn."""
    figures = []
    for name, game, small, large in BOARDS:
        for engine, measured in (("machine", by_machine), ("Python", random_games)):
            slices = [measured(load(game, players=2, options={"size": size})) for size in (small, large)]
            found = compared(slices[0], slices[1], rounds, span * PART)
            what = f"a decision of {name}, {large} by {large} against {small} by {small}, {engine}"
            times = f"{shown(1e6 / found.second)} against {shown(1e6 / found.first)} µs"
            places = shown(large**2 / small**2)
            figures.append(Figure(what, "times", found.ratios, f"{times}; the board has {places} times the places"))
    return figures


if __name__ == "__main__":
    print(table(measure("", 7, 1.0)))
