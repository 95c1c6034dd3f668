"""The texts that are open in an editor, and positions in them: lines and code units there, offsets here.

A line ends with a line feed, a carriage return, or both, as the protocol says; other characters that Python takes for
line ends are none.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from pathlib import Path

from lsprotocol import types

from dsl.lazy_dataclasses import dataclass
from editors.service.results import Place

Encoding = types.PositionEncodingKind
_LINE_END = re.compile(r"\r\n|\n|\r")


class TextLines:
    """A text with its lines, for an editor that counts characters in an encoding."""

    def __init__(self, text: str, encoding: Encoding) -> None:
        self.text, self.encoding = text, encoding

    @cached_property
    def starts(self) -> list[int]:
        """The offset of the first character of each line."""
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    def position(self, offset: int) -> types.Position:
        """Where an offset is."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self.starts, offset) - 1
        return types.Position(line, self._units(self.text[self.starts[line] : offset]))

    def _units(self, text: str) -> int:
        if text.isascii() or self.encoding is Encoding.Utf32:
            return len(text)
        if self.encoding is Encoding.Utf8:
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text) + sum(character > "\uffff" for character in text)

    def offset(self, position: types.Position) -> int:
        """The offset of a position; one beyond the end of a line is at its end, one beyond the text at the end."""
        if position.line >= len(self.starts):
            return len(self.text)
        start = self.starts[max(position.line, 0)]
        end = self.starts[position.line + 1] if position.line + 1 < len(self.starts) else len(self.text)
        line = self.text[start:end].rstrip("\r\n")
        if line.isascii() or self.encoding is Encoding.Utf32:
            return start + min(max(position.character, 0), len(line))
        units = 0
        for number, character in enumerate(line):
            if units >= position.character:
                return start + number
            units += self._units(character)
        return start + len(line)

    def range(self, start: int, end: int) -> types.Range:
        """The range between two offsets."""
        return types.Range(self.position(start), self.position(end))

    def range_of(self, place: Place) -> types.Range:
        """The range of a place in this text."""
        return self.range(place.start, place.end)


@dataclass
class Document:
    """An open text, and its version in the editor."""

    path: Path
    uri: str
    version: int
    lines: TextLines

    def change(self, event: types.TextDocumentContentChangeEvent) -> None:
        """Apply a change that the editor reports."""
        text, encoding = self.lines.text, self.lines.encoding
        if isinstance(event, types.TextDocumentContentChangePartial):
            start, end = self.lines.offset(event.range.start), self.lines.offset(event.range.end)
            text = text[: min(start, end)] + event.text + text[max(start, end) :]
        else:
            text = event.text
        self.lines = TextLines(text, encoding)
