"""The whole picture: its scale, the parts into which a wide one is split, the legend below or beside it.

Boards are given by coordinates, hexes and streets as well as squares, and a terminal has only cells that are twice as
high as wide. A scale says how many columns and lines a unit of the board takes. It must be one at which every place is
at a whole column, or rows of hexes would be staggered unevenly (`_is_even`), and wide enough for what is written at the
places.

The scale must not change during a game: a picture that jumps when a piece gets a long name cannot be read. So it is
chosen once, for *typical contents*, what places can hold by their types (`_planned`), and contents that do not fit are
abbreviated and listed below. Where there is a fixed number of lines, as in full screen, the picture is enlarged as far
as it fits together with its legend.

A board that is wider than the terminal is cut into parts that overlap by one unit, at columns where few texts are torn.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from rich.console import Group, RenderableType
from rich.style import Style
from rich.text import Text

from cli.render.board.geometry import Cell, Geometry, crossings, parted
from cli.render.board.ink import ACROSS, DOTTED, DOUBLE, GLYPHS, HEAVY, LIGHT, SHALLOW, Sheet, rich
from cli.render.board.letters import UNKNOWN, Sign
from cli.render.board.markings import Heading, Lists
from cli.render.board.painter import Look, Painting
from cli.render.palette import Palette, style_of
from cli.render.pieces import Flow, Hanging
from dsl.lazy_dataclasses import dataclass
from interpreter.seat.views.board_shape import Key, Place, Shape, shape_of
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import Words

if TYPE_CHECKING:
    from cli.render.board.painter import Painting
    from interpreter.seat.views.model import BoardView, TableView


MARGIN = 1
MIN_PICTURE_COLUMNS = 20
"""Columns below which a board is cut off instead of being drawn in more and narrower parts."""
GAP = 2
"""Columns between a picture and the legend beside it."""
MIN_LEGEND_COLUMNS = 20
"""Minimum columns of a legend beside the picture."""
DENSE_SCALE = (2, 1)
SPARSE_SCALE = (4, 2)
MAX_ENLARGED, MAX_SPREAD = 3, 2
"""How many times the lines of the smallest scale a picture may have; fewer if no lines lead from place to place."""
MAX_WIDENED = 3
"""How many times the columns of the smallest scale a unit may have, so that the contents fit."""
SLACK = 2
"""Columns by which contents may make a picture wider that has its legend beside it."""
MAX_CACHED_SHAPES = 8
_KEPT: dict[Hashable, Plan] = {}
"""Cached plans for typical contents: constant throughout a game, and slower to make than the picture itself."""


@dataclass(frozen=True)
class Plan:
    """Typical contents painted at the scale of all pictures of a board, and whether the legend is beside them."""

    usual: Painting
    is_beside: bool = False


@dataclass(frozen=True)
class BoardDrawing:
    """The lines of a picture, and its legend: below it, or beside it at the column `beside`."""

    picture: tuple[Text, ...]
    legend: tuple[RenderableType, ...]
    beside: int | None = None


def draw_board(
    board: BoardView, tables: Sequence[TableView], look: Palette, width: int, *, names: bool = False,
    named_places: Collection[str] = (),
) -> Group:  # fmt: skip
    """Draw the board with its tables and the legend below it; see `board_drawing`."""
    drawing = board_drawing(board, tables, look, width, names=names, named_places=named_places)
    return Group(*drawing.picture, *drawing.legend)


def board_drawing(
    board: BoardView, tables: Sequence[TableView], look: Palette, width: int, room: int | None = None, *,
    names: bool = False, named_places: Collection[str] = (), lit: Collection[str] | None = None,
    moved: Collection[str] = (),
) -> BoardDrawing:  # fmt: skip
    """Draw the board with its tables, at most `width` columns wide; with `names`, show the names of the places instead.

    With `room`, a number of lines, the picture is as large as fits there; if it does not fit with the legend below it,
    the legend is beside it, where there is room.

    `named_places` are the places whose names are shown beside their contents, where there is room; on a board whose
    columns and rows have names, only if there is room for all of them. With `lit`, those
    places are highlighted, those in `moved` are underlined, and the style of every cell has the name of its place as
    metadata; see `Targets`.

    Contents that do not fit at their place are listed below the picture; a board that is too wide is drawn in parts.
    """
    shape, width = shape_of(parted(board)), max(MIN_PICTURE_COLUMNS, width)
    lists = Lists(shape, tables, look, named_places)
    looks = lists.named() if names else lists.looks()
    plan = _planned(shape, looks if names else lists.usual(), width, room, () if names else lists)
    _, _, first, last = plan.usual.sheet.bounds()
    beside = MARGIN + last - first + 1 + SLACK + GAP if plan.is_beside else None
    broad = width - MARGIN if beside is None else beside - GAP - MARGIN
    painting = _painted(shape, looks, plan.usual, broad)
    if shape.captions and not _has_all_names(painting, lists.named_places):
        # Where columns and rows have names, some names of places among others without would only be in the way.
        looks = Lists(shape, tables, look).looks()
        painting = _painted(shape, looks, plan.usual, broad)
    _, _, leftmost, rightmost = painting.sheet.bounds()
    parts = tuple(_parts(painting, min(leftmost, first), max(rightmost, last), broad, plan.usual.scale[0], lit, moved))
    below = width if beside is None else width - beside
    lacking = [*painting.lacking, *(place.key for place in shape.homeless)]
    if names:
        return BoardDrawing(parts, tuple(whereabouts(shape, lacking, below, look.words)), beside)
    return BoardDrawing(parts, (*legend(lists, below), *in_full(lists, lacking, below)), beside)


def _has_all_names(painting: Painting, names: Collection[str]) -> bool:
    """True if each of these places has its name beside it, if it is at a point of the board."""
    texts: dict[Key, str] = {}
    for cell, key in sorted(painting.written.items()):
        texts[key] = texts.get(key, "") + painting.sheet.cells[cell][0]
    return all(place.key[1] in texts.get(place.key, "") for place in painting.shape.nodes if place.key[1] in names)


def _planned(shape: Shape, looks: Mapping[Key, Look], width: int, room: int | None, lists: Lists | tuple[()]) -> Plan:
    """The plan for typical contents."""
    key = (shape, *looks.items(), width, room)
    if key not in _KEPT:
        if len(_KEPT) >= MAX_CACHED_SHAPES:
            _KEPT.clear()
        if room is None:
            _KEPT[key] = Plan(_fitting(shape, looks, _smallest(shape), width))
        else:
            _KEPT[key] = _largest(shape, looks, width, room, lambda broad: _height(lists, broad))
    return _KEPT[key]


def _height(lists: Lists | tuple[()], width: int) -> int:
    """The number of lines that the legend takes where it explains as many signs as it ever does."""
    return len(list(legend(lists, width, "always"))) if lists else 0


def _smallest(shape: Shape) -> tuple[int, int]:
    if shape.drawing or shape.strokes:
        return shape.drawing or SPARSE_SCALE
    return max(map(len, _column_names(shape)), default=1) + DENSE_SCALE[0] - 1, DENSE_SCALE[1]


def _column_names(shape: Shape) -> Iterator[str]:
    return (word.text for word in shape.captions if word.text.isalpha() and word.text not in shape.copies)


def _largest(
    shape: Shape, looks: Mapping[Key, Look], width: int, room: int, legend_lines: Callable[[int], int]
) -> Plan:
    """The largest picture that fits with its legend in a number of lines; if none does, the smallest one."""
    columns, lines = _smallest(shape)
    for tall in range((MAX_ENLARGED if shape.strokes else MAX_SPREAD) * lines, lines, -1):
        first = (-(-columns * tall // lines), tall)
        if _size(shape, first)[1] <= room and _size(shape, first)[0] <= width - MARGIN and _is_even(shape, first):
            usual = _fitting(shape, looks, first, width)
            if (plan := _with_legend(usual, width, room, legend_lines)) is not None:
                return plan
    usual = _fitting(shape, looks, (columns, lines), width)
    return _with_legend(usual, width, room, legend_lines) or Plan(usual, _fits_beside(usual, width, room, legend_lines))


def _with_legend(usual: Painting, width: int, room: int, legend_lines: Callable[[int], int]) -> Plan | None:
    """A plan for a picture that fits with its legend, below it if possible."""
    top, bottom, leftmost, rightmost = usual.sheet.bounds()
    height = bottom - top + 1
    if rightmost - leftmost + 1 > width - MARGIN or height > room:
        return None
    if height + legend_lines(width) <= room:
        return Plan(usual)
    return Plan(usual, True) if _fits_beside(usual, width, room, legend_lines) else None


def _fits_beside(usual: Painting, width: int, room: int, legend_lines: Callable[[int], int]) -> bool:
    """True if the legend is in sight beside a picture."""
    _, _, leftmost, rightmost = usual.sheet.bounds()
    broad = width - (MARGIN + rightmost - leftmost + 1 + SLACK + GAP)
    return broad >= MIN_LEGEND_COLUMNS and legend_lines(broad) <= room


def _fitting(shape: Shape, looks: Mapping[Key, Look], first: tuple[int, int], width: int) -> Painting:
    """Paint with as many columns per unit, from those of `first` on, as most of the contents need and the width has."""
    best = Painting(shape, looks, first)
    for columns in range(first[0] + 1, MAX_WIDENED * first[0] + 1):
        scale = (columns, first[1])
        if not best.lacking:
            break
        if _is_even(shape, scale):
            painting = Painting(shape, looks, scale)
            _, _, leftmost, rightmost = painting.sheet.bounds()
            # Wider scales are tried until everything fits at its place, but more columns do not always help: names may
            # be cut off by the width. The best so far is kept.
            if rightmost - leftmost + 1 > width - MARGIN:
                break
            if len(painting.lacking) < len(best.lacking):
                best = painting
    return best


def _painted(shape: Shape, looks: Mapping[Key, Look], usual: Painting, broad: int) -> Painting:
    """Paint the contents; where they would make a picture too wide that fits without them, they are abbreviated."""
    painting = Painting(shape, looks, usual.scale)
    _, _, leftmost, rightmost = painting.sheet.bounds()
    _, _, first, last = usual.sheet.bounds()
    if max(rightmost, last) - min(leftmost, first) < broad:
        return painting
    if last - first >= broad:
        first, last = painting.geometry.columns
    slack = broad - (last - first + 1)
    if slack < 0:
        return painting
    return Painting(shape, looks, usual.scale, within=(first - slack // 2, last + slack - slack // 2))


def _size(shape: Shape, scale: tuple[int, int]) -> tuple[int, int]:
    """The columns and lines of a board at a scale, without the texts that reach beyond it."""
    points = [*shape.centres.values(), *(place.at for place in shape.places.values() if place.at is not None)]
    if not points:
        return 0, 0
    across, down = [x for x, _ in points], [y for _, y in points]
    return int((max(across) - min(across)) * scale[0]) + 1, int((max(down) - min(down)) * scale[1]) + 1


def _is_even(shape: Shape, scale: tuple[int, int]) -> bool:
    """True if at a scale all places are on whole columns, and strokes advance by equally many columns on every line."""
    columns, lines = scale
    if any((x * columns) % 1 for x, _ in shape.centres.values() if (x * 2) % 1 == 0):
        return False
    for stroke in shape.strokes:
        (x, y), (end, last) = shape.points(stroke)
        across, down = abs(end - x) * columns, abs(last - y) * lines
        if across and down > SHALLOW and across % down:
            return False
    return True


def _parts(
    painting: Painting, leftmost: int, rightmost: int, broad: int, unit: int, lit: Collection[str] | None,
    moved: Collection[str],
) -> Iterator[Text]:  # fmt: skip
    """The picture, or parts of it from left to right, each beginning one unit before the end of the previous one."""
    sheet = painting.sheet
    styled = (targets(painting, lit, moved).style,) if lit is not None else ()
    if rightmost - leftmost + 1 <= broad:
        yield from _lines(sheet.texts(leftmost, rightmost, *styled))
        return
    cuts: list[tuple[int, int]] = []
    first = leftmost
    while True:
        last = min(first + broad - 1, rightmost)
        if last < rightmost:
            last = _whole(sheet, first, last)
        cuts.append((first, last))
        if last == rightmost:
            break
        first = max(first + 1, last + 1 - unit)
    for number, (first, last) in enumerate(cuts, 1):
        yield Text(f" part {number} of {len(cuts)}", style="dim")
        yield from _lines(sheet.texts(first, last, *styled))


def _whole(sheet: Sheet, first: int, last: int) -> int:
    """The last column of a part, moved left by up to a quarter of the part to where the fewest texts are cut."""
    least = last - (last - first) // 4

    def torn(column: int) -> int:
        return sum(1 for _, between in sheet.joined if between == column + 1)

    return min(range(last, least - 1, -1), key=torn)


def _lines(texts: Iterable[Text]) -> Iterator[Text]:
    for line in texts:
        yield Text(" " * MARGIN).append_text(line)


# ---------------- the places of a picture as targets: which place a cell belongs to, so that places can be
# highlighted and clicked


PLACE = "place"
"""The key of the name of a place in the metadata of a style."""


@dataclass(frozen=True)
class Targets:
    """The name of the place that each cell belongs to, the places that are highlighted, and those just `moved`."""

    names: dict[Cell, str]
    lit: frozenset[str]
    moved: frozenset[str]

    def style(self, cell: Cell, style: str, blank: bool) -> Style | str | None:
        """The style of a cell with the name of its place as metadata; text is reversed or underlined."""
        name = self.names.get(cell)
        if name is None:
            return style or None
        return _style(style, name, name in self.lit and not blank, name in self.moved and not blank)


@lru_cache(maxsize=4096)
def _style(style: str, name: str, lit: bool, moved: bool) -> Style:
    """A style with the name of a place; cached, as a picture has thousands of cells in few styles."""
    return Style.parse(style) + Style(reverse=lit or None, underline=moved or None, meta={PLACE: name})


def targets(painting: Painting, lit: Collection[str], moved: Collection[str] = ()) -> Targets:
    """The targets of a painted board: the texts of each place, and its other cells, which are always the same."""
    written = {cell: name for cell, (_, name) in painting.written.items()}
    return Targets(_places(painting.geometry) | written, frozenset(lit), frozenset(moved))


@lru_cache(maxsize=64)
def _places(geometry: Geometry) -> dict[Cell, str]:
    """The place that each cell belongs to; nodes take precedence over strokes, and strokes over areas."""
    names = dict[Cell, str]()
    for (_, name), corners in geometry.corners.items():
        lines = [line for line, _ in corners]
        for line in range(min(lines), max(lines) + 1):
            for start, end in crossings(corners, line):
                names |= {(line, column): name for column in range(int(start) + 1, int(end) + 1)}
    for (_, name), strokes in geometry.traces.items():
        names |= {stroke.cell: name for stroke in strokes}
    return names | {cell: name for cell, (_, name) in geometry.cores.items()}


# ---------------- the legend of a board: the meaning of letters and lines, in the words of the headings


NARROW = 40
"""Below this width the lines of a paragraph begin where its title does."""
MAX_NAMED_PLACES = 24
"""Maximum number of places whose names are listed."""
MAX_EXPLAINED_SIGNS = 24
"""Maximum number of signs of a column that are explained; of more, only those on the board are."""

Extent = Literal["now", "always", "all"]
"""Which signs a legend explains if there are many: those on the board, as many as it ever explains, or all."""


def legend(lists: Lists, width: int, extent: Extent = "now") -> Iterator[RenderableType]:
    """One paragraph per table on the board, and one for the marks of places that have a name.

    In a narrow column these marks come first: the board shows nothing else that would tell what they mean.
    """
    explained: set[Sign] = set()
    by_table: dict[str, list[Text]] = {}
    for name, headings in lists.headings.items():
        if name != lists.first_copy(name):
            continue
        for heading in (each for each in headings if each.column.kind != "links"):
            by_table.setdefault(heading.table, []).append(_column(lists, name, heading, explained, extent))
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
        tint, traits = style_of(lists.groups.tint(place.key)), lists.groups.traits(place, lists.words)
        text = Text.assemble((place.mark or "", f"bold {tint}".strip()), f" {_name(place, lists.words)}")
        texts.append(text.append(f" {' '.join(traits)}", tint) if traits else text)
    headings = dict.fromkeys(lists.groups.named(place, lists.words) for place in places)
    yield from _paragraph(", ".join(heading for heading in headings if heading), texts, width, ",")


def _name(place: Place, words: Words) -> str:
    """The name of a place: the one that the game gives it in these words, else that of the board."""
    name = words.name(place.key[1])
    return name if name != place.key[1] else place.name or name


def in_full(lists: Lists, lacking: Sequence[Key], width: int) -> Iterator[RenderableType]:
    """The full contents of the places where they did not fit."""
    for name, entries in lists.in_full(lacking).items():
        titles = dict.fromkeys(heading.table for heading in lists.headings[name])
        name_of = lists.words.name
        texts = [Text(f"{name_of(place)} ").append_text(rich(text)) for place, text in entries]
        title = lists.words.phrase("{tables} in full", tables=", ".join(titles))
        yield from _paragraph(title, texts, width, ";")


def whereabouts(shape: Shape, lacking: Sequence[Key], width: int, words: Words) -> Iterator[RenderableType]:
    """The names that did not fit, with the areas that their places border on, or the places they lie between."""
    areas: dict[Key, list[str]] = {}
    for area in shape.areas:
        for side in area.ring:
            areas.setdefault(side, []).append(area.key[1])
    texts: list[Text] = []
    for key in lacking:
        ends = [end for _, end in shape.places[key].ends]  # a place that has them is named as on the picture
        name = key[1] if ends else words.name(key[1])
        texts.append(Text(name).append(" " + "|".join(areas.get(key) or ends), "dim"))
    if texts:
        yield from _paragraph(words.phrase("not written"), texts, width)


def _column(lists: Lists, name: str, heading: Heading, explained: set[Sign], extent: Extent) -> Text:
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
    signs, omitted = _most_useful(lists, signs, extent)
    for index, sign in enumerate(signs):
        text.append(" " if index == 0 else ", ").append_text(rich(sign.ink))
        meaning = alphabet.look.words.name(sign.meaning)
        text.append(f" {meaning}" if meaning != heading.heading else "")
    if omitted:
        text.append(", " if signs else " ").append(phrase("… {number} more", number=omitted), "dim")
    if (name, heading.number) in lists.hiding:
        text.append(", " if signs else " ").append(UNKNOWN, "bold").append(f" {phrase('hidden')}")
    if heading.column.kind == "pieces" and heading.column.order == "stack":
        text.append(", " if signs else " ").append(phrase("from the top, 3x: three with x on top"))
    return text


def _most_useful(lists: Lists, signs: list[Sign], extent: Extent) -> tuple[list[Sign], int]:
    """The signs to explain, in their order, and the number of the others."""
    if extent == "all" or len(signs) <= MAX_EXPLAINED_SIGNS:
        return signs, 0
    words = lists.words_on_board() if extent == "now" else {sign.meaning for sign in signs}
    useful = [sign for sign in signs if sign.meaning in words][:MAX_EXPLAINED_SIGNS]
    return useful, len(signs) - len(useful)


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
