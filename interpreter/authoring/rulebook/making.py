"""What the sections of a rulebook are made from: the game, the words of its reader, and the index as it grows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model
from interpreter.authoring.rulebook.book import Block, Line, Lines, Paragraph, Section
from interpreter.authoring.rulebook.prose import Prose
from interpreter.authoring.rulebook.telling import Teller
from interpreter.authoring.rulebook.written import WrittenWords
from interpreter.loading.rules import Rules
from interpreter.wording.words import Words


@dataclass
class Making:
    """A rulebook that is being made.

    `seats` are those of the pictures, `counts` the numbers of players that the book is for. `sections_by_word` is the
    index: the anchors of the sections about a word.
    """

    rules: Rules
    words: Words
    seats: tuple[str, ...]
    counts: tuple[int, ...]
    prose: Prose
    written: WrittenWords
    teller: Teller
    language: str | None
    sections_by_word: dict[str, list[str]] = field(default_factory=dict)

    @property
    def model(self) -> Model:
        """The checked rules."""
        return self.rules.model

    def index(self, word: str, anchor: str) -> None:
        """Enter a word into the index."""
        targets = self.sections_by_word.setdefault(word, [])
        if anchor not in targets:
            targets.append(anchor)

    def words_of_author(self, node: ast.Node, anchor: str) -> list[Block]:
        """What the author says about a declaration: its `##` lines, and the items of its section."""
        text = self.written.lines(node)
        return [*([Paragraph(text)] if text else []), *self.written.items(anchor)]


def lines_block(lead: str, lines: Iterable[Line], *, is_numbered: bool = False) -> list[Block]:
    """A list, if it has entries."""
    entries = tuple(lines)
    return [Lines(lead, entries, is_numbered)] if entries else []


def section(anchor: str, title: str, blocks: Iterable[Block], sections: Iterable[Section] = ()) -> list[Section]:
    """A section, if it says anything."""
    contents, inside = tuple(blocks), tuple(sections)
    return [Section(anchor, capital(title), contents, inside)] if contents or inside else []


def capital(text: str) -> str:
    """A text that begins with a capital letter."""
    return text[:1].upper() + text[1:]
