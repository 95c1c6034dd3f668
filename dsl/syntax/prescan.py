"""Checks before parsing: characters no line may contain, and the headings of the parts."""

from __future__ import annotations

import codecs
import re
import unicodedata
from pathlib import Path
from typing import Literal, get_args

from dsl.ast import PartName
from dsl.diagnostics import Diagnostic, Label, Replacement
from dsl.text.files import MAX_FILE_SIZE, Unreadable, has_suffix, read_file
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


# ---------------- from bytes to a source, or to a diagnostic if they cannot be text of the language


KINDS = {"rules": (".rules", "rules file"), "board": (".json", "board")}
"""File name suffixes, and what such files are called."""

MAX_DIAGNOSTICS = 25
"""Maximum number of errors reported at once."""


_AS_UTF_8 = ("save the file as UTF-8",)


def read_source(path: Path, name: str | None = None, kind: Literal["rules", "board"] = "rules") -> Source | Diagnostic:
    """Read a rules file or board; a diagnostic if that fails. `name` is the name shown to people, by default the path.

    Files of other kinds are not read, so that no message quotes a line of them.
    """
    shown_name = str(path) if name is None else name
    try:
        data = read_file(path, MAX_FILE_SIZE)
    except Unreadable as fault:
        if fault.kind == "missing":
            return _unreadable(shown_name, "no such file")
        return _unreadable(shown_name, f"{'the file' if fault.kind == 'failed' else 'this'} {fault.why}")
    suffix, noun = KINDS[kind]
    if not has_suffix(path, suffix):
        return _unreadable(shown_name, f"not a {noun}: its name does not end in `{suffix}`")
    return source_of(data, shown_name)


def source_of(data: bytes, name: str) -> Source | Diagnostic:
    """Decode UTF-8 bytes into a source, dropping a byte order mark; a diagnostic if that fails."""
    if len(data) > MAX_FILE_SIZE:
        return Diagnostic(
            "E0102", "error", f"the file is larger than {MAX_FILE_SIZE // 1_000_000} MB", _beginning(name, data),
            helps=("this is probably not a rules file",),
        )  # fmt: skip
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # what PowerShell writes
            wide = Source(name, data.decode("utf-16", "replace").replace("\0", "\ufffd"))
            return Diagnostic("E0101", "error", "the file is UTF-16 text", Span(wide, 0, 1), helps=_AS_UTF_8)
        valid = data[: fault.start].decode("utf-8-sig", "replace")
        replaced = Source(name, data.decode("utf-8-sig", "replace").replace("\0", "\ufffd"))
        what = "the file is not text" if _looks_binary(data) else "the file is not UTF-8 text"
        return Diagnostic(
            "E0101", "error", what, Span(replaced, len(valid), len(valid) + 1),
            helps=_AS_UTF_8 if not _looks_binary(data) else (),
        )  # fmt: skip
    if "\0" in text:
        offset = text.index("\0")
        replaced = Source(name, text.replace("\0", "\ufffd"))
        return Diagnostic(
            "E0101", "error", "the file is not text: it contains a zero byte", Span(replaced, offset, offset + 1)
        )
    return Source(name, text, len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0)


def _looks_binary(data: bytes) -> bool:
    head = data[:4096]
    return b"\0" in head or sum(byte < 9 or 13 < byte < 32 for byte in head) * 20 > len(head)


def _beginning(name: str, data: bytes) -> Span:
    first = data[:200].split(b"\n", 1)[0].decode("utf-8", "replace").replace("\0", "\ufffd")
    return Span(Source(name, first), 0, min(1, len(first)))


def _unreadable(name: str, message: str) -> Diagnostic:
    return Diagnostic("E0101", "error", message, Span(Source(name, ""), 0, 0))
