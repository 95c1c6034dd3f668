"""The words that authors have written about their rules, and the declarations that have none.

These are, in this order: `##` lines above a declaration, the items of the printed rulebook that it cites, and texts in
the rules themselves, such as the sentence of an option. Whatever has none of them is described from its rules.
"""

from __future__ import annotations

from collections.abc import Iterable

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model
from dsl.text.span import PRINTED, Span, comment_above
from interpreter.authoring.rulebook.book import Item
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import Words

Described = ast.Action | ast.Step | ast.Define | ast.When | ast.Phase | ast.Note | ast.Option | ast.Winner | ast.Header
"""The declarations that need words."""

KINDS: dict[type[ast.Node], Phrase] = {
    ast.Action: Phrase("action"), ast.Step: Phrase("step"), ast.Define: Phrase("definition"),
    ast.When: Phrase("reaction"), ast.Phase: Phrase("phase"), ast.Note: Phrase("note"), ast.Option: Phrase("option"),
    ast.Winner: Phrase("winner"), ast.Header: Phrase("game"),
}  # fmt: skip


@dataclass(frozen=True)
class Wordless:
    """A declaration without words of its own: where it is, what it is, and its name, empty if it has none."""

    span: Span
    kind: Phrase
    name: str


class WrittenWords:
    """The words of the authors of a game in the language of the reader.

    Each item is printed once, in the section that has claimed it first. In another language only texts with a
    translation are used, as readers of that language may not read the language of the rules.
    """

    def __init__(self, model: Model, words: Words) -> None:
        self.model, self.words = model, words
        self._section_of_item: dict[str, str] = {}

    def lines(self, node: ast.Node) -> str:
        """The `##` lines above a declaration; empty if there are none in the language of the reader."""
        return self._translated(comment_above(node.span, PRINTED))

    def _translated(self, text: str) -> str:
        is_foreign = self.words.language is not None and not any(text in lang.texts for lang in self.words.languages)
        return "" if is_foreign else self.words.text(text)

    def claim(self, cites: Iterable[str], section: str) -> None:
        """Have the items cited printed in a section, unless another one has claimed them."""
        for id_ in cites:
            self._section_of_item.setdefault(id_, section)

    def items(self, section: str) -> list[Item]:
        """The items of a section, in the order of the printed rulebook."""
        texts = {id_: self._translated(text) for id_, text in (self.model.items or {}).items()}
        return [Item(id_, text) for id_, text in texts.items() if text and self._section_of_item.get(id_) == section]

    def cited_by_rules(self) -> set[str]:
        """The items that rules cite."""
        return {id_ for node in self.model.nodes if not isinstance(node, ast.Example) for id_ in cites_of(node)}

    def has_words(self, node: Described) -> bool:
        """True if a declaration has words of its own."""
        if self.lines(node):
            return True
        match node:
            case ast.Option(sentence=sentence):
                return bool(sentence and self._translated(sentence))
            case ast.Winner(criteria=criteria):
                return all(criterion.words and self._translated(criterion.words) for criterion in criteria)
            case ast.Header(about=about):
                return about is not None and bool(about.sentence and self._translated(about.sentence))
            case _:
                return any(self._translated((self.model.items or {}).get(id_, "")) for id_ in all_cites(node))


def cites_of(node: ast.Node) -> tuple[str, ...]:
    """The items that a node itself cites."""
    cites = getattr(node, "cites", ())
    return cites if isinstance(cites, tuple) else ()


def all_cites(root: ast.Node) -> tuple[str, ...]:
    """The items cited by a declaration and anything in it, each once."""
    return tuple(dict.fromkeys(id_ for node in root.walk() for id_ in cites_of(node)))


def wordless(model: Model, words: Words) -> list[Wordless]:
    """The declarations that have no words of their own, in the order of the files."""
    written = WrittenWords(model, words)
    file = model.as_written
    declarations: list[ast.Node] = [file.header, *file.options]
    declarations += [declaration for part in file.parts for declaration in part.declarations]
    entries = [
        Wordless(node.span, KINDS[type(node)], getattr(node, "name", ""))
        for declaration in declarations
        for node in declaration.walk()
        if isinstance(node, Described) and not written.has_words(node)
    ]
    return sorted(entries, key=lambda entry: (entry.span.source.name, entry.span.start))
