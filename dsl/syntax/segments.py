"""Declarations as segments of text: where parsing resumes after an error, and whether a changed line can be parsed."""

from __future__ import annotations

import re

from dsl.syntax import parser, terminals
from dsl.syntax.layout import LayoutError
from dsl.syntax.parser import Unexpected
from dsl.syntax.terminals import first

_CONTINUING = "else|or|and|where|is|then|because|of|to|from|with|seen|over|turns"
"""Keywords at the beginning of a line that continue what is above it, even in a broken line."""

TOP = re.compile(rf"^(?!(?:{_CONTINUING})\b)[A-Za-z_=]", re.MULTILINE)
"""The beginning of a declaration, or of a statement of the set-up."""

_VARIANT = re.compile(r"\s*(?:#[^\n]*\s+)*variant\b[^\n]*\n(?:[ \t\r]*(?:#[^\n]*)?\n)*(?P<indent>[ \t]+)")

MAX_DECLARATION_LENGTH = 20_000
"""Maximum distance before a line at which the start of its declaration is searched."""


def units_of(text: str) -> tuple[re.Pattern[str], str]:
    """Pattern of the first word of a declaration, or of a change of a variant, and the start symbol that parses it."""
    variant = _VARIANT.match(text)
    if variant:
        starts = "|".join(sorted(map(terminals.keyword, first("_difference"))))
        return re.compile(rf"\n{variant['indent']}(?=(?:{starts})\b)"), "changes"
    return TOP, "rest"


def unit_start(text: str, begin: int, line: int) -> int:
    """Offset at which the declaration containing the line begins, not before `begin`."""
    units, _ = units_of(text)
    matches = units.finditer(text, max(begin, line - MAX_DECLARATION_LENGTH), line + 100)
    return max([match.start() for match in matches if match.start() <= line], default=begin)


def could_be_read(text: str, begin: int, line_start: int, line: str) -> bool:
    """True if parsing would reach the end of the line if it were replaced by this one."""
    _, start = units_of(text)
    unit = unit_start(text, begin, line_start)
    try:
        parser.tree(f"{text[unit:line_start]}{line}\n", start)
    except Unexpected as error:
        return error.kind in ("$END", "_DEDENT")
    except LayoutError:
        return False
    return True
