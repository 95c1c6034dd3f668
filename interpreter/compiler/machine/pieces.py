"""Moves of pieces between places: the moves of interpreter/runtime/primitives.py.

A place is described by a record of constant data: the addresses of the cells with its pieces as a set, with their
order, and with the filled places of its zone (0 where there is none), its bit there, and whether it holds a single
piece or is a stack.
"""

from __future__ import annotations

import struct

from interpreter.compiler.machine import sets
from interpreter.compiler.machine.body import Body, Value, i32, i64, narrow, negated, read, wide
from interpreter.compiler.machine.chance import shuffle_order
from interpreter.compiler.machine.forms import NONE, NUMBER_ITEMS, WORD_BYTES, Members, members
from interpreter.compiler.machine.program import Program
from interpreter.compiler.machine.scope import ITEM_BYTES, allotted
from interpreter.compiler.wasm.instructions import (
    I32,
    I64,
    Callee,
    Code,
    Label,
    Read,
    call,
    load,
    plain,
    select,
    store,
    write,
)
from interpreter.runtime.layout import Layout

PLACE_RECORD_BYTES = 24
CONTENTS, ORDER, FILLED, BIT, SINGLE, STACK = range(0, PLACE_RECORD_BYTES, 4)


def form_of_pieces(layout: Layout) -> Members:
    """The form of sets of pieces."""
    return members(max(1, len(layout.pieces)))


def _places(program: Program) -> int:
    """The address of the records of all places."""
    # Every move reads its places from here by their numbers: a function with a branch for each place would be as long
    # as the board is large.
    records = b""
    for place in program.layout.places:
        order = program.cells[place.order] if place.order else 0
        filled = program.cells.get(place.filled, 0) if place.filled else 0
        bit = max(0, place.bit.bit_length() - 1)
        # the set of filled places has as many words as it needs; this is the one that holds the bit
        filled += bit // 64 * WORD_BYTES if filled else 0
        flags = int(place.shape == "one"), int(place.shape == "stack")
        records += struct.pack("<6i", program.cells[place.mask], order, filled, bit % 64, *flags)
    return program.data.place(records)


class Moves:
    """A function that moves pieces while it is printed."""

    def __init__(self, program: Program, body: Body) -> None:
        self.program, self.body = program, body
        self.places, self.words = _places(program), form_of_pieces(program.layout).words
        self.piece_cells = program.cells.get(program.layout.place_cells, 0)

    def record(self, place: Code) -> Code:
        """The record of a place; a fault if there is none."""
        # Compared without a sign, none and all numbers below 0 are larger than any place: one test refuses them all.
        (number,) = self.body.named((place,))
        self.body.fault(plain("i64.ge_u", number, i64(len(self.program.layout.places))))
        return self.body.held(
            plain("i32.add", plain("i32.mul", narrow(number), i32(PLACE_RECORD_BYTES)), i32(self.places))
        )

    def field(self, record: Code, field: int) -> Code:
        """A field of a record."""
        return load("i32.load", record, field)

    def cell_of_piece(self, piece: Code) -> Code:
        """The address of the cell with the place of a piece; a fault if there is none."""
        (number,) = self.body.named((piece,))
        self.body.fault(plain("i64.ge_u", number, i64(len(self.program.layout.pieces))))
        offset = plain("i32.mul", narrow(number), i32(WORD_BYTES))
        return self.body.held(plain("i32.add", offset, i32(self.piece_cells)))

    def load_set(self, address: Code) -> Value:
        """A set of pieces in memory."""
        return self.body.named(tuple([load("i64.load", address, WORD_BYTES * word) for word in range(self.words)]))

    def store_set(self, address: Code, pieces: Value) -> None:
        """Store a set of pieces."""
        for number, word in enumerate(self.body.named(pieces)):
            self.body.add(store("i64.store", address, word, WORD_BYTES * number))

    def set_filled(self, record: Code, on: bool) -> None:
        """Note that a place is filled, or not."""
        address = self.body.held(self.field(record, FILLED))
        bit = plain("i64.shl", i64(1), wide(self.field(record, BIT)))
        word = load("i64.load", address)
        changed = plain("i64.or", word, bit) if on else plain("i64.and", word, plain("i64.xor", bit, i64(-1)))
        self.body.when(address, lambda: self.body.add(store("i64.store", address, changed)))

    def item(self, items: Code, number: Code) -> Code:
        """An item of a sequence."""
        return load("i64.load", plain("i32.add", items, plain("i32.mul", number, i32(WORD_BYTES))))

    def set_item(self, items: Code, number: Code, value: Code) -> None:
        """Set an item of a sequence."""
        self.body.add(store("i64.store", plain("i32.add", items, plain("i32.mul", number, i32(WORD_BYTES))), value))

    def in_order(self, order: Code, number: Code) -> Code:
        """The address before an item of a sequence in a cell."""
        return plain("i32.add", order, plain("i32.mul", number, i32(ITEM_BYTES)))


def take_out(program: Program) -> Callee:
    """The function that takes a piece out of the sequence in the cell at an address, if it is there."""

    def fill(body: Body) -> None:
        order, piece = (Read(local) for local in body.function.locals)
        # It is looked for from the end, where the top of a stack is: taking from there compares one piece.
        place = body.variable(I32)
        count = body.held(load("i32.load", order))
        body.assign((place,), (plain("i32.sub", count, i32(1)),))
        moves = Moves(program, body)
        last_piece = load("i64.load16_s", moves.in_order(order, Read(place)), WORD_BYTES)
        in_sequence = plain("i32.ge_s", Read(place), i32(0))

        def search(out: Label) -> None:
            def once(repeat: Label) -> None:
                body.when(negated(in_sequence), lambda: body.give(()))
                body.leave(out, plain("i64.eq", last_piece, piece))
                body.assign((place,), (plain("i32.sub", Read(place), i32(1)),))
                body.leave(repeat)

            body.loop(once)

        body.block(search)
        target = body.held(plain("i32.add", moves.in_order(order, Read(place)), i32(WORD_BYTES)))
        rest = body.held(plain("i32.sub", plain("i32.sub", count, Read(place)), i32(1)))
        size = plain("i32.mul", rest, i32(ITEM_BYTES))
        behind = plain("memory.copy", target, plain("i32.add", target, i32(ITEM_BYTES)), size)
        body.when(rest, lambda: body.add(behind))  # the instruction is a call of the host
        body.add(store("i32.store", order, plain("i32.sub", count, i32(1))))

    return program.helper("take_out", (), (I32, I64), (), fill)


def put(program: Program) -> Callee:
    """The function that moves `count` pieces at `items` to a place: (items, count, target, bottom, crowded)."""
    removal = take_out(program)

    def fill(body: Body) -> None:
        items, count, target, bottom, crowded = (Read(local) for local in body.function.locals)
        moves = Moves(program, body)
        form = form_of_pieces(program.layout)
        # The target is filled only after all sources are left: pieces may move within one place.
        moved = body.variables(form)
        body.assign(moved, sets.constant_set(0, form.words))
        to = moves.record(target)

        def move(number: Code) -> None:
            piece = body.held(moves.item(items, number))
            cell = moves.cell_of_piece(piece)
            source = moves.record(load("i64.load", cell))
            body.add(store("i64.store", cell, target))
            contents = body.held(moves.field(source, CONTENTS))
            bit = body.named(sets.bit(body, piece, form.words, fits=True))
            remaining = body.named(sets.minus(moves.load_set(contents), bit))
            moves.store_set(contents, remaining)
            body.when(sets.is_empty(remaining), lambda: moves.set_filled(source, on=False))
            order = body.held(moves.field(source, ORDER))
            body.when(order, lambda: body.add(call(removal, order, piece)))
            body.assign(moved, sets.union(read(moved), bit))

        body.counted(i32(0), count, move)
        # INVARIANT: what lies at the target is read after the loop. A piece that lay there already has been taken out,
        # so it neither counts as an occupant of a place for one piece nor comes twice into an order.
        contents = body.held(moves.field(to, CONTENTS))
        occupants = moves.load_set(contents)
        several = plain("i32.or", negated(sets.is_empty(occupants)), plain("i32.gt_s", count, i32(1)))
        alone = plain("i32.and", moves.field(to, SINGLE), negated(crowded))
        body.fault(plain("i32.and", alone, several))
        moves.store_set(contents, sets.union(occupants, read(moved)))
        body.when(count, lambda: moves.set_filled(to, on=True))
        order = body.held(moves.field(to, ORDER))
        body.when(order, lambda: _lay(moves, order, items, count, bottom, moves.field(to, STACK)))

    return program.helper("put", (), (I32, I32, I64, I32, I32), (), fill)


def _lay(moves: Moves, order: Code, items: Code, count: Code, bottom: Code, stack: Code) -> None:
    """Lay pieces at the beginning or end of a sequence in a cell."""
    body = moves.body
    length = body.held(load("i32.load", order))
    body.fault(plain("i32.gt_s", plain("i32.add", length, count), i32(moves.program.room)))
    start = body.held(select(bottom, i32(0), length))
    first = body.held(plain("i32.add", moves.in_order(order, start), i32(WORD_BYTES)))
    behind = plain("i32.add", first, plain("i32.mul", count, i32(ITEM_BYTES)))
    size = plain("i32.mul", length, i32(ITEM_BYTES))
    body.when(bottom, lambda: body.add(plain("memory.copy", behind, first, size)))
    # A stack lies in its cell from the bottom. Of pieces put on top the last one lies uppermost, and they are stored in
    # their order; of those put below it the first one does, so they are stored backwards.
    turned = body.held(plain("i32.and", plain("i32.ne", bottom, i32(0)), plain("i32.ne", stack, i32(0))))

    def store_piece(number: Code) -> None:
        backwards = plain("i32.sub", plain("i32.sub", count, i32(1)), number)
        piece = moves.item(items, select(turned, backwards, number))
        body.add(store("i64.store16", plain("i32.add", first, plain("i32.mul", number, i32(ITEM_BYTES))), piece))

    body.counted(i32(0), count, store_piece)
    body.add(store("i32.store", order, plain("i32.add", length, count)))


def contents(program: Program) -> Callee:
    """The function that gives the pieces at a place: a row from the left, a stack from the top."""

    def fill(body: Body) -> None:
        moves = Moves(program, body)
        record = moves.record(Read(body.function.locals[0]))
        order = body.held(moves.field(record, ORDER))

        def unordered() -> None:
            pieces = moves.load_set(moves.field(record, CONTENTS))
            body.give(_listed(program, body, pieces))

        body.when(negated(order), unordered)
        count = body.held(load("i32.load", order))
        items = allotted(program, body, plain("i32.mul", count, i32(WORD_BYTES)))
        stack = body.held(moves.field(record, STACK))

        def copy(number: Code) -> None:
            backwards = plain("i32.sub", plain("i32.sub", count, i32(1)), number)
            source = moves.in_order(order, select(stack, backwards, number))
            moves.set_item(items, number, load("i64.load16_s", source, WORD_BYTES))

        body.counted(i32(0), count, copy)
        body.give((count, items))

    return program.helper("contents", (), (I64,), (I32, I32), fill)


def _listed(program: Program, body: Body, members: Value) -> Value:
    """The members of a set as a sequence."""
    members = body.named(members)
    count = body.held(narrow(sets.size(members)))
    items = allotted(program, body, plain("i32.mul", count, i32(WORD_BYTES)))
    next_item = body.variable(I32)
    body.assign((next_item,), (items,))

    def member(number: Code, following: object, out: object) -> None:
        body.add(store("i64.store", Read(next_item), number))
        body.assign((next_item,), (plain("i32.add", Read(next_item), i32(WORD_BYTES)),))

    sets.each_member(body, members, member)
    return count, items


def members_listed(program: Program, words: int) -> Callee:
    """The function that lists the members of a set of some words."""

    def fill(body: Body) -> None:
        body.give(_listed(program, body, read(body.function.locals[:words])))

    return program.helper("members", (words,), (I64,) * words, (I32, I32), fill)


def move_set(program: Program) -> Callee:
    """The function that moves a set of pieces in the order in which they lie: (words, target, bottom, crowded)."""
    words = form_of_pieces(program.layout).words
    moving, listing, removal = put(program), contents(program), take_out(program)

    def fill(body: Body) -> None:
        params = body.function.locals
        pieces = read(params[:words])
        target, bottom, crowded = (Read(local) for local in params[words : words + 3])
        moves = Moves(program, body)
        count = body.held(narrow(sets.size(pieces)))
        body.when(negated(count), lambda: body.give(()))
        to = moves.record(target)

        def unordered() -> None:
            _gather(moves, pieces, removal, target, to, crowded)
            body.give(())

        # Without an order at the target, the pieces of each source are moved by set operations, not one by one.
        body.when(negated(moves.field(to, ORDER)), unordered)
        source = body.held(load("i64.load", moves.cell_of_piece(sets.lowest(body, pieces))))
        listed = body.variables(NUMBER_ITEMS)
        body.assign(listed, _listed(program, body, pieces))

        def ordered() -> None:
            pieces_there = body.variables(NUMBER_ITEMS)
            body.add(write(pieces_there, call(listing, source)))
            number = body.variable(I32)
            body.assign((number,), (i32(0),))
            items = allotted(program, body, plain("i32.mul", count, i32(WORD_BYTES)))

            def take(index: Code) -> None:
                piece = body.held(moves.item(Read(pieces_there[1]), index))

                def keep() -> None:
                    moves.set_item(items, Read(number), piece)
                    body.assign((number,), (plain("i32.add", Read(number), i32(1)),))

                body.when(sets.has(body, pieces, piece), keep)

            body.counted(i32(0), Read(pieces_there[0]), take)
            body.when(plain("i32.eq", Read(number), count), lambda: body.assign((listed[1],), (items,)))

        several = plain("i32.gt_s", count, i32(1))
        record = moves.record(source)
        body.when(several, lambda: body.when(moves.field(record, ORDER), ordered))
        body.add(call(moving, Read(listed[1]), count, target, bottom, crowded))

    return program.helper("move_set", (), (*(I64,) * words, I64, I32, I32), (), fill)


def _gather(moves: Moves, pieces: Value, removal: Callee, target: Code, to: Code, crowded: Code) -> None:
    """Move a set of pieces that is not empty to a place without an order: from each place all at once."""
    body, form = moves.body, form_of_pieces(moves.program.layout)
    remaining = body.variables(form)
    body.assign(remaining, pieces)

    def from_a_place() -> None:
        place = load("i64.load", moves.cell_of_piece(sets.lowest(body, read(remaining))))
        source = moves.record(place)
        contents = body.held(moves.field(source, CONTENTS))
        occupants = moves.load_set(contents)
        leaving = body.named(sets.both(read(remaining), occupants))
        rest = body.named(sets.minus(occupants, leaving))
        moves.store_set(contents, rest)
        body.when(sets.is_empty(rest), lambda: moves.set_filled(source, on=False))
        order = body.held(moves.field(source, ORDER))

        def leave_it(piece: Code, following: object, out: object) -> None:
            body.add(store("i64.store", moves.cell_of_piece(piece), target))
            body.when(order, lambda: body.add(call(removal, order, piece)))

        sets.each_member(body, leaving, leave_it)
        body.assign(remaining, sets.minus(read(remaining), leaving))

    body.repeated(lambda: negated(sets.is_empty(read(remaining))), from_a_place)
    contents = body.held(moves.field(to, CONTENTS))
    already_there = moves.load_set(contents)
    several = negated(sets.is_empty(already_there)), plain("i32.gt_s", narrow(sets.size(pieces)), i32(1))
    alone = plain("i32.and", moves.field(to, SINGLE), negated(crowded))
    body.fault(plain("i32.and", alone, plain("i32.or", *several)))
    moves.store_set(contents, sets.union(already_there, pieces))
    moves.set_filled(to, on=True)


def move_some(program: Program, kind: bool) -> Callee:
    """The function that moves up to `count` pieces: (count, words of `kind` if there are, origin, target, bottom)."""
    words = form_of_pieces(program.layout).words if kind else 0
    moving, moving_set, listing = put(program), move_set(program), contents(program)

    def fill(body: Body) -> None:
        params = body.function.locals
        count, of_kind = Read(params[0]), read(params[1 : 1 + words])
        origin, target, bottom = (Read(local) for local in params[1 + words : 4 + words])
        moves = Moves(program, body)
        body.when(plain("i64.le_s", count, i64(0)), lambda: body.give(()))
        source = moves.record(origin)

        def unordered() -> None:
            occupants = moves.load_set(moves.field(source, CONTENTS))
            first = _first(body, sets.both(occupants, of_kind) if kind else occupants, count)
            # Nothing moves to an occupied place, which is a fault, too.
            body.when(sets.is_empty(first), nothing)
            body.add(call(moving_set, *first, target, bottom, i32(0)))
            body.give(())

        def nothing() -> None:
            body.add(call(moving, i32(0), i32(0), target, bottom, i32(0)))

        body.when(negated(moves.field(source, ORDER)), unordered)
        pieces_there = body.variables(NUMBER_ITEMS)
        body.add(write(pieces_there, call(listing, origin)))
        available = wide(Read(pieces_there[0]))
        most = body.held(narrow(select(plain("i64.lt_s", count, available), count, available)))
        if not kind:
            body.add(call(moving, Read(pieces_there[1]), most, target, bottom, i32(0)))
            return
        number = body.variable(I32)
        body.assign((number,), (i32(0),))
        items = allotted(program, body, plain("i32.mul", Read(pieces_there[0]), i32(WORD_BYTES)))

        def take(index: Code) -> None:
            piece = body.held(moves.item(Read(pieces_there[1]), index))

            def keep() -> None:
                moves.set_item(items, Read(number), piece)
                body.assign((number,), (plain("i32.add", Read(number), i32(1)),))

            chosen = plain("i32.and", sets.has(body, of_kind, piece), plain("i64.lt_s", wide(Read(number)), count))
            body.when(chosen, keep)

        body.counted(i32(0), Read(pieces_there[0]), take)
        body.add(call(moving, items, Read(number), target, bottom, i32(0)))

    return program.helper("move_kind" if kind else "move_some", (), (I64, *(I64,) * words, I64, I64, I32), (), fill)


def _first(body: Body, pieces: Value, count: Code) -> Value:
    """The first members of a set, as many as a number above 0."""
    first_members, remaining = body.variables(Members(len(pieces))), body.variable(I64)
    body.assign(first_members, sets.constant_set(0, len(pieces)))
    body.assign((remaining,), (count,))

    def members(complete: Label) -> None:
        def take(member: Code, following: Label, out: Label) -> None:
            body.assign(first_members, sets.union(read(first_members), sets.bit(body, member, len(pieces), fits=True)))
            body.assign((remaining,), (plain("i64.sub", Read(remaining), i64(1)),))
            body.leave(complete, plain("i64.eqz", Read(remaining)))

        sets.each_member(body, pieces, take)

    body.block(members)
    return read(first_members)


def insert(program: Program) -> Callee:
    """The function that moves a piece next to another one: (piece, target, anchor, after)."""
    moving, removal = put(program), take_out(program)

    def fill(body: Body) -> None:
        piece, target, anchor, behind_anchor = (Read(local) for local in body.function.locals)
        moves = Moves(program, body)
        body.when(plain("i64.eq", piece, i64(NONE)), lambda: body.give(()))
        items = allotted(program, body, i32(WORD_BYTES))
        body.add(store("i64.store", items, piece))
        body.add(call(moving, items, i32(1), target, i32(0), i32(0)))
        record = moves.record(target)
        order, stack = body.named((moves.field(record, ORDER), moves.field(record, STACK)))
        body.fault(negated(order))
        body.add(call(removal, order, piece))
        count = body.held(load("i32.load", order))
        place = body.variable(I32)
        body.assign((place,), (i32(0),))

        def searching() -> Code:
            piece_there = load("i64.load16_s", moves.in_order(order, Read(place)), WORD_BYTES)
            return plain("i32.and", plain("i32.lt_s", Read(place), count), plain("i64.ne", piece_there, anchor))

        body.repeated(searching, lambda: body.assign((place,), (plain("i32.add", Read(place), i32(1)),)))
        body.fault(plain("i32.ge_s", Read(place), count))
        behind = plain("i32.ne", plain("i32.ne", behind_anchor, i32(0)), plain("i32.ne", stack, i32(0)))
        place_ = body.held(plain("i32.add", Read(place), behind))
        address = body.held(plain("i32.add", moves.in_order(order, place_), i32(WORD_BYTES)))
        rest = plain("i32.mul", plain("i32.sub", count, place_), i32(ITEM_BYTES))
        body.add(plain("memory.copy", plain("i32.add", address, i32(ITEM_BYTES)), address, rest))
        body.add(store("i64.store16", address, piece))
        body.add(store("i32.store", order, plain("i32.add", count, i32(1))))

    return program.helper("insert", (), (I64, I64, I64, I32), (), fill)


def lies_before(program: Program) -> Callee:
    """The function that says whether a piece lies before another in a row, or above it in a stack."""

    def fill(body: Body) -> None:
        first, second = (Read(local) for local in body.function.locals)
        moves = Moves(program, body)
        none = plain("i32.or", plain("i64.eq", first, i64(NONE)), plain("i64.eq", second, i64(NONE)))
        body.when(plain("i32.or", none, plain("i64.eq", first, second)), lambda: body.give((i32(0),)))
        place = body.held(load("i64.load", moves.cell_of_piece(first)))
        apart = plain("i64.ne", place, load("i64.load", moves.cell_of_piece(second)))
        body.when(apart, lambda: body.give((i32(0),)))
        record = moves.record(place)
        order, stack = body.named((moves.field(record, ORDER), moves.field(record, STACK)))
        body.when(negated(order), lambda: body.give((i32(0),)))

        def compare(number: Code) -> None:
            piece = body.held(load("i64.load16_s", moves.in_order(order, number), WORD_BYTES))
            body.when(plain("i64.eq", piece, first), lambda: body.give((negated(stack),)))
            body.when(plain("i64.eq", piece, second), lambda: body.give((stack,)))

        body.counted(i32(0), load("i32.load", order), compare)
        body.give((i32(0),))

    return program.helper("before", (), (I64, I64), (I32,), fill)


def shuffle(program: Program) -> Callee:
    """The function that shuffles a place."""
    shuffled = shuffle_order(program)

    def fill(body: Body) -> None:
        moves = Moves(program, body)
        order = body.held(moves.field(moves.record(Read(body.function.locals[0])), ORDER))
        body.when(order, lambda: body.add(call(shuffled, order)))

    return program.helper("shuffle", (), (I64,), (), fill)
