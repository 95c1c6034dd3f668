"""What people read in place of the names and texts of a rules file, in its own language or in another one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.syntax.interpolation import Hole, split


@dataclass(frozen=True)
class DisplayName:
    """What people read for a name, of one and of several; texts may have placeholders for the parameters."""

    parameters: tuple[str, ...]
    text: str
    plural: str | None


@dataclass(frozen=True)
class DisplayWords:
    """The display names of one language, by name and number of parameters, and its texts by those of the rules."""

    names: Mapping[tuple[str, int], DisplayName] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)


def holes_of(text: str) -> list[str]:
    """The contents of the braces of a text, in order, with single blanks."""
    return [" ".join(text[part.start : part.end].split()) for part in split(text) if isinstance(part, Hole)]


def has_words(text: str) -> bool:
    """True if a text has letters outside its braces, so that it can be translated."""
    return any(isinstance(part, str) and any(map(str.isalpha, part)) for part in split(text))


def texts_of(file: ast.GameFile, variants: Sequence[ast.VariantFile] = ()) -> Iterator[tuple[str, ast.Node]]:
    """Every text of a game that people read, with the node that contains it: sentences, labels, reasons, headings.

    Also titles and sentences of the variants that are applied; texts of examples are none of them.
    """
    for variant in variants:
        yield variant.title.value, variant
        if variant.sentence:
            yield variant.sentence, variant
    yield file.header.title.value, file.header.title
    if file.header.about is not None and file.header.about.sentence:
        yield file.header.about.sentence, file.header.about
    for option in file.options:
        if option.sentence:
            yield option.sentence, option
        yield from ((option_text.text, option_text) for option_text in option.texts)
    for part in file.parts:
        for node in (*part.declarations, *part.statements):
            if not isinstance(node, ast.Example | ast.Names | ast.Option):
                yield from _texts_in(node)


def _texts_in(root: ast.Node) -> Iterator[tuple[str, ast.Node]]:
    for node in root.walk():
        if isinstance(node, ast.Text):
            yield node.value, node
        elif isinstance(node, ast.Criterion) and node.words:
            yield node.words, node
