"""The legend of a board: the meaning of letters and lines, in the words of the headings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from cli.render.board.ink import rich
from cli.render.board.letters import UNKNOWN, Sign
from cli.render.board.markings import Heading, Lists
from cli.render.board.shape import Key, Place, Shape
from cli.render.board.strokes import ACROSS, DOTTED, DOUBLE, GLYPHS, HEAVY, LIGHT
from cli.render.cells import Flow, Hanging
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import Words

NARROW = 40
"""Below this width the lines of a paragraph begin where its title does."""
MAX_NAMED_PLACES = 24
"""Maximum number of places whose names are listed."""


def legend(lists: Lists, width: int) -> Iterator[RenderableType]:
    """One paragraph per table on the board, and one for the marks of places that have a name.

    In a narrow column these marks come first: the board shows nothing else that would tell what they mean.
    """
    explained: set[Sign] = set()
    by_table: dict[str, list[Text]] = {}
    for name, headings in lists.headings.items():
        for heading in headings:
            by_table.setdefault(heading.table, []).append(_column(lists, name, heading, explained))
    marked = [place for place in lists.shape.places.values() if place.mark and place.name and not place.ends]
    marks = list(_marks(marked, lists, width)) if 0 < len(marked) <= MAX_NAMED_PLACES else []
    yield from marks if width < NARROW else ()
    for title, columns in by_table.items():
        yield from _paragraph(title, columns, width)
    yield from () if width < NARROW else marks


def _marks(places: Sequence[Place], lists: Lists, width: int) -> Iterator[RenderableType]:
    """The meaning of the marks of places, with their attributes: `N North green; S South red`."""
    texts: list[Text] = []
    for place in places:
        tint, traits = lists.groups.tint(place.key), lists.groups.traits(place, lists.words)
        text = Text.assemble((place.mark or "", f"bold {tint}".strip()), f" {_name(place, lists.words)}")
        texts.append(text.append(f" {' '.join(traits)}", tint) if traits else text)
    headings = dict.fromkeys(lists.groups.named(place, lists.words) for place in places)
    yield from _paragraph(", ".join(heading for heading in headings if heading), texts, width, ",")


def _name(place: Place, words: Words) -> str:
    """The name of a place: that which the game has for it in these words, else that of the board."""
    name = words.name(place.key[1])
    return name if name != place.key[1] else place.name or name


def in_full(lists: Lists, lacking: Sequence[Key], width: int) -> Iterator[RenderableType]:
    """The full contents of the places where they did not fit."""
    for name, entries in lists.in_full(lacking).items():
        titles = dict.fromkeys(heading.table for heading in lists.headings[name])
        texts = [Text(f"{place} ").append_text(rich(text)) for place, text in entries]
        title = lists.words.phrase("{tables} in full", tables=", ".join(titles))
        yield from _paragraph(title, texts, width, ";")


def whereabouts(shape: Shape, lacking: Sequence[Key], width: int, words: Words) -> Iterator[RenderableType]:
    """The names that did not fit, with the areas that their places border on, or the places they lie between."""
    areas: dict[Key, list[str]] = {}
    for area in shape.areas:
        for side in area.ring:
            areas.setdefault(side, []).append(area.key[1])
    texts = [
        Text(words.name(key[1])).append(
            " " + "|".join(areas.get(key) or [end for _, end in shape.places[key].ends]), "dim"
        )
        for key in lacking
    ]
    if texts:
        yield from _paragraph(words.phrase("not written"), texts, width)


def _column(lists: Lists, name: str, heading: Heading, explained: set[Sign]) -> Text:
    """One column: `Hut r red, g green`; for strokes, their weight. Signs already explained are omitted."""
    alphabet, phrase = lists.alphabets[name], lists.words.phrase
    nothing = phrase(Phrase("none", context="line"))
    head = alphabet.headed.get(heading.number)
    text = Text(heading.heading)
    if name in lists.strokes:
        pieces, truth = lists.weighing(name)
        if heading is truth:
            alone = phrase("alone")
            return text.append_text(_weights(DOUBLE, LIGHT, alone) if pieces else _weights(HEAVY, DOTTED, nothing))
        if heading in pieces:
            text.append_text(_weights(HEAVY, DOTTED, nothing))
            if lists.is_alike(name):
                return text
    signs = [
        sign for sign in dict.fromkeys(alphabet.signs[heading.number]) if sign not in explained and sign is not head
    ]
    explained.update(signs)
    if head is not None:
        text.append(" ").append_text(rich(head.ink))
    for index, sign in enumerate(signs):
        text.append(" " if index == 0 else ", ").append_text(rich(sign.ink))
        meaning = alphabet.look.words.name(sign.meaning)
        text.append(f" {meaning}" if meaning != heading.heading else "")
    if (name, heading.number) in lists.hiding:
        text.append(", " if signs else " ").append(UNKNOWN, "bold").append(f" {phrase('hidden')}")
    if heading.column.kind == "pieces" and heading.column.order == "stack":
        text.append(", " if signs else " ").append(phrase("from the top, 3x: three with x on top"))
    return text


def _weights(strong: int, weak: int, words: str) -> Text:
    return Text.assemble(" ", (GLYPHS[strong][ACROSS] * 2, "bold"), f", {GLYPHS[weak][ACROSS] * 2} {words}")


def _paragraph(title: str, texts: Sequence[Text], width: int, comma: str = ";") -> Iterator[RenderableType]:
    head = Text.assemble((f"  {title}: " if title else "  ", "dim"))
    if width < NARROW:  # no column for the titles
        words = Text(f"{comma} " if title else " ").join(texts)
        for line in Flow([Text.assemble((f"{title}: " if title else "", "dim"), words)]).lines(width - 2):
            yield Hanging(Text("  "), line)
        return
    lines = Flow(texts, comma if title else "").lines(max(20, width - head.cell_len))
    for index, line in enumerate(lines):
        yield Hanging(head if index == 0 else Text(" " * head.cell_len), line)
