"""Lines and indentation: the layout tokens between the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, TypeAlias

import lark
from lark import Token
from lark.grammar import Rule
from lark.lark import PostLex
from lark.parse_tree_builder import ExpandSingleChild

NEW_LINE, INDENT, DEDENT = "_NL", "_INDENT", "_DEDENT"
OPENING = frozenset({"LPAR", "LSQB", "LBRACE"})
CLOSING = frozenset({"RPAR", "RSQB", "RBRACE"})


class LayoutError(Exception):
    """Raised for an indentation that matches no enclosing block, at a position in the text."""

    def __init__(self, position: int, message: str, helps: tuple[str, ...]) -> None:
        self.position, self.message, self.helps = position, message, helps
        super().__init__(message)


class Layout(PostLex):
    """Turns the spaces at the beginning of lines into indents and dedents; inside brackets line breaks are ignored.

    Layout tokens have no width and are placed at the end of the token before them, so that a node ends with its last
    token. No state is kept between two runs.
    """

    always_accept: ClassVar[tuple[str, ...]] = (NEW_LINE,)  # type: ignore[misc]

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Insert indents and dedents into the tokens. Raises LayoutError.

        INVARIANT: `levels` are the indentations of the open blocks, each a prefix of the next one; indents and dedents
        are balanced when the text ends. Indentations are compared as text and not by width: a tab is not some number of
        spaces, so mixing them is an error and never a silent guess.
        """
        depth, levels = 0, [""]
        previous: Token | None = None
        for token in stream:
            kind = token.type
            if kind != NEW_LINE:
                yield token
                previous = token
                if kind in OPENING:
                    depth += 1
                elif kind in CLOSING and depth:
                    depth -= 1
                continue
            if depth:
                continue
            anchor = token if previous is None else previous
            yield _mark(NEW_LINE, "\n", anchor)
            indent = token.rsplit("\n", 1)[1]
            if indent == levels[-1]:
                continue
            if indent.startswith(levels[-1]):
                levels.append(indent)
                yield _mark(INDENT, indent, anchor)
                continue
            while len(indent) < len(levels[-1]):
                levels.pop()
                yield _mark(DEDENT, "", anchor)
            if indent != levels[-1]:
                raise _error(indent, token.end_pos or 0, levels)
        while len(levels) > 1:
            levels.pop()
            if previous is not None:
                yield _mark(DEDENT, "", previous)


def _mark(kind: str, text: str, previous: Token) -> Token:
    end = previous.end_pos
    return Token(kind, text, end, previous.end_line, previous.end_column, previous.end_line, previous.end_column, end)


def _error(indent: str, position: int, levels: list[str]) -> LayoutError:
    if indent.strip(" ") or levels[-1].strip(" "):
        return LayoutError(position, "the indentation mixes tabs and spaces", ("indent with spaces only",))
    return LayoutError(
        position, "the indentation matches no enclosing block",
        ("begin all lines of a block in the same column",),
    )  # fmt: skip


# ---------------------------------------------------------------- lark's trees with their places in the text
# Lark can work out places itself, lines and columns as well, but takes a third of the time of parsing for it.


Built: TypeAlias = Any
"""What a rule of the grammar becomes: a token, a tree, a node, a list of them. What builds it says what it takes."""


class Tree(lark.Tree[Token]):
    """The tree of a grammar rule, with the offsets of its text; both are -1 if the text is empty.

    `outer_start` and `outer_end` include what encloses it in rules that have no tree of their own, such as parentheses.
    """

    start = end = outer_start = outer_end = -1


class Parser(lark.Lark):
    """A parser that makes such trees."""

    def _prepare_callbacks(self) -> None:
        super()._prepare_callbacks()
        self._callbacks = {rule: Placing(build) for rule, build in self._callbacks.items()}


class Placing:
    """Builds the tree of one rule from its children, with the offsets of their text."""

    __slots__ = ("build",)

    def __init__(self, build: Callable[[list[Built]], Built]) -> None:
        self.build = build

    def __call__(self, children: list[Built]) -> Built:
        """The tree of the rule, or its only child if the rule has no tree of its own."""
        tree = self.build(children)
        if type(tree) is not Tree or (len(children) == 1 and tree is children[0]):
            return tree
        tree.outer_start, tree.outer_end = _start_of(children), _end_of(children)
        if tree.start < 0:
            tree.start, tree.end = tree.outer_start, tree.outer_end
        return tree

    def leaves_as_is(self, rule: Rule) -> bool:
        """Whether what the rule makes is its only child."""
        return len(rule.expansion) == 1 and type(self.build) is ExpandSingleChild


def _start_of(children: list[Built]) -> int:
    """Where the first of them that is somewhere starts, -1 if none is anywhere."""
    for child in children:
        if type(child) is Token:
            return child.start_pos or 0
        if type(child) is Tree and child.outer_start >= 0:
            return child.outer_start
    return -1


def _end_of(children: list[Built]) -> int:
    """Where the last of them that is somewhere ends, -1 if none is anywhere."""
    for child in reversed(children):
        if type(child) is Token:
            return child.end_pos or 0
        if type(child) is Tree and child.outer_end >= 0:
            return child.outer_end
    return -1
