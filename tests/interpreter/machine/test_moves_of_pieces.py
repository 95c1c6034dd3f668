"""Moves of pieces, shuffles and drawn numbers: each function of the machine engine does what that of Python does.

Both are called with the same arguments, many times in succession, in layouts with rows, stacks, heaps and places for
one piece, and sets of one to three words. After each call all cells of pieces and places are compared, and after a
fault in one, that the other one has ended in a fault, too.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any

import pytest
import wasmtime

from interpreter.compiler.machine import pieces
from interpreter.compiler.machine.chance import below
from interpreter.compiler.machine.forms import NONE, NUMBER_ITEMS, WORD_BITS
from interpreter.compiler.machine.image import encoded, read_words
from interpreter.compiler.machine.printing import print_rules
from interpreter.compiler.passes.pipeline import MEANINGS
from interpreter.compiler.passes.record import PassRecords
from interpreter.engine.machine.games import rules_of
from interpreter.errors import PlayError
from interpreter.play.game import load
from interpreter.runtime import chance
from interpreter.runtime.layout import RANDOM
from tests.support.long_run import one_in

GAMES = {"chinesische_mauer": 2, "dschingis_khan": 1, "tallow_lane": 3}
"""Games with places of all shapes, and the words of their sets of pieces."""

CALLS = 400


class Both:
    """A state in Python and in the memory of a module, and the functions of both."""

    def __init__(self, name: str, random: Random) -> None:
        program = load(name).program
        self.random, self.layout, self.runtime = random, program.layout, program.runtime
        self.state = [*load(name).start(seed=random.randrange(1000)).cells]
        printed = print_rules(rules_of(program, PassRecords(off=frozenset(MEANINGS))))
        self.image, self.printed = printed.state, printed.state.program
        end = self.printed.data.end
        making: dict[str, Callable[[Any], object]] = {
            "move_set": pieces.move_set, "move_some": lambda here: pieces.move_some(here, False),
            "move_kind": lambda here: pieces.move_some(here, True), "insert": pieces.insert, "put": pieces.put,
            "before": pieces.lies_before, "shuffle": pieces.shuffle, "below": below, "contents": pieces.contents,
        }  # fmt: skip
        for make in making.values():
            make(self.printed)
        assert self.printed.data.end == end, "what lies behind the data would be overwritten"
        functions = {key[0]: function for key, function in self.printed.helpers.items()}
        printed.module.exports |= {f"test {name}": functions[name] for name in making}
        engine = wasmtime.Engine()
        self.store = wasmtime.Store(engine)
        self.exports = wasmtime.Instance(
            self.store, wasmtime.Module(engine, printed.module.binary()), []
        ).exports(self.store)  # fmt: skip
        self.memory: Any = self.exports["memory"]
        self.words = pieces.form_of_pieces(self.layout).words
        self.load()

    def load(self) -> None:
        """Write the state of Python into memory."""
        self.memory.write(self.store, encoded(self.image, self.state, 0).state, self.printed.chance)

    def call(self, name: str, *args: int) -> Any:
        """Call a function of the module."""
        function: Any = self.exports[f"test {name}"]
        return function(self.store, *[_signed(arg) for arg in args])

    def read(self, address: int, size: int) -> bytes:
        """Memory."""
        return bytes(self.memory.read(self.store, address, address + size))

    def cell(self, number: int) -> object:
        """A cell in memory, as Python holds it."""
        form, address = self.printed.forms[number], self.printed.cells[number]
        if form == NUMBER_ITEMS:
            (count,) = struct.unpack("<i", self.read(address, 4))
            return struct.unpack(f"<{count}h", self.read(address + 8, 2 * count))
        size = self.printed.cell_size(form)
        return read_words(form, iter(struct.unpack(f"<{size // 8}q", self.read(address, size))), self.read)

    def of_pieces(self) -> Iterator[int]:
        """The cells of pieces and places."""
        base = self.layout.place_cells
        numbers = {*range(base, base + len(self.layout.pieces))}
        numbers |= {cell for place in self.layout.places for cell in (place.mask, place.order, place.filled) if cell}
        return iter(sorted(numbers & self.printed.cells.keys()))

    def split(self, members: int) -> list[int]:
        """A set as words."""
        return [members >> WORD_BITS * number & (1 << WORD_BITS) - 1 for number in range(self.words)]

    def done(self, name: str, in_python: Callable[[], object], *args: int) -> str:
        """Do the same in both, and compare everything; whether it ended in a fault."""
        before = [*self.state]
        with suppress(wasmtime.Trap):
            result: Any = self.call(name, *args)
            try:
                meant = in_python()
            except PlayError as fault:
                raise AssertionError(f"{name}{args}: no fault in the machine") from fault
            if meant is not None:
                assert result == meant, (name, args)
            for number in self.of_pieces():
                assert self.cell(number) == self.state[number], (name, args, self.layout.cell_name(number))
            (generator,) = struct.unpack("<Q", self.read(self.printed.chance, 8))
            assert generator == self.state[RANDOM], (name, args)
            return "done"
        with pytest.raises(PlayError):
            in_python()
        self.state[:] = before
        self.load()
        return "a fault"


def _signed(word: int) -> int:
    return word - (1 << WORD_BITS) if word >> WORD_BITS - 1 == 1 else word


@cache
def node_of(name: str) -> int:
    """The number of a node of the rules."""
    return load(name).program.model.file.header.number


def filled_place(both: Both) -> int:
    """A place with pieces, most of which hold one."""
    return both.random.choice([number for number, place in enumerate(both.layout.places) if both.state[place.mask]])


def some_pieces(both: Both) -> int:
    """A set of pieces: of one place, or any."""
    random = both.random
    among = both.state[both.layout.places[filled_place(both)].mask]
    if random.random() < 0.4:
        among = (1 << len(both.layout.pieces)) - 1
    share = random.choice((0.1, 0.5, 1.0))
    return sum(1 << piece for piece in range(len(both.layout.pieces)) if among >> piece & 1 and random.random() < share)


def any_piece(both: Both) -> int | None:
    number = both.random.randrange(-1, len(both.layout.pieces))
    return None if number < 0 else number


def one_call(both: Both, name: str, node: int) -> str:
    """Call a function with random arguments."""
    random, runtime, S = both.random, both.runtime, both.state
    origin, target = filled_place(both), random.randrange(len(both.layout.places))
    if random.random() < 0.2:
        origin = random.randrange(len(both.layout.places))
    ordered = [place for place, order in enumerate(runtime.orders) if order]
    bottom, crowded, count = random.random() < 0.5, random.random() < 0.3, random.randrange(-1, 6)
    if random.random() < 0.3:
        target = random.choice(ordered)
    match name:
        case "move_set":
            members = some_pieces(both)
            return both.done(
                name, lambda: runtime.move_set(S, None, members, target, node, bottom, crowded),
                *both.split(members), target, bottom, crowded,
            )  # fmt: skip
        case "move_some":
            return both.done(
                name, lambda: runtime.move_some(S, None, count, origin, target, node, bottom),
                count, origin, target, bottom,
            )  # fmt: skip
        case "move_kind":
            kind = some_pieces(both)
            return both.done(
                name, lambda: runtime.move_kind(S, None, count, kind, origin, target, node, bottom),
                count, *both.split(kind), origin, target, bottom,
            )  # fmt: skip
        case "insert":
            target = random.choice(ordered)
            piece, there = any_piece(both), runtime.contents(S, target)
            anchor = random.choice(there) if there and random.random() < 0.8 else random.randrange(len(runtime.kinds))
            return both.done(
                name, lambda: runtime.insert(S, None, piece, target, anchor, crowded, node),
                NONE if piece is None else piece, target, anchor, crowded,
            )  # fmt: skip
        case "before":
            there = [*runtime.contents(S, random.choice(ordered))]
            first, second = (random.choice([*there, any_piece(both)]) for _ in range(2))
            numbers = [NONE if piece is None else piece for piece in (first, second)]
            return both.done(name, lambda: runtime.before(S, first, second), *numbers)
        case "shuffle":
            place = random.choice(ordered)
            return both.done(name, lambda: runtime.shuffle(S, None, place, node), place)
        case "contents":
            length, address = both.call(name, origin)
            assert struct.unpack(f"<{length}q", both.read(address, 8 * length)) == tuple(runtime.contents(S, origin))
            return "done"
        case _:
            limit = random.choice((1, 2, 6, 52, (1 << 32) - 1))  # nothing has more faces

            def drawn() -> int:
                S[RANDOM], number = chance.below(S[RANDOM], limit)
                return number

            return both.done("below", drawn, limit)


NAMES = "move_set", "move_some", "move_kind", "insert", "before", "shuffle", "contents", "below"


@pytest.mark.parametrize("seed", one_in(2, range(2)))
@pytest.mark.parametrize("name", GAMES)
def test_functions_do_the_same_in_both_engines(name: str, seed: int) -> None:
    both = Both(name, Random(seed))
    assert both.words == GAMES[name]
    outcomes = Counter[tuple[str, str]]()
    for _ in range(CALLS):
        function = both.random.choice(NAMES)
        outcomes[function, one_call(both, function, node_of(name))] += 1
    assert {function for function, outcome in outcomes if outcome == "done"} == {*NAMES}
    assert outcomes["insert", "a fault"], "faults of both are compared, too"
