"""Primitives of generated code: moves of pieces, chance, order queries; one set of functions per layout."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from functools import wraps
from operator import itemgetter
from typing import NoReturn, Protocol, TypeVar

from dsl import ast
from dsl.checker.query import FIRST_NUMBER
from dsl.model import Model
from dsl.symbols import BuiltinSymbol, DieSymbol, LocalSymbol, NoteSymbol, WhenSymbol, ZoneSymbol
from dsl.types import Contents, Maybe, PieceType, Several, bare
from interpreter.arguments import described
from interpreter.errors import PlayError
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import (
    Cells,
    Generated,
    Journal,
    LoopPayload,
    Namespace,
    NumberCell,
    ReasonPayload,
    StoredValue,
    TellPayload,
    number_in,
)
from interpreter.runtime.chance import ChanceEvent, ChanceResult, below, shuffled, supplied_number, supplied_order
from interpreter.runtime.layout import DRAWN, RANDOM, Layout
from interpreter.runtime.node_table import NodeTable
from interpreter.runtime.piece_matching import same_pieces
from interpreter.runtime.subsets import picks, singles
from interpreter.wording.phrases import Phrase

T = TypeVar("T")
MAX_PRODUCT = 10**18
"""Largest absolute value of a product; beyond it repeated multiplication could hang."""

MAX_IDLE_TURNS = 10_000
"""Maximum number of turns in a row in which nobody decides anything."""

ENDLESS = Phrase("reactions trigger each other endlessly: {reactions}")
Results = tuple[tuple[int, ...], tuple[str, ...]]  # the possible results of a chance event: values, and their names


class Leave(Exception):
    """Leaves a running rule for the block `point`: a phase or the game ends at once."""

    def __init__(self, point: int) -> None:
        self.point = point
        super().__init__(point)


def lowest(mask: int) -> int | None:
    """The first member of a set, or None."""
    return (mask & -mask).bit_length() - 1 if mask else None


def attribute(table: tuple[T, ...] | dict[int, T], value: int | None) -> T | None:
    """The attribute of a value; None for none."""
    return None if value is None else table[value]


def highest_member(mask: int) -> int | None:
    """The last member of a set, or None."""
    return mask.bit_length() - 1 if mask else None


def as_set(values: Iterable[int | None]) -> int:
    """The set of the values; none is skipped."""
    mask = 0
    for value in values:
        if value is not None:
            mask |= 1 << value
    return mask


def contains(mask: int, value: int | None) -> bool:
    """True if a value is in a set; none and numbers below 0 never are."""
    return value is not None and value >= 0 and mask >> value & 1 == 1


def left_out(items: Sequence[int], mask: int) -> tuple[int, ...]:
    """The items that are not in a set, in their order."""
    return tuple([item for item in items if not mask >> item & 1])


def nth_member(number: int, mask: int) -> int | None:
    """The member number `number`, from 1, of a set, or None."""
    members = bits(mask)
    return members[number - 1] if 1 <= number <= len(members) else None


def once(cache: list[T], function: Callable[[Cells], T], state: Cells) -> T:
    """The value of a definition, computed on first use."""
    if not cache:
        cache.append(function(state))
    return cache[0]


def whole(mask: int) -> str:
    """A set as a number in text form, for keys and saves."""
    return str(mask)


MAX_KEPT_VALUES = 4096
"""Maximum number of cached values of a definition; beyond it the cache is emptied."""


def kept(function: Generated) -> Generated:
    """Wrap a definition so that its value is computed once for the same arguments; it must not depend on the state."""
    values: dict[tuple[StoredValue, ...], StoredValue] = {}

    @wraps(function)
    def value(state: Cells, *args: StoredValue) -> StoredValue:
        try:
            return values[args]
        except KeyError:
            if len(values) >= MAX_KEPT_VALUES:
                values.clear()
            result: StoredValue = function(state, *args)
            values[args] = result
            return result

    return value


def kept_for(*cells: int | slice) -> Callable[[Generated], Generated]:
    """Wrap a definition without arguments so that its last value is kept until one of these cells has changed."""
    # With a second cell, contents are a tuple in any case.
    contents = itemgetter(*cells, cells[0])

    def wrapped(function: Generated) -> Generated:
        last: tuple[object, StoredValue] = None, 0  # replaced as a whole, as threads may share it

        @wraps(function)
        def value(state: Cells) -> StoredValue:
            nonlocal last
            if not isinstance(state, list):  # as a seat may read it: only what the definition itself reads
                return function(state)
            key = contents(state)
            known = last
            if known[0] == key:
                return known[1]
            result: StoredValue = function(state)
            last = key, result
            return result

        return value

    return wrapped


FREE = (
    bits, lowest, attribute, highest_member, nth_member, as_set, contains, same_pieces, once, singles, picks, left_out,
    kept, kept_for, ReasonPayload, TellPayload, LoopPayload,
)  # fmt: skip
"""The functions and classes that generated code calls without a layout."""


class UnreadPieces(Protocol):
    """The next pieces of a stack, of which it is recorded whether anybody looks at them (`footprints.py`)."""

    def put(
        self, runtime: Runtime, state: Cells, journal: Journal | None, target: int, node: int, bottom: bool
    ) -> None:
        """Move them without looking at them."""


class Runtime:
    """The functions of one layout; `names()` is what generated code sees."""

    def __init__(self, layout: Layout, nodes: NodeTable) -> None:
        self.layout = layout
        self.nodes = nodes
        self.masks = [place.mask for place in layout.places]
        self.orders = [place.order for place in layout.places]
        self.single = [place.shape == "one" for place in layout.places]
        self.filled = [(place.filled, place.bit) for place in layout.places]
        self.stacks = [place.shape == "stack" for place in layout.places]
        self.base = layout.place_cells
        self.kinds = [piece.kind for piece in layout.pieces]
        self.attached = self._attached()

    def _attached(self) -> list[tuple[tuple[NumberCell, int, int], ...]]:
        """For each piece what may distinguish it from equal pieces: cell, place, and the value that does not."""
        cells: list[list[tuple[NumberCell, int, int]]] = [[] for _ in self.layout.pieces]
        # `zone under[p: Piece] holds Piece`: an equal piece with nothing under it is not the same.
        for place in self.layout.places[1:]:
            for type_, value in zip(self.layout.model.zones[place.zone].index, place.index, strict=True):
                if hasattr(type_, "piece_types"):
                    cells[value].append((place.mask, place.number, 0))
        return [tuple(entry) for entry in cells]

    def names(self) -> Namespace:
        """The namespace generated code starts from."""
        methods = (
            self.move_set, self.move_some, self.move_kind, self.insert, self.shuffle, self.pick, self.draw_item,
            self.contents, self.before, self.nth, self.lying, self.distinct, self.need, self.in_range, self.among,
            self.subset, self.idle, self.endless, self.one_of, self.product, self.divisor, self.overfull,
        )  # fmt: skip
        free = (*FREE, Leave)
        return {function.__name__: function for function in (*methods, *free)}

    # ------------------------------------------------------------ errors

    def location_of(self, number: int) -> str:
        """The location of a node in the rules; empty for an expression typed as a query."""
        node = self.nodes.find(number) if number < FIRST_NUMBER else None
        return "" if node is None else node.span.location

    def need(self, value: T | None, node: int) -> T:
        """Return a value of the rule at `node`. Raises PlayError if it is none."""
        if value is None:
            raise PlayError(missing_value_message(self.layout.model, self.nodes.find(node)), self.location_of(node))
        return value

    def among(self, value: int | None, allowed: tuple[int, ...], node: int) -> int | None:
        """Return a number. Raises PlayError if it is not one of the known ones."""
        if value is not None and value not in allowed:
            message = Phrase("{value} is not one of {values}", value=value, values=", ".join(map(str, allowed)))
            raise PlayError(message, self.location_of(node))
        return value

    def subset(self, mask: int, allowed: int, node: int) -> int:
        """Return a set. Raises PlayError if it has a member that is not allowed."""
        if mask and mask & ~allowed:
            message = Phrase("{value} is not one of the values of the set", value=lowest(mask & ~allowed))
            raise PlayError(message, self.location_of(node))
        return mask

    def in_range(self, value: int | None, low: int, high: int, node: int) -> int | None:
        """Return a value. Raises PlayError if it is outside its declared range."""
        if value is not None and not low <= value <= high:
            rule = self.nodes.find(node)
            if isinstance(rule, ast.When):  # the number of consecutive reactions
                raise PlayError(Phrase(ENDLESS.template, reactions=rule.name), self.location_of(node))
            message = Phrase("{value} is outside the range {low}..{high}", value=value, low=low, high=high)
            raise PlayError(message, self.location_of(node))
        return value

    def one_of(self, value: int | None, allowed: Container[int], type_: str, node: int) -> int | None:
        """Return a value of a union type. Raises PlayError if it is not one of those known."""
        if value is not None and value not in allowed:
            text = self.layout.name_of(self.layout.model.type_symbols[type_].type, value)
            message = Phrase("`{value}` is not a value of the type required here", value=text)
            raise PlayError(message, self.location_of(node))
        return value

    def product(self, first: int, second: int, node: int) -> int:
        """Multiply numbers. Raises PlayError if the product is large enough that repeated multiplication could hang."""
        if abs(result := first * second) > MAX_PRODUCT:
            raise PlayError(Phrase("this number is larger than {number}", number=MAX_PRODUCT), self.location_of(node))
        return result

    def divisor(self, value: int, node: int) -> int:
        """Check what is divided by. Raises PlayError if it is 0."""
        if value == 0:
            raise PlayError(zero_divisor_message(self.nodes.find(node)), self.location_of(node))
        return value

    def idle(self, rounds: int, node: int) -> None:
        """Raise PlayError for turns that repeat without a decision."""
        if rounds > MAX_IDLE_TURNS:
            raise PlayError(Phrase("turns repeat endlessly: nobody decides anything"), self.location_of(node))

    def endless(self, happened: Sequence[Reaction]) -> None:
        """Raise PlayError for reactions that trigger each other endlessly; `happened` has them with their arguments."""
        whens = {when.name: when for when in self.layout.model.whens}
        chain = repeating_cycle(happened)
        cycle = " → ".join(reaction_in_words(self.layout, whens[name], values) for name, values in chain)
        location = whens[chain[0][0]].declaration.span.location
        raise PlayError(Phrase(ENDLESS.template, reactions=cycle), location)

    # ------------------------------------------------------------ pieces

    def contents(self, state: Cells, place: int) -> tuple[int, ...] | list[int]:
        """The pieces at a place: a row from the left, a stack from the top."""
        order = self.orders[place]
        if not order:
            return bits(state[self.masks[place]])
        pieces: tuple[int, ...] = state[order]
        return pieces[::-1] if self.stacks[place] else pieces

    def move_set(
        self, state: Cells, journal: Journal | None, mask: int, target: int, node: int, bottom: bool = False,
        crowded: bool = False,
    ) -> None:  # fmt: skip
        """Move the pieces of a set, in the order in which they lie; `crowded`: even if the target holds only one."""
        if not mask:
            return
        # A single piece, which is most moves: no order has to be looked up.
        if mask & (mask - 1) == 0:
            self._put(state, journal, (mask.bit_length() - 1,), target, node, bottom, crowded)
            return
        source = state[self.base + ((mask & -mask).bit_length() - 1)]
        if self.orders[source]:
            pieces = [piece for piece in self.contents(state, source) if mask >> piece & 1]
            # The pieces lie at several places: their common order is that of their numbers.
            if len(pieces) < mask.bit_count():
                pieces = bits(mask)
        else:
            pieces = bits(mask)
        self._put(state, journal, pieces, target, node, bottom, crowded)

    def move_some(
        self,
        state: Cells,
        journal: Journal | None,
        count: int,
        source: int,
        target: int,
        node: int,
        bottom: bool = False,
    ) -> None:
        """Move `count` pieces from the top or the left; all of them if there are fewer."""
        if count > 0:
            self._put(state, journal, self.contents(state, source)[:count], target, node, bottom)

    def move_kind(
        self,
        state: Cells,
        journal: Journal | None,
        count: int,
        kind: int,
        source: int,
        target: int,
        node: int,
        bottom: bool = False,
    ) -> None:
        """Move `count` pieces that are in the set `kind`; all of them if there are fewer."""
        if count > 0:
            if self.orders[source]:
                pieces = [piece for piece in self.contents(state, source) if kind >> piece & 1]
            else:
                pieces = bits(state[self.masks[source]] & kind)
            self._put(state, journal, pieces[:count], target, node, bottom)

    def insert(
        self,
        state: Cells,
        journal: Journal | None,
        piece: int | None,
        target: int,
        anchor: int,
        behind: bool,
        node: int,
    ) -> None:
        """Move a piece next to the anchor at the target. Raises PlayError if the anchor is not there."""
        if piece is None:
            return
        self._put(state, journal, (piece,), target, node, False)
        cell = self.orders[target]
        order: list[int] = list(state[cell])
        order.remove(piece)
        if anchor not in order:
            raise PlayError(Phrase("the piece to place it next to is not there"), self.location_of(node))
        later = behind is not self.stacks[target]
        order.insert(order.index(anchor) + (1 if later else 0), piece)
        if journal is not None:
            journal.append((cell, state[cell]))
        state[cell] = tuple(order)

    def _put(
        self, state: Cells, journal: Journal | None, pieces: tuple[int, ...] | list[int] | UnreadPieces, target: int,
        node: int, bottom: bool, crowded: bool = False,
    ) -> None:  # fmt: skip
        # INVARIANT: the journal lists the cells of the pieces first, in the order in which they move, then the cells of
        # places. The log, the trace and the samplers read from it which pieces moved together. Cell 0 means that a
        # place has no such cell.
        if not isinstance(pieces, (tuple, list)):
            pieces.put(self, state, journal, target, node, bottom)
            return
        masks, orders, base = self.masks, self.orders, self.base
        leaving: dict[int, int] = {}
        moved = 0
        for piece in pieces:
            cell = base + piece
            source = state[cell]
            leaving[source] = leaving.get(source, 0) | 1 << piece
            moved |= 1 << piece
            if journal is not None:
                journal.append((cell, source))
            state[cell] = target
        for source, mask in leaving.items():
            cell = masks[source]
            if journal is not None:
                journal.append((cell, state[cell]))
            state[cell] ^= mask
            cell, bit = self.filled[source]
            if cell and not state[masks[source]]:
                if journal is not None:
                    journal.append((cell, state[cell]))
                state[cell] &= ~bit
            order = orders[source]
            if order:
                old = state[order]
                if journal is not None:
                    journal.append((order, old))
                count = mask.bit_count()
                # The usual cases without going through the whole order: from the top of a stack, and everything at
                # once.
                if self.stacks[source] and old[-1] == pieces[0] and tuple(pieces) == old[: -count - 1 : -1]:
                    state[order] = old[:-count]
                elif count == len(old):
                    state[order] = ()
                else:
                    state[order] = tuple(piece for piece in old if not mask >> piece & 1)
        cell = masks[target]
        if self.single[target] and not crowded and (state[cell] or moved & (moved - 1)):
            self.overfull(target, node)
        if journal is not None:
            journal.append((cell, state[cell]))
        state[cell] |= moved
        cell, bit = self.filled[target]
        if cell and moved:
            if journal is not None:
                journal.append((cell, state[cell]))
            state[cell] |= bit
        order = orders[target]
        if order:
            if journal is not None:
                journal.append((order, state[order]))
            if not self.stacks[target]:
                state[order] = (*pieces, *state[order]) if bottom else state[order] + tuple(pieces)
            elif bottom:
                state[order] = (*reversed(pieces), *state[order])
            else:
                state[order] = state[order] + tuple(pieces)

    def overfull(self, place: int, node: int) -> NoReturn:
        """Raise PlayError for a second piece at a place for one."""
        message = Phrase("{place} can hold only one piece", place=self.layout.place_name(place))
        raise PlayError(message, self.location_of(node))

    def before(self, state: Cells, a: int | None, b: int | None) -> bool:
        """True if a lies further left, or nearer the top, than b at the same place."""
        if a is None or b is None:
            return False
        place = state[self.base + a]
        if place != state[self.base + b] or not self.orders[place]:
            return False
        order = state[self.orders[place]]
        if self.stacks[place]:
            a, b = b, a
        return bool(order.index(a) < order.index(b))

    def nth(self, state: Cells, number: int, place: int) -> int | None:
        """The piece number `number`, from 1, from the left or the top."""
        pieces = self.contents(state, place)
        return pieces[number - 1] if 1 <= number <= len(pieces) else None

    def distinct(self, state: Cells, mask: int) -> list[int]:
        """Deduplicate pieces of one place that no rule can tell apart, keeping the first of them."""
        representatives = []
        kinds = set()
        for piece in bits(mask):
            place = state[self.base + piece]
            apart = self.orders[place] or any(state[cell] != plain for cell, _, plain in self.attached[piece])
            kind = -piece - 1 if apart else (self.kinds[piece], place)
            if kind not in kinds:
                kinds.add(kind)
                representatives.append(piece)
        return representatives

    def lying(self, state: Cells, mask: int) -> tuple[tuple[int, int], ...]:
        """The places of some pieces with the kinds that lie there, equal for equal pieces that are exchanged."""
        return tuple(sorted([(state[self.base + piece], self.kinds[piece]) for piece in bits(mask)]))

    # ------------------------------------------------------------ chance

    def shuffle(self, state: Cells, journal: Journal | None, place: int, node: int) -> None:
        """Put the pieces of a row or stack into random order. Raises PlayError if a supplied order is not one."""
        cell = self.orders[place]
        old: tuple[int, ...] = state[cell]
        if len(old) < 2:
            return
        if journal is not None and journal.chance is not None:
            listed = self.contents(state, place)
            faces = tuple(self.layout.piece_name(piece) for piece in listed)
            name = self.layout.place_name(place)
            supplied = journal.chance(ChanceEvent("shuffle", name, len(old), faces))
            order = supplied_order(supplied, len(old))
            if order is None:
                raise PlayError(unusable_order_message(name, len(old), supplied), self.location_of(node))
            new = [listed[position] for position in order]
            if self.stacks[place]:
                new.reverse()
        else:
            generator, new = shuffled(state[RANDOM], old)
            if journal is not None:
                journal.append((RANDOM, state[RANDOM]))
            state[RANDOM] = generator
        if journal is not None:
            journal.append((cell, old))
            listed = self.contents(state, place)
            state[cell] = tuple(new)
            positions = {piece: position for position, piece in enumerate(listed)}
            self._record_result(state, journal, [positions[piece] for piece in self.contents(state, place)])
        else:
            state[cell] = tuple(new)

    def _record_result(self, state: Cells, journal: Journal, result: ChanceResult) -> None:
        journal.append((DRAWN, state[DRAWN]))
        del journal.results[state[DRAWN] :]  # what follows belongs to decisions taken back or replayed
        journal.results.append(result)
        state[DRAWN] += 1

    def pick(
        self, state: Cells, journal: Journal | None, cell: int, results: Results, event: str, name: str, node: int
    ) -> None:
        """Set a cell to one of the results by chance; `event` is roll or pick, `name` names it (empty: the cell).

        Raises PlayError if a supplied result is not one of them.
        """
        values, names = results
        name = name or self.layout.cell_name(cell)
        if journal is not None and journal.chance is not None:
            supplied = journal.chance(ChanceEvent(event, name, len(values), names, cell=cell, values=tuple(values)))
            number = supplied_number(supplied, len(values))
            if number is None:
                raise PlayError(unusable_result_message(name, len(values), supplied), self.location_of(node))
            index = number
        else:
            generator, index = below(state[RANDOM], len(values))
            if journal is not None:
                journal.append((RANDOM, state[RANDOM]))
            state[RANDOM] = generator
        if journal is not None:
            journal.append((cell, state[cell]))
        state[cell] = values[index]
        if journal is not None:
            self._record_result(state, journal, index)

    def draw_item(
        self, state: Cells, journal: Journal | None, cell: int, items: Sequence[StoredValue], node: int
    ) -> None:
        """Set a cell to the position of an item by chance. Raises PlayError if a supplied result is no position."""
        size = len(items)
        if journal is not None and journal.chance is not None:
            event = self._choice_of(state, items, node)
            supplied = journal.chance(event)
            number = supplied_number(supplied, size)
            if number is None:
                raise PlayError(unusable_result_message(event.what, size, supplied), self.location_of(node))
            position = number
        else:
            generator, position = below(state[RANDOM], size)
            if journal is not None:
                journal.append((RANDOM, state[RANDOM]))
            state[RANDOM] = generator
        if journal is not None:
            journal.append((cell, state[cell]))
        state[cell] = position
        if journal is not None:
            self._record_result(state, journal, position)

    def _choice_of(self, state: Cells, items: Sequence[StoredValue], number: int) -> ChanceEvent:
        """The event in which chance chooses one of the items for a statement."""
        node, layout = self.nodes.find(number), self.layout
        if isinstance(node, ast.Move):
            pieces = tuple([number_in(item) for item in items])
            name = layout.place_name(number_in(state[layout.place_cells + pieces[0]]))
            return ChanceEvent("choose", name, len(items), tuple(map(layout.piece_name, pieces)), pieces)
        assert isinstance(node, ast.Pick)
        symbol = layout.model.refers[node.number]
        assert isinstance(symbol, LocalSymbol)
        core = bare(symbol.type)
        type_ = core.element if node.amount is not None and isinstance(core, Several) else core
        if isinstance(bare(type_), PieceType):
            pieces = tuple([number_in(item) for item in items])
            return ChanceEvent("choose", node.name, len(items), tuple(map(layout.piece_name, pieces)), pieces)
        return ChanceEvent("choose", node.name, len(items), tuple([layout.name_of(type_, item) for item in items]))


# ---- Error messages: why an expression has no value, which reactions never end, which results cannot be supplied


MAX_QUOTED_CHARACTERS = 60
"""Maximum number of characters of an expression that are quoted."""

MAX_REACTIONS = 12
"""Maximum number of reactions of a chain that are named."""

Reaction = tuple[str, tuple[StoredValue, ...]]  # the name of a reaction, and its arguments


def missing_value_message(model: Model, node: ast.Node | None) -> Phrase:
    """Explain why an expression has no value: a die not rolled, an empty zone, nothing chosen, a note that is none."""
    if node is None:
        return Phrase("a value is missing here")
    source, symbol = quoted(node), model.refers.get(node.number)
    match node:
        case ast.Name() | ast.Index() if isinstance(symbol, DieSymbol):
            return Phrase("`{expression}` has not been rolled", expression=source)
        case ast.Name() | ast.Index() if isinstance(symbol, ZoneSymbol):
            return Phrase("`{expression}` is empty", expression=source)
        case ast.Name() | ast.Index() if isinstance(symbol, NoteSymbol | LocalSymbol):
            return Phrase("`{expression}` is none", expression=source)
        case ast.Attribute() if _may_be_none(model, node.base):
            return missing_value_message(model, node.base)
        case ast.Call() if isinstance(symbol, BuiltinSymbol) and node.arguments:
            return _missing_member(symbol.name, node)
        case ast.Quantified(quantifier="the") | ast.Best():
            return Phrase("nothing matches `{expression}`", expression=source)
        case _:
            return Phrase("`{expression}` is none", expression=source)


def zero_divisor_message(node: ast.Node | None) -> Phrase:
    """Explain that something is divided by 0."""
    if node is None:
        return Phrase("nothing can be divided by 0")
    return Phrase("`{expression}` is 0: nothing can be divided by it", expression=quoted(node))


def quoted(node: ast.Node) -> str:
    """The text of an expression on one line, truncated if long."""
    text = " ".join(node.span.text.split())
    return text if len(text) <= MAX_QUOTED_CHARACTERS else f"{text[: MAX_QUOTED_CHARACTERS - 1].rstrip()}…"


def _may_be_none(model: Model, node: ast.Expression) -> bool:
    return isinstance(model.types.get(node.number), Maybe | Contents)


def _missing_member(function: str, node: ast.Call) -> Phrase:
    """Explain that a zone or set does not have the requested member."""
    call, last = quoted(node), quoted(node.arguments[-1])
    if function in ("first", "last", "top", "bottom"):
        return Phrase("there is no `{expression}`: `{set}` is empty", expression=call, set=last)
    if function == "nth":
        return Phrase("there is no `{expression}`: `{set}` has too few members", expression=call, set=last)
    return Phrase("there is no `{expression}`", expression=call)


# Reactions that trigger each other end in a cycle, after a beginning that may be anything. It is the shortest sequence
# that occurs three times in a row at the end: twice may be chance, as in `a b a b c`.
def repeating_cycle(happened: Sequence[Reaction]) -> list[Reaction]:
    """The reactions that repeat at the end of a long list, followed by the first of them again; else the last few."""
    last = list(happened)
    for length in range(1, MAX_REACTIONS + 1):
        if last[-length:] == last[-2 * length : -length] == last[-3 * length : -2 * length]:
            return [*last[-length:], last[-length]]
    return last[-MAX_REACTIONS:]


def reaction_in_words(layout: Layout, when: WhenSymbol, values: Sequence[StoredValue]) -> str:
    """Render a reaction with its arguments: `full(north)`."""
    pairs = zip(when.parameters, values, strict=True)
    words = ", ".join(layout.name_of(parameter.type, value) for parameter, value in pairs)
    return f"`{when.name}({words})`" if words else f"`{when.name}`"


def unusable_order_message(name: str, size: int, supplied: object) -> str:
    """The message for a supplied order that is not one of the pieces of a row or stack."""
    return (
        f"the supplied shuffle is not a permutation of the pieces: for `{name}`, the numbers 0 to {size - 1} are "
        f"expected in some order, not {described(supplied)}"
    )


def unusable_result_message(name: str, size: int, supplied: object) -> str:
    """The message for a supplied result of a roll or pick that is none of its results."""
    return (
        f"the supplied result is not one of the possible results: for `{name}`, a whole number from 0 to {size - 1} is "
        f"expected, not {described(supplied)}"
    )
