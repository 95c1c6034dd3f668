"""The catalogues: every phrase in the source is translated, with the same placeholders and all plural forms."""

from __future__ import annotations

import copy
import os
import pickle
import re

import polib
import pytest

from interpreter.wording.phrases import CATALOGUES, Phrase, catalogue_languages, catalogue_of
from interpreter.wording.words import Words
from tests.support.phrases import key_of, phrases_in_source, placeholders, updated

LANGUAGES = sorted(catalogue_languages())


def _catalogue(language: str) -> polib.POFile:
    return polib.pofile(str(CATALOGUES / f"{language}.po"), encoding="utf-8", wrapwidth=120, check_for_duplicates=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_exactly_the_phrases_in_the_source(language: str) -> None:
    catalogue = _catalogue(language)
    if os.environ.get("REGELWERK_UPDATE"):
        updated(catalogue).save(str(CATALOGUES / f"{language}.po"), newline="\n")
        catalogue = _catalogue(language)
    phrases = phrases_in_source()
    entries = {key_of(entry) for entry in catalogue}
    missing, unused = sorted(phrases.keys() - entries), sorted(entries - phrases.keys())
    hint = "write them with `REGELWERK_UPDATE=1 pytest tests/interpreter/test_catalogues.py`, and translate them"
    assert not missing and not unused, f"missing: {missing}, unused: {unused}; {hint}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_is_translated_with_its_placeholders(language: str) -> None:
    catalogue, wrong = _catalogue(language), []
    forms = int(re.findall(r"nplurals=(\d+)", catalogue.metadata["Plural-Forms"])[0])
    for entry in catalogue:
        translations = list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]
        expected = placeholders(entry.msgid_plural or entry.msgid)
        optional = {"number"} if entry.msgid_plural else set()  # which a singular may leave out: "one of them"
        if len(translations) != (forms if entry.msgid_plural else 1) or "" in translations or entry.fuzzy:
            wrong.append(f"not translated: {entry.msgid}")
        wrong += [
            f"other placeholders: {text}"
            for text in translations
            if text and (placeholders(text) ^ expected) - optional
        ]
        wrong += [f"begins or ends otherwise: {text}" for text in translations if text and _edges(entry.msgid, text)]
    assert not wrong, "\n".join(wrong)


def _edges(phrase: str, translation: str) -> bool:
    """True if one of them can be joined to other text, and the other cannot: `, or` begins with a separator."""
    return (phrase[:1] in " ,;", phrase[-1:] == " ") != (translation[:1] in " ,;", translation[-1:] == " ")


def test_a_phrase_is_english_until_it_is_said_in_another_language() -> None:
    phrase, german = Phrase("{names} or {last}", names="a", last=Phrase("nobody")), Words(language="de")
    assert phrase == "a or nobody"
    for same in (phrase, pickle.loads(pickle.dumps(phrase)), copy.deepcopy(phrase)):
        assert german.phrase(same) == "a oder niemand"
    assert Words().phrase(phrase) == phrase


def test_a_language_without_catalogue_says_what_it_lacks_in_english() -> None:
    assert Words(language="xx").phrase("nobody wins") == "nobody wins"
    assert Words(language="de_AT").phrase("nobody wins") == "niemand gewinnt"
    assert (
        Words(language="de").phrase("a text that is no phrase of the source")
        == "a text that is no phrase of the source"
    )
    assert catalogue_of("../de") is catalogue_of(None)
