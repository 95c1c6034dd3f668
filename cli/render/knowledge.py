"""The knowledge of a seat about hidden things, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from cli.render.palette import Palette
from cli.render.pieces import Hanging
from interpreter.seat.views.model import value_text
from interpreter.wording.words import Words

if TYPE_CHECKING:
    from interpreter.opponents.knowledge.summary import HiddenPieces, HiddenPlace, Kind, Knowledge


def knowledge_lines(knowledge: Knowledge, look: Palette) -> Iterator[RenderableType]:
    """Hidden pieces place by place, hidden notes, and what others know of the things that only this seat sees."""
    words, name = look.words, look.words.name(knowledge.seat)
    if not (knowledge.pieces or knowledge.notes or knowledge.others):
        yield _line(words.phrase("{seat} sees everything, or can infer nothing more", seat=name))
        return
    if knowledge.pieces or knowledge.notes:
        yield _heading(words.phrase("what {seat} knows of what it does not see", seat=name))
    if any(group.anything for group in knowledge.pieces):
        yield _line(words.phrase("unaccounted for: {pieces}", pieces=_listed(knowledge.unaccounted)))
    for group in knowledge.pieces:
        yield from _group(group, words)
    for note in knowledge.notes:
        yield _line(f"{note.name}: {words.either([words.name(value_text(value)) for value in note.values])}")
    if knowledge.others:
        yield _heading(words.phrase("what others know of what only {seat} sees", seat=name))
    for inference in knowledge.others:
        seat, pieces = words.name(inference.seat), _listed(inference.certain)
        text = words.phrase("{seat} knows {place}: at least {pieces}", seat=seat, place=inference.place, pieces=pieces)
        yield _line(text)


def _group(group: HiddenPieces, words: Words) -> Iterator[RenderableType]:
    for place in group.places:
        sure = sum(kind.count for kind in place.certain)
        facts = [words.phrase("certainly {pieces}", pieces=_listed(place.certain))] if sure else []
        if sure < place.hidden and len(group.places) == 1:
            facts.append(_rest(group, sure, words))
        head = f"{place.name} ({_counted(place, words)})"
        yield _line(f"{head}: {'; '.join(facts)}" if facts else head)
    if len(group.places) > 1 and group.possible:
        yield Hanging(Text("    "), Text(_rest(group, sum(len(place.certain) for place in group.places), words)))


def _rest(group: HiddenPieces, sure: int, words: Words) -> str:
    if group.anything:
        return words.phrase("the rest from all those unaccounted for" if sure else "from all those unaccounted for")
    pieces = _listed(group.possible)
    return words.phrase("the rest from {pieces}" if sure else "from {pieces}", pieces=pieces)


def _counted(place: HiddenPlace, words: Words) -> str:
    if place.hidden == place.count:
        return f"{place.hidden}"
    return words.phrase("{hidden} of {count} hidden", hidden=place.hidden, count=place.count)


def _listed(kinds: Sequence[Kind]) -> str:
    """Kinds with their numbers, which are omitted if there is one of each."""
    single = all(kind.count == 1 for kind in kinds)
    return ", ".join(kind.name if single else f"{kind.count} {kind.name}" for kind in kinds)


def _heading(words: str) -> RenderableType:
    return Hanging(Text(" "), Text(words, style="bold"))


def _line(words: str) -> RenderableType:
    return Hanging(Text("  "), Text(words))
