"""A board with what lies on it, as an SVG document that needs neither scripts nor style sheets.

Pieces are circles in their colour with the initials of their names, so that a print without colour can be read; the
legend lists them. A piece on an edge is a thick line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from html import escape

from dsl.lazy_dataclasses import dataclass
from dsl.text.visible import visible
from interpreter.authoring.rulebook.book import Chip, Picture
from interpreter.authoring.rulebook.table_view import colour_of, piece_text
from interpreter.seat.views.board_drawing import NEAREST, DrawnPlace, drawing_of, tiles_of
from interpreter.seat.views.board_groups import groups_of, tints_of
from interpreter.seat.views.board_shape import Key, Point, Shape, shape_of
from interpreter.seat.views.colours import colours_of_seats
from interpreter.seat.views.model import Cell, PieceView, TableView, View
from interpreter.seat.views.piece_words import is_empty
from interpreter.wording.words import Words

INKS = {
    "red": "#c8372d", "green": "#2f8f46", "blue": "#2d62c0", "yellow": "#e3b917", "brown": "#8a5a33",
    "white": "#ffffff", "black": "#2a2a2a", "grey": "#9a9a9a", "gray": "#9a9a9a", "orange": "#e07b1f",
    "purple": "#7a3fa0", "violet": "#7a3fa0", "pink": "#e07aa8", "cyan": "#2aa5b5", "turquoise": "#2aa5b5",
    "teal": "#1f7f7f", "magenta": "#b8318f", "silver": "#c0c4c8", "gold": "#c9a227",
}  # fmt: skip
"""The colours of pieces by their words."""

DARK = frozenset({"red", "green", "blue", "brown", "black", "purple", "violet", "teal", "magenta"})
"""The colours on which letters are white."""

MARGIN, RADIUS, LETTER = 40, 10, 6.2
"""Space around the outermost places, radius of a piece, width of a small letter."""
MAX_TINTED_VALUES = 4
"""Number of different values up to which they are shown as colours of places."""
MAX_SHORT_VALUE = 4
"""Length of a value up to which it is written on the board itself."""
MAX_TOKENS = 6
"""Number of different pieces up to which they are drawn at a place."""


@dataclass
class _Sheet:
    """What is drawn: the upper elements, and the signs that the legend explains.

    `same` are the values, with their headings, that all edges in a table have: they tell none from another.
    """

    view: View
    words: Words
    signs: dict[str, str] = field(default_factory=dict)
    legend: dict[str, tuple[Chip, str]] = field(default_factory=dict)
    top: list[str] = field(default_factory=list)
    same: frozenset[tuple[str, str]] = frozenset()


def picture_of(view: View, words: Words, caption: str) -> Picture | None:
    """The board of a view; None if nothing is drawn on one."""
    if view.board is None:
        return None
    tables = [table for table in view.tables if table.board is not None]
    shape = shape_of(view.board)
    drawing = drawing_of(shape, frozenset(table.board.list for table in tables if table.board is not None))
    tiles, groups = tiles_of(drawing), groups_of(shape)
    sheet = _Sheet(view, words)
    sheet.signs = _signs(_pieces(tables), view, words)
    contents = _contents(tables)
    sheet.same = _same(tables)
    tints = {place.key: groups.tint(place.key) for place in drawing.places}
    strokes = frozenset(place.key for place in drawing.places if place.kind == "stroke")
    listed = _listed(tables, strokes, sheet)
    tints.update(_value_tints(tables, strokes, sheet))
    shapes = _shapes(drawing.places, tables, sheet)
    below: list[str] = []
    # What lies on a border is drawn over the ends of empty ones.
    on_borders = {key for key in contents if shape.is_border(shape.places[key]) and contents[key]}
    for place in sorted(drawing.places, key=lambda drawn: drawn.key in on_borders):
        cells = contents.get(place.key, ())
        if place.kind == "stroke":
            below.append(_line(place, cells, place.key in listed, sheet))
        else:
            below.append(
                _outline(place, tiles.get(place.key, ()), tints[place.key], place.key[0] in shapes, bool(cells), sheet)
            )
    for place in drawing.places:
        _fill(place, contents.get(place.key, ()), sheet)
    regions = [_region(name, points, words) for name, points in _regions(drawing.places, shape).items()]
    seams = [
        f'<line x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}" stroke="#333" stroke-width="4"/>'
        for (x, y), (to_x, to_y) in drawing.seams
    ]
    captions = [_text(caption.at, visible(caption.text), 12, "#555", "end") for caption in drawing.captions]
    box = _box([*drawing.places], [caption.at for caption in drawing.captions])
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{box.split()[2]}" role="img" '
        f'font-family="sans-serif"><title>{_escaped(caption)}</title>'
        f"{''.join([*below, *seams, *regions, *captions, *sheet.top])}</svg>"
    )
    return Picture(svg, caption, tuple(sheet.legend.values()))


# ---------------------------------------------------------------- what lies where


def _contents(tables: Sequence[TableView]) -> dict[Key, tuple[tuple[str, Cell], ...]]:
    """What tables say about each place: headings and cells that are not empty."""
    contents: dict[Key, list[tuple[str, Cell]]] = {}
    for table in tables:
        assert table.board is not None
        for place, row in zip(table.board.places, table.rows, strict=True):
            cells = [(heading, cell) for heading, cell in zip(table.headings, row, strict=True) if not is_empty(cell)]
            contents.setdefault((table.board.list, place), []).extend(cells)
    return {key: tuple(cells) for key, cells in contents.items()}


def _same(tables: Sequence[TableView]) -> frozenset[tuple[str, str]]:
    """The values that a column has in all of its rows."""
    columns = [
        (heading, [cell.text for cell in column if cell.kind == "value"], len(table.rows))
        for table in tables
        for heading, column in zip(table.headings, zip(*table.rows, strict=True), strict=False)
    ]
    return frozenset(
        (heading, texts[0]) for heading, texts, rows in columns if len(texts) == rows and len({*texts}) == 1
    )


def _pieces(tables: Sequence[TableView]) -> Iterator[PieceView]:
    for table in tables:
        for row in table.rows:
            for cell in row:
                yield from _pieces_in(cell)


def _pieces_in(cell: Cell) -> Iterator[PieceView]:
    if cell.kind == "pieces":
        yield from cell.pieces
    elif cell.kind == "each":
        for entry in cell.entries:
            yield from _pieces_in(entry.item)


def _signs(pieces: Iterator[PieceView], view: View, words: Words) -> dict[str, str]:
    """A sign for each kind of piece: its glyph, or else initials, with a number if another one has the same."""
    signs: dict[str, str] = {}
    for name, glyph in sorted({(piece_text(view, words, piece), _glyph(view, words, piece)) for piece in pieces}):
        if glyph:
            signs[name] = glyph
            continue
        initials = "".join(word[0] for word in name.split() if word[0].isalnum())[:2] or name[:1]
        number = sum(sign.rstrip("0123456789") == initials for sign in signs.values())
        signs[name] = f"{initials}{number + 1}" if number else initials
    return signs


def _glyph(view: View, words: Words, piece: PieceView) -> str:
    """The glyph of all that a piece shows besides its owner; empty if there is none."""
    attributes = [str(value) for value in piece.attributes.values() if value not in view.seats]
    parts = attributes or [piece.type]
    return (words.glyph(parts[0], piece.owner) or "") if len(parts) == 1 else ""


def _value_tints(tables: Sequence[TableView], strokes: frozenset[Key], sheet: _Sheet) -> Mapping[Key, str]:
    """A colour for each place where a column of values divides the board into few regions."""
    tints: dict[Key, str] = {}
    for table in tables:
        assert table.board is not None
        keys = [(table.board.list, place) for place in table.board.places]
        for column in zip(*table.rows, strict=True):
            texts = [cell.text for cell in column if cell.kind == "value" and isinstance(cell.value, str)]
            is_region = len(texts) == len(column) > MAX_TINTED_VALUES and 1 < len(set(texts)) <= MAX_TINTED_VALUES
            if is_region and strokes.isdisjoint(keys):
                colours = tints_of(sorted(set(texts)))
                for key, text in zip(keys, texts, strict=True):
                    tints[key] = colours[text]
                    sheet.legend.setdefault(f"tint {text}", (Chip("", colours[text]), text))
                    sheet.signs.setdefault(f"tint {text}", "")
    return tints


def _listed(tables: Sequence[TableView], strokes: frozenset[Key], sheet: _Sheet) -> frozenset[Key]:
    """The edges that a table lists because something lies on them: it does not list all edges."""
    listed: set[Key] = set()
    for table in tables:
        assert table.board is not None
        keys = {(table.board.list, place) for place in table.board.places}
        of_list = {key for key in strokes if key[0] == table.board.list}
        if keys and keys < of_list:
            listed |= keys
            sheet.legend.setdefault(f"listed {table.title}", (Chip("\u2501"), table.title))
    return frozenset(listed)


def _shapes(places: Sequence[DrawnPlace], tables: Sequence[TableView], sheet: _Sheet) -> frozenset[str]:
    """The lists of nodes that are drawn as squares: all that hold something but the one with most places."""
    titles = {table.board.list: table.title for table in reversed(tables) if table.board is not None}
    counts: dict[str, int] = {}
    for place in places:
        if place.kind == "node" and place.key[0] in titles:
            counts[place.key[0]] = counts.get(place.key[0], 0) + 1
    if len(counts) < 2:
        return frozenset()
    largest = max(counts, key=lambda name: counts[name])
    for name in counts:
        sign = "\u25cb" if name == largest else "\u25a1"
        sheet.legend.setdefault(f"shape {name}", (Chip(sign), titles[name]))
    return frozenset(counts) - {largest}


# ---------------------------------------------------------------- elements


def _line(place: DrawnPlace, cells: Sequence[tuple[str, Cell]], is_listed: bool, sheet: _Sheet) -> str:
    """An edge; a thick one if something lies on it."""
    (x1, y1), (x2, y2) = place.points
    pieces = [piece for _, cell in cells for piece in _pieces_in(cell)]
    colour, width = ("#2a2a2a", "6") if is_listed else ("#b4b9c2", "1.5")
    if pieces:
        colour, width = INKS.get(colour_of(sheet.view, pieces[0]), "#2a2a2a"), "6"
        if not is_listed or colour_of(sheet.view, pieces[0]):
            _explain(pieces[0], sheet, "\u2501")
    return (
        f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}" stroke-width="{width}" '
        f'stroke-linecap="round">{_title(place, sheet)}</line>'
    )


def _outline(
    place: DrawnPlace, tile: Sequence[Point], tint: str, is_square: bool, is_written: bool, sheet: _Sheet
) -> str:
    """An area or a node; areas and tiles by their corners, nodes as circles or squares."""
    title, ink = _title(place, sheet), f'fill="{_pale(tint)}" stroke="#8a8f98"'
    if place.kind == "area" or tile:
        points = " ".join(f"{x},{y}" for x, y in tile or place.points)
        return f'<polygon points="{points}" {ink}>{title}</polygon>'
    x, y = place.at
    radius = RADIUS + 3 if tint or is_written else 4
    if is_square:
        side = 2 * (RADIUS + 3)
        return f'<rect x="{x - side / 2:g}" y="{y - side / 2:g}" width="{side}" height="{side}" {ink}>{title}</rect>'
    return f'<circle cx="{x}" cy="{y}" r="{radius}" {ink}>{title}</circle>'


def _title(place: DrawnPlace, sheet: _Sheet) -> str:
    return f"<title>{_escaped(sheet.words.name(place.name))}</title>"


def _pale(tint: str) -> str:
    """A colour mixed with three parts of white; white for no tint."""
    ink = INKS.get(tint, "#ffffff")
    return "#" + "".join(f"{(int(ink[at : at + 2], 16) + 3 * 255) // 4:02x}" for at in (1, 3, 5))


def _fill(place: DrawnPlace, cells: Sequence[tuple[str, Cell]], sheet: _Sheet) -> None:
    """Draw the pieces and values of a place beside each other around its centre."""
    counts: dict[str, tuple[PieceView, int]] = {}
    notes: list[str] = []
    pawns: list[tuple[str, str]] = []
    for heading, cell in cells:
        for piece in _pieces_in(cell):
            name = piece_text(sheet.view, sheet.words, piece)
            counts[name] = piece, counts[name][1] + 1 if name in counts else 1
        if cell.kind == "value" and cell.value in sheet.view.seats:
            pawns.append((heading, str(cell.value)))
        elif cell.kind == "value" and f"tint {cell.text}" not in sheet.signs and (heading, cell.text) not in sheet.same:
            notes.append(_value(heading, cell.text, cell.value is True, sheet))
    x, y = place.at
    if place.kind != "stroke":
        tokens = list(counts.items())[:MAX_TOKENS]
        step = 2 * RADIUS + 1
        left = x - step * (min(len(tokens), 3) - 1) / 2
        for number, (name, (piece, count)) in enumerate(tokens):
            row = number // 3
            at = round(left + step * (number % 3), 1), round(y + step * row - step * ((len(tokens) - 1) // 3) / 2, 1)
            sheet.top.append(_token(at, name, piece, count, sheet))
    for number, (heading, seat) in enumerate(pawns):
        sheet.top.append(_pawn((x + RADIUS * min(len(counts), 3) + 8 + 10 * number, y + 6), heading, seat, sheet))
    if notes:
        is_below = counts and place.kind != "stroke"
        down = RADIUS + 11 if is_below else 3.5
        sheet.top.append(_text((x, y + down), " ".join(notes), 10, "#222", "middle", halo=place.kind != "node"))


def _token(at: Point, name: str, piece: PieceView, count: int, sheet: _Sheet) -> str:
    colour = colour_of(sheet.view, piece)
    sign = sheet.signs[name]
    _explain(piece, sheet, sign)
    letters = "#ffffff" if colour in DARK else "#1b1b1b"
    text = f"{count}{sign}" if count > 1 else sign
    size = 16 if len(text) == 1 and not text.isalnum() else 10 if len(text) < 3 else 8
    return (
        f"<g><title>{_escaped(f'{count} {name}' if count > 1 else name)}</title>"
        f'<circle cx="{at[0]}" cy="{at[1]}" r="{RADIUS}" fill="{INKS.get(colour, "#f4ecd8")}" stroke="#333"/>'
        f"{_text((at[0], at[1] + size * 0.35), text, size, letters, 'middle')}</g>"
    )


def _pawn(at: Point, heading: str, seat: str, sheet: _Sheet) -> str:
    """A seat that a note names at a place, as a triangle in its colour."""
    colour, name = colours_of_seats(sheet.view.seats)[seat], sheet.words.name(seat)
    sheet.legend.setdefault(f"pawn {heading} {seat}", (Chip("\u25b2", colour), f"{heading}: {name}"))
    x, y = at
    points = f"{x - 6:g},{y:g} {x + 6:g},{y:g} {x:g},{y - 14:g}"
    title = f"<title>{_escaped(f'{heading}: {name}')}</title>"
    return f'<polygon points="{points}" fill="{INKS.get(colour, "#666")}" stroke="#222">{title}</polygon>'


def _explain(piece: PieceView, sheet: _Sheet, sign: str) -> None:
    name = piece_text(sheet.view, sheet.words, piece)
    sheet.legend.setdefault(name, (Chip(sign, colour_of(sheet.view, piece)), name))


def _value(heading: str, text: str, is_true: bool, sheet: _Sheet) -> str:
    """A value as it is written on the board: short ones as they are, others as a sign that the legend explains."""
    if not is_true and len(text) <= MAX_SHORT_VALUE:
        return text
    meaning = heading if is_true else f"{heading}: {text}"
    if meaning not in sheet.signs:
        initial = (heading if is_true else text)[:1].lower()
        number = sum(sign.rstrip("\u2032") == initial for sign in sheet.signs.values())
        sheet.signs[meaning] = initial + "\u2032" * number
        sheet.legend[f"value {meaning}"] = Chip(sheet.signs[meaning]), meaning
    return sheet.signs[meaning]


# ---------------------------------------------------------------- names and sizes


def _regions(places: Sequence[DrawnPlace], shape: Shape) -> dict[str, list[Point]]:
    """The points of the places that lie in the same region, by its name."""
    regions: dict[str, list[Point]] = {}
    for place in places:
        within = shape.places[place.key].within
        if within and place.kind == "node":
            regions.setdefault(within[-1], []).append(place.at)
    return regions if len(regions) > 1 else {}


def _region(name: str, points: Sequence[Point], words: Words) -> str:
    x = sum(x for x, _ in points) / len(points)
    y = min(y for _, y in points) - RADIUS - 8
    return _text((round(x, 1), round(y, 1)), words.name(name), 12, "#333", "middle", halo=True, weight="bold")


def _text(
    at: Point, text: str, size: int, colour: str, anchor: str, *, halo: bool = False, weight: str = "normal"
) -> str:
    around = ' stroke="#fff" stroke-width="3" paint-order="stroke"' if halo else ""
    return (
        f'<text x="{at[0]}" y="{at[1]}" font-size="{size}" fill="{colour}" text-anchor="{anchor}" '
        f'font-weight="{weight}"{around}>{_escaped(text)}</text>'
    )


def _box(places: Sequence[DrawnPlace], captions: Sequence[Point]) -> str:
    points = [point for place in places for point in (place.at, *place.points)] + [*captions]
    if not points:
        return f"0 0 {NEAREST['node']} {NEAREST['node']}"
    left, top = min(x for x, _ in points) - MARGIN, min(y for _, y in points) - MARGIN
    width, height = max(x for x, _ in points) + MARGIN - left, max(y for _, y in points) + MARGIN - top
    return " ".join(f"{round(number, 1):g}" for number in (left, top, width, height))


def _escaped(text: str) -> str:
    return escape(visible(text))
