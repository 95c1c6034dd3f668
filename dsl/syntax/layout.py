"""Lines and indentation: the layout tokens between the words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from lark import Token
from lark.lark import PostLex

NEW_LINE, INDENT, DEDENT = "_NL", "_INDENT", "_DEDENT"
OPENING = frozenset({"LPAR", "LSQB", "LBRACE"})
CLOSING = frozenset({"RPAR", "RSQB", "RBRACE"})


class LayoutError(Exception):
    """Raised for an indentation that matches no enclosing block. `levels`: the indentations that would."""

    def __init__(self, position: int, message: str, helps: tuple[str, ...]) -> None:
        self.position, self.message, self.helps = position, message, helps
        super().__init__(message)


class Layout(PostLex):
    """Turns the blanks at the beginning of lines into indents and dedents; within brackets line breaks are ignored.

    Layout tokens have no width and are placed at the end of the word before them, so that a node ends with its last
    word. No state is kept between two runs.
    """

    always_accept: ClassVar[tuple[str, ...]] = (NEW_LINE,)  # type: ignore[misc]

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Insert indents and dedents into the tokens. Raises LayoutError."""
        depth, levels = 0, [""]
        before: Token | None = None
        for token in stream:
            kind = token.type
            if kind != NEW_LINE:
                yield token
                before = token
                if kind in OPENING:
                    depth += 1
                elif kind in CLOSING and depth:
                    depth -= 1
                continue
            if depth:
                continue
            place = token if before is None else before
            yield _mark(NEW_LINE, "\n", place)
            indent = token.rsplit("\n", 1)[1]
            if indent == levels[-1]:
                continue
            if indent.startswith(levels[-1]):
                levels.append(indent)
                yield _mark(INDENT, indent, place)
                continue
            while len(indent) < len(levels[-1]):
                levels.pop()
                yield _mark(DEDENT, "", place)
            if indent != levels[-1]:
                raise _fault(indent, token.end_pos or 0, levels)
        while len(levels) > 1:
            levels.pop()
            if before is not None:
                yield _mark(DEDENT, "", before)


def _mark(kind: str, text: str, before: Token) -> Token:
    end = before.end_pos
    return Token(kind, text, end, before.end_line, before.end_column, before.end_line, before.end_column, end)


def _fault(indent: str, position: int, levels: list[str]) -> LayoutError:
    if indent.strip(" ") or levels[-1].strip(" "):
        return LayoutError(position, "tabs and blanks are mixed in the indentation", ("indent with blanks only",))
    return LayoutError(
        position, "this line is indented less than the block above, but more than what the block stands in",
        ("lines that belong together begin in the same column",),
    )  # fmt: skip
