"""The words in which a game is shown: display names and translated texts in place of the names and texts of the rules.

A game shown in `PLAIN` words has those of its file. Notation, saves and what programs read are always plain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from dsl import ast
from dsl.model import DisplayWords, holes_of
from dsl.syntax.interpolation import Hole, filled, split
from dsl.text.arguments import split_arguments
from dsl.text.nouns import plural_of
from interpreter.wording.phrases import ENGLISH, Catalogue, Phrase, all_of, alternatives, catalogue_of, values_in

OWN = "own"
"""In place of a language: the display names that a game has for its own names."""

BUILT_IN: Mapping[str, Phrase] = {
    str(word): word
    for word in (
        Phrase("true"), Phrase("false"), Phrase("none"), Phrase("nobody"), Phrase("somebody"), Phrase("nothing"),
        Phrase("hidden"),
    )
}  # fmt: skip
"""The values that every game has, which are named in the catalogue unless the game has words of its own for them."""

TIMES = "\u00d7"
"""The sign between a number of things and a name that is a number itself."""

_COUNTED = re.compile(r"(?<![\w.])(\d+) $")
"""A number and a blank at the end of what has been written: what follows is counted."""

_SEVERAL_WORDS = re.compile(r"[^\W\d_]+(?:_[^\W\d_]+)+")
"""A name of several words; in others, such as `h6_2` on a board, an underscore separates no words."""

_CALL = re.compile(r"(\w+)\((.*)\)")


class Words:
    """Display names and texts, those of the first of several languages that has them, and phrases of Regelwerk itself.

    `language` is None for the words of the file itself. `catalogue` are the phrases, by default those of the language.
    """

    def __init__(
        self, languages: Sequence[DisplayWords] = (), language: str | None = None, catalogue: Catalogue | None = None
    ) -> None:
        self.languages, self.language = tuple(languages), language
        self.catalogue = catalogue or catalogue_of(language)
        self._parts: dict[int, tuple[str | ast.Expression, ...]] = {}

    def __reduce__(self) -> tuple[object, ...]:
        return _restored_words, (self.languages, self.language, self.catalogue is ENGLISH)

    @property
    def is_plain(self) -> bool:
        """True if names and texts are shown as they are written in the rules."""
        return not self.languages

    def with_english_phrases(self) -> Words:
        """The same names and texts, with the phrases of Regelwerk itself in English, for programs."""
        return Words(self.languages, self.language, ENGLISH)

    # ------------------------------------------------------------ phrases

    def phrase(self, text: str, /, **values: object) -> str:
        """A phrase of Regelwerk itself in the language of the reader; see `interpreter/wording/phrases.py`."""
        return self.catalogue.say(text, values)

    def message(self, fault: Exception) -> str:
        """The message of an error in the language of the reader, in English if it is not made of phrases."""
        return self.catalogue.message(fault)

    def fault(self, fault: Exception) -> str:
        """The same, after the location in the rules if the error has one."""
        location = getattr(fault, "location", "")
        return f"{location}: {self.message(fault)}" if location else self.message(fault)

    def template(self, text: str, /) -> str:
        """A phrase in the language of the reader, with its placeholders."""
        return self.catalogue.template(text)

    def counted_phrase(self, singular: str, plural: str, number: int, **values: object) -> str:
        """A phrase that counts something: `{number} move`, `{number} moves`."""
        return self.catalogue.say_counted(singular, plural, number, values)

    def retold(self, text: str, templates: Sequence[Phrase]) -> str:
        """A text that this program wrote in English, as a save has it, in the language of the reader.

        It is said as the first of these phrases that it can be; a text that is none of them stays as it is.
        """
        for template in templates:
            values = values_in(text, template)
            if values is not None:
                retold_values = {name: self.retold(value, templates) for name, value in values.items()}
                return self.phrase(template, **retold_values)
        return text

    def either(self, names: Sequence[str]) -> str:
        """Alternatives: `a, b or c`."""
        words = alternatives(names)
        return self.phrase(words) if isinstance(words, Phrase) else words

    def both(self, names: Sequence[str]) -> str:
        """Names joined by `and`: `a and b and c`."""
        words = all_of(names)
        return self.phrase(words) if isinstance(words, Phrase) else words

    # ------------------------------------------------------------ names

    def name(self, word: str, number: int = 1) -> str:
        """The displayed form of a value or a declared name `word`; `number` is how many there are."""
        if self.is_plain:
            return word
        call = _CALL.fullmatch(word)
        if call is None:
            built_in = self.phrase(BUILT_IN[word]) if word in BUILT_IN else None
            return self._shown(word, (), number) or built_in or _as_words(word)
        values = [self.name(value) for value in split_arguments(call[2])]
        return self._shown(call[1], values, number) or f"{_as_words(call[1])}({', '.join(values)})"

    def heading(self, word: str) -> str:
        """The displayed name of an action, phase, note or option: its display name, or else its name with blanks."""
        return self._shown(word, (), 1) or word.replace("_", " ")

    def choice(self, name: str, value: str) -> str:
        """The displayed form of a choice of `name`, whose value is in words already: `choose C4`, `go to C4`."""
        return self._shown(name, (value,), 1) or self.phrase("choose {value}", value=value)

    def place(self, name: str, index: Sequence[str]) -> str:
        """The displayed name of a zone, note or die at an index, whose values are in words already."""
        if self.is_plain:
            return f"{name}[{', '.join(index)}]" if index else name
        if not index:
            return self._shown(name, (), 1) or _as_words(name)
        named = self._shown(name, index, 1)
        return named or f"{self._shown(name, (), 1) or _as_words(name)}[{', '.join(index)}]"

    def piece(
        self, type_: str, attributes: Mapping[str, str], seats: Iterable[str], is_complete: bool, number: int = 1
    ) -> str:
        """The displayed name of a piece, from the plain words of its known attributes; `is_complete`: all are known.

        `seats` are the attributes that are seats; those that are named come first.
        """
        if is_complete:
            for language in self.languages:
                display_name = language.names.get((type_, len(attributes)))
                if display_name is not None and display_name.parameters:
                    values = {name: self.name(attributes[name], number) for name in display_name.parameters}
                    text = display_name.plural if display_name.plural is not None and number != 1 else display_name.text
                    return filled(text, values)
        first = frozenset(seats)
        words = [self.name(word) for name, word in attributes.items() if name in first]
        others = [word for name, word in attributes.items() if name not in first]
        words = [*reversed(words), *map(self.name, others)]
        if is_complete and words:
            if others:
                words[-1] = self.name(others[-1], number)
            return " ".join(words)
        pieces = self.type(type_, number)
        return self.phrase("{attributes} {pieces}", attributes=" ".join(words), pieces=pieces) if words else pieces

    def type(self, type_: str, number: int = 1) -> str:
        """The displayed name of a type of pieces; without a display name, its plural follows from its ending.

        In plain words and in another language than that of the rules it is the same for all numbers.
        """
        named, noun = self._shown(type_, (), number), type_.lower()
        in_english = not self.is_plain and self.language is None
        return named or (plural_of(noun) if number != 1 and in_english else noun)

    def several(self, number: int, name: str) -> str:
        """A number of things, whose name is in the plural: `3 kings`; `3 x 5` if the name begins with a number."""
        return f"{number} {TIMES} {name}" if name[:1].isdigit() and not self.is_plain else f"{number} {name}"

    def glyph(self, word: str, seat: str | None = None) -> str | None:
        """The glyph of a value or of a type of pieces: one that is only for pieces of a seat, or that of all pieces."""
        for language in self.languages:
            glyph = language.glyphs.get((word, seat)) or language.glyphs.get((word, None))
            if glyph is not None:
                return glyph
        return None

    def _shown(self, word: str, values: Sequence[str], number: int) -> str | None:
        """The first display name for these parameters."""
        for language in self.languages:
            display_name = language.names.get((word, len(values)))
            if display_name is not None:
                text = display_name.plural if display_name.plural is not None and number != 1 else display_name.text
                return filled(text, dict(zip(display_name.parameters, values, strict=True)))
        return None

    # ------------------------------------------------------------ texts

    def text(self, original: str) -> str:
        """A text without placeholders, in the first language that has it."""
        for language in self.languages:
            if original in language.texts:
                return language.texts[original]
        return original

    def parts(self, text: ast.Text) -> tuple[str | ast.Expression, ...]:
        """The parts of a text in the order in which they are shown; its expressions are those of the original."""
        if self.is_plain:
            return text.parts
        if text.number not in self._parts:
            self._parts[text.number] = self._translated(text)
        return self._parts[text.number]

    def _translated(self, text: ast.Text) -> tuple[str | ast.Expression, ...]:
        translation = self.text(text.value)
        if translation == text.value:
            return text.parts
        expressions = [part for part in text.parts if not isinstance(part, str)]
        by_hole = dict(zip(holes_of(text.value), expressions, strict=True))
        parts: list[str | ast.Expression] = []
        for part in split(translation):
            if isinstance(part, str):
                parts.append(part)
            elif isinstance(part, Hole):
                parts.append(by_hole[" ".join(translation[part.start : part.end].split())])
        return tuple(parts)


PLAIN = Words()
"""The names and texts of the rules, as they are written."""


def _restored_words(languages: Sequence[DisplayWords], language: str | None, english: bool) -> Words:
    return Words(languages, language, ENGLISH if english else None)


def number_before(text: str) -> int:
    """The number that a text ends with, followed by a blank, so that what comes next is counted; otherwise 1."""
    match = _COUNTED.search(text)
    return int(match[1]) if match else 1


def words_in(languages: Mapping[str | None, DisplayWords], language: str | None) -> Words:
    """The words of a game in a language, with its own words where these are missing; plain words for None."""
    if language is None:
        return PLAIN
    chosen = [languages[name] for name in (language, None) if name in languages]
    return Words(chosen or (DisplayWords(),), None if language == OWN else language)


def _as_words(name: str) -> str:
    """A name without a display name, with blanks between its words."""
    return name.replace("_", " ") if _SEVERAL_WORDS.fullmatch(name) else name
