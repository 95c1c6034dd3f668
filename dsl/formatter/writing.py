"""From lines with their spacing to text: indentation, comments, blank lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dsl.formatter.lines import STEP, Comment, Line, Text, Word
from dsl.syntax.layout import CLOSING, OPENING
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
        levels[line.depth :] = [line.indent]
        previous = line
    rows += _single(_with_depths(text.ending, levels, previous, 0))
    while rows and not rows[-1]:
        rows.pop()
    return "".join(f"{row}\n" for row in rows)


# ---- one line


def _indents(line: Line) -> Iterator[int | None]:
    """For each word its column if it begins a line of the text inside brackets, else None.

    The column is one step further in than the line with the bracket, or two where one step is the depth of the block
    below.
    """
    margin = current = line.depth * STEP
    first = 2 * STEP if line.opens() else STEP
    opened: list[int] = []
    for word in line.words:
        if word.begins:
            further = 0 if word.kind in CLOSING else first if opened[-1] == margin else STEP
            current = opened[-1] + further
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
