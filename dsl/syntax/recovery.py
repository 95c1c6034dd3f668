"""Error recovery: one diagnostic for each error, then parsing resumes at the next declaration.

The problem: after the first error in a file an LALR parser is in a state that fits nothing that follows; inserting or
dropping tokens until it continues reports errors that nobody made. The idea: a declaration begins at the left margin (a
change of a variant at the indentation of the first one), so what begins with the next such line can be parsed on its
own, whatever was wrong before.

INVARIANT: `begin` grows in every round of `recover`, and a round reads the text from there only up to its next error,
so each part of the text is parsed once.

Names and types are checked as well in a file with syntax errors: `readable` blanks out the declarations that cannot be
parsed, keeping the numbers of lines, and the checker gets the names that were `lost` with them. Otherwise each use
of a lost name would be reported as unknown: one misplaced comma in `type Suit is …`, fifty diagnostics.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from dsl.diagnostics import Diagnostic, Replacement
from dsl.lazy_dataclasses import dataclass
from dsl.syntax import parser, syntax_errors, terminals
from dsl.syntax.heading_mistakes import part_named
from dsl.syntax.layout import LayoutError
from dsl.syntax.parser import END, Unexpected
from dsl.syntax.prescan import MAX_DIAGNOSTICS
from dsl.syntax.segments import TOP, units_of
from dsl.syntax.stop import Problem
from dsl.text.span import Source, Span

ParseError = Unexpected | LayoutError

MAX_REST_LENGTH = 100_000
"""Maximum number of characters of a text of which the rest is read: that is parsed several times."""

MAX_FURTHER_DECLARATIONS = 8
"""Maximum number of declarations that are found unreadable only once others are left blank."""

HEADING = "E0126"
"""The code of what should be a heading."""


def recover(source: Source, error: ParseError) -> list[Diagnostic]:
    """Collect all errors of a text whose first is known. Each part of the text is parsed once."""
    text = source.text
    units, start = units_of(text)
    diagnostics: dict[int, Diagnostic] = {}
    begin = 0
    while len(diagnostics) < MAX_DIAGNOSTICS:
        diagnostic, stopped = _explain_at(source, error, begin)
        diagnostics.setdefault(diagnostic.span.start, diagnostic)
        begin = _resume_at(text, units, stopped, begin)
        if begin < 0:
            break
        try:
            parser.tree(text[begin:], start)
            break
        except (Unexpected, LayoutError) as next_error:
            error = next_error
    return list(diagnostics.values())


def explain(source: Source, error: ParseError, start: int, end: int) -> Diagnostic:
    """Explain the error in an expression between two offsets."""
    if isinstance(error, LayoutError):
        return _layout(source, error, start)
    return syntax_errors.explain(_problem(source, error, start, end, alone=True))


def _explain_at(source: Source, error: ParseError, begin: int) -> tuple[Diagnostic, int]:
    """The diagnostic, and the offset after which parsing can resume."""
    if isinstance(error, LayoutError):
        return _layout(source, error, begin), min(error.position + begin, len(source.text))
    problem = _problem(source, error, begin, len(source.text))
    if problem.unclosed is not None:
        return syntax_errors.explain(problem), problem.unclosed + 1
    diagnostic = syntax_errors.explain(problem)
    if diagnostic.code == HEADING:
        return diagnostic, max(problem.start, diagnostic.span.end)  # what follows on its line is no declaration
    return diagnostic, problem.start if problem.kind != END else len(source.text)


def _layout(source: Source, error: LayoutError, begin: int) -> Diagnostic:
    start = min(error.position + begin, len(source.text))
    span = Span(source, start, min(start + 1, len(source.text)))
    line = source.text.rfind("\n", 0, start) + 1
    indent = source.text[line:start]
    fixes = (Replacement(Span(source, line, start), indent.expandtabs(4)),) if "\t" in indent else ()
    return Diagnostic("E0107", "error", error.message, span, helps=error.helps, replacements=fixes)


def _problem(source: Source, error: Unexpected, begin: int, limit: int, alone: bool = False) -> Problem:
    start, end = (min(offset + begin, limit) for offset in (error.start, error.end))
    if error.kind == END:
        start = end  # it is at the last word
    return Problem(source, begin, limit, start, end, error.kind, error.expected, alone)


def _resume_at(text: str, units: re.Pattern[str], stopped: int, begin: int) -> int:
    """Offset to resume at: the next declaration from `stopped` on, but after `begin`; -1 if there is none."""
    line = text.rfind("\n", 0, stopped) + 1
    at_line_start = not text[line:stopped].strip()
    search_from = max(line - 1 if at_line_start else stopped, begin + 1, 0)
    match = units.search(text, search_from)
    return match.start() if match else -1


@dataclass(frozen=True)
class Rest:
    """What can be read of a text with errors: lines keep their numbers, declarations their columns.

    `lost` are words that may be names of the declarations that cannot be read.
    """

    source: Source
    lost: frozenset[str]


def readable(source: Source, broken: Sequence[Span]) -> Rest | None:
    """The text with blanks for the declarations that contain errors; None if nothing can be read then.

    What was meant as a heading becomes one.
    """
    text = source.text
    units, _ = units_of(text)
    if units is not TOP or len(text) > MAX_REST_LENGTH:
        return None  # a variant, or nothing that somebody has written by hand
    offsets = [span.start for span in broken]
    for _ in range(len(broken) + MAX_FURTHER_DECLARATIONS):
        # An error may show only once another declaration is blank, so this is repeated with that one blank as well;
        # never with the same one again, which would not help.
        rest, lost = _without(text, offsets, units)
        read = "\n".join(map(_as_heading, rest.split("\n")))
        try:
            parser.tree(read, "start")
        except (Unexpected, LayoutError) as error:
            offset = source.line_starts[min(read.count("\n", 0, _offset_of(error)), len(source.line_starts) - 1)]
            if offset in offsets:
                return None
            offsets.append(offset)
        else:
            return Rest(Source(source.name, read, source.skipped), frozenset(lost))
    return None


def _offset_of(error: ParseError) -> int:
    if isinstance(error, LayoutError):
        return error.position
    return error.start


def _without(text: str, offsets: Sequence[int], units: re.Pattern[str]) -> tuple[str, set[str]]:
    """The text with blanks for the declarations at these offsets, and their names; what is meant as a heading stays."""
    starts = [match.start() for match in units.finditer(text)]
    parts: list[str] = []
    lost: set[str] = set()
    copied = 0
    for start, end in pairwise([*starts, len(text)]):
        unit = text[start:end]
        if any(start <= offset < end for offset in offsets) and part_named(unit.partition("\n")[0]) is None:
            # Line breaks stay, so that everything below keeps its line.
            parts += [text[copied:start], re.sub(r"[^\r\n]", " ", unit)]
            lost |= lost_names(unit)
            copied = end
    return "".join([*parts, text[copied:]]), lost


def _as_heading(line: str) -> str:
    part = part_named(line)
    return line if part is None else f"== {part[0]} =="


# ---- The names that a declaration introduces, as far as that can be seen in its text when it cannot be parsed


_WORD = re.compile(r"[A-Za-z_]\w*")
_ATTRIBUTE = re.compile(r"\b([a-z_]\w*)[ \t]*:")
_VALUES = ("type", "by", "option", "die", "board")
"""Declarations that introduce more than their name: the values of a type, constants."""


def lost_names(text: str) -> set[str]:
    """The words of a declaration that may be names it introduces: its own, and those of its values and attributes."""
    words = _WORD.findall(text)
    if words[:1] and words[0] in _VALUES:
        return set(words) - set(terminals.keywords()) - {"Player"}
    return {*words[1:2], *(_ATTRIBUTE.findall(text) if words[:1] == ["piece"] else ())}
