"""The formatter's model of a text: lines of words, and the comments and blank lines between them."""

from __future__ import annotations

import re
from dataclasses import field
from itertools import takewhile

from dsl.garbage import uncollected
from dsl.lazy_dataclasses import dataclass
from dsl.syntax.layout import CLOSING, DEDENT, INDENT, NEW_LINE, OPENING
from dsl.syntax.parser_cache import machine

STEP = 4
"""Number of spaces by which a block is indented."""

WIDTH = 120
"""Maximum line width: no alignment makes a line wider."""

_LAYOUT = frozenset({NEW_LINE, INDENT, DEDENT})
_KEPT = frozenset({"NAME", "STRING"})
_HEADING = re.compile(r"==+[ \t]*([A-Za-z_]+)[ \t]*==+")


@dataclass(eq=False)
class Comment:
    """A comment on a line of its own, with its indentation; an empty text is a blank line."""

    text: str
    indent: str = ""


@dataclass(eq=False)
class Word:
    """A word, number, text or symbol. `kind` is its terminal in the grammar.

    `blanks` spaces precede it, unless it `begins` a line of the text inside brackets. `above` are the comments on lines
    of their own right before it, `comment` is the one after it on its line.
    """

    kind: str
    text: str
    begins: bool = False
    blanks: int = 0
    above: list[str] = field(default_factory=list)
    comment: str = ""


@dataclass(eq=False)
class Line:
    """A logical line; inside brackets it may span several lines of the text."""

    depth: int
    indent: str
    above: list[Comment]
    words: list[Word] = field(default_factory=list)
    comment_column: int = 0
    """Column of the comment after the last word, if there is room for it there."""

    def first(self) -> str:
        """Kind of the first word of the line; `add` and `replace` before a declaration are skipped."""
        kinds = [word.kind for word in self.words[:3]]
        addresses = kinds[:3] == ["_REPLACE", "_REQUIRE", "_BECAUSE"]
        return kinds[1] if len(kinds) > 1 and kinds[0] in ("_ADD", "_REPLACE") and not addresses else kinds[0]

    def opens(self) -> bool:
        """True if the line ends with the colon of a block, with or without a citation."""
        words = self.words[:-1] if self.words[-1].kind == "CITE" else self.words
        return bool(words) and words[-1].text == ":"

    def find(self, *kinds: str) -> int | None:
        """Index of the first word of one of these kinds outside all brackets."""
        depth = 0
        for index, word in enumerate(self.words):
            if not depth and word.kind in kinds:
                return index
            depth += (word.kind in OPENING) - (word.kind in CLOSING)
        return None


@dataclass(eq=False)
class Text:
    """A whole text: its lines, and the comments after the last one."""

    lines: list[Line]
    ending: list[Comment]


def read(text: str) -> Text:
    """Split a text that can be parsed into lines."""
    ended_text = text if text.endswith("\n") else text + "\n"
    with uncollected():
        tokens = list(machine().parse_interactive(ended_text, start="start").iter_parse())
    result = Text([], [])
    depth, end, new_line = 0, 0, True
    for token in tokens:
        if token.type in _LAYOUT:
            new_line = True
            depth += (token.type == INDENT) - (token.type == DEDENT)
            continue
        assert token.start_pos is not None and token.end_pos is not None
        comment, between, indent = _gap(ended_text[end : token.start_pos], first=end == 0)
        if comment:
            result.lines[-1].words[-1].comment = comment
        if new_line:
            result.lines.append(Line(depth, indent if indent and depth else "", between))
            word = Word(token.type, _spelled(token.type, token))
        else:
            above = [line.text for line in between if line.text]
            word = Word(token.type, _spelled(token.type, token), indent is not None, above=above)
        result.lines[-1].words.append(word)
        end, new_line = token.end_pos, False
    comment, result.ending, _ = _gap(ended_text[end:], first=end == 0)
    if comment:
        result.lines[-1].words[-1].comment = comment
    return result


def _gap(gap: str, first: bool) -> tuple[str, list[Comment], str | None]:
    """Split the gap between two words: the comment after the first, whole lines, the indentation of the second.

    The last is None if both are on one line.
    """
    parts = gap.split("\n")
    if first:
        parts.insert(0, "")
    if len(parts) == 1:
        return "", [], None
    comment, *between, indent = parts
    return comment.strip(), [_comment(line) for line in between], indent


def _comment(line: str) -> Comment:
    return Comment(line.strip(), "".join(takewhile(str.isspace, line)))


def _spelled(kind: str, text: str) -> str:
    """Normalize the spelling of a word: runs of spaces in keywords and citations become single ones."""
    if kind in _KEPT:
        return str(text)
    if kind == "HEADING":
        return _HEADING.sub(r"== \1 ==", text)
    return " ".join(text.split())
