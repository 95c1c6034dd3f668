"""Alignment in columns: table cells, conditions, reasons, citations, comments at the ends of lines.

A column is as far left as its lines allow, usually at a multiple of four. Lines that would become too wide are not
aligned.

INVARIANT: nothing here may depend on the spacing of the text that is read, or formatting would not be idempotent: the
spaces between words are set anew (`space` in `proving.py`) before `align`, and each column is computed from the words
alone. The order matters: tables, conditions and reasons first, then citations, whose column depends on where those end,
and last the comments behind everything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, zip_longest

from dsl.formatter.writing import STEP, WIDTH, Line, Word, end_before, length_from, width
from dsl.text.cells import cell_width

BECAUSE = 44
"""Column of the reasons of requirements, if there is room."""

CITATIONS = 88
"""Column of citations, if there is room."""

CELLS = 2
"""Minimum number of spaces between the cells of a table."""

CONDITIONS = 4
"""Minimum number of spaces between a value and its condition."""

TRAILING = 2
"""Minimum number of spaces before a citation or comment."""


def align(lines: Sequence[Line]) -> None:
    """Set the spaces before all words that are aligned in columns; all others are set already."""
    for line, block in _blocks(lines):
        if line.opens() and line.first() in ("_BY_PLAYERS", "_TYPE"):
            if line.first() == "_BY_PLAYERS":
                _table([line, *block])
            elif line.find("_FROM") is None:
                _table(block)
        elif line.first() in ("_NAMES", "_OPTION"):
            _words_for_people(block)
        elif line.first() == "_DEFINE":
            _conditions(block)
    for kind, group in groupby(lines, key=Line.first):
        if kind == "_REQUIRE":
            _reasons(group)
    for together in _together(lines):
        _citations(together)
    for adjacent in _adjacent(lines):
        _comments(adjacent)


def _blocks(lines: Sequence[Line]) -> Iterator[tuple[Line, list[Line]]]:
    """Every line that opens a block, with the lines of the block itself."""
    for index, line in enumerate(lines):
        block = []
        for following in lines[index + 1 :]:
            if following.depth <= line.depth:
                break
            if following.depth == line.depth + 1:
                block.append(following)
        if block:
            yield line, block


# ---- tables


def _table(rows: list[Line]) -> None:
    """Align the cells of rows, numbers to the right, everything else to the left."""
    cells = [_cells(row) for row in rows]
    # `edges` is where each row ends so far, `edge` where the widest of them does: the next column begins there for
    # all. A row that lacks a cell keeps its edge, so that a later cell of it still lands in its column.
    edges = [row.depth * STEP + width(first) for row, (first, *_) in zip(rows, cells, strict=True)]
    edge = max(edges)
    for column in zip_longest(*(row[1:] for row in cells)):
        texts = [width(cell) for cell in column if cell]
        numbers = all(cell[-1].kind == "INT" for cell in column if cell)
        for index, cell in enumerate(column):
            if cell:
                # Only a column of numbers alone is aligned to the right; with a word among them, the digits have no
                # common end.
                start = edge + CELLS + (max(texts) - width(cell) if numbers else 0)
                cell[0].blanks = start - edges[index]
                edges[index] = start + width(cell)
        edge += CELLS + max(texts)


def _cells(row: Line) -> list[list[Word]]:
    """The words of each cell; a minus sign belongs to the number after it, colon and citation to no cell."""
    cells: list[list[Word]] = []
    signed = False
    for word in row.words:
        if word.kind in ("COLON", "CITE"):
            break
        # `-3` is two words of the grammar and one cell.
        if signed:
            cells[-1].append(word)
        else:
            cells.append([word])
        signed = word.kind == "MINUS"
    return cells


# ---- words, conditions and reasons


def _words_for_people(block: list[Line]) -> None:
    """Align what people read for names, or their glyphs; lines that are texts themselves are left alone."""
    named = {line: index for line in block if line.first() != "STRING" and (index := line.find("STRING", "_AS"))}
    _align_words(named, CELLS, 0)


def _conditions(block: list[Line]) -> None:
    """Align `if` and `otherwise` of the cases of a definition."""
    _align_words({line: index for line in block if (index := line.find("_IF", "_OTHERWISE"))}, CONDITIONS, 0)


def _reasons(requirements: Iterable[Line]) -> None:
    """Align `because` of consecutive requirements in its column, or in a later one if they are longer."""
    indices = {line: index for line in requirements if (index := line.find("_BECAUSE"))}
    # A requirement broken inside brackets has its `because` on a line of its own depth: the column of the first line
    # says nothing about where that one ends.
    unbroken = {
        line: index for line, index in indices.items() if not any(word.begins for word in line.words[: index + 1])
    }
    _align_words(unbroken, 1, BECAUSE)


def _align_words(indices: Mapping[Line, int], gap: int, least: int) -> None:
    """Align one word of each line in a column, after a gap, except in lines too wide for it."""
    ends = {line: end_before(line, index) for line, index in indices.items()}
    rest = {line: length_from(line, index) + _room_for_citation(line) for line, index in indices.items()}

    def column(line: Line) -> int:
        return max(least, _tab_stop(ends[line] + gap))

    # The longest line determines the column. If some line would become too wide in it, the longest one gives up being
    # aligned, and the column moves left; so one long requirement does not push the reasons of all others off the page.
    inside = sorted((line for line in indices if column(line) + rest[line] <= WIDTH), key=lambda line: ends[line])
    while inside and any(column(inside[-1]) + rest[line] > WIDTH for line in inside):
        inside.pop()
    for line, index in indices.items():
        line.words[index].blanks = column(inside[-1]) - ends[line] if line in inside else gap


def _room_for_citation(line: Line) -> int:
    return TRAILING + cell_width(line.words[-1].text) if line.words[-1].kind == "CITE" else 0


# ---- citations and comments


def _together(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Groups of lines with citations: consecutive requirements, or the cases of a definition."""
    cases = {case for line, block in _blocks(lines) if line.first() == "_DEFINE" for case in block}

    def alike(line: Line) -> object:
        return "case" if line in cases else "require" if line.first() == "_REQUIRE" else line

    for _, group in groupby(lines, key=alike):
        cited = [line for line in group if line.words[-1].kind == "CITE"]
        if cited:
            yield cited


def _citations(lines: list[Line]) -> None:
    """Align citations in their column, or a later one if lines are longer; a citation too wide for it moves left."""
    ends = [end_before(line, len(line.words) - 1) for line in lines]
    cites = [line.words[-1] for line in lines]
    widest = max(cell_width(cite.text) for cite in cites)
    # Lines too long for any column do not count: they would push the citations of all others to the edge.
    nearest = max((end for end in ends if end + TRAILING + widest <= WIDTH), default=0) + TRAILING
    column = max(CITATIONS, _tab_stop(nearest) if _tab_stop(nearest) + widest <= WIDTH else nearest)
    for end, cite in zip(ends, cites, strict=True):
        room = WIDTH - cell_width(cite.text)
        cite.blanks = max(TRAILING, (column if column <= room else room // STEP * STEP) - end)


def _adjacent(lines: Sequence[Line]) -> list[list[Line]]:
    """Groups of adjacent lines that end in comments; all lines of a group have citations or none has."""
    groups: list[list[Line]] = []
    previous: object = None
    for line in lines:
        last = line.words[-1]
        alike = (line.depth, last.kind == "CITE") if last.comment else None
        if alike and alike == previous and not line.above:
            groups[-1].append(line)
        # A line with a comment above begins a new group: the comment separates what is meant to be read apart.
        elif alike:
            groups.append([line])
        previous = alike
    return groups


def _comments(lines: list[Line]) -> None:
    """Align the comments at the ends of lines."""
    ends = [end_before(line, len(line.words)) for line in lines]
    fitting = [
        end
        for end, line in zip(ends, lines, strict=True)
        if end + TRAILING + cell_width(line.words[-1].comment) <= WIDTH
    ]
    column = max(fitting, default=0) + TRAILING
    for end, line in zip(ends, lines, strict=True):
        too_wide = column + cell_width(line.words[-1].comment) > WIDTH
        line.comment_column = end + TRAILING if too_wide else max(column, end + TRAILING)


def _tab_stop(column: int) -> int:
    """The next multiple of four."""
    return -(-column // STEP) * STEP
