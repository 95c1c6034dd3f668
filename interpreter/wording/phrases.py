"""Texts of Regelwerk itself for players, in their language: written in English, translated in catalogues.

A *phrase* is such a text with named placeholders, `{seat} wins`. In the source it is written in English, as the
argument of `Words.phrase`, `Words.counted_phrase` or `Phrase`; `languages/LANGUAGE.po` translates it. Code that has
`Words` renders a phrase at once; code that has none, such as code that raises an error, makes a `Phrase`, which is
rendered where it is shown.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from pathlib import Path

from dsl.text.nouns import runs
from dsl.text.visible import visible

CATALOGUES = Path(__file__).parent / "languages"
"""The folder with the catalogues, one for each language but English."""


class Phrase(str):
    """A phrase in English that remembers how it was made, so that it can be said in another language.

    `plural` and `number` are those of a phrase that counts something, otherwise empty and None. Values that are phrases
    are translated with it. A `context` tells phrases apart that are the same in English only.
    """

    context: str
    template: str
    plural: str
    number: int | None
    values: dict[str, object]

    __slots__ = ("context", "number", "plural", "template", "values")

    def __new__(
        cls, template: str, /, *, context: str = "", plural: str = "", number: int | None = None, **values: object
    ) -> Phrase:  # fmt: skip
        """Fill in the placeholders; `{number}` is what is counted. Without values, all are filled in later."""
        if number is not None and not plural:  # a number with which nothing else changes
            values, number = _with_number(values, number), None
        chosen, fillings = template if number is None or number == 1 else plural, _with_number(values, number)
        phrase = super().__new__(cls, chosen.format(**fillings) if fillings else chosen)
        phrase.context = context
        phrase.template, phrase.plural, phrase.number, phrase.values = template, plural, number, values
        return phrase

    def __reduce__(self) -> tuple[object, ...]:
        return _restored_phrase, (self.template, self.context, self.plural, self.number, self.values)


def _restored_phrase(template: str, context: str, plural: str, number: int | None, values: dict[str, object]) -> Phrase:
    return Phrase(template, context=context, plural=plural, number=number, **values)


def _with_number(values: dict[str, object], number: int | None) -> dict[str, object]:
    return values if number is None else {"number": number, **values}


def values_in(text: str, template: str) -> dict[str, str] | None:
    """The values of the placeholders in a text that a phrase in English was filled in to; None for other texts."""
    pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.*)", re.escape(template))
    match = re.fullmatch(pattern, text)
    return None if match is None else match.groupdict()


def alternatives(names: Sequence[str]) -> str:
    """`a, b or c`, to be said in any language."""
    *others, last = names or ("",)
    return Phrase("{names} or {last}", names=", ".join(others), last=last) if others else last


def all_of(names: Sequence[str]) -> str:
    """`a and b and c`, to be said in any language."""
    *others, last = names or ("",)
    return Phrase("{names} and {last}", names=all_of(others), last=last) if others else last


def did_you_mean(names: Sequence[str]) -> str:
    """A question about similar names, `; did you mean b or c?`; empty if there are none."""
    return Phrase("; did you mean {names}?", names=alternatives(names)) if names else ""


def number_of_players(counts: Sequence[int]) -> Phrase:
    """`1 player`, `2 to 5 players`, `2 or 4 players`, to be said in any language."""
    spans = list(runs(counts))
    if len(spans) > 1:
        names = [str(low) if low == high else f"{low}-{high}" for low, high in spans]
        return Phrase("{numbers} players", numbers=alternatives(names))
    (fewest, most) = spans[0]
    if fewest == most:
        return Phrase("{number} player", plural="{number} players", number=most)
    return Phrase("{fewest} to {most} players", fewest=fewest, most=most)


def duration(fewest: int, most: int) -> Phrase:
    """`30 minutes`, `30 to 60 minutes`, to be said in any language."""
    if fewest == most:
        return Phrase("{number} minute", plural="{number} minutes", number=most)
    return Phrase("{fewest} to {most} minutes", fewest=fewest, most=most)


NONE = Phrase("none")
"""Instead of names, if there are none."""


class Catalogue:
    """The phrases of one language; English ones where it has none."""

    def __init__(self, translations: gettext.NullTranslations) -> None:
        self._translations = translations

    def template(self, text: str) -> str:
        """A phrase in this language, with its placeholders."""
        context = text.context if isinstance(text, Phrase) else ""
        if isinstance(text, Phrase):
            text = text.template
        return self._translations.pgettext(context, text) if context else self._translations.gettext(text)

    def say(self, text: str, values: dict[str, object]) -> str:
        """A phrase with its placeholders filled in."""
        if isinstance(text, Phrase):
            all_values = {**text.values, **values}
            if text.number is not None:
                return self.say_counted(text.template, text.plural, text.number, all_values)
            return self.template(text).format(**self._said(all_values))
        return self.template(text).format(**self._said(values))

    def say_counted(self, singular: str, plural: str, number: int, values: dict[str, object]) -> str:
        """A phrase that counts something, in the form for this number, which is the placeholder `{number}`."""
        template = self._translations.ngettext(singular, plural, number)
        return template.format(**_with_number(self._said(values), number))

    def message(self, fault: Exception) -> str:
        """The message of an error, in English if it is not a phrase; without the location in the rules."""
        message = getattr(fault, "message", None)
        if isinstance(message, Phrase):
            return visible(self.say(message, {}))
        return str(message) if hasattr(fault, "location") else str(fault)

    def _said(self, values: dict[str, object]) -> dict[str, object]:
        return {name: self.say(value, {}) if isinstance(value, Phrase) else value for name, value in values.items()}


ENGLISH = Catalogue(gettext.NullTranslations())
"""Phrases as they are written."""


def catalogue_languages() -> frozenset[str]:
    """The languages that have a catalogue."""
    return frozenset(path.stem for path in CATALOGUES.glob("*.po"))


@cache
def catalogue_of(language: str | None) -> Catalogue:
    """The phrases of a language, those of `de` for `de_AT` as well; English ones for None and without a catalogue."""
    languages = catalogue_languages()
    name = next((name for name in (language or "", (language or "").partition("_")[0]) if name in languages), None)
    if name is None:
        return ENGLISH
    import polib  # loaded only for people who play in another language

    compiled = polib.pofile(str(CATALOGUES / f"{name}.po"), encoding="utf-8").to_binary()
    return Catalogue(gettext.GNUTranslations(BytesIO(compiled)))
