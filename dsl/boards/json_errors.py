"""Syntax errors of JSON, explained: what stops a text from being JSON, and what to write instead."""

from __future__ import annotations

from lark import Token, UnexpectedToken

from dsl.boards.positions import JsonError
from dsl.text.span import Source

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
