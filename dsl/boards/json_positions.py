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

from dsl.boards.json_errors import json_error
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
