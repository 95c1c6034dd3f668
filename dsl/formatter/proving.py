"""The canonical text, verified before it is returned."""

from __future__ import annotations

from dsl.diagnostics import Diagnostic
from dsl.formatter.columns import align
from dsl.formatter.lines import Text, read
from dsl.formatter.spacing import space
from dsl.formatter.writing import written
from dsl.syntax import parse
from dsl.text.span import Source


class FormatError(Exception):
    """Raised if the canonical text violates a guarantee; the message says which."""


def canonical(source: Source) -> tuple[str | None, list[Diagnostic]]:
    """Format a rules file; return its canonical text, or None, and the diagnostics.

    Every time it is verified that the text means the same, that all comments are where they were, and that formatting
    it again changes nothing. Raises FormatError if one of these does not hold.
    """
    tree, diagnostics = parse(source)
    if tree is None:
        return None, diagnostics
    before = read(source.text)
    comments = _comments(before)
    text = _laid_out(before)
    if text == source.text:
        return text, []  # unchanged: nothing to verify
    same, _ = parse(Source(source.name, text))
    if same != tree:
        raise FormatError("the text would not mean the same")
    after = read(text)
    if _comments(after) != comments:
        raise FormatError("a comment would be lost or moved")
    if _laid_out(after) != text:
        raise FormatError("the text would change again the next time")
    return text, []


def _laid_out(text: Text) -> str:
    for line in text.lines:
        space(line)
    align(text.lines)
    return written(text)


def _comments(text: Text) -> list[tuple[str, int, bool]]:
    """Every comment, with the number of words before it, and whether it is on a line of its own."""
    found: list[tuple[str, int, bool]] = []
    words = 0
    for line in text.lines:
        found += [(remark.text, words, True) for remark in line.above if remark.text]
        for word in line.words:
            found += [(comment, words, True) for comment in word.above]
            words += 1
            if word.behind:
                found.append((word.behind, words, False))
    return found + [(remark.text, words, True) for remark in text.ending if remark.text]
