"""What is looked at before parsing: characters no line can hold, and the headings of the parts."""

from __future__ import annotations

import re
import unicodedata

from dsl.diagnostics import Diagnostic, Label, Replacement
from dsl.parse.reading import LARGEST, MOST
from dsl.span import Source, Span
from dsl.spelling import nearest

PARTS = ("components", "setup", "phases", "scoring", "examples")
_HEADING = re.compile(r"^==+[ \t]*([A-Za-z_]+)[ \t]*==+", re.MULTILINE)
_STRAY = re.compile(
    r"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]|[\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""What would end a line, speak to the terminal, or change how the text around it is shown."""

_LINE_ENDS = "\x1c\x1d\x1e\x85\u2028\u2029"
_STRAY_NAMES = {
    "\r": "a carriage return without a line feed",
    "\0": "a zero byte",
    "\x0b": "a vertical tab",
    "\x0c": "a form feed",
    "\x1a": "an end mark of an old system",
}


def characters(source: Source) -> list[Diagnostic]:
    """Why a text cannot be read at all: its size, or a character no line can hold."""
    if len(source.text) > LARGEST:
        return [Diagnostic("E0102", "error", f"the file is larger than {LARGEST // 1_000_000} MB", Span(source, 0, 1))]
    found = _STRAY.search(source.text)
    if found:
        what = _STRAY_NAMES.get(found.group()) or _unseen(found.group())
        helps = (
            ["lines end with a line feed, or with a carriage return and a line feed"] if found.group() == "\r" else []
        )
        return [Diagnostic("E0103", "error", f"{what} stands here", Span(source, *found.span()), helps=tuple(helps))]
    return []


def _unseen(sign: str) -> str:
    if sign in _LINE_ENDS:
        return "a separator that looks like a line end"
    what = "a control character" if unicodedata.category(sign) == "Cc" else "a character that turns text round"
    return f"{what}, U+{ord(sign):04X},"


def headings(source: Source) -> list[Diagnostic]:
    """Headings of no part, and parts that stand there twice."""
    seen: dict[str, Span] = {}
    diagnostics: list[Diagnostic] = []
    for found in _HEADING.finditer(source.text):
        name, span = found.group(1), Span(source, *found.span(1))
        if len(diagnostics) >= MOST:
            break
        if name not in PARTS:
            close = nearest(name.lower(), PARTS, 1)
            helps = [f"did you mean `== {close[0]} ==`?"] if close else []
            helps.append("the parts of a game are " + ", ".join(f"`{part}`" for part in PARTS))
            new = tuple(Replacement(span, part) for part in close)
            message = f"there is no part `{name}`"
            diagnostics.append(Diagnostic("E0120", "error", message, span, helps=tuple(helps), replacements=new))
        elif name in seen:
            label = Label(seen[name], f"`{name}` begins here")
            helps = ["put everything of a part under one heading"]
            diagnostics.append(
                Diagnostic("E0121", "error", f"the part `{name}` stands here twice", span, (label,), tuple(helps))
            )
        else:
            seen[name] = span
    return diagnostics
