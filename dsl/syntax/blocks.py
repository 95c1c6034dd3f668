"""Parsing a text anew after a change: what has not changed is moved to where it is now, and not parsed again.

A block is what begins at the left margin: a heading, a declaration, a statement of the set-up, an example. Each can be
parsed on its own, as after an error (`recovery.py`). Its tree is kept as if the block were a text of its own, with the
first node numbered 0; a place in a file adds an offset and a number to that. Spans name the source, which is another
one after each change, so every node is made anew all the same, in a tenth of the time that parsing takes.

INVARIANT: the tree is the one that `parse` makes of the text, with the same spans and numbers. Whatever is not as
simple as this (errors, variants, files of languages, brackets or `else` at the margin) is left to `parse`.
"""

from __future__ import annotations

import re
from dataclasses import field, fields
from itertools import pairwise
from typing import Any, TypeVar, cast

from dsl import ast
from dsl.ast.base import NODES
from dsl.diagnostics import Diagnostic
from dsl.garbage import uncollected
from dsl.lazy_dataclasses import dataclass
from dsl.syntax import prescan
from dsl.syntax.build_files import RULES
from dsl.syntax.build_tree import Builder, NestingError
from dsl.syntax.layout import LayoutError, Token
from dsl.syntax.parser import Tree, Unexpected, tree
from dsl.syntax.parsing import parse, parse_expression
from dsl.syntax.segments import TOP
from dsl.text.span import Source, Span

N = TypeVar("N", bound=ast.Node)

DEPTH_IN_FILE = 3
"""Number of trees around that of a block, at most: those of the text, the file, the part."""

_HEADING = re.compile(r"==+[ \t]*[A-Za-z_]+[ \t]*==+")


class _NotSimpleError(Exception):
    """Raised for a text that is left to `parse`."""


@dataclass(frozen=True)
class Block:
    """A block that was parsed: its tree, how many nodes were numbered, and where its last token ends.

    That of the head of a file is the tree of the parser: it is short.
    """

    node: ast.Node
    size: int
    end: int


@dataclass
class Blocks:
    """The blocks of the texts that were parsed last, by the name of their source and by text. Threads may share it."""

    known: dict[str, dict[str, Block]] = field(default_factory=dict)

    def parse(self, source: Source, first_number: int = 0) -> tuple[ast.RulesFile | None, list[Diagnostic]]:
        """Parse a text as `dsl.syntax.parse` does."""
        with uncollected():
            try:
                if prescan.characters(source) or prescan.headings(source):
                    raise _NotSimpleError
                text = _Text(source, first_number, self.known.get(source.name, {}))
                file = text.file()
            except (_NotSimpleError, NestingError, Unexpected, LayoutError):
                return parse(source, first_number)
            self.known[source.name] = text.used
            return file, []


class _Text:
    """One text that is parsed; `used` are its blocks."""

    def __init__(self, source: Source, first_number: int, known: dict[str, Block]) -> None:
        self.source, self.known, self.used = source, known, dict[str, Block]()
        self.builder = _builder(source, first_number)

    def file(self) -> ast.RulesFile:
        """The tree of the text. Raises what `Blocks.parse` catches."""
        text = self.source.text
        starts = [match.start() for match in TOP.finditer(text)]
        is_of_game = text.startswith("game", starts[0] if starts else 0)
        # The head is parsed with what follows it up to the first item: without one there is no file.
        items = [
            number for number, start in enumerate(starts)
            if number and text[start] != "=" and not (is_of_game and text.startswith("option", start))
        ]  # fmt: skip
        if not items:
            raise _NotSimpleError
        head = tree(text[: [*starts, len(text)][items[0] + 1]], "start").children[0]
        start = head.start
        content: list[ast.Node]
        if head.data == "game":
            header = self.builder.build(head.children[0])
            content, end = self._content(starts[1:])
            file = RULES["game"](self.builder, self._span(start, end), header, *content)
        elif head.data == "companion":
            content, end = self._content(starts[1:])
            file = RULES["companion"](self.builder, self._span(start, end), *head.children[:2], *content)
        else:
            raise _NotSimpleError
        if self.builder.diagnostics:
            raise _NotSimpleError
        return cast(ast.RulesFile, file)

    def _span(self, start: int, end: int) -> Span:
        return Span(self.source, start, end)

    def _content(self, starts: list[int]) -> tuple[list[ast.Node], int]:
        """The parts, and what comes before them; and where the last of it ends."""
        content: list[ast.Node] = []
        in_part: list[ast.Node] = []
        heading: Token | None = None
        end = 0

        def finish() -> None:
            if heading is not None:
                if not in_part:
                    raise _NotSimpleError
                content.append(RULES["part"](self.builder, self._span(heading.start_pos, end), heading, *in_part))
                in_part.clear()

        for start, limit in pairwise([*starts, len(self.source.text)]):
            match = _HEADING.match(self.source.text, start)
            if match is not None:
                if self.source.text[match.end() : limit].partition("#")[0].strip():
                    raise _NotSimpleError
                finish()
                heading = Token("HEADING", match.group(), *match.span())
            else:
                node, end = self._item(start, self.source.text[start:limit])
                (in_part if heading is not None else content).append(node)
        finish()
        if heading is not None and any(isinstance(node, ast.Example) for node in content):
            raise _NotSimpleError
        return content, end

    def _item(self, start: int, text: str) -> tuple[ast.Node, int]:
        """The node of a block, and where it ends."""
        block = self.used.get(text) or self.known.get(text)
        if block is None:
            block = _parsed(text)
        self.used[text] = block
        first = self.builder.number
        self.builder.number += block.size
        return moved(block.node, self.source, start, first), start + block.end


def _builder(source: Source, first_number: int) -> Builder:
    return Builder(source, RULES, parse_expression, first_number, depth=DEPTH_IN_FILE)


def _parsed(text: str) -> Block:
    """Parse a block. Raises what `Blocks.parse` catches."""
    parsed = tree(text, "rest")
    builder = _builder(Source("", text), 0)
    if len(parsed.children) != 1 or not isinstance(parsed.children[0], Tree):
        raise _NotSimpleError
    node = builder.build(parsed.children[0])
    if builder.diagnostics:
        raise _NotSimpleError
    return Block(node, builder.number, parsed.end)


# ---------------- moving


_FIELDS: dict[type[ast.Node], tuple[str, ...]] = {}
"""The names of the fields of a class, without span and number."""


def moved(node: N, source: Source, offset: int, number: int) -> N:
    """A copy of a node in another source, with larger offsets and numbers."""
    model = type(node)
    if model not in _FIELDS:
        _FIELDS[model] = tuple(item.name for item in fields(model) if item.name not in ("span", "number"))
    copy: Any = object.__new__(model)
    for name in _FIELDS[model]:
        value = getattr(node, name)
        if type(value) in NODES:
            value = moved(value, source, offset, number)
        elif type(value) is tuple:
            value = tuple([moved(item, source, offset, number) if type(item) in NODES else item for item in value])
        setattr(copy, name, value)
    copy.span = Span(source, node.span.start + offset, node.span.end + offset)
    copy.number = node.number + number
    return cast(N, copy)
