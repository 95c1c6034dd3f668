"""Errors in the declarations of a game that can be read, although others cannot: several mistakes are found at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from dsl import ast
from dsl.boards import Board
from dsl.checker import check
from dsl.diagnostics import Diagnostic, Label, Replacement
from dsl.syntax import parse
from dsl.text.span import Source, Span

ABOUT_NAMES, ABOUT_TYPES = "E02", "E03"
"""Errors of these groups do not follow from declarations that are missing, unless they mention one."""

_WORD = re.compile(r"[A-Za-z_]\w*")
_QUOTED = re.compile(r"`([^`]*)`")


def errors_in_the_rest(
    source: Source, syntax_errors: Sequence[Diagnostic], board_of: Callable[[ast.GameFile], Board | None]
) -> list[Diagnostic]:
    """The errors in names and types of a text with syntax errors, except those that may follow from these."""
    from dsl.syntax.recovery import readable  # imports lark, which takes long

    rest = readable(source, [error.span for error in syntax_errors])
    file = None if rest is None else parse(rest.source)[0]
    if rest is None or not isinstance(file, ast.GameFile):
        return []
    diagnostics = check(file, board=board_of(file), lost=rest.lost)[1]
    errors = [
        error for error in diagnostics if error.code[:3] in (ABOUT_NAMES, ABOUT_TYPES) and error.severity == "error"
    ]
    return [_in_file(error, source) for error in errors if rest.lost.isdisjoint(_words(error))]


def _words(diagnostic: Diagnostic) -> set[str]:
    """The words that an error is about."""
    quoted = " ".join(_QUOTED.findall(diagnostic.message))
    return {*_WORD.findall(diagnostic.span.text), *_WORD.findall(quoted)}


def _in_file(diagnostic: Diagnostic, source: Source) -> Diagnostic:
    """The same error, at its lines and columns in the file itself."""

    def moved(span: Span) -> Span:
        if span.source.name != source.name:
            return span
        start = source.line_starts[span.line - 1] + span.column - 1
        return Span(source, start, start + span.end - span.start)

    return replace(
        diagnostic,
        span=moved(diagnostic.span),
        labels=tuple(Label(moved(label.span), label.text) for label in diagnostic.labels),
        replacements=tuple(
            Replacement(moved(replacement.span), replacement.text) for replacement in diagnostic.replacements
        ),
        other_spans=tuple(map(moved, diagnostic.other_spans)),
    )
