"""Comments above declarations: those of authors, and the texts that a rulebook prints."""

from __future__ import annotations

from dsl.text.span import Span

COMMENT, PRINTED = "#", "##"
"""What comments begin with, and those that a rulebook prints."""


def comment_above(span: Span, mark: str = COMMENT) -> str:
    """The comment in the lines right above a declaration, of lines that begin with a mark."""
    lines: list[str] = []
    for number in range(span.line - 1, 0, -1):
        line = span.source.line(number).strip()
        if not line.startswith(mark):
            break
        lines.insert(0, line.lstrip("# "))
    return " ".join(line for line in lines if line.strip("=- "))
