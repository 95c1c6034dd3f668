"""The state of an example: `given` is turned into a placement of pieces and values.

Pieces start in their homes. A zone that is given is set exactly: the pieces named come from their homes or, if none is
left there, from wherever they are; pieces that lay there and are not named leave the game. Consecutive lines of `given`
describe one state: none may repeat what another sets, or take a piece from where another puts it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dsl import ast
from dsl.checker.names.declarations import CHANCE_NAME, word_of
from dsl.model import Model
from dsl.symbols import DieSymbol, NoteSymbol, OptionSymbol, ZoneSymbol
from dsl.text.nouns import counted
from dsl.types import Contents, ListType, Several, numeric
from interpreter.compiler.decisions import FREE_POINT, OVER_POINT
from interpreter.compiler.expression_facts import piece_types
from interpreter.engine.program import Program
from interpreter.engine.sight import note_seen, sees
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells, StoredValue
from interpreter.runtime.chance import ChanceEvent
from interpreter.runtime.layout import ME, MOVES, OUT, POINT
from interpreter.seat.explain.outcome import winners_of


class GivenError(Exception):
    """A `given` that is impossible: too few such pieces, or something that cannot be given."""


class NoPieceError(GivenError):
    """A `given` with a piece of which none is left."""


def install(program: Program) -> None:
    """Add the names that only examples use to the program: `over`, `winners`, `moves`, `player`, `sees`."""
    layout = program.layout

    def over(state: Cells) -> bool:
        return bool(state[POINT] == OVER_POINT)

    def winners(state: Cells) -> int:
        return sum(1 << seat for seat in winners_of(program, state)) if over(state) else 0

    def moves(state: Cells) -> int:
        return (1 << len(program.legal(state))) - 1

    def player(state: Cells) -> int | None:
        return state[ME] if state[POINT] >= 0 else None

    def sees_place(state: Cells, seat: int, place: int) -> bool:
        types = [held.name for held in program.model.zones[layout.places[place].zone].declaration.holds]
        names = {name for type_ in types for name in program.model.pieces[type_].attributes}
        pieces = bits(state[layout.places[place].mask])
        if not pieces and not program.visibility_depends_on_piece(layout.places[place].zone):
            pieces = [0]  # whoever sees the place sees all pieces there
        return all(sees(program, state, seat, place, name, piece) for piece in pieces for name in names)

    def sees_piece(state: Cells, seat: int, piece: int) -> bool:
        place = state[layout.place_cells + piece]
        return all(sees(program, state, seat, place, name, piece) for name in layout.pieces[piece].attributes)

    def sees_note(state: Cells, seat: int, cell: int) -> bool:
        return note_seen(program, state, seat, *layout.notes_of_cell[cell])

    program.supply(
        over=over, winners=winners, moves=moves, player=player, sees_place=sees_place, sees_piece=sees_piece,
        sees_note=sees_note,
    )  # fmt: skip


def options_given(model: Model, example: ast.Example) -> dict[str, str]:
    """The options an example gives, by name."""
    options: dict[str, str] = {}
    for scene in example.scenes:
        if isinstance(scene, ast.Given):
            for node in ast.conjuncts(scene.condition):
                if isinstance(node, ast.Compare):
                    symbol = model.refers.get(node.left.number)
                    if isinstance(symbol, OptionSymbol):
                        options[symbol.name] = word_of(node.right)
    return options


def table_of(model: Model, example: ast.Example) -> tuple[int | tuple[str, ...] | None, dict[str, str]]:
    """The seats that an example is about, None if it leaves that open, and the options that it gives."""
    seats: int | tuple[str, ...] | None = None
    for scene in example.scenes:
        if isinstance(scene, ast.GivenSeats):
            seats = scene.count if scene.count is not None else scene.seats
    return seats, options_given(model, example)


def _quoted(node: ast.Node) -> str:
    """The text of a `given`, with its location."""
    source = " ".join(node.span.text.split()).removeprefix("given ").removeprefix("and ")
    return f"`{source}` ({node.span.location})"


def _chosen(event: ChanceEvent, text: str) -> int:
    """The number of the first result with this name, or else of the first piece that all its words are about."""
    words = set(text.split())
    fitting = [number for number, face in enumerate(event.faces) if face == text]
    fitting += [number for number, face in enumerate(event.faces) if words <= set(face.split())]
    if not fitting:
        results = ", ".join(dict.fromkeys(event.faces))
        raise GivenError(f"    chance cannot choose `{text}` for `{event.what}`, only: {results}")
    return fitting[0]


class StateBuilder:
    """Sets the state of an example, one `given` after the other; at first nothing is pending.

    `faces` are the coming results of each die, and of `chance` what it will choose. `placed` maps each piece to the
    place where a `given` has put it.
    `set_by` maps the places and the cells of notes and dice set by the current run of `given` lines to their lines.
    """

    def __init__(self, program: Program, state: Cells) -> None:
        self.program, self.state = program, state
        state[POINT], state[MOVES] = FREE_POINT, []
        self.homes = {n: state[program.layout.place_cells + n] for n in range(len(program.layout.pieces))}
        self.placed: dict[int, int] = {}
        self.set_by: dict[tuple[str, int], ast.Node] = {}
        self.faces: dict[str, list[str]] = {}

    def given(self, scene: ast.Given | ast.GivenShown) -> None:
        """Apply a `given`. Raises GivenError if that is impossible or contradicts another `given`."""
        if isinstance(scene, ast.GivenShown):
            self._show(scene)
        else:
            for node in ast.conjuncts(scene.condition):
                self._given(node)

    def chance(self, event: ChanceEvent) -> int | list[int]:
        """The results of chance in examples: shuffles keep the order, dice show the faces given.

        Raises GivenError if chance cannot choose what is given.
        """
        if event.kind == "shuffle":
            return list(range(event.size))
        face = self.faces.get(CHANCE_NAME if event.kind == "choose" else event.what)
        if not face:
            return 0
        return _chosen(event, face.pop(0)) if event.kind == "choose" else event.faces.index(face.pop(0))

    def end_run(self) -> None:
        """End a run of `given` lines: later ones may set the same things again."""
        self.set_by.clear()

    def _claim(self, kind: str, number: int, name: str, node: ast.Node) -> None:
        """Record that a `given` sets a place or cell. Raises GivenError if another of these lines does."""
        earlier = self.set_by.setdefault((kind, number), node)
        if earlier is not node:
            raise GivenError(f"    `{name}` is already given by {_quoted(earlier)}")

    def _show(self, scene: ast.GivenShown) -> None:
        """Set the face of a die."""
        cell = self.program.cell_of(scene.die, self.state)
        symbol = self.program.model.refers[scene.die.number]
        assert isinstance(symbol, DieSymbol)
        self._claim("cell", cell, self.program.layout.cell_name(cell), scene)
        word = word_of(scene.face)
        values = dict(zip(symbol.declaration.faces, self.program.layout.values_of_faces(symbol), strict=True))
        self.state[cell] = None if word == "none" and word not in values else values[str(word)]

    def _given(self, node: ast.Expression) -> None:
        assert isinstance(node, ast.Compare)
        counted = isinstance(node.left, ast.Count)
        subject = node.left.operand if isinstance(node.left, ast.Count) else node.left
        zone = subject.whole if isinstance(subject, ast.Of) else subject
        symbol = self.program.model.refers.get(zone.number)
        if isinstance(zone, ast.Name) and zone.name == CHANCE_NAME:
            self.faces.setdefault(CHANCE_NAME, []).append(" ".join(node.right.span.text.split()))
            return
        match symbol:
            case ZoneSymbol(index=index) if index and isinstance(zone, ast.Name):
                self._fill(symbol, subject.part if isinstance(subject, ast.Of) else None, node)
            case ZoneSymbol() if counted:
                self._set_count(subject, node)
            case ZoneSymbol():
                self._set_zone(subject, node)
            case NoteSymbol():
                cell = self.program.cell_of(subject, self.state)
                self._claim("cell", cell, self.program.layout.cell_name(cell), node)
                self.state[cell] = self._note_value(node.right, symbol)
            case DieSymbol():
                cell = self.program.cell_of(subject, self.state)
                self.faces.setdefault(self.program.layout.cell_name(cell), []).append(word_of(node.right))
            case OptionSymbol():
                pass
            case _:
                raise GivenError("    this cannot be given")

    def _note_value(self, node: ast.Expression, symbol: NoteSymbol) -> StoredValue:
        assert symbol.type is not None
        if isinstance(self.program.model.types.get(node.number), ListType):
            raise GivenError("    a note with several values is given as a set: `{…}`")
        return self.program.fitted_value(node, symbol.type, self.state)

    def _set_count(self, subject: ast.Expression, node: ast.Compare) -> None:
        place = self.program.place_of(subject, self.state)
        count = max(0, self.program.number_of(node.right, self.state))
        pieces = list(self.program.contents(self.state, place))
        if count > len(pieces):
            verb = "is" if len(pieces) == 1 else "are"
            raise GivenError(f"    only {counted(len(pieces), 'piece')} {verb} there")
        self._arrange(place, pieces[:count], node)

    def _set_zone(self, subject: ast.Expression, node: ast.Compare) -> None:
        place, right = self.program.place_of(subject, self.state), node.right
        types = piece_types(self.program.model, subject)
        symbol = self.program.model.refers.get(right.number)
        if symbol is not None and symbol.name in ("empty", "none"):
            self._arrange(place, [], node)
            return
        if isinstance(right, ast.ListOf):
            kinds = self._kinds(right.items, types)
        elif isinstance(self.program.model.types.get(right.number), Contents | Several):
            pieces = self.program.set_of(right, self.state)
            if pieces and self.program.layout.places[place].shape == "one":  # one of these
                self.put(place, [pieces], node)
            else:
                self._arrange(place, bits(pieces), node)
            return
        else:
            kinds = self._kinds([right], types)
        try:
            self.put(place, (kind & self._pieces_of_types(types) for kind in kinds), node)
        except NoPieceError as fault:
            raise GivenError(f"{fault}{self._amounts(right, types)}") from None

    def put(self, place: int, kinds: Iterable[int], node: ast.Node) -> None:
        """Put a piece of each of these sets at a place, which then has no others. Raises GivenError."""
        chosen: list[int] = []
        for number, kind in enumerate(kinds):
            chosen.append(self._take(kind, place, chosen, number))
        self._arrange(place, chosen, node)

    def _amounts(self, right: ast.Expression, types: frozenset[str]) -> str:
        """What the first amount of a list means, if it could be mistaken for the number on a piece; else empty."""
        items = right.items if isinstance(right, ast.ListOf) else [right]
        counted_items = [item for item in items if isinstance(item, ast.Pattern) and item.amount is not None]
        for piece in [self.program.model.pieces[name] for name in sorted(types)] if counted_items else []:
            for attribute, type_ in piece.attributes.items():
                if numeric(type_):
                    item, x = counted_items[0], piece.name[0].lower()
                    one = f"{{{x} in {piece.name} where {x}.{attribute} is {item.amount} and …}}"
                    return f"\n    `{item.span.text}` is {item.amount} pieces; one with this number on it is `{one}`"
        return ""

    def _kinds(self, items: Sequence[ast.Expression], types: frozenset[str]) -> Iterator[int]:
        """The kinds that the items of a list of pieces stand for, each evaluated when its turn comes."""
        return (kind for item in items for kind in self.program.kinds_of(item, types, self.state))

    def _fill(self, symbol: ZoneSymbol, kind: ast.Expression | None, node: ast.Compare) -> None:
        """Put pieces of a kind (None: of the only one there is) at these places of a zone and at no others."""
        state, layout = self.state, self.program.layout
        assert isinstance(symbol.contents, Contents)
        types = symbol.contents.pieces.piece_types
        values = set(bits(self.program.set_of(node.right, state)))
        pieces = self._pieces_of_types(types)
        if kind is not None:
            pieces &= self.program.kind_of(kind, types, state)
        first = layout.first_place[symbol.name]
        places = {value: first + offset for offset, value in enumerate(layout.members(symbol.index[0]))}
        for value, place in places.items():
            if value not in values and (kind is None or state[layout.places[place].mask] & pieces):
                self._arrange(place, [], node)
        chosen: list[int] = []
        for number, value in enumerate(sorted(values)):
            chosen.append(self._take(pieces, places[value], chosen, number))
            self._arrange(places[value], chosen[-1:], node)

    def _pieces_of_types(self, types: frozenset[str]) -> int:
        """All pieces of these types; a seat or a colour alone does not determine the type."""
        ranges = (self.program.layout.piece_range[type_] for type_ in types)
        return sum((1 << high) - (1 << low) for low, high in ranges)

    def _take(self, kind: int, place: int, chosen: list[int], number: int) -> int:
        layout = self.program.layout
        candidates = [piece for piece in bits(kind) if piece not in chosen]
        if not candidates:
            raise NoPieceError(f"    no such piece is left for number {number + 1}")

        # Of equal pieces any will do for the rules, but not for the author: `given hand[red] is [king]` should not take
        # a king that another line has just laid somewhere. In this order: one that lies there already, at its home, out
        # of the game, elsewhere on the table, and only then one that was placed by a line of `given`. Before all that
        # comes what fits the index: of two kings the one whose colour is that of the hand.
        def order(piece: int) -> tuple[int, int, int]:
            where: int = self.state[layout.place_cells + piece]
            mismatches = self._mismatches(piece, place)
            if where == place:
                return mismatches, 0, piece
            if self.placed.get(piece, OUT) == where != OUT:
                return mismatches, 4, piece
            return mismatches, 1 if where == self.homes[piece] else 2 if where == OUT else 3, piece

        return int(min(candidates, key=order))

    def _mismatches(self, piece: int, place: int) -> int:
        """Count attributes of the piece that disagree with the index of the place: a red card in the hand of blue."""
        where, info = self.program.layout.places[place], self.program.layout.pieces[piece]
        attributes = self.program.model.pieces[info.type].attributes
        index = self.program.model.zones[where.zone].index
        return sum(
            attributes[name] == type_ and value != index_value
            for name, value in info.attributes.items()
            for type_, index_value in zip(index, where.index, strict=True)
        )

    def _arrange(self, place: int, pieces: list[int], node: ast.Node) -> None:
        """Put exactly these pieces at the place, first or top first; other pieces that lay there leave the game.

        Raises GivenError if another of the same lines has set the place, or put one of the pieces elsewhere.
        """
        layout = self.program.layout
        self._claim("place", place, layout.place_name(place), node)
        for piece in pieces:
            where = self.state[layout.place_cells + piece]
            earlier = self.set_by.get(("place", where)) if self.placed.get(piece, OUT) == where != place else None
            if earlier is not None:
                move = f"`{layout.piece_name(piece)}` out of `{layout.place_name(where)}`"
                raise GivenError(f"    this takes {move}, where it was put by {_quoted(earlier)}")
        for piece in self.program.contents(self.state, place):
            if piece not in pieces:
                self._lift(piece)
                self._lay(piece, OUT)
        for piece in pieces:
            self._lift(piece)
        is_stack = self.program.layout.places[place].shape == "stack"
        for piece in reversed(pieces) if is_stack else pieces:
            self._lay(piece, place)
            self.placed[piece] = place

    def _lift(self, piece: int) -> None:
        layout, state = self.program.layout, self.state
        where = layout.places[state[layout.place_cells + piece]]
        state[where.mask] &= ~(1 << piece)
        state[where.filled] &= ~where.bit  # without such a cell the bit is 0, and cell 0 stays as it is
        if where.order:
            state[where.order] = tuple(neighbour for neighbour in state[where.order] if neighbour != piece)

    def _lay(self, piece: int, place: int) -> None:
        layout, state = self.program.layout, self.state
        where = layout.places[place]
        state[layout.place_cells + piece] = place
        state[where.mask] |= 1 << piece
        state[where.filled] |= where.bit
        if where.order:
            state[where.order] += (piece,)
