"""Headings written like a line that opens a block: `setup:` for `== setup ==`."""

from __future__ import annotations

import re

from dsl.diagnostics import Diagnostic
from dsl.syntax import terminals
from dsl.syntax.prescan import PARTS
from dsl.syntax.stop import Problem
from dsl.text.spelling import nearest

_WORDED = re.compile(
    r"(?P<line>(?P<open>[\[(<*]*)[ \t]*(?P<word>[A-Za-z_]+)[ \t]*(?:[\])>*]*)(?P<colon>:?))[ \t]*(?:#.*)?$"
)


def worded_heading(p: Problem) -> Diagnostic | None:
    """Report the name of a part with a colon, in brackets or alone on its line."""
    part_and_length = None if p.alone or not p.at_first_words else part_named(p.line)
    if part_and_length is None:
        return None
    part, length = part_and_length
    at = p.span(p.line_start, p.line_start + length)
    new = f"== {part} =="
    return p.error("E0126", f"`{at.text}` is not a heading", f"write `{new}`", at=at, new=new)


def part_named(line: str) -> tuple[str, int] | None:
    """The part that a line names like a block, and how many characters it takes; None if it names none."""
    match = _WORDED.match(line)
    if match is None or (not match["open"] and not match["colon"] and match["word"].lower() not in PARTS):
        return None
    word = match["word"].lower()
    close = [word] if word in PARTS else [] if word in terminals.keywords() else nearest(word, PARTS, 1, 0.8)
    return (close[0], match.end("line")) if close else None
