"""How many players a game is for, read from its first line: to list tests before any rules are checked."""

from __future__ import annotations

import re
from pathlib import Path

HEADER = re.compile(r'^game ".*" for (\d[\d, tor]*) player', re.MULTILINE)


def players_of(path: Path) -> list[int]:
    """The possible numbers of players of a rules file, as in `2 to 4, 6 or 8`."""
    found = HEADER.search(path.read_text(encoding="utf-8"))
    assert found is not None, path
    bounds = [[int(bound) for bound in part.split(" to ")] for part in re.split(", | or ", found[1])]
    return [number for part in bounds for number in range(part[0], part[-1] + 1)]
