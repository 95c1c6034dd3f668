"""The reasons why a move is legal or not, one requirement at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from rich.console import RenderableType
from rich.text import Text

from cli.render.pieces import Hanging
from dsl.text.addressing import for_others
from interpreter.play.trace.wording import event_words, sources
from interpreter.seat.explain.breakdown import value_headline
from interpreter.seat.explain.refusals import MAX_LISTED, listed
from interpreter.wording.words import PLAIN, Words

if TYPE_CHECKING:
    from interpreter.play.trace import Event, Position
    from interpreter.seat.explain.answer import Origin, Reason, Why
    from interpreter.seat.explain.breakdown import Explanation
    from interpreter.wording.words import Words


T = TypeVar("T")
MAX_DEPTH = 2
"""How many levels of the parts of a value are shown in brief."""

MAX_LINES = 12
"""Maximum number of parts of a value, and of changes of a place, that are shown in brief."""


def reasons(
    why: Why, deciding_seat: str | None = None, further: str = "", words: Words = PLAIN
) -> Iterator[RenderableType]:
    """The verdict, and what it depends on.

    With `further`, which says how to see the rest, only what a player needs: the reasons that fail in the words of the
    rules, the items that they cite, and short lists. Otherwise each requirement with its values and its line in the
    rules, every member and every part. `deciding_seat` is given if the reader is somebody else.
    """
    rest = _Rest(bool(further), words)
    headline = why.headline
    if why.explained is not None:
        headline = value_headline(why.explained, rest.shortened(why.explained), rest.case(why.explained), words)
    yield Hanging(Text(" "), Text(for_others(headline, deciding_seat) if deciding_seat else headline, style="bold"))
    for line in rest.cut(why.signature[-1:], len(why.signature)) if further else why.signature:
        yield Hanging(Text("  "), Text(line))
    yield from _brief_reasons(why, deciding_seat, rest) if further else _all_reasons(why, deciding_seat)
    if why.nearest:
        nearest = (move.label if further else move.notation for move in why.nearest)
        moves = ("; " if further else ", ").join(nearest)  # labels may contain commas
        head = words.phrase("legal moves: " if why.legal else "nearest legal moves: ")
        yield Hanging(Text(f"  {head}", style="dim"), Text(moves))
    if why.explained is not None:
        yield from _parts_of(why.explained, rest)
    yield from _origins(why.origins, rest)
    if rest.is_cut:
        yield Hanging(Text("  "), Text(further, style="dim"))


class _Rest:
    """Whether something has been left out, which is only done `in_brief`."""

    def __init__(self, in_brief: bool, words: Words) -> None:
        self.in_brief, self.words, self.is_cut = in_brief, words, False

    def cut(self, items: Sequence[T], number: int) -> Sequence[T]:
        """The items as they are; notes whether there are fewer than `number`, of which they were chosen."""
        self.is_cut |= len(items) < number
        return items

    def text(self, explained: Explanation) -> str:
        """What is explained; in brief as a player reads it."""
        return explained.text_shown if self.in_brief and explained.text_shown else explained.text

    def case(self, explained: Explanation) -> str:
        """The case that gave the value; in brief as a player reads it."""
        return explained.case_shown if self.in_brief and explained.case_shown else explained.case

    def shortened(self, explained: Explanation) -> str:
        """The value of an explanation; in brief in the words of the game, of many members only some."""
        if not self.in_brief or len(explained.members) <= MAX_LISTED:
            return explained.shown if self.in_brief and explained.shown else explained.value
        self.is_cut = True
        return listed(explained.members, self.words)


def _brief_reasons(why: Why, deciding_seat: str | None, rest: _Rest) -> Iterator[RenderableType]:
    """The reasons that fail, except the one in the headline; how many hold."""
    failing = [reason for reason in why.reasons if not reason.holds and not reason.asks]
    for reason in rest.cut(failing, len(why.reasons)):
        text = for_others(reason.text, deciding_seat) if deciding_seat else reason.text
        cites = f"  [{' '.join(reason.cites)}]" if reason.cites else ""
        if not why.headline.endswith(reason.text):
            yield Hanging(Text("  - ", style="bright_red"), Text(text).append(cites, style="dim cyan"))
        elif cites:
            yield Hanging(Text("  "), Text(cites.strip(), style="dim cyan"))


def _all_reasons(why: Why, deciding_seat: str | None) -> Iterator[RenderableType]:
    for reason in why.reasons:
        yield from _reason(reason, deciding_seat)


def _parts_of(explained: Explanation, rest: _Rest) -> Iterator[RenderableType]:
    """The parts of a value as an indented tree; in brief only the first lines of the first two levels."""
    lines = list(_tree(explained, 0, rest))[1:]
    for depth, line in rest.cut(lines[:MAX_LINES], len(lines)) if rest.in_brief else lines:
        yield Hanging(Text("  " * (depth + 1)), Text(line))


def _tree(explained: Explanation, depth: int, rest: _Rest) -> Iterator[tuple[int, str]]:
    cites = f"  [{' '.join(explained.cites)}]" if explained.cites else ""
    case = f"  ({rest.case(explained)})" if explained.case else ""
    yield depth, f"{rest.text(explained)} = {rest.shortened(explained)}{case}{cites}"
    parts = explained.children if not rest.in_brief or depth < MAX_DEPTH else ()
    for child in rest.cut(parts, len(explained.children)):
        yield from _tree(child, depth + 1, rest)


def _origins(origins: Sequence[Origin], rest: _Rest) -> Iterator[RenderableType]:
    """The changes of a place; in brief the latest, without the rules that made them."""
    for origin in rest.cut(origins[-MAX_LINES:], len(origins)) if rest.in_brief else origins:
        yield Hanging(Text(f"  {origin.ply:>3} "), Text(f"{origin.decision}: ").append(origin.change, style="green"))
        if origin.location and not rest.in_brief:
            source = Text(f"{origin.rule}  ", style="dim")
            source.append(sources(origin.location, origin.cites), style="dim cyan")
            yield Hanging(Text("      "), source)
        rest.is_cut |= bool(origin.location) and rest.in_brief


def decider(player: str | None, reader: str | None) -> str | None:
    """The deciding seat if the reader is not that seat; None if it is, or if nobody decides."""
    return player if player != reader else None


def _reason(reason: Reason, deciding_seat: str | None) -> Iterator[RenderableType]:
    sign = Text("  + ", style="green") if reason.holds else Text("  - ", style="bright_red")
    yield Hanging(
        sign,
        Text(
            for_others(reason.text, deciding_seat) if deciding_seat else reason.text,
            style="dim" if reason.holds else "",
        ),
    )
    if reason.values:
        words = ", ".join(f"{expression} = {value}" for expression, value in reason.values)
        yield Hanging(Text("      "), Text(words, style="dim"))
    yield Hanging(Text("      "), Text(sources(reason.location, reason.cites), style="dim cyan"))


# ---------------- the trace of a game as indented lines: the events, and the lines of the rules that caused them


STYLES = {
    "turn": "bold", "decision": "bold", "end": "bold", "rule": "cyan", "change": "green", "chance": "magenta",
    "asked": "yellow", "requirement": "yellow", "condition": "yellow",
}  # fmt: skip


def line_of(depth: int, event: Event, words: Words) -> str:
    """One line of text: indented by depth, with location and citations at the end."""
    where = sources(event.location, event.cites) if event.span is not None else ""
    return f"{'  ' * depth}{event_words(event, words)}{'   ' if where else ''}{where}"


def traced(events: Iterable[tuple[int, Position, Event]], words: Words) -> Iterator[RenderableType]:
    """The same for a screen: coloured by kind, with hanging indents for long lines."""
    for depth, _, event in events:
        text = Text(event_words(event, words), style=STYLES.get(event.kind, ""))
        if event.span is not None:
            text.append(f"   {sources(event.location, event.cites)}", style="dim")
        yield Hanging(Text("  " * depth), text)
