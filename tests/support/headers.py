"""How many players a game is for, read from its first line: to list tests before any rules are checked."""

from __future__ import annotations

import re
from pathlib import Path

HEADER = re.compile(r'^game ".*" for (\d+)(?: to (\d+))? player', re.MULTILINE)


def players_of(path: Path) -> range:
    """The possible numbers of players of a rules file."""
    found = HEADER.search(path.read_text(encoding="utf-8"))
    assert found is not None, path
    return range(int(found[1]), int(found[2] or found[1]) + 1)
