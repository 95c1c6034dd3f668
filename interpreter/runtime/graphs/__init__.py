"""Connectivity, paths and best packings: pure functions of bit sets.

A set of places or edges is a whole number: bit i stands for place or edge number i. Every function here is pure: its
result depends on its arguments alone. Caches of earlier results only make answers faster.
"""

from interpreter.runtime.graphs.adjacency import Adjacency
from interpreter.runtime.graphs.best_packing import best_rows, best_sets, packings
from interpreter.runtime.graphs.components import groups, hanging, near
from interpreter.runtime.graphs.objective import Objective
from interpreter.runtime.graphs.paths import MAX_PATHS, Joining, TooManyPaths, path, paths, trails
from interpreter.runtime.graphs.reachability import reach
from interpreter.runtime.graphs.relations import groups_by, path_by, paths_by, reach_by
from interpreter.runtime.graphs.straight_lines import enclosed, seen_over

__all__ = [
    "MAX_PATHS",
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
