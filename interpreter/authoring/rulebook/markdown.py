"""A rulebook as Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import assert_never

from dsl.text.visible import visible
from interpreter.authoring.rulebook.book import Block, Cell, Grid, Item, Line, Lines, Paragraph, Picture, Rulebook
from interpreter.authoring.rulebook.book import Section as BookSection

_SPECIAL = re.compile(r"([\\`*_<>|\[\]])")

Placed = Callable[[Picture, int], str]
"""Where a picture is, given its number: the text that shows it."""


def inline(picture: Picture, number: int) -> str:
    """The picture itself, which most readers of Markdown show."""
    return picture.svg


def markdown_of(book: Rulebook, placed: Placed = inline) -> str:
    """The whole book."""
    lines = [f"# {_plain(book.title)}", ""]
    if book.sentence:
        lines += [f"*{_plain(book.sentence)}*", ""]
    lines += [" · ".join(map(_plain, book.facts)), "", f"**{_plain(book.contents_title)}**", ""]
    lines += [f"- [{_plain(part.title)}](#{part.anchor})" for part in book.sections]
    lines += [f"- [{_plain(book.index_title)}](#index)", ""] if book.index else [""]
    numbers = iter(range(1, 1 << 20))
    for part in book.sections:
        lines += _section(part, 2, placed, numbers)
    if book.index:
        lines += ['<a id="index"></a>', "", f"## {_plain(book.index_title)}", ""]
        for entry in book.index:
            targets = ", ".join(f"[{_plain(title)}](#{anchor})" for anchor, title in entry.targets)
            lines.append(f"- {_plain(entry.word)}: {targets}")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _section(part: BookSection, depth: int, placed: Placed, numbers: Iterator[int]) -> Iterator[str]:
    yield from (f'<a id="{part.anchor}"></a>', "", f"{'#' * min(depth, 6)} {_plain(part.title)}", "")
    for block in part.blocks:
        yield from _block(block, placed, numbers)
        yield ""
    for inner in part.sections:
        yield from _section(inner, depth + 1, placed, numbers)


def _block(block: Block, placed: Placed, numbers: Iterator[int]) -> Iterator[str]:
    match block:
        case Paragraph(text=text, lead=lead):
            yield " ".join(filter(None, (f"**{_plain(lead)}**" if lead else "", _plain(text))))
        case Item(id=id_, text=text):
            yield f"{_plain(text)} <sub>{_plain(id_)}</sub>"
        case Lines(lead=lead, lines=lines, is_numbered=is_numbered):
            if lead:
                yield from (f"**{_plain(lead)}**", "")
            yield from _lines(lines, is_numbered, 0)
        case Grid():
            yield from _grid(block)
        case Picture(caption=caption, legend=legend):
            yield from (placed(block, next(numbers)), "", f"*{_plain(caption)}*")
            if legend:
                signs = (f"{_plain(str(chip))} {_plain(meaning)}".strip() for chip, meaning in legend)
                yield from ("", " · ".join(signs))
        case _ as never:
            assert_never(never)


def _lines(lines: Sequence[Line], is_numbered: bool, indent: int) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        mark = f"{number}." if is_numbered else "-"
        text = _plain(line.text)
        yield f"{' ' * indent}{mark} {f'[{text}](#{line.target})' if line.target else text}"
        yield from _lines(line.below, False, indent + len(mark) + 1)


def _grid(grid: Grid) -> Iterator[str]:
    if grid.title:
        yield from (f"**{_plain(grid.title)}**", "")
    yield f"| {' | '.join(map(_plain, grid.headings))} |"
    yield f"|{'---|' * len(grid.headings)}"
    for row in grid.rows:
        yield f"| {' | '.join(_cell(cell) for cell in row)} |"


def _cell(cell: Cell) -> str:
    """A cell; pieces are joined by commas, and what is said of the one before is not."""
    text = ""
    for part in cell:
        words = str(part)
        joint = "" if not text else " " if words.startswith("=") else ", "
        text += f"{joint}{words}"
    return _plain(text)


def _plain(text: str) -> str:
    """Text in which no character has a meaning in Markdown."""
    return _SPECIAL.sub(r"\\\1", visible(text))
