"""Questions to graphs as sets in bit masks: what hangs together, ways, and the best rows that share no place.

A set of places or edges is a whole number: bit i stands for place or edge number i. Every function here is pure: its
answer depends on its arguments alone. What is remembered from earlier questions makes answers faster, never different.
"""

from interpreter.graphs.groups import groups
from interpreter.graphs.links import Links
from interpreter.graphs.neighbours import hanging, near
from interpreter.graphs.packings import best_sets, packings
from interpreter.graphs.reach import reach
from interpreter.graphs.rows import best_rows
from interpreter.graphs.ways import MOST_PATHS, TooManyPaths, path, paths
from interpreter.graphs.worth import Worth

__all__ = [
    "MOST_PATHS", "Links", "TooManyPaths", "Worth", "best_rows", "best_sets", "groups", "hanging", "near", "packings",
    "path", "paths", "reach",
]  # fmt: skip
