"""Reading JSON with positions, by the grammar `json.lark`.

Used only to report diagnostics, as `json.loads` is much faster and accepts the same texts. Only then lark is imported.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import field
from difflib import get_close_matches
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from dsl.diagnostics import Diagnostic, Label, Replacement
from dsl.garbage import uncollected
from dsl.lazy_dataclasses import dataclass
from dsl.text.span import Source, Span
from dsl.text.visible import visible

if TYPE_CHECKING:
    from lark import Lark, Token, Tree, UnexpectedToken

_NESTING = {"LBRACE": 1, "LSQB": 1, "RBRACE": -1, "RSQB": -1}


def positions(source: Source) -> Positions:
    """Locate everything in a text; nothing if it has a `fault`."""
    from lark import UnexpectedToken  # start-up: it takes long to import

    located = Positions(source)
    try:
        with uncollected():
            tree = _parser().parse(source.text)
            _locate(tree.children[0], (), located)
    except UnexpectedToken as error:
        located.fault = json_error(source, error)
    except JsonError as error:
        located.fault = error
    return located


def _locate(node: Token | Tree[Token], where: Where, located: Positions) -> None:
    if isinstance(node, str):
        located.values[where] = node.start_pos or 0, node.end_pos or 0
        return
    first, *contents, last = node.children
    assert isinstance(first, str) and isinstance(last, str)
    located.values[where] = first.start_pos or 0, last.end_pos or 0
    if node.data == "array":
        for index, item in enumerate(contents[::2]):
            _locate(item, (*where, index), located)
    for name, value in pairwise(contents):
        if isinstance(name, str) and name.type == "KEY":
            text = name.rstrip(" \t\n\r")[:-1].rstrip(" \t\n\r")
            start = name.start_pos or 0
            path = (*where, json.loads(text))
            if path in located.keys:
                located.duplicates.append((path, (start, start + len(text))))
            else:
                located.keys[path] = start, start + len(text)
            _locate(value, path, located)


class _Depth:
    """Limits the nesting depth while a text is divided into tokens."""

    always_accept = ("COLON", "WORD", "BROKEN_STRING")
    """Terminals that no rule mentions."""

    def process(self, tokens: Iterator[Token]) -> Iterator[Token]:
        depth = 0
        for token in tokens:
            depth += _NESTING.get(token.type, 0)
            if depth > MAX_JSON_DEPTH:
                start, message = token.start_pos or 0, f"brackets are nested more than {MAX_JSON_DEPTH} levels deep"
                raise JsonError(start, start + 1, message, "no board needs lists nested this deeply")
            yield token


@cache
def _parser() -> Lark:
    from lark import Lark

    grammar = Path(__file__).with_name("json.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="basic", postlex=_Depth())


# ---- Syntax errors of JSON, explained: what stops a text from being JSON, and what to write instead


_CLOSING = {"{": "}", "[": "]"}
_CONSTANTS = {"True": "true", "False": "false", "None": "null", "TRUE": "true", "FALSE": "false", "NULL": "null"}


def json_error(source: Source, error: UnexpectedToken) -> JsonError:
    """Explain an unexpected token."""
    token: Token = error.token
    start = token.start_pos or 0
    opened = _unclosed(error.interactive_parser.parser_state.value_stack) if error.interactive_parser else []
    if token.type != "$END":
        message, help = _unexpected(source, token, error.accepts, opened)
        name = token.rstrip(" \t\n\r")
        name = name[:-1].rstrip(" \t\n\r") if token.type == "KEY" else name
        return JsonError(start, start + len(name), message, help)
    if opened:
        start = opened[-1].start_pos or 0
        return JsonError(start, start + 1, f"this `{opened[-1]}` is never closed", f"add a `{_CLOSING[opened[-1]]}`")
    return JsonError(0, min(1, len(source.text)), "the file is empty", 'a board is one object: `{"format": 1, …}`')


def _unclosed(stack: list[Token | Tree[Token]]) -> list[Token]:
    """The brackets still open after the symbols that the parser has shifted."""
    opened: list[Token] = []
    for symbol in stack:
        if isinstance(symbol, str) and symbol in _CLOSING:
            opened.append(symbol)
        elif isinstance(symbol, str) and symbol in _CLOSING.values():
            opened.pop()
    return opened


def _unexpected(source: Source, token: Token, accepted: set[str], opened: list[Token]) -> tuple[str, str]:
    """Message and help for a token; `accepted` are the kinds of tokens that are possible there."""
    closing = token in _CLOSING.values()
    if accepted == {"$END"}:
        return "unexpected text after the end of the board", "a board is a single object"
    if token.type == "BROKEN_STRING":
        return _broken_string(token)
    if closing and not opened:
        return f"unmatched `{token}`", "remove it"
    if closing and token != _CLOSING[opened[-1]]:
        line, missing = source.line_of(opened[-1].start_pos or 0), _CLOSING[opened[-1]]
        return f"`{token}` does not match the `{opened[-1]}` in line {line}", f"add a `{missing}` before it"
    if closing and source.text[: token.start_pos].rstrip().endswith(","):
        return f"trailing `,` before `{token}`", "remove the comma after the last item"
    if closing:
        return f"expected a value before `{token}`", "a field is a name, a `:` and a value"
    if token.type == "COMMA":
        return "unexpected `,`", "commas separate fields or values"
    if token.type == "COLON" or (token.type == "KEY" and "SCALAR" in accepted):
        return (
            f"unexpected `:`{' after this' if token.type == 'KEY' else ''}",
            "a `:` separates the name of a field from its value",
        )
    if accepted <= {"COMMA", "RBRACE", "RSQB"}:
        return "missing `,` before this", "add a `,`"
    if "SCALAR" in accepted:
        return _foreign_value(token)
    if token.startswith('"'):
        return "missing `:` after this name", "add a `:` and a value"
    name = token.strip("'")
    return "names of fields must be in double quotes", f'write `"{name}"`' if len(name) < 40 else "add the quotes"


def _broken_string(token: Token) -> tuple[str, str]:
    if "\\" in token:
        return "invalid `\\` in a string", "write `\\\\` for a backslash"
    if len(token) > 1 and token.endswith('"'):
        return "the string contains a tab or another control character", "remove it"
    return "the string is not closed on its line", 'add a `"`'


def _foreign_value(token: Token) -> tuple[str, str]:
    if token in _CONSTANTS:
        return f"`{token}` is not a JSON value", f"write `{_CONSTANTS[token]}`"
    if token.startswith(("//", "#", "/*")):
        return "JSON has no comments", "use the field `note` for remarks about the board"
    if token[0] in "'“”„":
        return "JSON strings must be in double quotes", 'write `"` at both ends'
    if token[0] in "+-.0123456789":
        return "this is not a JSON number", "write numbers like `3`, `-1` or `2.5`"
    return (
        "this is not a JSON value",
        "a value is a number, text in double quotes, a list, an object, `true`, `false` or `null`",
    )


# ---------------- where the values of a JSON text are: paths, and the spans at these paths


Where = tuple[str | int, ...]
"""The path from the top of the file to a value: names of fields and indices in lists, from 0."""

MAX_JSON_DEPTH = 32
"""Maximum nesting depth of brackets."""

Extent = tuple[int, int]
"""Start and end in the text."""


@dataclass
class JsonError(Exception):
    """The first characters that cannot be JSON, with an explanation and a correction."""

    start: int
    end: int
    message: str
    help: str


@dataclass
class Positions:
    """Spans of values and of field names by path, and duplicate names; `fault` is where a text stops being JSON."""

    source: Source
    values: dict[Where, Extent] = field(default_factory=dict)
    keys: dict[Where, Extent] = field(default_factory=dict)
    duplicates: list[tuple[Where, Extent]] = field(default_factory=list)
    fault: JsonError | None = None

    def span(self, where: Where, key: bool = False) -> Span:
        """Span of a value, or of the name of its field (`key`); if missing, of the innermost ancestor present."""
        while where and where not in self.values:
            where = where[:-1]
        name_bounds = self.keys.get(where) if key else None
        start, end = name_bounds or self.values.get(where, (0, 1))
        return Span(self.source, start, end)


# ---------------- diagnostics of boards, located by their path in the file; spans are computed only when they are
# reported


SEARCHED = 2000
"""Maximum number of names searched for the nearest; with more it would take too long."""


@dataclass(frozen=True)
class BoardDiagnostic:
    """A diagnostic without its span.

    `key`: it is about the name of the field, not its value. `alternatives` are texts that can replace it.
    """

    code: str
    message: str
    where: Where
    helps: tuple[str, ...] = ()
    labels: tuple[tuple[Where, str], ...] = ()
    key: bool = False
    alternatives: tuple[str, ...] = ()

    def diagnostic(self, located: Positions) -> Diagnostic:
        """The diagnostic with its span in the file."""
        labels = tuple(Label(located.span(where), text) for where, text in self.labels)
        span = located.span(self.where, self.key)
        replacements = tuple(Replacement(span, json.dumps(text, ensure_ascii=False)) for text in self.alternatives)
        question = f"did you mean {' or '.join(f'`{name}`' for name in self.alternatives)}?"
        helps = (question, *self.helps) if self.alternatives else self.helps
        return Diagnostic(self.code, "error", self.message, span, labels, helps[:4], replacements)


def nearest(name: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """The names closest in spelling, closest first."""
    names = sorted(set(candidates))
    return tuple(get_close_matches(name, names, n=3, cutoff=0.6)) if len(names) <= SEARCHED else ()


def listed(names: Iterable[object]) -> str:
    """`a`, `b` and 3 more."""
    every = [f"`{name}`" for name in names]
    if len(every) > 8:
        return f"{', '.join(every[:7])} and {len(every) - 7} more"
    return " and ".join([", ".join(every[:-1]), every[-1]]) if len(every) > 1 else "".join(every)


def quoted(name: object) -> str:
    """Format a name from the file for use in a message."""
    text = visible(str(name)).replace("`", "'")
    return f"`{text if len(text) <= 40 else text[:39] + '…'}`"
