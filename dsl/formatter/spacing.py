"""Spacing within a line: one space or none between two words."""

from __future__ import annotations

from dsl.formatter.lines import Line, Word

_NO_SPACE_BEFORE = frozenset({",", ":", ")", "]", "}", ".", ".."})
_NO_SPACE_AFTER = frozenset({"(", "[", "{", ".", ".."})
_VALUES = frozenset({"NAME", "INT", "STRING", "RPAR", "RSQB", "RBRACE", "_BOARD", "_TIMES"})
"""Kinds of words that can end a value, or begin it like a function: a bracket after one holds arguments or an index."""


def space(line: Line) -> None:
    """Set the spaces between the words of a line that are not aligned in columns."""
    for previous, word in zip(line.words, line.words[1:], strict=False):
        word.blanks = _blanks(previous, word)


def _blanks(previous: Word, word: Word) -> int:
    if word.text in _NO_SPACE_BEFORE or previous.text in _NO_SPACE_AFTER or previous.kind == "MINUS":
        return 0
    if word.text in ("(", "[") and previous.kind in _VALUES:
        return 0
    return 1
