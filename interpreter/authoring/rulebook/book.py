"""What a rulebook consists of, as values: sections with paragraphs, lists, tables and pictures.

Texts are in the words of the reader; what the rules leave open stands in square brackets, `lay [number] [rank]`.
"""

from __future__ import annotations

from typing import Literal

from dsl.lazy_dataclasses import dataclass


@dataclass(frozen=True)
class Paragraph:
    """A text; `lead` are its first words, which stand out."""

    text: str
    lead: str = ""
    kind: Literal["paragraph"] = "paragraph"


@dataclass(frozen=True)
class Item:
    """A paragraph of the printed rulebook in the words of the authors, with its id."""

    id: str
    text: str
    kind: Literal["item"] = "item"


@dataclass(frozen=True)
class Line:
    """An entry of a list, with a list of its own below it; `target` is the section that says more."""

    text: str
    below: tuple[Line, ...] = ()
    target: str = ""


@dataclass(frozen=True)
class Lines:
    """A list, numbered if its entries are done one after the other, below the words that introduce it."""

    lead: str
    lines: tuple[Line, ...]
    is_numbered: bool = False
    kind: Literal["lines"] = "lines"


@dataclass(frozen=True)
class Chip:
    """Equal pieces that lie together; `colour` is a word such as `red`, empty for none, `upon` lies on it."""

    text: str
    colour: str = ""
    count: int = 1
    upon: tuple[Chip, ...] = ()

    def __str__(self) -> str:
        """In words, such as `3 red houses`."""
        text = f"{self.count} {self.text}" if self.count > 1 else self.text or self.colour
        return " + ".join((text, *map(str, self.upon)))


Cell = tuple[str | Chip, ...]
"""The contents of a cell of a table: texts and pieces."""


@dataclass(frozen=True)
class Grid:
    """A table below its title."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    kind: Literal["grid"] = "grid"


@dataclass(frozen=True)
class Picture:
    """A drawing as an SVG document, what it shows, and what its signs mean."""

    svg: str
    caption: str
    legend: tuple[tuple[Chip, str], ...] = ()
    kind: Literal["picture"] = "picture"


Block = Paragraph | Item | Lines | Grid | Picture


@dataclass(frozen=True)
class Section:
    """A section: its name within the book, its title, what it says, and the sections inside it."""

    anchor: str
    title: str
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True)
class IndexEntry:
    """A word of the index, with the sections that it leads to."""

    word: str
    targets: tuple[tuple[str, str], ...]
    """The anchor of each section and its title."""


@dataclass(frozen=True)
class Rulebook:
    """A rulebook: `facts` are its players, duration and designer, `language` that of its text, `en` for English."""

    title: str
    sentence: str
    facts: tuple[str, ...]
    sections: tuple[Section, ...]
    contents_title: str
    index_title: str
    index: tuple[IndexEntry, ...]
    language: str
