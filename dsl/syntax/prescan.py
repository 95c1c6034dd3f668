"""Checks before parsing: characters no line may contain, and the headings of the parts."""

from __future__ import annotations

import re
import unicodedata
from typing import get_args

from dsl.ast import PartName
from dsl.diagnostics import Diagnostic, Label, Replacement
from dsl.syntax.sources import MAX_DIAGNOSTICS
from dsl.text.files import MAX_FILE_SIZE
from dsl.text.span import Source, Span
from dsl.text.spelling import nearest
from dsl.text.visible import BIDI, HIDDEN

PARTS: tuple[PartName, ...] = get_args(PartName)
_HEADING = re.compile(r"^==+[ \t]*([A-Za-z_]+)[ \t]*==+", re.MULTILINE)
_STRAY = re.compile(f"\r(?!\n)|(?![\t\r\n])[{HIDDEN}]")
"""Characters that would end a line, control the terminal, or change how the surrounding text is displayed."""

_LINE_ENDS = "\x1c\x1d\x1e\x85\u2028\u2029"
_STRAY_NAMES = {
    "\r": "carriage return without a line feed",
    "\0": "zero byte",
    "\x0b": "vertical tab",
    "\x0c": "form feed",
    "\x1a": "end-of-file mark",
}


def characters(source: Source) -> list[Diagnostic]:
    """Report why a text cannot be parsed at all: its size, or a character no line may contain."""
    if len(source.text) > MAX_FILE_SIZE:
        return [
            Diagnostic("E0102", "error", f"the file is larger than {MAX_FILE_SIZE // 1_000_000} MB", Span(source, 0, 1))
        ]
    match = _STRAY.search(source.text)
    if match:
        what = _STRAY_NAMES.get(match.group()) or _described(match.group())
        span = Span(source, *match.span())
        alone = match.group() == "\r"
        help = "end lines with a line feed, or with a carriage return and a line feed" if alone else "remove it"
        fixes = () if alone else (Replacement(span, ""),)
        return [Diagnostic("E0103", "error", f"unexpected {what}", span, helps=(help,), replacements=fixes)]
    return []


def _described(sign: str) -> str:
    if sign in _LINE_ENDS:
        return "separator that looks like a line end"
    if unicodedata.category(sign) == "Cc":
        what = "control character"
    elif re.match(f"[{BIDI}]", sign):
        what = "character that reverses the text direction"
    elif unicodedata.category(sign) == "Cs":
        what = "half of a surrogate pair"
    else:
        what = f"invisible character: {unicodedata.name(sign, 'unnamed').lower()}"
    return f"{what}, U+{ord(sign):04X}"


def headings(source: Source) -> list[Diagnostic]:
    """Report unknown headings, and parts that occur twice."""
    seen: dict[str, Span] = {}
    diagnostics: list[Diagnostic] = []
    for match in _HEADING.finditer(source.text):
        name, span = match.group(1), Span(source, *match.span(1))
        if len(diagnostics) >= MAX_DIAGNOSTICS:
            break
        if name not in PARTS:
            close = nearest(name.lower(), PARTS, 1)
            helps = [f"did you mean `== {close[0]} ==`?"] if close else []
            helps.append("the parts of a game are " + ", ".join(f"`{part}`" for part in PARTS))
            new = tuple(Replacement(span, part) for part in close)
            message = f"unknown part `{name}`"
            diagnostics.append(Diagnostic("E0120", "error", message, span, helps=tuple(helps), replacements=new))
        elif name in seen:
            label = Label(seen[name], "first heading here")
            helps = ["put everything in this part under one heading"]
            diagnostics.append(Diagnostic("E0121", "error", f"duplicate part `{name}`", span, (label,), tuple(helps)))
        else:
            seen[name] = span
    return diagnostics
