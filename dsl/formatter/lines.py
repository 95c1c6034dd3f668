"""What a text is made of for the formatter: lines of words, and the comments and blank lines between them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import takewhile

from dsl.syntax.layout import CLOSING, DEDENT, INDENT, NEW_LINE, OPENING
from dsl.syntax.parser_cache import machine, uncollected

STEP = 4
"""How many blanks a block stands further in than the line that opens it."""

WIDTH = 120
"""How wide a line should be at most: no alignment makes it wider."""

_LAYOUT = frozenset({NEW_LINE, INDENT, DEDENT})
_KEPT = frozenset({"NAME", "STRING"})
_HEADING = re.compile(r"==+[ \t]*([A-Za-z_]+)[ \t]*==+")


@dataclass(eq=False)
class Comment:
    """A comment on a line of its own, with the blanks before it; without text it is a blank line."""

    text: str
    indent: str = ""


@dataclass(eq=False)
class Word:
    """A word, number, text or sign. `kind` is its terminal in the grammar.

    `blanks` stand before it, unless it `begins` a line of the text within brackets. `above` are the comments on lines
    of their own right before it, `behind` is the comment behind it on its line.
    """

    kind: str
    text: str
    begins: bool = False
    blanks: int = 0
    above: list[str] = field(default_factory=list)
    behind: str = ""


@dataclass(eq=False)
class Line:
    """A line of the language; within brackets it may go on over several lines of the text."""

    depth: int
    indent: str
    above: list[Comment]
    words: list[Word] = field(default_factory=list)
    behind_at: int = 0
    """The column of the comment behind the last word; the nearest one if that is further right."""

    def first(self) -> str:
        """The kind of the word the line begins with; `add` and `replace` before a declaration are passed over."""
        kinds = [word.kind for word in self.words[:3]]
        addresses = kinds[:3] == ["_REPLACE", "_REQUIRE", "_BECAUSE"]
        return kinds[1] if len(kinds) > 1 and kinds[0] in ("_ADD", "_REPLACE") and not addresses else kinds[0]

    def opens(self) -> bool:
        """Whether the line ends with the colon of a block, a citation or not."""
        words = self.words[:-1] if self.words[-1].kind == "CITE" else self.words
        return bool(words) and words[-1].text == ":"

    def find(self, *kinds: str) -> int | None:
        """The place of the first word of one of these kinds that stands outside all brackets."""
        inside = 0
        for place, word in enumerate(self.words):
            if not inside and word.kind in kinds:
                return place
            inside += (word.kind in OPENING) - (word.kind in CLOSING)
        return None


@dataclass(eq=False)
class Text:
    """A whole text: its lines, and the comments after the last one."""

    lines: list[Line]
    ending: list[Comment]


def read(text: str) -> Text:
    """The lines of a text that can be parsed."""
    whole = text if text.endswith("\n") else text + "\n"
    with uncollected():
        tokens = list(machine().parse_interactive(whole, start="start").iter_parse())
    found = Text([], [])
    depth, place, new = 0, 0, True
    for token in tokens:
        if token.type in _LAYOUT:
            new = True
            depth += (token.type == INDENT) - (token.type == DEDENT)
            continue
        assert token.start_pos is not None and token.end_pos is not None
        behind, between, indent = _gap(whole[place : token.start_pos], first=place == 0)
        if behind:
            found.lines[-1].words[-1].behind = behind
        if new:
            found.lines.append(Line(depth, indent if indent and depth else "", between))
            word = Word(token.type, _spelled(token.type, token))
        else:
            comments = [remark.text for remark in between if remark.text]
            word = Word(token.type, _spelled(token.type, token), indent is not None, above=comments)
        found.lines[-1].words.append(word)
        place, new = token.end_pos, False
    behind, found.ending, _ = _gap(whole[place:], first=place == 0)
    if behind:
        found.lines[-1].words[-1].behind = behind
    return found


def _gap(gap: str, first: bool) -> tuple[str, list[Comment], str | None]:
    """What stands between two words: the comment behind one, whole lines, the blanks before the other.

    The last is None if both stand on one line.
    """
    parts = gap.split("\n")
    if first:
        parts.insert(0, "")
    if len(parts) == 1:
        return "", [], None
    behind, *between, indent = parts
    return behind.strip(), [_remark(line) for line in between], indent


def _remark(line: str) -> Comment:
    return Comment(line.strip(), "".join(takewhile(str.isspace, line)))


def _spelled(kind: str, text: str) -> str:
    """A word as it is written: blanks within keywords and citations are single ones."""
    if kind in _KEPT:
        return str(text)
    if kind == "HEADING":
        return _HEADING.sub(r"== \1 ==", text)
    return " ".join(text.split())
