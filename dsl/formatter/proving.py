"""The canonical text, verified before it is returned.

A formatter that changes the meaning of a rule or loses a comment is worse than none, and neither shows in the diff of a
long file. So three properties are not only tested but verified for every text that is changed: the syntax tree is the
same (nodes are equal whatever their spans), each comment has as many words before it, and formatting is idempotent.
That costs a second parse, of changed files only.
"""

from __future__ import annotations

from dsl.diagnostics import Diagnostic
from dsl.formatter.columns import align
from dsl.formatter.writing import Line, Text, Word, read, render
from dsl.syntax import parse
from dsl.text.span import Source


class FormatError(Exception):
    """Raised if the canonical text violates a guarantee; the message says which."""


def canonical(source: Source) -> tuple[str | None, list[Diagnostic]]:
    """Format a rules file; return its canonical text, or None, and the diagnostics.

    Each time it verifies that the text means the same, that all comments are where they were, and that formatting it
    again changes nothing. Raises FormatError if one of these does not hold.
    """
    tree, diagnostics = parse(source)
    if tree is None:
        return None, diagnostics
    original = read(source.text)
    comments = _comments(original)
    text = _laid_out(original)
    if text == source.text:
        return text, []  # unchanged: nothing to verify
    same, _ = parse(Source(source.name, text))
    if same != tree:
        raise FormatError("formatting would change the meaning of the rules")
    formatted = read(text)
    if _comments(formatted) != comments:
        raise FormatError("formatting would lose or move a comment")
    if _laid_out(formatted) != text:
        raise FormatError("formatting twice would give a different text")
    return text, []


def _laid_out(text: Text) -> str:
    for line in text.lines:
        space(line)
    align(text.lines)
    return render(text)


def _comments(text: Text) -> list[tuple[str, int, bool]]:
    """List each comment with the number of words before it, and whether it is on a line of its own."""
    comments: list[tuple[str, int, bool]] = []
    words = 0
    for line in text.lines:
        comments += [(comment.text, words, True) for comment in line.above if comment.text]
        for word in line.words:
            comments += [(text, words, True) for text in word.above]
            words += 1
            if word.comment:
                comments.append((word.comment, words, False))
    return comments + [(comment.text, words, True) for comment in text.ending if comment.text]


# ---- Spacing within a line: one space or none between two words


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
