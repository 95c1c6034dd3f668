"""From lines with their spacing to text: indentation, comments, blank lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field
from itertools import takewhile

from dsl.garbage import uncollected
from dsl.lazy_dataclasses import dataclass
from dsl.syntax.layout import CLOSING, DEDENT, INDENT, NEW_LINE, OPENING
from dsl.syntax.parser import tokens as tokens_of
from dsl.text.cells import cell_width, padded

_BLANK_BEFORE = frozenset({"HEADING", "_EXAMPLE"})
_BLANK_AFTER = frozenset({"HEADING", "_GAME", "_EXAMPLES_OF"})


def width(words: Iterable[Word]) -> int:
    """Width of words written without spaces between them."""
    return sum(cell_width(word.text) for word in words)


def end_before(line: Line, index: int) -> int:
    """Column in which the text line of a word ends, excluding the word and what follows."""
    column = line.depth * STEP
    for word, indent in zip(line.words[:index], _indents(line), strict=False):
        column = (column + word.blanks if indent is None else indent) + cell_width(word.text)
    return column


def length_from(line: Line, index: int) -> int:
    """Width of the text line from a word on, excluding the citation and the spaces before the word."""
    length = cell_width(line.words[index].text)
    for word in line.words[index + 1 :]:
        if word.begins or word.kind == "CITE":
            break
        length += word.blanks + cell_width(word.text)
    return length


def render(text: Text) -> str:
    """Render lines whose spacing is set."""
    rows: list[str] = []
    previous: Line | None = None
    levels = [""]
    for line in text.lines:
        rows += _between(_with_depths(line.above, levels, previous, line.depth), previous, line)
        rows += _rows(line)
        # INVARIANT: `levels[d]` is how the open block of depth d was indented in the text that was read, which
        # decides where the comments above the next line belong. Their own column cannot be compared with the new one:
        # it may be tabs.
        levels[line.depth :] = [line.indent]
        previous = line
    rows += _single(_with_depths(text.ending, levels, previous, 0))
    while rows and not rows[-1]:
        rows.pop()
    return "".join(f"{row}\n" for row in rows)


# ---- one line


def _indents(line: Line) -> Iterator[int | None]:
    """For each word its column if it begins a line of the text inside brackets or as a reason, else None.

    The column is one step further in than the line with the bracket, or two where one step is the depth of the block
    below.
    """
    margin = current = line.depth * STEP
    # `require (a` … `b):` would look as if `b` belonged to the block below, hence two steps.
    first = 2 * STEP if line.opens() else STEP
    opened: list[int] = []
    for word in line.words:
        if word.begins:
            # A closing bracket alone on its line stands under the line that opened it.
            outer = opened[-1] if opened else margin  # without a bracket, it is a reason
            further = 0 if word.kind in CLOSING else first if outer == margin else STEP
            current = outer + further
        yield current if word.begins else None
        if word.kind in OPENING:
            opened.append(current)
        elif word.kind in CLOSING and opened:
            opened.pop()


def _rows(line: Line) -> list[str]:
    """Render one line as lines of text."""
    rows = [" " * line.depth * STEP]
    for word, indent in zip(line.words, _indents(line), strict=True):
        if indent is not None:
            inside = indent + STEP if word.kind in CLOSING else indent
            rows += [f"{' ' * inside}{comment}" for comment in word.above]
            rows.append(" " * indent)
        else:
            rows[-1] += " " * word.blanks
        rows[-1] += word.text
        if word.comment and word is not line.words[-1]:
            rows[-1] += f"  {word.comment}"
    comment = line.words[-1].comment
    if comment:
        rows[-1] = padded(rows[-1], line.comment_column) + comment
    return rows


# ---- between lines


def _with_depths(
    comments: list[Comment], levels: list[str], previous: Line | None, depth: int
) -> list[tuple[int, str]]:
    """The comments and blank lines above a line, each with its own depth.

    Where a block ends, a comment stays in the block it is indented for; everywhere else it belongs to what follows.
    """
    last = previous.depth if previous else 0
    return [
        (
            max((level for level in range(depth, last + 1) if comment.indent.startswith(levels[level])), default=depth),
            comment.text,
        )
        for comment in comments
    ]


def _between(comments: list[tuple[int, str]], previous: Line | None, line: Line) -> list[str]:
    """The lines to write between two lines, with the required blank lines and without forbidden ones."""
    rows = _single(comments)
    if (previous is None or line.depth > previous.depth) and rows[:1] == [""]:
        del rows[0]
    if previous is None or line.depth > previous.depth:
        return rows
    if not previous.depth and previous.first() in _BLANK_AFTER and rows[:1] != [""]:
        rows.insert(0, "")
    # The blank line goes above the comments that stand directly above an example, as they are about it.
    if line.first() in _BLANK_BEFORE:
        margin = " " * line.depth * STEP
        index = len(rows)
        while index and rows[index - 1].startswith(f"{margin}#"):
            index -= 1
        if not index or rows[index - 1]:
            rows.insert(index, "")
    return rows


def _single(comments: list[tuple[int, str]]) -> list[str]:
    """The comments, with runs of blank lines reduced to one."""
    rows: list[str] = []
    for depth, text in comments:
        if text or not rows or rows[-1]:
            rows.append(f"{' ' * depth * STEP}{text}" if text else "")
    return rows


# ---------------- the formatter's model of a text: lines of words, and the comments and blank lines between them


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
        # `replace require because "…":` of a variant is an address and no requirement; `add require …` is one.
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
        # The tokens come from the parser and not from a lexer alone: which terminal a word is depends on where it
        # stands.
        tokens = list(tokens_of(ended_text, "start"))
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
