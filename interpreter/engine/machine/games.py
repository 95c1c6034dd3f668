"""Games of a program played by a module: at random, and states that go forward and back."""

from __future__ import annotations

import struct
import sys
import threading
from array import array
from collections.abc import Callable, Hashable, Sequence
from itertools import accumulate, groupby
from weakref import WeakKeyDictionary, ref

from dsl.checker.recursion import room_for_recursion
from dsl.garbage import uncollected
from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.machine.course import OVER
from interpreter.compiler.machine.forms import NONE, SCALAR, WORD_BYTES, UnprintableError, bytes_of
from interpreter.compiler.machine.image import Piece, encoded, read_words
from interpreter.compiler.machine.listing import RowFormat
from interpreter.compiler.machine.printing import Extension, print_rules
from interpreter.compiler.machine.routines.records import HEADS
from interpreter.compiler.machine.rules import Rules
from interpreter.compiler.machine.stepping import ENDING, MAX_BATCH, SEQUENCES, WORDS_OF_LEVELS, points_of_blocks
from interpreter.compiler.passes.machine_rules import for_machine
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.privacy import privacy_of
from interpreter.engine.machine.hosts import Compiled, NoMachineError, TrappedError, signed
from interpreter.engine.program import Program
from interpreter.runtime.cells import Cells, Content, MoveCode
from interpreter.runtime.layout import ME, POINT
from interpreter.runtime.subset_calls import SubsetCalls

NO_HORIZON = 1 << 62
"""A number of decisions that no game reaches."""

MAX_CACHED_MOVES = 1 << 16
FEW_ROWS = 7
"""Up to this many moves are read faster one by one."""

MOVES_OF_A_CALL = 1 << 14
"""How many moves are made in one call while sequences are counted: Ctrl-C is noticed between calls."""


def rules_of(program: Program, records: PassRecords | None = None) -> Rules:
    """The rules of a program, prepared for the machine engine."""
    records = records or PassRecords(off=program.records.off)
    with room_for_recursion(), uncollected():
        prepared = for_machine(program.as_lowered.copied(), program.layout, program.initial, records)
    return Rules(
        prepared,
        program.layout,
        [[cell for cell, _, _ in entries] for entries in program.runtime.attached],
        program.conditions,
        program.model.teams is not None,
        SubsetCalls(program.runtime).choice_key,
        {point: privacy_of(program.model, decision) for point, decision in program.lowered.decisions.items()},
    )


@dataclass(frozen=True)
class Batch:
    """The results of consecutive games, `width` words each; `failed` if the next one ended in a fault."""

    game: MachineGame
    words: array[int]
    width: int
    played: int
    failed: bool

    def column(self, place: int) -> array[int]:
        """One of the words of each game, by its address in the results."""
        return self.words[place // WORD_BYTES :: self.width]


@dataclass(frozen=True)
class Sequences:
    """The number of sequences of moves of each length from 1, those that end the game, and whether there was chance."""

    made: list[int]
    over: list[int]
    chance: bool


class Machine:
    """An instance with the state that it holds at the moment. `lock` is held while it is used."""

    def __init__(self, game: MachineGame) -> None:
        self.game, self.lock, self.thread = game, threading.RLock(), threading.get_ident()
        self.instance = game.compiled.instance()
        # Weak, as a state refers to its machine: the gigabytes that Wasmtime reserves would wait for a collection.
        self.resident: ref[MachineState] | None = None
        program = game.printed.state.program
        view = self.instance.view
        self.waiting = view(program.block, 2)
        self.acting = view(program.cells[ME], 1)
        self.depth = view(game.printed.places.depth, 1)
        self.listed = view(program.listed, 1)

    def words(self, address: int, count: int) -> array[int]:
        """Words of memory."""
        return array("q", self.instance.read(address, WORD_BYTES * count))

    def load(self, pieces: Sequence[Piece]) -> None:
        """Set memory."""
        for address, content in pieces:
            self.instance.write(address, content)
        self.listed[0] = 0  # the moves that have been listed are those of another state

    def call(self, name: str, *arguments: int) -> int | None:
        """Call a function; None if a rule failed. The state is then as before, as it is after Ctrl-C."""
        depth, acting = self.depth[0], self.acting[0]
        try:
            return self.instance.call(name, *arguments)
        except BaseException as error:
            self.undo(depth)
            self.acting[0] = acting
            if not isinstance(error, TrappedError):
                raise
            return None

    def undo(self, depth: int) -> None:
        """Go back to where `depth` moves had been made, if more have been."""
        if self.depth[0] > depth:
            self.depth[0] = depth + 1
            self.instance.call("pop")

    def capture(self, depth: int) -> list[Piece]:
        """The memory of the present state, and of as many of the past."""
        state, places, read = self.game.printed.state, self.game.printed.places, self.instance.read
        program = state.program
        size = program.state_bytes
        pieces = [(program.chance, read(program.chance, size)), (places.depth, depth.to_bytes(WORD_BYTES, "little"))]
        if depth:
            past = self.game.end
            pieces.append((past, read(past, size * depth)))
        if program.keeps_lists:
            (numbers_kept,) = self.words(program.kept_end, 1)
            pieces.append((state.lists, read(state.lists, numbers_kept - state.lists)))
        for cell, log in program.logs.items():
            pieces.append((log, read(log, 5 * WORD_BYTES)))
            heads, *arrays = program.log_arrays[cell]
            (count,) = self.words(log + 4 * WORD_BYTES, 1)
            pieces.append((heads, read(heads, HEADS * WORD_BYTES)))
            pieces += [(address, read(address, WORD_BYTES * count)) for address in arrays]
        return pieces

    def leave(self) -> None:
        """Let the state that is in memory keep what it needs itself."""
        state = None if self.resident is None else self.resident()
        if state is not None:
            state._pieces = self.capture(self.depth[0])
        self.resident = None

    def play(self, from_opening: bool, seed: int, count: int, horizon: int) -> Batch:
        """Random games with consecutive seeds, `MAX_BATCH` at most, from the opening or the state in memory."""
        assert count <= MAX_BATCH, "there is no room for the results of more games"
        printed = self.game.printed
        seed, horizon = signed(seed), min(horizon, NO_HORIZON)
        failed = self.call("play", int(from_opening), seed, count, horizon) is None
        (played,) = self.words(printed.places.played, 1)
        if failed and self.words(printed.places.scoring, 1)[0]:
            failed, played = False, played + 1
        width = printed.of_result.size // WORD_BYTES
        return Batch(self.game, self.words(printed.places.results, width * played), width, played, failed)


class MachineGame:
    """A program as a module. Raises UnprintableError for rules that the machine engine cannot play."""

    def __init__(
        self, program: Program, records: PassRecords | None = None, extend: Callable[[Extension], None] | None = None
    ) -> None:
        rules = rules_of(program, records)
        with room_for_recursion(), uncollected():
            self.printed = print_rules(rules, extend)
            self.compiled = compiled_module(self.printed.module.binary())
        self.rules = rules
        self.seats, self.criteria, self.teams = len(rules.prepared.results), rules.criteria, rules.teams
        self.end = self.printed.end
        self.points = points_of_blocks(rules, self.printed.block_places)
        """The decision that each block waits for, by the place of the block."""
        self.readers = {point: _MoveReader(format_) for point, format_ in self.printed.formats.items()}
        # Not `threading.local`, which is kept alive by what it holds if that refers to it, as a machine does.
        self._machines: WeakKeyDictionary[threading.Thread, Machine] = WeakKeyDictionary()

    def machine(self) -> Machine:
        """The machine of this thread."""
        thread = threading.current_thread()
        machine = self._machines.get(thread)
        if machine is None:
            machine = self._machines[thread] = Machine(self)
        return machine

    def play(self, seed: int, count: int, horizon: int) -> Batch:
        """Random games from the opening, `MAX_BATCH` at most. They overwrite positions that a state has recorded."""
        machine = self.machine()
        with machine.lock:
            machine.leave()
            return machine.play(True, seed, count, horizon)

    def state(self, cells: Cells) -> MachineState:
        """A state with these cells. Raises UnprintableError if there is no room for it, or no block for it."""
        prepared = self.rules.prepared
        values = prepared.kinds.opening(cells)
        block = OVER if cells[POINT] < 0 else self.printed.block_places[self._block(values)]
        image = encoded(self.printed.state, values, block)
        state = self.printed.state.program.chance, image.state
        depth = self.printed.places.depth, bytes(WORD_BYTES)
        at_start = MachineState(self, [state, depth, *image.lists, *image.records], self.machine())
        at_start.settle()
        return at_start

    def _block(self, cells: Sequence[Content]) -> int:
        for number, waiting in self.rules.prepared.waiting.items():
            if waiting.point == cells[POINT] and all(cells[cell] == value for cell, value in waiting.cells.items()):
                return number
        raise UnprintableError("a position that is not reached from the beginning of the game")

    def teams_of(self, words: Sequence[int]) -> list[int | None]:
        """The teams of all seats in the results of a game; none of them without teams."""
        first = self.printed.of_result.teams // WORD_BYTES
        return [None if team == NONE else team for team in words[first : first + self.seats * self.teams]]


class MachineState:
    """A game in progress. Its memory is in a machine while it is used there, otherwise in `pieces`."""

    def __init__(self, game: MachineGame, pieces: list[Piece], machine: Machine) -> None:
        self.game, self._machine, self._pieces = game, machine, pieces
        self._self = ref(self)

    def _loaded(self) -> Machine:
        """The machine, whose lock is held, with this state in it."""
        machine = self._machine
        if machine.resident is not self._self:
            machine.leave()
            machine.load(self._pieces)
            machine.resident, self._pieces = self._self, []
        return machine

    def settle(self) -> None:
        """Count the legal moves of a new state. Raises UnprintableError if a rule fails then."""
        with self._machine.lock:
            machine = self._loaded()
            if machine.waiting[0] >= 0 and machine.call("settle") is None:
                raise UnprintableError("a rule fails when legal moves are listed")

    @property
    def point(self) -> int:
        """The number of the pending decision in the program; below 0 when the game is over."""
        with self._machine.lock:
            place = self._loaded().waiting[0]
        return self.game.points[place] if place >= 0 else OVER

    @property
    def count(self) -> int:
        """The number of legal moves."""
        with self._machine.lock:
            return self._loaded().waiting[1]

    @property
    def acting(self) -> int:
        """The number of the seat that decides."""
        with self._machine.lock:
            return self._loaded().acting[0]

    def push(self, number: int) -> bool:
        """Make a move; false if there is no such move or a rule failed, and then nothing has changed."""
        with self._machine.lock:
            machine = self._loaded()
            return 0 <= number < machine.waiting[1] and machine.call("push", number) is not None

    def pop(self) -> bool:
        """Take the last move back, if there is one."""
        with self._machine.lock:
            machine = self._loaded()
            if not machine.depth[0]:
                return False
            machine.instance.call("pop")
            return True

    def copy(self) -> MachineState:
        """The same position, without the moves that can be taken back."""
        machine = self._machine  # mostly that of this thread; a thread that has ended does not need its own any more
        return MachineState(
            self.game, self.pieces(), machine if machine.thread == threading.get_ident() else self.game.machine()
        )

    def pieces(self) -> list[Piece]:
        """The memory of the position."""
        with self._machine.lock:
            return self._loaded().capture(0)

    def rows(self) -> Hashable:
        """The legal moves as rows; as they are where rows hold addresses, which are equal for other lists."""
        with self._machine.lock:
            place, rows = self._rows()
            lists = place >= 0 and self.game.readers[self.game.points[place]].holds_lists
            return tuple(self.legal_moves()) if lists else rows

    def legal_moves(self) -> list[MoveCode]:
        """The legal moves."""
        with self._machine.lock:
            place, rows = self._rows()
            memory = self._machine.instance.read
            return self.game.readers[self.game.points[place]].read(rows, memory) if place >= 0 else []

    def _rows(self) -> tuple[int, bytes]:
        """The place of the block where the game waits, and the legal moves there. The lock is held."""
        machine = self._loaded()
        place, count = machine.waiting
        if place < 0:
            return place, b""
        size = self.game.readers[self.game.points[place]].size
        return place, machine.instance.read(machine.instance.call("rows"), size * count)

    def key(self) -> int:
        """Two hashes of the state as one number."""
        with self._machine.lock:
            machine = self._loaded()
            machine.instance.call("hash")
            return int.from_bytes(machine.instance.read(self.game.printed.places.key, 2 * WORD_BYTES), "little")

    def appearance(self, seat: int) -> int | None:
        """What a seat sees on the table, as two hashes: equal for positions that look the same to it.

        None in the few games where it depends on pieces of which the machine engine keeps only the kinds.
        """
        with self._machine.lock:
            machine = self._loaded()
            if machine.call("look", seat) is None:
                return None
            return int.from_bytes(machine.instance.read(self.game.printed.places.key, 2 * WORD_BYTES), "little")

    def scores(self) -> list[tuple[int, ...]] | None:
        """The criteria of all seats as if the game was over; None if one of them has no value yet."""
        game = self.game
        with self._machine.lock:
            machine = self._loaded()
            if machine.call("score") is None:
                return None
            words = machine.words(game.printed.places.results, game.seats * game.criteria).tolist()
        return [tuple(words[at : at + game.criteria]) for at in range(0, len(words), game.criteria)]

    def sequences(self, length: int, ends: bool = True) -> Sequences | None:
        """Count the sequences of up to `length` moves from here, `MAX_DEPTH` at most; None if a rule fails.

        Without `ends` the last moves are counted without being made: how many end the game is not known then.
        """
        places = self.game.printed.places
        with self._machine.lock:
            machine = self._loaded()
            depth, levels = machine.depth[0], machine.instance.view(places.levels, WORDS_OF_LEVELS)
            for place in range(len(levels)):
                levels[place] = 0
            levels[0] = 1
            try:
                while (counted := machine.call("sequences", length, MOVES_OF_A_CALL, int(ends))) != 1:
                    if counted is None:
                        return None
            finally:
                machine.undo(depth)
            sequences, over = (
                machine.words(places.of_level(part, level=1), length).tolist() for part in (SEQUENCES, ENDING)
            )
            return Sequences(sequences, over, bool(levels[len(levels) - 1]))

    def set_chance(self, chance: int) -> None:
        """Let future chance be another one."""
        with self._machine.lock:
            self._loaded().load([(self.game.printed.state.program.chance, struct.pack("<Q", chance))])

    def play(self, seed: int, count: int, horizon: int) -> Batch:
        """Random games from here, `MAX_BATCH` at most."""
        with self._machine.lock:
            return self._loaded().play(False, seed, count, horizon)


def compiled_module(binary: bytes) -> Compiled:
    """A module in machine code. Raises NoMachineError if nothing here runs modules."""
    try:
        if sys.platform == "emscripten":
            from interpreter.engine.machine.browser import BrowserModule

            return BrowserModule(binary)
        from interpreter.engine.machine.wasmtime_host import WasmtimeModule
    except (
        ImportError,
        OSError,
        RuntimeError,
    ) as error:  # on other processors and systems `wasmtime` raises all of them
        raise NoMachineError(f"nothing here runs modules ({error})") from None
    return WasmtimeModule(binary)


def machine_game(program: Program) -> MachineGame:
    """A program as a module, with memory for this thread. Raises NoMachineError."""
    try:
        game = MachineGame(program)
    except UnprintableError as error:
        raise NoMachineError(f"the machine engine cannot play {error}") from None
    game.machine()
    return game


class _MoveReader:
    """Reads the moves of one decision; those with other arguments than numbers are cached by their rows."""

    def __init__(self, format_: RowFormat) -> None:
        self._format, self.size, self.holds_lists = format_, format_.size, format_.holds_lists
        self._moves: dict[bytes, MoveCode] = {}
        self._words = format_.size // WORD_BYTES
        self._row = struct.Struct(f"<{self._words}q")
        self._lengths = {act: 1 + len(forms) for act, forms in format_.arguments.items()}
        # A move is shorter than its row if another action has more arguments.
        self._structs = {
            act: struct.Struct(f"<{length}q{format_.size - WORD_BYTES * length}x")
            for act, length in self._lengths.items()
        }
        self._all_numbers = all(form == SCALAR for forms in format_.arguments.values() for form in forms)

    def read(self, data: bytes, memory: Callable[[int, int], bytes]) -> list[MoveCode]:
        """The moves of some rows; `memory` gives some bytes at an address."""
        if self._all_numbers:
            numbers = self._rows_of_numbers(data)
            return [_with_none(move) if NONE in move else move for move in numbers] if NONE_BYTES in data else numbers
        size, moves = self._format.size, self._moves
        keys = [data[start : start + size] for start in range(0, len(data), size)]
        if self.holds_lists:  # equal rows may hold other lists at the same addresses
            return [self._move(key, memory) for key in keys]
        try:
            return [moves[key] for key in keys]
        except KeyError:
            if len(moves) + len(keys) > MAX_CACHED_MOVES:
                moves.clear()
            for key in keys:
                if key not in moves:
                    moves[key] = self._move(key, memory)
            return [moves[key] for key in keys]

    def _rows_of_numbers(self, data: bytes) -> list[MoveCode]:
        """The moves of rows of numbers: many of the same action, which follow each other, are read at once."""
        lengths = self._lengths
        if len(data) <= FEW_ROWS * self.size:
            return [row[: lengths[row[0]]] for row in self._row.iter_unpack(data)]
        numbers: list[MoveCode] = []
        start = 0
        for act, rows in groupby(memoryview(data).cast("q")[:: self._words].tolist()):
            end = start + self.size * len(list(rows))
            numbers += self._structs[act].iter_unpack(data[start:end])
            start = end
        return numbers

    def _move(self, row: bytes, memory: Callable[[int, int], bytes]) -> MoveCode:
        act, *words = memoryview(row).cast("q").tolist()
        forms = self._format.arguments[act]
        starts = accumulate([0, *map(bytes_of, forms)])
        pairs = zip(forms, starts, strict=False)
        return (act, *[read_words(form, iter(words[start // WORD_BYTES :]), memory) for form, start in pairs])


NONE_BYTES = struct.pack("<q", NONE)


def _with_none(move: MoveCode) -> MoveCode:
    act, *arguments = move
    return (act, *[None if word == NONE else word for word in arguments])
