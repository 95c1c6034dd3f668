"""The canonical text, and what is proved of it before anybody gets it."""

from __future__ import annotations

from dsl.diagnostics import Diagnostic
from dsl.formatter.columns import align
from dsl.formatter.lines import Text, read
from dsl.formatter.spacing import space
from dsl.formatter.writing import written
from dsl.syntax import parse
from dsl.text.span import Source


class FormatError(Exception):
    """A canonical text that is not what it has to be; the message says in what."""


def canonical(source: Source) -> tuple[str | None, list[Diagnostic]]:
    """The canonical text of a rules file, or what is wrong with the file.

    Every time it is proved that the text means the same, that all comments stand where they stood, and that it is
    its own canonical text; raises Unproved if one of these does not hold.
    """
    tree, diagnostics = parse(source)
    if tree is None:
        return None, diagnostics
    before = read(source.text)
    comments = _comments(before)
    text = _laid_out(before)
    if text == source.text:
        return text, []  # the same characters: there is nothing left to prove
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
    """Every comment, after how many words it stands, and whether on a line of its own."""
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
