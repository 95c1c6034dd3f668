"""Reading JSON with positions, by the grammar `json.lark`.

Used only to report diagnostics, as `json.loads` is much faster and accepts the same texts. Import it where it is used:
it loads `lark`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

from lark import Lark, Token, Tree, UnexpectedToken

from dsl.boards.positions import MAX_JSON_DEPTH, JsonError, Positions, Where
from dsl.garbage import uncollected
from dsl.text.span import Source

_NESTING = {"LBRACE": 1, "LSQB": 1, "RBRACE": -1, "RSQB": -1}


def positions(source: Source) -> Positions:
    """Locate everything in a text; nothing if it has a `fault`."""
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
    if isinstance(node, Token):
        located.values[where] = node.start_pos or 0, node.end_pos or 0
        return
    first, *contents, last = node.children
    assert isinstance(first, Token) and isinstance(last, Token)
    located.values[where] = first.start_pos or 0, last.end_pos or 0
    if node.data == "array":
        for index, item in enumerate(contents[::2]):
            _locate(item, (*where, index), located)
    for name, value in pairwise(contents):
        if isinstance(name, Token) and name.type == "KEY":
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


def _unclosed(stack: list[object]) -> list[Token]:
    """The brackets still open after the symbols that the parser has shifted."""
    opened: list[Token] = []
    for symbol in stack:
        if isinstance(symbol, Token) and symbol in _CLOSING:
            opened.append(symbol)
        elif isinstance(symbol, Token) and symbol in _CLOSING.values():
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
