"""What each seat comes to see of the pieces among the arguments of a move, once it has been made.

The label of a move is worded in the state in which the seat decided. `play card` is all that others knew of it then,
but the card lies open afterwards, and a log that people read should say which one. So the pieces that a move
names are followed through its changes, up to the next decision: each as far as a seat can follow it.

    play king: hand[red] → middle, where all see it               blue's log: red plays the king
    discard king: hand[red] → pile, where nobody sees it          blue's log: red discards a card
    discard king, shuffle pile, turn up the top card: the king    blue's log: red discards a card

It is followed to where it first goes, and is named by what is seen of it there as long as it stays: the line of the log
about its move says that as well. A piece that is not moved is looked at in the end, unless the game is over. Three
things are not told, since a label would say more than these lines:

* What is seen of a piece later, after it has been among others: of a card that is laid face down, shuffled and turned
  up with others, nobody can say which one it was.
* What is seen of it after a shuffle, roll or pick: chance may have brought it to light, and not the move.
* Which of several pieces it is that looked alike and went the same way, such as all cards of a hand: unless they still
  look alike, or are all in the same set that the move names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from dsl.lazy_dataclasses import dataclass
from dsl.types import Contents, PieceType, Several, Type, bare
from interpreter.compiler.decisions import OVER_POINT
from interpreter.engine.program import Program
from interpreter.engine.sight import SPECTATOR, known_attributes, look
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells, Change, NumberCell, StoredValue, number_in
from interpreter.runtime.layout import DRAWN, OUT, POINT
from interpreter.seat.notation.words import Sightings

STAYS = -1
"""In place of the number of a place: a piece is not moved."""


@dataclass(frozen=True, slots=True)
class _Way:
    """Where a piece goes first, and what each seat (in the order of `observers`) sees of it there.

    `is_followed`: nothing was left to chance before.
    """

    target: int
    seen: tuple[frozenset[str], ...]
    is_followed: bool


def observers(program: Program) -> tuple[int, ...]:
    """All who are shown labels: the seats, and last spectators."""
    return *range(len(program.layout.seats)), SPECTATOR


def sets_of_pieces(types: Iterable[Type], values: Sequence[StoredValue]) -> list[int]:
    """The pieces that each argument of a move names."""
    masks = []
    for type_, value in zip(types, values, strict=True):
        core = bare(type_)
        if value is None:
            continue
        if isinstance(core, PieceType):
            masks.append(1 << number_in(value))
        elif isinstance(core, Contents) or (isinstance(core, Several) and isinstance(bare(core.element), PieceType)):
            masks.append(number_in(value))
    return masks


def sightings(program: Program, state: Cells, run: Sequence[Change], named: Sequence[int]) -> list[Sightings]:
    """For each of `observers`, what it comes to see of pieces by the changes that follow a decision.

    `state` is that in which the decision was pending, `run` are the changes. `named` are the sets of pieces that the
    arguments name.
    """
    seats = observers(program)
    # Pieces that everybody sees, as in most games, have nothing more to show.
    hidden = [
        piece
        for piece in sorted({piece for mask in named for piece in bits(mask)})
        if any(
            len(attributes) < len(program.layout.pieces[piece].attributes)
            for attributes in _attributes_seen(program, state, seats, piece)
        )
    ]
    if not hidden or not run:
        return [{} for _ in seats]
    neighbours = {piece: _same_place(program, state, piece) for piece in hidden}
    ways = _ways(program, state, run, seats, {piece for pieces in neighbours.values() for piece in pieces})
    sightings_by_seat: list[Sightings] = []
    for number, seat in enumerate(seats):
        seen_of_piece = {}
        for piece in hidden:
            way = ways.get(piece)
            if way is None or not way.is_followed:
                continue
            lookalikes = [
                neighbour
                for neighbour in neighbours[piece]
                if not any(mask >> piece & 1 and mask >> neighbour & 1 for mask in named)
                and _look(program, state, seat, neighbour) == _look(program, state, seat, piece)
            ]
            if not _told_apart(program, state, seat, number, piece, lookalikes, ways):
                seen_of_piece[piece] = way.seen[number]
        sightings_by_seat.append(seen_of_piece)
    return sightings_by_seat


def _told_apart(
    program: Program, state: Cells, seat: int, number: int, piece: int, lookalikes: Iterable[int],
    ways: Mapping[int, _Way],
) -> bool:  # fmt: skip
    """True if a name would tell a piece from another one that looked alike and went the same way."""

    def look_there(moved: int) -> object:
        return look(program, moved, known_attributes(program, state, seat, moved) | ways[moved].seen[number])

    target = ways[piece].target
    same_way = [lookalike for lookalike in lookalikes if lookalike in ways and ways[lookalike].target == target]
    return any(look_there(lookalike) != look_there(piece) for lookalike in same_way)


def _attributes_seen(
    program: Program, cells: Cells, seats: Iterable[int], piece: int, place: int | None = None
) -> tuple[frozenset[str], ...]:
    return tuple([known_attributes(program, cells, seat, piece, place) for seat in seats])


def _look(program: Program, cells: Cells, seat: int, piece: int) -> object:
    return look(program, piece, known_attributes(program, cells, seat, piece))


def _same_place(program: Program, cells: Cells, piece: int) -> list[int]:
    """The pieces at the place of one, itself among them."""
    layout = program.layout
    place = number_in(cells[layout.place_cells + piece])
    return [piece] if place == OUT else list(bits(cells[layout.places[place].mask]))


def _ways(
    program: Program, state: Cells, run: Sequence[Change], seats: Sequence[int], pieces: Iterable[int]
) -> dict[int, _Way]:
    """The first ways of these pieces; none of a piece that leaves the game, or stays where the game ends."""
    layout, cells = program.layout, Cells(state)
    piece_of_cell = {layout.place_cells + piece: piece for piece in pieces}
    all_pieces = range(layout.place_cells, layout.place_cells + len(layout.pieces))
    ways: dict[int, _Way] = {}
    on_the_way: dict[int, int] = {}
    staying: set[int] = set()
    moved: set[int] = set()
    is_followed, places_listed = True, False

    def arrive() -> None:
        for piece, target in on_the_way.items():
            if target != OUT:
                ways[piece] = _Way(target, _attributes_seen(program, cells, seats, piece, target), is_followed)
                staying.add(piece)
        on_the_way.clear()

    def leave(piece: int) -> None:
        # Only what is seen of it all the time: of all rounds of a loop, the log tells no more than what they lead to.
        staying.discard(piece)
        way = ways[piece]
        seen_later = _attributes_seen(program, cells, seats, piece, way.target)
        seen_throughout = [first & later for first, later in zip(way.seen, seen_later, strict=True)]
        ways[piece] = replace(way, seen=tuple(seen_throughout))

    for number, (cell, _, value) in enumerate(run):
        is_drawn = number + 1 < len(run) and run[number + 1][0] == DRAWN  # a shuffle, roll or pick has set this cell
        # A statement lists the cells of all its pieces first, then those of the places, which `seen by` may read.
        is_piece, is_content = cell in all_pieces, cell in layout.content_cells
        if is_drawn or (is_piece and places_listed) or not (is_piece or is_content):
            arrive()
        places_listed = is_content
        is_followed = is_followed and not is_drawn
        piece = piece_of_cell.get(NumberCell(cell))
        if piece in staying:
            leave(piece)
        if cell == POINT and value == OVER_POINT:
            for piece_at_end in tuple(staying):
                leave(piece_at_end)
        if piece is not None and piece not in moved:
            moved.add(piece)
            on_the_way[piece] = number_in(value)
        if cell >= 0:
            cells[cell] = value
    arrive()
    for piece_at_end in tuple(staying):
        leave(piece_at_end)
    if cells[POINT] != OVER_POINT:
        for piece in piece_of_cell.values():
            if piece not in moved:
                ways[piece] = _Way(STAYS, _attributes_seen(program, cells, seats, piece), is_followed)
    return ways
