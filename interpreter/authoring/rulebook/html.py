"""A rulebook as the body of a page: plain HTML without scripts, to be read on a screen and to be printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import assert_never

from dsl.text.visible import visible
from interpreter.authoring.rulebook.book import (
    Block,
    Cell,
    Chip,
    Grid,
    Item,
    Line,
    Lines,
    Paragraph,
    Picture,
    Rulebook,
    Section,
)

_OPEN_NAME = re.compile(r"\[([^\[\]]*)\]")
"""What the rules leave open."""


def body_of(book: Rulebook) -> str:
    """The whole book, to be put into the body of a page."""
    return "\n".join(_book(book))


def _book(book: Rulebook) -> Iterator[str]:
    yield f"<header><h1>{_text(book.title)}</h1>"
    if book.sentence:
        yield f'<p class="sentence">{_text(book.sentence)}</p>'
    yield f'<p class="facts">{" · ".join(map(_text, book.facts))}</p></header>'
    yield f"<nav><h2>{_text(book.contents_title)}</h2><ol>"
    for part in book.sections:
        inner = ", ".join(f'<a href="#{_text(inside.anchor)}">{_text(inside.title)}</a>' for inside in part.sections)
        more = f"<small>{inner}</small>" if inner else ""
        yield f'<li><a href="#{_text(part.anchor)}">{_text(part.title)}</a>{more}</li>'
    if book.index:
        yield f'<li><a href="#index">{_text(book.index_title)}</a></li>'
    yield "</ol></nav><main>"
    for part in book.sections:
        yield from _section(part, 2)
    if book.index:
        yield f'<section id="index"><h2>{_text(book.index_title)}</h2><ul class="index">'
        for entry in book.index:
            targets = ", ".join(f'<a href="#{_text(anchor)}">{_text(title)}</a>' for anchor, title in entry.targets)
            yield f"<li>{_text(entry.word)}: {targets}</li>"
        yield "</ul></section>"
    yield "</main>"


def _section(part: Section, depth: int) -> Iterator[str]:
    yield f'<section id="{_text(part.anchor)}"><h{min(depth, 6)}>{_text(part.title)}</h{min(depth, 6)}>'
    for block in part.blocks:
        yield from _block(block)
    for inside in part.sections:
        yield from _section(inside, depth + 1)
    yield "</section>"


def _block(block: Block) -> Iterator[str]:
    match block:
        case Paragraph(text=text, lead=lead):
            yield f"<p>{f'<b>{_text(lead)}</b> ' if lead else ''}{_text(text)}</p>"
        case Item(id=id_, text=text):
            yield f'<p class="item">{_text(text)} <span class="id">{_text(id_)}</span></p>'
        case Lines(lead=lead, lines=lines, is_numbered=is_numbered):
            if lead:
                yield f'<p class="lead">{_text(lead)}</p>'
            yield _list(lines, "ol" if is_numbered else "ul")
        case Grid():
            yield from _grid(block)
        case Picture(svg=svg, caption=caption, legend=legend):
            yield f'<figure><div class="board">{svg}</div><figcaption>{_text(caption)}'
            if legend:
                signs = " ".join(f"<span>{_chip(chip)} {_text(meaning)}</span>" for chip, meaning in legend)
                yield f'<div class="legend">{signs}</div>'
            yield "</figcaption></figure>"
        case _ as never:
            assert_never(never)


def _list(lines: Sequence[Line], tag: str) -> str:
    entries = []
    for line in lines:
        text = _text(line.text)
        linked = f'<a href="#{_text(line.target)}">{text}</a>' if line.target else text
        entries.append(f"<li>{linked}{_list(line.below, 'ul') if line.below else ''}</li>")
    return f"<{tag}>{''.join(entries)}</{tag}>"


def _grid(grid: Grid) -> Iterator[str]:
    yield f'<div class="table"><table>{f"<caption>{_text(grid.title)}</caption>" if grid.title else ""}<thead><tr>'
    yield "".join(f"<th>{_text(heading)}</th>" for heading in grid.headings)
    yield "</tr></thead><tbody>"
    for row in grid.rows:
        yield f"<tr>{''.join(f'<td>{_cell(cell)}</td>' for cell in row)}</tr>"
    yield "</tbody></table></div>"


def _cell(cell: Cell) -> str:
    return " ".join(f"<span>{_text(part)}</span>" if isinstance(part, str) else _chip(part) for part in cell)


def _chip(chip: Chip) -> str:
    colour = f" {chip.colour}" if chip.colour.isalpha() else ""
    text = f"{chip.count}\u202f\u00d7\u202f{chip.text}" if chip.count > 1 else chip.text
    upon = "".join(f' <span class="upon">{_chip(other)}</span>' for other in chip.upon)
    return f'<span class="chip{colour}">{_text(text, opens=False) or "&emsp;"}{upon}</span>'


def _text(text: str, *, opens: bool = True) -> str:
    """A text; what the rules leave open is marked."""
    plain = escape(visible(text))
    return _OPEN_NAME.sub(r"<i>\1</i>", plain) if opens else plain
