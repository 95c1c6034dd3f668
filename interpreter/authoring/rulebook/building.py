"""Putting a rulebook together from the rules of a game.

Each section is made by a function of its own. An item of the printed rulebook is printed once: with the scoring if that
cites it, or else with an action, a step, a phase, another rule, and last with the components.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.authoring.rulebook.book import IndexEntry, Rulebook, Section
from interpreter.authoring.rulebook.components import components
from interpreter.authoring.rulebook.course import actions, claim_items, course, reactions, setup, steps
from interpreter.authoring.rulebook.making import Making
from interpreter.authoring.rulebook.prose import Prose
from interpreter.authoring.rulebook.scoring import (
    aim,
    claim_scoring,
    claim_terms,
    end,
    options,
    scoring,
    terms,
    variants,
)
from interpreter.authoring.rulebook.telling import Teller
from interpreter.authoring.rulebook.worked import examples
from interpreter.authoring.rulebook.written import WrittenWords
from interpreter.engine.seating import choose_seats
from interpreter.loading.rules import Rules
from interpreter.wording.phrases import duration, number_of_players
from interpreter.wording.words import OWN, words_in

SECTIONS = (
    aim, components, setup, course, actions, steps, reactions, scoring, end, terms, examples, options, variants,
)  # fmt: skip
"""What makes the sections, in the order of the book."""


def rulebook_of(rules: Rules, players: int | Sequence[str] | None = None, language: str | None = None) -> Rulebook:
    """The rulebook of a game, read with its examples, for all numbers of players or for one.

    Raises PlayersError, and PlayError if a rule of the setup fails.
    """
    model, header = rules.model, rules.model.file.header
    words = words_in(model.words, language or OWN)
    seats = choose_seats(rules, players)
    counts = header.counts if players is None else (len(seats),)
    prose, written = Prose(model, words), WrittenWords(model, words)
    teller = Teller(model, words, prose, written)
    making = Making(rules, words, seats, counts, prose, written, teller, language)
    for claim in (claim_scoring, claim_items, claim_terms):
        claim(making)
    sections = tuple(part for make in SECTIONS for part in make(making))
    about = header.about
    title = words.text(header.title.value)
    if rules.titles:
        title = f"{title} ({', '.join(map(words.text, rules.titles))})"
    return Rulebook(
        title,
        words.text(about.sentence) if about is not None else "",
        tuple(_facts(making)),
        sections,
        words.phrase("Contents"),
        words.phrase("Index"),
        tuple(_index(making, sections)),
        language or "en",
    )


def _facts(making: Making) -> Iterator[str]:
    """Players, duration, family, designer."""
    words, about = making.words, making.model.file.header.about
    yield words.phrase(number_of_players(making.counts))
    if about is not None and about.minutes is not None:
        yield words.phrase(duration(*about.minutes))
    if about is not None and about.family:
        yield words.text(about.family)
    if about is not None and about.designer:
        yield words.phrase("by {designer}", designer=about.designer)


def _index(making: Making, sections: Sequence[Section]) -> Iterator[IndexEntry]:
    """The words of the index in alphabetical order, with the titles of their sections."""
    titles = dict(_titles(sections))
    for word in sorted(making.sections_by_word, key=lambda word: (word.lower(), word)):
        targets = tuple((anchor, titles[anchor]) for anchor in making.sections_by_word[word] if anchor in titles)
        if targets:
            yield IndexEntry(word, targets)


def _titles(sections: Sequence[Section]) -> Iterator[tuple[str, str]]:
    for part in sections:
        yield part.anchor, part.title
        yield from _titles(part.sections)
