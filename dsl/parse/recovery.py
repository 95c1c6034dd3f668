"""Going on after an error: one diagnostic for each place where reading stopped, then the next declaration."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from dsl.diagnostics import Diagnostic
from dsl.parse import machine, mistakes
from dsl.parse.layout import LayoutFault
from dsl.span import Source, Span

if TYPE_CHECKING:
    Fault = UnexpectedInput | LayoutFault

MOST = 25
"""How many errors are told at once."""

_TOP = re.compile(r"^(?!else\b)[A-Za-z_=\"]", re.MULTILINE)


def recover(source: Source, fault: Fault) -> list[Diagnostic]:
    """All errors of a text whose first is known. Each stretch of the text is read once."""
    text = source.text
    found: list[Diagnostic] = []
    places: set[int] = set()
    begin = 0
    while True:
        problem = _problem(source, fault, begin, len(text))
        diagnostic = mistakes.explain(problem)
        if diagnostic.span.start not in places:
            found.append(diagnostic)
            places.add(diagnostic.span.start)
        if len(found) >= MOST:
            return found
        begin = _go_on(source, problem, begin)
        while True:
            if begin < 0:
                return found
            try:
                machine.tree(text[begin:], "rest")
                return found
            except (UnexpectedInput, LayoutFault) as next_fault:
                fault = next_fault
                break


def explain(source: Source, fault: Fault, start: int, end: int) -> Diagnostic:
    """The one diagnostic for an expression that stands between two offsets."""
    return mistakes.explain(_problem(source, fault, start, end))


def _problem(source: Source, fault: Fault, begin: int, end: int) -> mistakes.Problem:
    if isinstance(fault, LayoutFault):
        place = min(fault.position + begin, end)
        return mistakes.Problem(source, begin, place, place, None, frozenset(), layout=fault)
    if isinstance(fault, UnexpectedToken):
        token = fault.token
        start = min((token.start_pos or 0) + begin, end)
        stop = min((token.end_pos or 0) + begin, end)
        kind = "$END" if token.type == "$END" else token.type
        return mistakes.Problem(source, begin, start, stop, kind, frozenset(fault.accepts or fault.expected))
    if isinstance(fault, UnexpectedCharacters):
        start = min(fault.pos_in_stream + begin, end)
        return mistakes.Problem(source, begin, start, min(start + 1, end), None, frozenset(fault.allowed or ()))
    return mistakes.Problem(source, begin, end, end, "$END", frozenset())


def _go_on(source: Source, problem: mistakes.Problem, begin: int) -> int:
    """Where reading goes on: the beginning of a declaration behind `begin`, or -1."""
    opened = mistakes.unclosed(problem)
    text, place = source.text, problem.start
    if opened is not None:
        place = opened + 1
    elif text.rfind("\n", 0, place) + 1 == place and place > begin and _TOP.match(text, place):
        return place
    found = _TOP.search(text, max(place + 1, begin + 1)) if place < len(text) else None
    return found.start() if found else -1


def span_of(source: Source, start: int, end: int) -> Span:
    """A span that is never empty unless the text ends there."""
    return Span(source, start, max(end, min(start + 1, len(source.text))))
