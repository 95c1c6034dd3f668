"""A higher recursion limit for following chains of definitions and steps, whose length the checker limits."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field
from threading import Lock

from dsl.lazy_dataclasses import dataclass

RECURSION_LIMIT = 10_000
"""Maximum number of nested calls; the default of Python is 1000.

A chain of 700 definitions and steps is allowed (`flow/endings.py`), and following one link takes several Python calls.
"""


@dataclass
class _Active:
    """The number of blocks using the higher limit, in all threads, and the limit in force before the first."""

    lock: Lock = field(default_factory=Lock)
    count: int = 0
    usual_limit: int = 0


_ACTIVE = _Active()


@contextmanager
def room_for_recursion() -> Iterator[None]:
    """Raise the recursion limit for a block of code."""
    with _ACTIVE.lock:
        if _ACTIVE.count == 0:
            _ACTIVE.usual_limit = sys.getrecursionlimit()
            sys.setrecursionlimit(max(_ACTIVE.usual_limit, RECURSION_LIMIT))
        _ACTIVE.count += 1
    try:
        yield
    finally:
        with _ACTIVE.lock:
            _ACTIVE.count -= 1
            if _ACTIVE.count == 0:
                sys.setrecursionlimit(_ACTIVE.usual_limit)
