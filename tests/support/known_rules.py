"""Rules read and checked once for all tests of a process: that takes longer than to play them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from interpreter.loading.rules import Rules, load_rules

ROOT = Path(__file__).parents[2]


@cache
def rules_of(path: Path) -> Rules:
    """The rules of a game of the project, which no test changes."""
    return load_rules(path)


def known_rules(path: Path, board: Path | None = None, variants: Sequence[str | Path] = ()) -> Rules:
    """Rules as `load_rules` gives them; those of the project alone, without variants, are read once.

    Findings name files relative to the current folder, so that rules are read again where that is the project.
    """
    alone = board is None and not variants and path.is_absolute() and path.is_relative_to(ROOT)
    if alone and not Path.cwd().is_relative_to(ROOT):
        return rules_of(path)
    return load_rules(path, board=board, variants=variants)
