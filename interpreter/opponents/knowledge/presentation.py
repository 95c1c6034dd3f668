"""The knowledge of a seat as people read it: a table of who can have what, and sentences about the rest.

                deck (5)    hand (3/4)
    3 king        1 to 2          63 %      one or two kings are in the deck; perhaps one is in the hand
    ace                ·             1      the ace cannot be in the deck, and must be in the hand

(3/4): three of the four pieces there are hidden. What is certain is a number, what is likely a percentage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from dsl.lazy_dataclasses import dataclass
from dsl.text.numbers import percent
from interpreter.seat.views.model import value_text
from interpreter.wording.words import Words

if TYPE_CHECKING:
    from interpreter.opponents.knowledge.summary import Chance, Kind, Knowledge

MAX_ROWS = 12
"""In a table with more rows, those about which the same is certain and possible are joined."""

NOT_THERE = "·"

Rows = dict[str, dict[str, list["Chance | None"]]]
"""What is known, by the labels of rows and columns; several chances where rows were joined."""


@dataclass(frozen=True, slots=True)
class Possibility:
    """What a table says about a kind of pieces at a place."""

    text: str
    kind: Literal["certain", "possible", "impossible"]


Possibilities = dict[str, dict[str, Possibility]]
"""A table of what is possible, by the labels of its rows and columns."""


def possibilities(knowledge: Knowledge, words: Words) -> Possibilities:
    """Which hidden pieces can lie where: a number if that many do for certain, or how likely at least one does.

    Rows are the kinds of pieces that the seat does not see, columns the places; or the other way round if there are
    more places. Empty if no place hides anything.
    """
    if not knowledge.places:
        return {}
    rows = _transposed(_joined(_transposed(_joined(_rows(knowledge, words)))))
    return {
        label: {column: _possibility(chances, words) for column, chances in row.items()} for label, row in rows.items()
    }


def notes_in_words(knowledge: Knowledge, words: Words) -> Iterator[str]:
    """The hidden notes with the values that they can have."""
    for note in knowledge.notes:
        texts = [(words.name(value_text(value)), likely) for value, likely in note.values]
        values = texts[0][0] if len(texts) == 1 else ", ".join(f"{text} {percent(likely)}" for text, likely in texts)
        yield f"{note.name}: {values}"


def others_in_words(knowledge: Knowledge, words: Words) -> Iterator[str]:
    """What others know of what only this seat sees."""
    for inference in knowledge.others:
        seat, pieces = words.name(inference.seat), _listed(inference.certain, words)
        yield words.phrase("{seat} knows {place}: at least {pieces}", seat=seat, place=inference.place, pieces=pieces)


def heading(knowledge: Knowledge, words: Words) -> str:
    """What the table is about, or that there is nothing to infer."""
    name = words.name(knowledge.seat)
    if not (knowledge.places or knowledge.notes or knowledge.others):
        return words.phrase("{seat} sees everything, or can infer nothing more", seat=name)
    return words.phrase("what {seat} knows of what it does not see", seat=name)


def heading_of_others(knowledge: Knowledge, words: Words) -> str:
    """What the sentences about the others are about."""
    return words.phrase("what others know of what only {seat} sees", seat=words.name(knowledge.seat))


def source(knowledge: Knowledge, words: Words) -> str:
    """How the figures were found."""
    if knowledge.tested:
        return words.phrase(
            "% of {number} sampled states; plain numbers are certain",
            number=knowledge.worlds,
        )  # fmt: skip
    return words.phrase(
        "% of {number} sampled states; plain numbers are certain, and more may turn out to be",
        number=knowledge.worlds,
    )  # fmt: skip


def _possibility(chances: Sequence[Chance | None], words: Words) -> Possibility:
    """A number that is certain, a least and a greatest number, or how likely it is that there is one."""
    first = chances[0]
    if first is None:
        return Possibility(NOT_THERE, "impossible")
    of_row = [chance for chance in chances if chance is not None]
    if first.least == first.most:
        return Possibility(str(first.least), "certain")
    if first.least:
        most = max(chance.most for chance in of_row)
        return Possibility(words.phrase("{least} to {most}", least=first.least, most=most), "certain")
    likely = round(100 * sum(chance.likely for chance in of_row) / len(of_row))
    return Possibility("< 1 %" if not likely else "> 99 %" if likely == 100 else f"{likely} %", "possible")


def _rows(knowledge: Knowledge, words: Words) -> Rows:
    """What is known in each row and column; kinds and places by their names with the numbers of pieces."""
    single = all(kind.count == 1 for kind in knowledge.unaccounted)
    several = words.several
    kinds = {kind.name: kind.name if single else several(kind.count, kind.name) for kind in knowledge.unaccounted}
    at_places: Rows = {}
    for place in knowledge.places:
        chance_by_kind = {chance.name: chance for chance in place.kinds}
        count = f"{place.hidden}" if place.hidden == place.count else f"{place.hidden}/{place.count}"
        at_places[f"{place.name} ({count})"] = {label: [chance_by_kind.get(name)] for name, label in kinds.items()}
    return at_places if len(at_places) > len(kinds) else _transposed(at_places)


def _transposed(rows: Rows) -> Rows:
    columns = next(iter(rows.values()))
    return {column: {label: row[column] for label, row in rows.items()} for column in columns}


def _joined(rows: Rows) -> Rows:
    """The rows; if there are many, those with the same certain and possible numbers in one, with all their chances."""
    if len(rows) <= MAX_ROWS:
        return rows
    joined: dict[tuple[object, ...], tuple[list[str], dict[str, list[Chance | None]]]] = {}
    for label, row in rows.items():
        labels, chances = joined.setdefault(
            tuple(map(_pattern, row.values())), ([], {column: [] for column in row})
        )  # fmt: skip
        labels.append(label)
        for column, of_column in row.items():
            chances[column] += of_column
    return {", ".join(labels): chances for labels, chances in joined.values()}


def _pattern(chances: Sequence[Chance | None]) -> frozenset[tuple[int, bool] | None]:
    """What is certain and possible, without how likely it is."""
    return frozenset((chance.least, chance.least == chance.most) if chance else None for chance in chances)


def _listed(kinds: Sequence[Kind], words: Words) -> str:
    """Kinds with their numbers, which are omitted if there is one of each."""
    single = all(kind.count == 1 for kind in kinds)
    return ", ".join(kind.name if single else words.several(kind.count, kind.name) for kind in kinds)
