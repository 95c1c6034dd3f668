"""What a seat knows about hidden things, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from cli.render.cells import Hanging
from cli.render.palette import Palette
from interpreter.views.model import value_text

if TYPE_CHECKING:
    from interpreter.knowledge.summary import HiddenPieces, HiddenPlace, Kind, Knowledge


def knowledge_lines(knowledge: Knowledge, look: Palette) -> Iterator[RenderableType]:
    """Hidden pieces place by place, hidden notes, and what others know of the things that only this seat sees."""
    name = look.words.name(knowledge.seat)
    if not (knowledge.pieces or knowledge.notes or knowledge.others):
        yield _line(f"{name} sees everything, or can infer nothing more")
        return
    if knowledge.pieces or knowledge.notes:
        yield _heading(f"what {name} knows of what it does not see")
    if any(group.anything for group in knowledge.pieces):
        yield _line(f"unaccounted for: {_listed(knowledge.unaccounted)}")
    for group in knowledge.pieces:
        yield from _group(group)
    for note in knowledge.notes:
        yield _line(f"{note.name}: {_either([look.words.name(value_text(value)) for value in note.values])}")
    if knowledge.others:
        yield _heading(f"what others know of what only {name} sees")
    for known in knowledge.others:
        seat = look.words.name(known.seat)
        yield _line(f"{seat} knows {known.place}: at least {_listed(known.certain)}")


def _group(group: HiddenPieces) -> Iterator[RenderableType]:
    for place in group.places:
        sure = sum(kind.count for kind in place.certain)
        words = [f"certainly {_listed(place.certain)}"] if sure else []
        if sure < place.hidden and len(group.places) == 1:
            words.append(_rest(group, sure))
        yield _line(
            f"{place.name} ({_counted(place)}): {'; '.join(words)}" if words else f"{place.name} ({_counted(place)})"
        )
    if len(group.places) > 1 and group.possible:
        yield Hanging(Text("    "), Text(_rest(group, sum(len(place.certain) for place in group.places))))


def _rest(group: HiddenPieces, sure: int) -> str:
    beginning = "the rest from" if sure else "from"
    return f"{beginning} all those unaccounted for" if group.anything else f"{beginning} {_listed(group.possible)}"


def _counted(place: HiddenPlace) -> str:
    return f"{place.hidden}" if place.hidden == place.count else f"{place.hidden} of {place.count} hidden"


def _listed(kinds: Sequence[Kind]) -> str:
    """Kinds with their numbers, which are omitted if there is one of each."""
    single = all(kind.count == 1 for kind in kinds)
    return ", ".join(kind.name if single else f"{kind.count} {kind.name}" for kind in kinds)


def _either(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} or {texts[-1]}"


def _heading(words: str) -> RenderableType:
    return Hanging(Text(" "), Text(words, style="bold"))


def _line(words: str) -> RenderableType:
    return Hanging(Text("  "), Text(words))
