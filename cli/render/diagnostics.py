"""Diagnostics of a rules file: drawn for people, as data for programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

from dsl.text.files import JsonObject
from dsl.text.nouns import counted

if TYPE_CHECKING:
    from rich.text import Text

    from dsl.diagnostics import Diagnostic
    from dsl.text.span import Span


def report(diagnostics: Iterable[Diagnostic], file: TextIO | None = None) -> None:
    """Print diagnostics one below the other, without wrapping lines, so that carets keep pointing at the right place.

    The last line says how to learn more about the first error or, if there is none, the first diagnostic.
    """
    reported = list(diagnostics)
    if not reported:
        return
    # start-up: a check that finds nothing, the usual one, needs no colours
    from rich.text import Text

    from cli.render.screen import screen

    console = screen(file)
    codes: list[tuple[bool, int, str]] = []
    for diagnostic in reported:
        console.print(coloured(diagnostic), soft_wrap=True)
        console.print()
        codes.append((diagnostic.severity == "warning", len(codes), diagnostic.code))
    console.print(Text(f"for details: `regelwerk explain {min(codes)[2]}`", style="dim"))


def coloured(diagnostic: Diagnostic) -> Text:
    """The diagnostic as text, its first line and its carets in the colour of its severity."""
    from rich.text import Text  # start-up: see `report`

    colour = "bright_red" if diagnostic.severity == "error" else "yellow"
    first, *others = diagnostic.draw().splitlines()
    head, colon, message = first.partition(": ")
    text = Text.assemble((head, f"bold {colour}"), colon, (message, "bold"))
    for line in others:
        is_caret = set(line.partition("|")[2].strip()) == {"^"}
        text.append("\n").append(line, style=colour if is_caret else "")
    return text


def count_line(diagnostics: Iterable[Diagnostic], files: int) -> str:
    """The numbers of errors and warnings: `2 errors, 1 warning in 3 files`."""
    severities = [diagnostic.severity for diagnostic in diagnostics]
    errors, warnings = severities.count("error"), severities.count("warning")
    where = counted(files, "file")
    if not severities:
        return f"no problems in {where}"
    parts = [counted(n, word) for n, word in ((errors, "error"), (warnings, "warning")) if n]
    return f"{', '.join(parts)} in {where}"


def document(diagnostic: Diagnostic) -> JsonObject:
    """Convert one diagnostic to plain data."""
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "place": _location(diagnostic.span),
        "labels": [{"place": _location(label.span), "text": label.text} for label in diagnostic.labels],
        "helps": list(diagnostic.helps),
        "replacements": [
            {"place": _location(replacement.span), "text": replacement.text} for replacement in diagnostic.replacements
        ],
        "places": [_location(span) for span in diagnostic.other_spans],
    }


def _location(span: Span) -> JsonObject:
    source = span.source
    return {
        "file": source.name,
        "line": span.line,
        "column": span.column,
        "end_line": source.line_of(span.end),
        "end_column": source.column_of(span.end),
        "byte": source.byte_of(span.start),
        "end_byte": source.byte_of(span.end),
    }
