"""Lines and indentation: the layout tokens between the others."""

from __future__ import annotations

from collections.abc import Iterator

NEW_LINE, INDENT, DEDENT = "_NL", "_INDENT", "_DEDENT"
OPENING = frozenset({"LPAR", "LSQB", "LBRACE"})
CLOSING = frozenset({"RPAR", "RSQB", "RBRACE"})


class Token(str):
    """A part of a text that is one terminal, with its offsets."""

    __slots__ = ("end_pos", "start_pos", "type")
    type: str
    start_pos: int
    end_pos: int

    def __new__(cls, type: str, text: str, start_pos: int, end_pos: int) -> Token:
        """Make a token."""
        token = str.__new__(cls, text)
        token.type, token.start_pos, token.end_pos = type, start_pos, end_pos
        return token


class LayoutError(Exception):
    """Raised for an indentation that matches no enclosing block, at a position in the text."""

    def __init__(self, position: int, message: str, helps: tuple[str, ...]) -> None:
        self.position, self.message, self.helps = position, message, helps
        super().__init__(message)


class Layout:
    """Turns the spaces at the beginning of lines into indents and dedents; inside brackets line breaks are ignored.

    Layout tokens have no width and are placed at the end of the token before them, so that a node ends with its last
    token. No state is kept between two runs.
    """

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
                raise _error(indent, token.end_pos, levels)
        while len(levels) > 1:
            levels.pop()
            if previous is not None:
                yield _mark(DEDENT, "", previous)


def _mark(kind: str, text: str, previous: Token) -> Token:
    return Token(kind, text, previous.end_pos, previous.end_pos)


def _error(indent: str, position: int, levels: list[str]) -> LayoutError:
    if indent.strip(" ") or levels[-1].strip(" "):
        return LayoutError(position, "the indentation mixes tabs and spaces", ("indent with spaces only",))
    return LayoutError(
        position, "the indentation matches no enclosing block",
        ("begin all lines of a block in the same column",),
    )  # fmt: skip
