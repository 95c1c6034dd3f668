"""From bytes to a source, or to a diagnostic if they cannot be text of the language."""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import Literal

from dsl.diagnostics import Diagnostic
from dsl.text.files import MAX_FILE_SIZE, Unreadable, has_suffix, read_file
from dsl.text.span import Source, Span

KINDS = {"rules": (".rules", "rules file"), "board": (".json", "board")}
"""File name suffixes, and what such files are called."""

MAX_DIAGNOSTICS = 25
"""Maximum number of errors reported at once."""


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
        valid = data[: fault.start].decode("utf-8-sig", "replace")
        replaced = Source(name, data.decode("utf-8-sig", "replace").replace("\0", "\ufffd"))
        what = "the file is not text" if _looks_binary(data) else "the file is not UTF-8 text"
        return Diagnostic(
            "E0101", "error", what, Span(replaced, len(valid), len(valid) + 1),
            helps=("save the file as UTF-8",) if not _looks_binary(data) else (),
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
