"""Rules read and checked once for all tests of a process: that takes longer than to play them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from interpreter.loading.rules import Rules, load_rules
from tests.support.project import ROOT


def known_rules(
    path: Path, board: Path | None = None, variants: Sequence[str | Path] = (), language: str | None = None
) -> Rules:
    """Rules as `load_rules` gives them; those of games of the project, which no test changes, are read once.

    That is without a board of one's own, without variants, which may be named by words, and without a language.
    """
    if board is not None or variants or language is not None or not path.absolute().is_relative_to(ROOT):
        return load_rules(path, board=board, variants=variants, language=language)
    folder = Path.cwd()
    return _rules(path, folder if folder.is_relative_to(ROOT) else None)


@cache
def _rules(path: Path, folder: Path | None) -> Rules:
    """Rules read in a folder of the project, or elsewhere: findings name files relative to it."""
    return load_rules(path)
