"""Names of functions and tables: whatever a rules file calls its things, no two of them get the same name."""

from __future__ import annotations

BETWEEN = "ˑ"
"""Stands between the parts of a name. It is a letter, and none that a name of the language can have."""


def named(what: str, *parts: object) -> str:
    """The name of `what` (a letter or a word) for these parts, which are names of the rules, or numbers."""
    return BETWEEN.join([what, *map(str, parts)]).replace(" ", BETWEEN)
