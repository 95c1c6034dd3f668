"""A board painted at one scale: nodes, then areas, then strokes, each using only cells that are still free.

The problem: a printed map has room for every piece, a screen has 80 columns. Two nodes may be three cells apart, with
`r2g` to be written at one of them and a stroke that carries letters of its own between them.

The idea: a cell is given away once, to whoever needs it most. Nodes come first, because they have nowhere else to
write; they may use the nearer half of a horizontal stroke of their own. Areas have many cells to choose from, and
strokes keep the rest. Contents that do not fit are shortened, or listed below the picture (`lacking`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from cli.render.board.contents import MORE, Token
from cli.render.board.geometry import crossings, distance, geometry
from cli.render.board.ink import (
    ACROSS,
    BRIDGES,
    DOTTED,
    DOWN,
    GLYPHS,
    HEAVY,
    LOWER,
    UPPER,
    Ink,
    Sheet,
    Stroke,
    ink,
    joint,
    letters,
    plain,
    rounded,
    width,
)
from dsl.lazy_dataclasses import dataclass
from dsl.text.cells import cell_width
from interpreter.seat.views.board_shape import Key, Place, Shape

REACH = 24
"""Maximum number of columns a text may extend to each side of its node."""
DOT = "·"


@dataclass(frozen=True)
class Look:
    """The contents of a place: tokens, labels that yield to them, and for a stroke its weight and style.

    Only one label is written: the first for which there is room.
    """

    tokens: tuple[Token, ...] = ()
    labels: tuple[Ink, ...] = ()
    weight: int = DOTTED
    style: str = ""


@dataclass
class Painting:
    """The painted sheet, the places whose contents did not fit completely, and the place that each text belongs to.

    Contents at nodes stay `within` the first and the last column, if these are given.
    """

    shape: Shape
    looks: Mapping[Key, Look]
    scale: tuple[int, int]
    within: tuple[int, int] | None = None
    sheet: Sheet = field(default_factory=Sheet)
    lacking: list[Key] = field(default_factory=list)
    written: dict[tuple[int, int], Key] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # INVARIANT: nodes and areas write only to free cells, and strokes draw only on those left; the order decides.
        self.geometry = geometry(self.shape, self.scale)
        self.cells, self.cores = self.geometry.cells, self.geometry.cores
        self.traces, self.reserved = self.geometry.traces, self.geometry.reserved
        self._captions()
        for place in self.shape.nodes:
            self._node(place)
        for place in self.shape.areas:
            self._area(place)
        for place in self.shape.strokes:
            if place.key in self.traces:
                self._stroke(place)
        self._joints()

    def _look(self, key: Key) -> Look:
        return self.looks.get(key, Look())

    # ------------------------------------------------------------ nodes and areas

    def _captions(self) -> None:
        for caption in self.shape.captions:
            line, column = self.geometry.cell(caption.at)
            self.sheet.write(line, column + 1 - cell_width(caption.text), ink(caption.text, "dim"))

    def _node(self, place: Place) -> None:
        look, cell = self._look(place.key), self.cells[place.key]
        if look.tokens or look.labels:
            self._write(place.key, pack(look.tokens, look.labels, list(self._round(place.key, cell)), cell))

    def _round(self, key: Key, cell: tuple[int, int]) -> Iterator[Run]:
        """The free cells to the left and right of a node; also above and below it if no strokes end there."""
        line, column = cell
        for near in (line,) if key in self.geometry.tied else range(line - 1, line + 2):
            if near != line and not self._is_free(key, cell, (near, column)):
                continue
            first = last = column
            while first > column - REACH and self._is_free(key, cell, (near, first - 1)):
                first -= 1
            while last < column + REACH and self._is_free(key, cell, (near, last + 1)):
                last += 1
            yield near, first, last

    def _is_free(self, key: Key, centre: tuple[int, int], cell: tuple[int, int]) -> bool:
        """True if a node may write into a cell.

        It may write into the nearer half of its own strokes and into empty cells, leaving a gap of one cell; above and
        below itself only into cells to which it is the nearest node.
        """
        if self.within is not None and not self.within[0] <= cell[1] <= self.within[1]:
            return False
        # the next cell outwards has to be free, too: `r2` beside `g` would read as one text, `r2g`
        beside = (cell[0], cell[1] + (1 if cell[1] > centre[1] else -1 if cell[1] < centre[1] else 0))
        if any(at in self.sheet.cells or self.cores.get(at, key) != key for at in (cell, beside)):
            return False
        for stroke_key, stroke in self.reserved.get(cell, ()):
            half = (len(self.traces[stroke_key]) - 1) // 2
            is_own = key in self.shape.joined(self.shape.places[stroke_key]) and stroke.direction == ACROSS
            if not is_own or abs(cell[1] - centre[1]) > half:
                return False
        return cell[0] == centre[0] or self.geometry.is_nearest(key, cell)

    def _area(self, place: Place) -> None:
        look, cell = self._look(place.key), self.cells[place.key]
        if look.tokens or look.labels:
            self._write(place.key, pack(look.tokens, look.labels, list(self._inside(place, cell)), cell))

    def _inside(self, place: Place, cell: tuple[int, int]) -> Iterator[Run]:
        """On each line, the run of free cells within an area that is nearest to the column of its centre."""
        corners = self.geometry.corners[place.key]
        for line in range(min(line for line, _ in corners), max(line for line, _ in corners) + 1):
            runs = list(self._runs(line, corners))
            if runs:
                first, last = min(runs, key=lambda run: max(run[0] - cell[1], cell[1] - run[1], 0))
                yield line, first, last

    def _runs(self, line: int, corners: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """The free cells of a line within an area."""
        for start, end in crossings(corners, line):
            first: int | None = None
            for column in range(rounded(start + 0.5), rounded(end - 0.5) + 2):
                occupied = (
                    (line, column) in self.reserved
                    or (line, column) in self.cores
                    or (line, column) in self.sheet.cells
                )
                if column > end or occupied:
                    if first is not None:
                        yield first, column - 1
                    first = None
                elif first is None:
                    first = column

    def _write(self, key: Key, packed: Packed) -> None:
        for line, column, text in packed.texts:
            self.sheet.write(line, column, text)
            self.written |= {(line, column + beside): key for beside in range(width(text))}
        if not packed.complete or (self._look(key).tokens and not packed.texts):
            self.lacking.append(key)

    # ------------------------------------------------------------ strokes

    def _stroke(self, place: Place) -> None:
        look = self._look(place.key)
        free = [stroke for stroke in self.traces[place.key] if stroke.cell not in self.sheet.cells]
        for stroke in free:
            self.sheet.put(*stroke.cell, GLYPHS[look.weight][stroke.direction], look.style)
        slots = [stroke for stroke in free if stroke.direction not in (UPPER, LOWER)]
        written = self._upon(place.key, look, slots)
        self._bridge(place.key, [stroke for stroke in slots if stroke.cell not in written])

    def _upon(self, key: Key, look: Look, slots: Sequence[Stroke]) -> set[tuple[int, int]]:
        """Write letters along the middle of a stroke, or at its own point; one cell stays free to show its weight.

        Letters that do not fit along a vertical stroke are written to its right if there is room.
        """
        fitting: list[tuple[str, str]] = []
        lacks = False
        tokens = look.tokens or tuple(Token((label,), ()) for label in look.labels)
        for token in tokens:
            forms = [list(letters(form)) for form in (token.full, token.short)]
            room = len(slots) - 1 - len(fitting)
            added = next((form for form in forms if len(form) <= room), None)
            lacks = lacks or added != forms[0]
            fitting += added or []
        if lacks and self._beside(key, tokens, slots):
            return set()
        if lacks and look.tokens:
            self.lacking.append(key)
        if not fitting:
            return set()
        first = max(0, min(self._middle(key, slots) - (len(fitting) - 1) // 2, len(slots) - len(fitting)))
        used = slots[first : first + len(fitting)]
        for stroke, (character, style) in zip(used, fitting, strict=True):
            self.sheet.put(*stroke.cell, character, style)
        return {stroke.cell for stroke in used}

    def _beside(self, key: Key, tokens: Sequence[Token], slots: Sequence[Stroke]) -> bool:
        """Write the letters of a vertical stroke beside it, leaving a gap of one cell; True if there is room.

        Beyond the last node there is none, so that letters never make the picture wider.
        """
        if not slots or any(stroke.direction != DOWN for stroke in slots):
            return False
        middle = slots[self._middle(key, slots)]
        text = tuple(part for token in tokens for part in token.full)
        column = middle.column + 1
        cells = [(middle.line, column + offset) for offset in range(width(text) + 1)]
        if cells[-1][1] > max(right for _, right in self.cells.values()):
            return False
        if any(cell in self.sheet.cells or cell in self.reserved or cell in self.cores for cell in cells):
            return False
        self.sheet.write(middle.line, column, text)
        return True

    def _middle(self, key: Key, slots: Sequence[Stroke]) -> int:
        """Index of the cell around which letters are written: nearest to the stroke's own point, else its middle."""
        at = self.shape.places[key].at
        if at is None or not slots:
            return (len(slots) - 1) // 2
        return min(range(len(slots)), key=lambda number: distance(slots[number].cell, self.geometry.cell(at)))

    def _bridge(self, key: Key, slots: Sequence[Stroke]) -> None:
        """Mark the strokes that cross this one, by their letter if they have exactly one."""
        crossing = [place for place, crossed in self.shape.crossings.items() if crossed == key]
        for place in crossing:
            look = self._look(place)
            shown_letters = [letter for token in look.tokens for letter in letters(token.full)]
            fits = len(slots) >= 2 and len(shown_letters) <= 1
            if shown_letters and not fits:
                self.lacking.append(place)
            if fits:
                middle = slots[len(slots) // 2]
                character, style = shown_letters[0] if shown_letters else (BRIDGES[middle.direction], look.style)
                self.sheet.put(*middle.cell, character, style)
                slots = [stroke for stroke in slots if stroke != middle]

    def _joints(self) -> None:
        """Join strokes that meet in a node that shows nothing, and borders that meet."""
        posts = self.geometry.posts
        arms: dict[tuple[int, int], list[tuple[int, int, int]]] = {cell: [] for cell in (*self.cores, *posts)}
        for key, strokes in self.traces.items():
            weight, ends = self._look(key).weight, self.shape.joined(self.shape.places[key])
            for stroke in strokes:
                for line, column in ((-1, 0), (0, 1), (1, 0), (0, -1), (-1, -1), (-1, 1), (1, -1), (1, 1)):
                    near = (stroke.line - line, stroke.column - column)
                    if near in arms and (self.cores.get(near) in ends if ends else near in posts):
                        arms[near].append((line, column, weight))
        for cell, cell_arms in arms.items():
            if cell not in self.sheet.cells:
                strong = any(weight >= HEAVY for *_, weight in cell_arms)
                self.sheet.put(*cell, joint(cell_arms), "bold" if strong else "dim")


# ---- Fitting tokens into the free cells around a point: in full if possible, as close to it as possible
# `pack` tries the ways to write the same contents, from the best to the worst, and takes the first that fits:
# in full before short forms, with the label of the place before without one, with blanks between groups before
# without. For each of them, `_choices` tries the lines: one line before several, near ones before distant
# ones. If nothing fits, `…` says that something is there. Tokens are never reordered or divided, so that a place
# reads alike in every picture; only the ends of lines may come between the atoms of one.


Run = tuple[int, int, int]
"""Adjacent free cells: line, first and last column."""
Written = tuple[int, int, Ink]
"""A text and its starting position: line, column."""
BLANK = ink(" ")


@dataclass(frozen=True)
class Packed:
    """The texts placed; `complete` is True if nothing was omitted."""

    texts: tuple[Written, ...]
    complete: bool


def pack(tokens: Sequence[Token], labels: Sequence[Ink], runs: Sequence[Run], anchor: tuple[int, int]) -> Packed:
    """Place tokens, after the first label that fits, on as few lines as possible near the anchor (line, column)."""
    if not tokens:
        placed = (_place([[label]], runs, anchor) for label in labels)
        return Packed(tuple(next((placement for placement in placed if placement), ())), True)
    longest, shortest = _joined(tokens, in_full=True), _joined(tokens, in_full=False)
    for groups, complete in ((longest, True), (shortest, not any(token.loses for token in tokens))):
        for label in (*labels, ()):
            for spaced in (True, False):
                marked = [[label], *groups] if label else groups
                if placement := _place(marked, runs, anchor, spaced=spaced):
                    return Packed(tuple(placement), complete)
    return Packed(tuple(_place([[ink(MORE)]], runs, anchor) or ()), False)


def _joined(tokens: Sequence[Token], *, in_full: bool) -> list[list[Ink]]:
    """The atoms of tokens, or their short forms; consecutive single pieces are joined."""
    groups: list[list[Ink]] = []
    follows_single = False
    for token in tokens:
        atoms = list(token.atoms) if in_full else [token.short]
        if follows_single and token.single:
            groups[-1][-1] = (*groups[-1][-1], *atoms[0])
        else:
            groups.append(atoms)
        follows_single = token.single
    return groups


def _place(
    groups: Sequence[Sequence[Ink]], runs: Sequence[Run], anchor: tuple[int, int], *, spaced: bool = True
) -> list[Written] | None:
    """Place the texts on the first choice of lines on which they fit; None if there is none."""
    for chosen in _choices(runs, anchor[0]):
        if (lines := _fill(groups, [last - first + 1 for _, first, last in chosen], spaced)) is not None:
            return [
                (line, _start(width(text), first, last, anchor[1]), text)
                for (line, first, last), text in zip(chosen, lines, strict=True)
                if text
            ]
    return None


def _choices(runs: Sequence[Run], middle: int) -> Iterator[Sequence[Run]]:
    """All choices of adjacent lines: fewer lines first, then those closer to the middle."""
    for many in range(1, len(runs) + 1):
        windows = [runs[first : first + many] for first in range(len(runs) - many + 1)]
        adjoining = [window for window in windows if window[-1][0] - window[0][0] == many - 1]
        yield from sorted(adjoining, key=lambda window: abs(window[0][0] + window[-1][0] - 2 * middle))


def _fill(groups: Sequence[Sequence[Ink]], widths: Sequence[int], spaced: bool) -> list[Ink] | None:
    """The text of each line, or None if the groups do not fit; only groups are separated by blanks."""
    lines: list[Ink] = [()]
    for group in groups:
        for index, atom in enumerate(group):
            gap = BLANK if spaced and index == 0 and lines[-1] and not plain(lines[-1]).endswith(":") else ()
            if width(lines[-1]) + width(gap) + width(atom) <= widths[len(lines) - 1]:
                lines[-1] = (*lines[-1], *gap, *atom)
                continue
            lines.append(atom)
            while len(lines) <= len(widths) and width(atom) > widths[len(lines) - 1]:
                lines[-1:] = [(), atom]
            if len(lines) > len(widths):
                return None
    return [*lines, *[()] * (len(widths) - len(lines))]


def _start(breadth: int, first: int, last: int, middle: int) -> int:
    """The starting column that brings the centre of a text as close to a column as the run allows."""
    return max(first, min(middle - (breadth - 1) // 2, last - breadth + 1))
