"""From lines with their blanks to text: indentation, comments, blank lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dsl.formatter.lines import STEP, Comment, Line, Text, Word
from dsl.syntax.layout import CLOSING, OPENING

_BLANK_BEFORE = frozenset({"HEADING", "_EXAMPLE"})
_BLANK_AFTER = frozenset({"HEADING", "_GAME", "_EXAMPLES_OF"})


def width(words: Iterable[Word]) -> int:
    """Width of words written without blanks between them."""
    return sum(len(word.text) for word in words)


def end_before(line: Line, place: int) -> int:
    """Column in which the text line of a word ends, excluding the word and what follows."""
    column = line.depth * STEP
    for word, indent in zip(line.words[:place], _indents(line), strict=False):
        column = (column + word.blanks if indent is None else indent) + len(word.text)
    return column


def length_from(line: Line, place: int) -> int:
    """Width of the text line from a word on, excluding citation and blanks before the word."""
    length = len(line.words[place].text)
    for word in line.words[place + 1 :]:
        if word.begins or word.kind == "CITE":
            break
        length += word.blanks + len(word.text)
    return length


def written(text: Text) -> str:
    """Render lines whose blanks are set."""
    rows: list[str] = []
    before: Line | None = None
    levels = [""]
    for line in text.lines:
        rows += _between(_remarks(line.above, levels, before, line.depth), before, line)
        rows += _rows(line)
        levels[line.depth :] = [line.indent]
        before = line
    rows += _single(_remarks(text.ending, levels, before, 0))
    while rows and not rows[-1]:
        rows.pop()
    return "".join(f"{row}\n" for row in rows)


# ---- one line


def _indents(line: Line) -> Iterator[int | None]:
    """For each word its column if it begins a line of the text within brackets, else None.

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
        if word.behind and word is not line.words[-1]:
            rows[-1] += f"  {word.behind}"
    behind = line.words[-1].behind
    if behind:
        rows[-1] = f"{rows[-1]:<{line.behind_at}}{behind}"
    return rows


# ---- between lines


def _remarks(remarks: list[Comment], levels: list[str], before: Line | None, depth: int) -> list[tuple[int, str]]:
    """The comments and blank lines above a line, each with its own depth.

    Where a block ends, a comment stays in the block it is indented for; everywhere else it belongs to what follows.
    """
    last = before.depth if before else 0
    return [
        (
            max((level for level in range(depth, last + 1) if one.indent.startswith(levels[level])), default=depth),
            one.text,
        )
        for one in remarks
    ]


def _between(remarks: list[tuple[int, str]], before: Line | None, line: Line) -> list[str]:
    """The lines to write between two lines, with the required blank lines and without forbidden ones."""
    rows = _single(remarks)
    if (before is None or line.depth > before.depth) and rows[:1] == [""]:
        del rows[0]
    if before is None or line.depth > before.depth:
        return rows
    if not before.depth and before.first() in _BLANK_AFTER and rows[:1] != [""]:
        rows.insert(0, "")
    if line.first() in _BLANK_BEFORE:
        margin = " " * line.depth * STEP
        place = len(rows)
        while place and rows[place - 1].startswith(f"{margin}#"):
            place -= 1
        if not place or rows[place - 1]:
            rows.insert(place, "")
    return rows


def _single(remarks: list[tuple[int, str]]) -> list[str]:
    """The comments, with runs of blank lines reduced to one."""
    rows: list[str] = []
    for depth, text in remarks:
        if text or not rows or rows[-1]:
            rows.append(f"{' ' * depth * STEP}{text}" if text else "")
    return rows
