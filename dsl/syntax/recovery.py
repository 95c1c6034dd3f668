"""Error recovery: one diagnostic for each place where parsing stopped, then resume at the next declaration."""

from __future__ import annotations

import re

from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from dsl.diagnostics import Diagnostic, Replacement
from dsl.syntax import parser_cache, syntax_errors
from dsl.syntax.layout import LayoutError
from dsl.syntax.segments import units_of
from dsl.syntax.sources import MOST
from dsl.syntax.stop import Problem
from dsl.text.span import Source, Span

Fault = UnexpectedInput | LayoutError


def recover(source: Source, fault: Fault) -> list[Diagnostic]:
    """Collect all errors of a text whose first is known. Each part of the text is parsed once."""
    text = source.text
    units, start = units_of(text)
    found: dict[int, Diagnostic] = {}
    begin = 0
    while len(found) < MOST:
        diagnostic, place = _told(source, fault, begin)
        found.setdefault(diagnostic.span.start, diagnostic)
        begin = _go_on(text, units, place, begin)
        if begin < 0:
            break
        try:
            parser_cache.tree(text[begin:], start)
            break
        except (UnexpectedInput, LayoutError) as next_fault:
            fault = next_fault
    return list(found.values())


def explain(source: Source, fault: Fault, start: int, end: int) -> Diagnostic:
    """Explain the error in an expression between two offsets."""
    if isinstance(fault, LayoutError):
        return _layout(source, fault, start)
    return syntax_errors.explain(_problem(source, fault, start, end, alone=True))


def _told(source: Source, fault: Fault, begin: int) -> tuple[Diagnostic, int]:
    """The diagnostic, and the offset after which parsing can resume."""
    if isinstance(fault, LayoutError):
        return _layout(source, fault, begin), min(fault.position + begin, len(source.text))
    problem = _problem(source, fault, begin, len(source.text))
    if problem.unclosed is not None:
        return syntax_errors.explain(problem), problem.unclosed + 1
    return syntax_errors.explain(problem), problem.start if problem.kind != "$END" else len(source.text)


def _layout(source: Source, fault: LayoutError, begin: int) -> Diagnostic:
    place = min(fault.position + begin, len(source.text))
    span = Span(source, place, min(place + 1, len(source.text)))
    line = source.text.rfind("\n", 0, place) + 1
    indent = source.text[line:place]
    ways = (Replacement(Span(source, line, place), indent.expandtabs(4)),) if "\t" in indent else ()
    return Diagnostic("E0107", "error", fault.message, span, helps=fault.helps, replacements=ways)


def _problem(source: Source, fault: UnexpectedInput, begin: int, limit: int, alone: bool = False) -> Problem:
    if isinstance(fault, UnexpectedToken):
        token = fault.token
        start, end = (min((place or 0) + begin, limit) for place in (token.start_pos, token.end_pos))
        if token.type == "$END":
            start = end  # lark puts it at the last word
        return Problem(source, begin, limit, start, end, token.type, _accepted(fault), alone)
    if isinstance(fault, UnexpectedCharacters):
        start = min((fault.pos_in_stream or 0) + begin, limit)
        return Problem(source, begin, limit, start, min(start + 1, limit), None, frozenset(fault.allowed or ()), alone)
    return Problem(source, begin, limit, limit, limit, "$END", frozenset(), alone)


def _accepted(fault: UnexpectedToken) -> frozenset[str]:
    return frozenset(fault.accepts or fault.expected)


def _go_on(text: str, units: re.Pattern[str], place: int, begin: int) -> int:
    """Offset to resume at: the next declaration from `place` on, but after `begin`; -1 if there is none."""
    line = text.rfind("\n", 0, place) + 1
    at_its_beginning = not text[line:place].strip()
    search_from = max(line - 1 if at_its_beginning else place, begin + 1, 0)
    found = units.search(text, search_from)
    return found.start() if found else -1
