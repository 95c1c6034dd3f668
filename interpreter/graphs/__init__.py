"""Connectivity, paths and best packings: pure functions of bit sets.

A set of places or edges is a whole number: bit i stands for place or edge number i. Every function here is pure: its
result depends on its arguments alone. Caches of earlier results only make answers faster.
"""

from interpreter.graphs.adjacency import Adjacency
from interpreter.graphs.best_packing import best_rows
from interpreter.graphs.components import groups
from interpreter.graphs.disjoint_sets import best_sets, packings
from interpreter.graphs.joining import Joining
from interpreter.graphs.neighbours import hanging, near
from interpreter.graphs.objective import Objective
from interpreter.graphs.paths import MOST_PATHS, TooManyPaths, path, paths
from interpreter.graphs.reachability import reach
from interpreter.graphs.relations import groups_by, path_by, paths_by, reach_by
from interpreter.graphs.straight_lines import enclosed, seen_over
from interpreter.graphs.trails import trails

__all__ = [
    "MOST_PATHS",
    "Adjacency",
    "Joining",
    "Objective",
    "TooManyPaths",
    "best_rows",
    "best_sets",
    "enclosed",
    "groups",
    "groups_by",
    "hanging",
    "near",
    "packings",
    "path",
    "path_by",
    "paths",
    "paths_by",
    "reach",
    "reach_by",
    "seen_over",
    "trails",
]  # fmt: skip
