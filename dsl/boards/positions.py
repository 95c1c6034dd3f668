"""Positions of the values of a JSON text, and syntax errors in it.

Used only to report diagnostics: `json.loads` is several times faster and accepts the same texts. One pass over the
tokens with a stack of open brackets, as in RFC 8259; without recursion, so no text is nested too deeply for it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from dsl.text.span import Source, Span

Where = tuple[str | int, ...]
"""The path from the top of the file to a value: names of fields and indices in lists, from 0."""

DEEPEST = 32
"""Maximum number of open brackets."""

_TOKEN = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|[{}\[\]:,]|[^ \t\n\r{}\[\]:,"]+|"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_STRING = re.compile(r'"[^"\n]*"?')
_WORDS = {"true", "false", "null"}
_PROGRAMMERS = {"True": "true", "False": "false", "None": "null", "TRUE": "true", "FALSE": "false", "NULL": "null"}
_OPENS, _CLOSES = {"{": "}", "[": "]"}, {"}": "{", "]": "["}


@dataclass(frozen=True)
class JsonMistake:
    """The place where a text stops being JSON, with an explanation and a correction."""

    start: int
    end: int
    message: str
    help: str


@dataclass
class Positions:
    """Spans of values and of field names by path, and of duplicate names."""

    source: Source
    values: dict[Where, tuple[int, int]] = field(default_factory=dict)
    keys: dict[Where, tuple[int, int]] = field(default_factory=dict)
    twice: list[tuple[Where, tuple[int, int]]] = field(default_factory=list)
    fault: JsonMistake | None = None

    def span(self, where: Where, key: bool = False) -> Span:
        """Span of a value, or of the name of its field (`key`); if missing, of the innermost ancestor present."""
        while where and where not in self.values:
            where = where[:-1]
        found = self.keys.get(where) if key else None
        start, end = found or self.values.get(where, (0, 1))
        return Span(self.source, start, end)


@dataclass
class _Open:
    """An open bracket: which, where it is, its path, what has been read inside."""

    mark: str
    start: int
    where: Where
    key: str | int = 0
    wants: str = "first"
    """`first` (or the end), `key`, `colon`, `value`, `comma` (or the end)."""


class _Wrong(Exception):
    def __init__(self, fault: JsonMistake) -> None:
        super().__init__(fault.message)
        self.fault = fault


def positions(source: Source) -> Positions:
    """Locate everything in a text; with a `fault`, up to the place where it stops being JSON."""
    found = Positions(source)
    try:
        _Scan(source.text, found).run()
    except _Wrong as wrong:
        found.fault = wrong.fault
    return found


class _Scan:
    def __init__(self, text: str, found: Positions) -> None:
        self.text = text
        self.found = found
        self.stack: list[_Open] = []
        self.done = False

    def run(self) -> None:
        for match in _TOKEN.finditer(self.text):
            self.token(match.group(), match.start(), match.end())
        if self.stack:
            inner = self.stack[-1]
            close = _OPENS[inner.mark]
            raise _Wrong(
                JsonMistake(inner.start, inner.start + 1, f"this `{inner.mark}` is not closed", f"add a `{close}`")
            )
        if not self.done:
            end = len(self.text)
            raise _Wrong(
                JsonMistake(0, min(1, end), "the file is empty", 'a board is one JSON object: `{"format": 1, …}`')
            )

    def token(self, token: str, start: int, end: int) -> None:
        if self.done:
            raise _Wrong(
                JsonMistake(start, end, "something stands behind the end of the board", "a file is one object")
            )
        if token == '"':
            self.bad_text(start)
        inner = self.stack[-1] if self.stack else None
        if token in _CLOSES:
            self.close(inner, token, start, end)
        elif token == ",":
            self.comma(inner, start, end)
        elif token == ":":
            if inner is None or inner.wants != "colon":
                raise _Wrong(JsonMistake(start, end, "a `:` cannot stand here", 'it stands between `"name"` and value'))
            inner.wants = "value"
        elif inner is not None and inner.mark == "{" and inner.wants in ("first", "key"):
            self.key(inner, token, start, end)
        else:
            self.value(inner, token, start, end)

    def bad_text(self, start: int) -> None:
        shown = _STRING.match(self.text, start)
        end = shown.end() if shown else start + 1
        text = self.text[start:end]
        if "\\" in text:
            raise _Wrong(
                JsonMistake(start, end, "a `\\` in a text that JSON does not know", "write `\\\\` for a backslash")
            )
        if len(text) > 1 and text.endswith('"'):
            raise _Wrong(
                JsonMistake(start, end, "a text holds a tab or another character that is not seen", "leave it out")
            )
        raise _Wrong(JsonMistake(start, end, "the text is not closed in its line", 'add a `"`'))

    def close(self, inner: _Open | None, token: str, start: int, end: int) -> None:
        if inner is None:
            raise _Wrong(JsonMistake(start, end, f"this `{token}` closes nothing", "take it out"))
        if inner.mark != _CLOSES[token]:
            close = _OPENS[inner.mark]
            line = self.found.source.line_of(inner.start)
            what = f"`{token}` cannot close the `{inner.mark}` of line {line}"
            raise _Wrong(JsonMistake(start, end, what, f"a `{close}` must come before"))
        if inner.wants == "key" or (inner.wants, inner.mark) == ("value", "["):
            raise _Wrong(
                JsonMistake(start, end, f"a `,` stands before `{token}`", "there is no comma behind the last one")
            )
        if inner.wants not in ("first", "comma"):
            raise _Wrong(JsonMistake(start, end, f"`{token}` comes too early", "a field is a name, a `:` and a value"))
        self.stack.pop()
        self.found.values[inner.where] = (inner.start, end)
        self.ended()

    def comma(self, inner: _Open | None, start: int, end: int) -> None:
        if inner is None or inner.wants != "comma":
            raise _Wrong(
                JsonMistake(start, end, "a `,` cannot stand here", "commas stand between two fields or values")
            )
        if inner.mark == "[":
            inner.key = int(inner.key) + 1
            inner.wants = "value"
        else:
            inner.wants = "key"

    def key(self, inner: _Open, token: str, start: int, end: int) -> None:
        if not token.startswith('"'):
            what = "the name of a field stands in quotes"
            raise _Wrong(
                JsonMistake(start, end, what, f'write `"{token.strip(chr(39))}"`' if len(token) < 40 else "add them")
            )
        inner.key = _plain(token)
        inner.wants = "colon"
        where = (*inner.where, inner.key)
        if where in self.found.keys:
            self.found.twice.append((where, (start, end)))
        else:
            self.found.keys[where] = (start, end)

    def value(self, inner: _Open | None, token: str, start: int, end: int) -> None:
        if inner is not None and inner.wants not in ("first", "value"):
            missing = "`:`" if inner.wants == "colon" else "`,`"
            raise _Wrong(JsonMistake(start, end, f"a {missing} is missing before this", f"add the {missing}"))
        where = (*inner.where, inner.key) if inner else ()
        if token in _OPENS:
            if len(self.stack) >= DEEPEST:
                what = f"more than {DEEPEST} brackets are open here"
                raise _Wrong(JsonMistake(start, end, what, "no board needs lists nested this deeply"))
            self.stack.append(_Open(token, start, where))
            return
        if token[0] != '"' and token not in _WORDS and not _NUMBER.fullmatch(token):
            raise _Wrong(_foreign(token, start, end))
        self.found.values[where] = (start, end)
        self.ended()

    def ended(self) -> None:
        if self.stack:
            self.stack[-1].wants = "comma"
        else:
            self.done = True


def _plain(token: str) -> str:
    """Decode a JSON string token."""
    return str(json.loads(token))


def _foreign(token: str, start: int, end: int) -> JsonMistake:
    if token in _PROGRAMMERS:
        return JsonMistake(start, end, f"`{token}` is not a word of JSON", f"write `{_PROGRAMMERS[token]}`")
    if token.startswith(("//", "#", "/*")):
        return JsonMistake(start, end, "there are no comments in JSON", "the field `note` is for words about the board")
    if token[0] in "'“”„":
        return JsonMistake(start, start + 1, 'texts of JSON stand between two `"`', 'write `"` at both ends')
    if token[0] in "+-.0123456789":
        return JsonMistake(start, end, "this is not a number of JSON", "numbers are written like `3`, `-1`, `2.5`")
    return JsonMistake(
        start, end, "this is not a value of JSON", "texts stand in quotes; words are `true`, `false`, `null`"
    )
