"""Many games in the machine engine: functions of the module of a game that step all of them in one call.

The module plays one game, at a fixed address. The games of a call lie beside each other in arrays behind its memory
(`Field`), and each is copied in and out:

    step games(first, end), for each game:
        copy in its state, lists and recorded positions
        look up its action in NUMBERS: if it is not legal, begin a new game; if several moves begin with it, remember it
        make the move, if the actions say which: if the game is over, write the outcome and begin a new one
        write what the seat that decides sees to TENSORS, and which move each action makes to NUMBERS
        copy it out

INVARIANT: NUMBERS of a game is right for its state, as the next step takes from it which actions are legal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum
from functools import partial
from typing import NamedTuple

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.machine.body import Body, i32, i64, narrow, wide
from interpreter.compiler.machine.course import result_places
from interpreter.compiler.machine.forms import NUMBER_ITEMS, SCALAR, WORD_BYTES, Items
from interpreter.compiler.machine.playing import PLAYED
from interpreter.compiler.machine.positions import log_at
from interpreter.compiler.machine.printing import Extension
from interpreter.compiler.machine.routines import records, spelling, subsets
from interpreter.compiler.machine.routines.kinds import NUMBERS
from interpreter.compiler.machine.routines.translation import called
from interpreter.compiler.machine.scope import GrowingList, allotted
from interpreter.compiler.wasm import instructions as wasm
from interpreter.compiler.wasm.instructions import I32, I64, Callee, Code, Label, Read, call, load, plain, store
from interpreter.compiler.wasm.modules import Function
from interpreter.environments.actions import ActionSpace
from interpreter.environments.machine.moves import define_spelling, define_standings, width_of
from interpreter.environments.machine.tensors import COLUMN_BYTES, Observing
from interpreter.environments.observations import ObservationSpace
from interpreter.runtime.layout import ME

MAX_BEGINNINGS = 1000
"""The number of seeds in a row that are tried for a game in which somebody decides."""

NUMBER_BYTES = 2
"""The size of an entry of `Field.NUMBERS`."""

SEVERAL = 0xFFFF
"""The entry of an action with which several legal moves begin. For other actions it is the number of the move, from 1,
or 0 if they are not legal."""

MAX_MOVES = SEVERAL - 1

MAX_RANK_DIGITS = len(str(MAX_MOVES))

LISTS_BYTES = 1 << 12
"""The memory that each game has for lists in its cells."""

MAX_RECORDED = 1 << 10
"""The number of recorded positions for which each game has room."""

RECORDS_BYTES = WORD_BYTES * (1 + 2 * MAX_RECORDED)


class Field(IntEnum):
    """The words that the module and its caller share: addresses of arrays with an entry for each game, and two numbers.

    ACTIONS and, before the first game, SEEDS are written by the caller, all else by the module.
    """

    STATES = 0
    ACTIONS = 1
    SEEDS = 2  # of the next game
    LENGTHS = 3  # how many actions have been chosen of the pending move
    CHOSEN = 4  # these actions
    NUMBERS = 5  # for each action, which move it makes
    TENSORS = 6  # what the seat that decides sees
    SEATS = 7  # the seat that decides
    FLAGS = 8  # what has become of the game that was stepped: GOES_ON, …
    OUTCOMES = 9  # of the game that was over last
    LISTS = 10  # lists in cells
    RECORDS = 11  # recorded positions
    CURRENT = 12  # the number of the game that is stepped, for a fault
    GAMES = 13  # how far the seeds of consecutive games are apart


GOES_ON, OVER, ILLEGAL, FAILED = range(4)
"""What has become of the game that was stepped."""


@dataclass(frozen=True)
class PrintedGames:
    """How to call the functions: `control` is the address of the words of `Field`.

    `width` is the greatest number of actions that spell a move. `outcome` is the number of words of an outcome: the
    winners as a bit set, for each seat the first criterion, and for each its team, if there are any. `lists` and
    `records` are the bytes that each game has for lists and for recorded positions.
    """

    control: int
    width: int
    outcome: int
    lists: int
    records: int


class GamesPrinter:
    """Prints the functions; `printed` says afterwards how to call them."""

    def __init__(self, actions: ActionSpace, observations: ObservationSpace) -> None:
        self._actions, self._observations = actions, observations
        self.printed: PrintedGames | None = None
        self._spellings: dict[int, Callee] = {}
        self._standings: dict[int, Callee] = {}

    def extend(self, extension: Extension) -> None:
        """Print the functions. Raises UnprintableError for what they cannot do."""
        program, rules = extension.program, extension.rules
        width = width_of(self._actions, program.layout)
        seats = len(program.layout.seats)
        outcome = 1 + seats * (1 + rules.teams)
        control, lists = program.data.reserve(WORD_BYTES * len(Field)), LISTS_BYTES * program.keeps_lists
        self.printed = PrintedGames(control, width, outcome, lists, RECORDS_BYTES * len(program.logs))
        self._at = extension
        for point, format_ in extension.formats.items():
            decision = self._actions, self._observations.locations, program, point, format_
            self._spellings[point] = define_spelling(*decision, width)
            if self._actions.digits is not None:
                self._standings[point] = define_standings(*decision)
        for name, fill in (("begin", self._begin), ("step", self._step)):
            of_game = program.module.function(f"{name} game", (I32,), ())
            body = Body(of_game)
            fill(body)
            of_game.body = tuple(body.statements)
            self._for_all(f"{name} games", of_game.callee)

    def _for_all(self, name: str, of_game: Callee) -> None:
        """The exported function that calls a function for all games from one number up to another."""
        program = self._at.program
        function = program.module.function(name, (I64, I64), (), exported=True)
        body = Body(function)
        first, end = (narrow(Read(local)) for local in function.locals)

        def call_for(number: Code) -> None:
            body.add(store("i64.store", i32(0), wide(number), self._address(Field.CURRENT)))
            body.add(wasm.write((program.top,), Read(program.bounds.scratch)))
            body.add(store("i32.store", i32(0), i32(0), program.listed))
            body.add(call(of_game, number))

        body.counted(first, end, call_for)
        function.body = tuple(body.statements)

    # ------------------------------------------------------------ shared arrays

    def _address(self, field: Field) -> int:
        assert self.printed is not None
        return self.printed.control + WORD_BYTES * field

    def _array(self, body: Body, field: Field, number: Code, size: int) -> Code:
        """The address of what an array has for a game."""
        first = load("i32.load", i32(0), self._address(field))
        return body.held(plain("i32.add", first, plain("i32.mul", number, i32(size))))

    def _word(self, body: Body, field: Field, number: Code) -> Code:
        return load("i64.load", self._array(body, field, number, WORD_BYTES))

    def _set_word(self, body: Body, field: Field, number: Code, value: Code) -> None:
        body.add(store("i64.store", self._array(body, field, number, WORD_BYTES), value))

    def _exported(self, name: str) -> Callee:
        function = self._at.program.module.exports[name]
        assert isinstance(function, Function)
        return function.callee

    def _copy(self, body: Body, number: Code, into_play: bool) -> None:
        """Copy a game to where the module plays, or back."""
        program = self._at.program
        assert self.printed is not None
        in_play, state = i32(program.chance), self._array(body, Field.STATES, number, program.state_bytes)
        to_and_from = (in_play, state) if into_play else (state, in_play)
        body.add(plain("memory.copy", *to_and_from, i32(program.state_bytes)))
        if program.keeps_lists:
            lists = self._array(body, Field.LISTS, number, LISTS_BYTES)
            begin = Read(program.bounds.lists)
            size = body.held(plain("i32.sub", load("i32.load", i32(0), program.kept_end), begin))
            body.fault(plain("i32.gt_u", size, i32(LISTS_BYTES)))
            body.add(plain("memory.copy", *((begin, lists) if into_play else (lists, begin)), size))
        records_of_game = self._array(body, Field.RECORDS, number, self.printed.records)
        for place, log in enumerate(program.logs.values()):
            records_at = plain("i32.add", records_of_game, i32(RECORDS_BYTES * place))
            kept_records = (body.held(records_at),), NUMBERS
            if into_play:
                called(program, body, records, "bring_back", log_at(log), kept_records)
            else:
                room = (i64(MAX_RECORDED),), SCALAR
                called(program, body, records, "put_away", log_at(log), kept_records, room)

    # ------------------------------------------------------------ a game begins

    def _begin(self, body: Body) -> None:
        (local,) = body.function.locals
        number = Read(local)
        self._begin_state(body, number)
        self._show(body, number)
        self._copy(body, number, into_play=False)

    def _begin_state(self, body: Body, number: Code) -> None:
        """Begin a game with its next seed, again if it is over at once."""
        program = self._at.program
        tries = body.variable(I32)
        body.assign((tries,), (i32(0),))

        def begin(again: Label) -> None:
            body.fault(plain("i32.ge_s", Read(tries), i32(MAX_BEGINNINGS)))
            body.assign((tries,), (plain("i32.add", Read(tries), i32(1)),))
            seed = body.held(self._word(body, Field.SEEDS, number))
            next_seed = plain("i64.add", seed, load("i64.load", i32(0), self._address(Field.GAMES)))
            self._set_word(body, Field.SEEDS, number, next_seed)
            self._set_word(body, Field.LENGTHS, number, i64(0))
            body.add(plain("memory.copy", i32(program.chance), i32(self._at.opening), i32(program.state_bytes)))
            body.add(call(self._exported(PLAYED.format("draw_chance")), seed))
            body.add(call(self._exported("settle")))
            body.leave(again, plain("i64.lt_s", load("i64.load", i32(0), program.block), i64(0)))

        body.loop(begin)

    # ------------------------------------------------------------ a step

    def _step(self, body: Body) -> None:
        program, space = self._at.program, self._actions
        assert self.printed is not None
        (local,) = body.function.locals
        number = Read(local)
        self._copy(body, number, into_play=True)
        self._set_word(body, Field.FLAGS, number, i64(GOES_ON))
        action = body.held(self._word(body, Field.ACTIONS, number))
        numbers = self._array(body, Field.NUMBERS, number, NUMBER_BYTES * space.size)
        move = body.variable(I32)
        body.assign((move,), (i32(0),))
        within = plain("i64.lt_u", action, i64(space.size))
        entry = plain("i32.add", numbers, plain("i32.mul", narrow(action), i32(NUMBER_BYTES)))
        body.when(within, lambda: body.assign((move,), (load("i32.load16_u", entry),)))

        def illegal() -> None:
            self._set_word(body, Field.FLAGS, number, i64(ILLEGAL))
            self._begin_state(body, number)

        def go_on() -> None:
            length = body.held(self._word(body, Field.LENGTHS, number))
            chosen = self._array(body, Field.CHOSEN, number, WORD_BYTES * self._most_chosen)
            place = plain("i32.add", chosen, plain("i32.mul", narrow(length), i32(WORD_BYTES)))
            body.add(store("i64.store", place, action))
            self._set_word(body, Field.LENGTHS, number, plain("i64.add", length, i64(1)))

        def make() -> None:
            self._set_word(body, Field.LENGTHS, number, i64(0))
            body.add(call(self._exported(PLAYED.format("make")), wide(plain("i32.sub", Read(move), i32(1)))))
            over = plain("i64.lt_s", load("i64.load", i32(0), program.block), i64(0))
            body.when(over, lambda: self._end(body, number))

        several = plain("i32.eq", Read(move), i32(SEVERAL))
        body.when(Read(move), lambda: body.when(several, go_on, make), illegal)
        body.add(wasm.write((program.top,), Read(program.bounds.scratch)))
        self._show(body, number)
        self._copy(body, number, into_play=False)

    @property
    def _most_chosen(self) -> int:
        assert self.printed is not None
        return self.printed.width + 1

    def _end(self, body: Body, number: Code) -> None:
        """Keep the outcome of a game that is over, and begin another one."""
        assert self.printed is not None
        rules, places, of_result = self._at.rules, self._at.places, result_places(self._at.rules)
        seats = len(rules.layout.seats)
        body.add(call(self._exported("score")))
        sources = [of_result.winners, *[WORD_BYTES * rules.criteria * seat for seat in range(seats)]]
        sources += [of_result.teams + WORD_BYTES * seat for seat in range(seats * rules.teams)]
        outcome = self._array(body, Field.OUTCOMES, number, WORD_BYTES * self.printed.outcome)
        for place, source in enumerate(sources):
            body.add(store("i64.store", outcome, load("i64.load", i32(0), places.results + source), WORD_BYTES * place))
        self._set_word(body, Field.FLAGS, number, i64(OVER))
        self._begin_state(body, number)

    # ------------------------------------------------------------ what the seat that decides sees and may do

    def _show(self, body: Body, number: Code) -> None:
        program = self._at.program
        acting = body.held(load("i64.load", i32(0), program.cells[ME]))
        self._set_word(body, Field.SEATS, number, acting)
        length = body.held(narrow(self._word(body, Field.LENGTHS, number)))
        chosen = self._array(body, Field.CHOSEN, number, WORD_BYTES * self._most_chosen)
        size = COLUMN_BYTES * self._observations.size
        tensor = self._array(body, Field.TENSORS, number, size)
        body.add(plain("memory.fill", tensor, i32(0), i32(size)))
        body.add(call(self._observe(), tensor, chosen, length, acting))
        self._number_actions(body, number, chosen, length)

    def _observe(self) -> Callee:
        """The function that shows a position: (tensor, what has been chosen, how much of it, seat)."""

        def fill(body: Body) -> None:
            tensor, chosen, length, acting = (Read(local) for local in body.function.locals)
            seat = body.held(plain("i64.shl", i64(1), acting))
            at = self._at
            observing = Observing(at.program, at.rules, self._observations, body, seat, at.points)
            observing.show_all(tensor, chosen, length)

        return self._at.program.helper("observe", (), (I32, I32, I32, I64), (), fill)

    def _number_actions(self, body: Body, number: Code, chosen: Code, length: Code) -> None:
        """Write for each action which move it makes."""
        program, space = self._at.program, self._actions
        assert self.printed is not None
        width = i32(self.printed.width)
        numbers = self._array(body, Field.NUMBERS, number, NUMBER_BYTES * space.size)
        body.add(plain("memory.fill", numbers, i32(0), i32(NUMBER_BYTES * space.size)))
        count = body.held(narrow(load("i64.load", i32(0), program.count)))
        body.fault(plain("i32.gt_s", count, i32(MAX_MOVES)))
        rows = body.held(call(self._exported("rows")))
        words = allotted(program, body, plain("i32.mul", plain("i32.mul", count, width), i32(WORD_BYTES)))
        self._at_decision(body, self._spellings, lambda spell: body.add(call(spell, rows, count, words)))
        kept, left, position, used = self._narrow(body, words, width, count, chosen, length)

        def number_alike() -> None:
            further = body.held(_word_at(chosen, used)), body.held(plain("i32.sub", length, used))
            self._number_alike(body, numbers, rows, kept, left, *further)

        alike = plain("i32.ge_s", position, width)
        letters = _Letters(words, width, position)
        body.when(
            alike, number_alike, lambda: self._number_letters(body, numbers, letters, kept, left, lambda move: move)
        )

    def _at_decision(self, body: Body, functions: Mapping[int, Callee], use: Callable[[Callee], None]) -> None:
        """Statements with the function for the pending decision, if it has one."""
        place = body.held(load("i64.load", i32(0), self._at.program.block))
        for block, point in enumerate(self._at.points):
            if point in functions:
                body.when(plain("i64.eq", place, i64(block)), partial(use, functions[point]))

    def _narrow(
        self, body: Body, words: Code, width: Code, count: Code, chosen: Code, length: Code
    ) -> tuple[Code, Code, Code, Code]:
        """See `spelling.narrow`: the array of moves, how many there are, the next position, letters used."""
        program = self._at.program
        kept = allotted(program, body, plain("i32.mul", plain("i32.add", count, i32(2)), i32(WORD_BYTES)))
        (remaining,), _ = called(
            program, body, spelling, "narrow", ((words,), NUMBERS), ((wide(width),), SCALAR), ((wide(count),), SCALAR),
            ((chosen,), NUMBERS), ((wide(length),), SCALAR), ((kept,), NUMBERS),
        )  # fmt: skip
        left = body.held(narrow(remaining))
        position, used = (body.held(narrow(load("i64.load", _word_at(kept, left), WORD_BYTES * n))) for n in (0, 1))
        return kept, left, position, used

    def _number_letters(
        self, body: Body, numbers: Code, letters: _Letters, kept: Code, left: Code, move_of: Callable[[Code], Code]
    ) -> None:
        """Write for the next letters of some words which moves they make; `move_of` gives the move of a word."""

        def add(candidate: Code) -> None:
            word = body.held(narrow(load("i64.load", _word_at(kept, candidate))))
            letter_at = plain("i32.add", plain("i32.mul", word, letters.width), letters.position)
            letter = narrow(load("i64.load", _word_at(letters.words, letter_at)))
            entry = body.held(plain("i32.add", numbers, plain("i32.mul", letter, i32(NUMBER_BYTES))))
            is_first = plain("i32.eqz", load("i32.load16_u", entry))
            number = wasm.select(is_first, plain("i32.add", move_of(word), i32(1)), i32(SEVERAL))
            body.add(store("i32.store16", entry, number))

        body.counted(i32(0), left, add)

    def _number_alike(
        self, body: Body, numbers: Code, rows: Code, alike: Code, count: Code, chosen: Code, length: Code
    ) -> None:
        """Number moves that differ only in which of some pieces they mean that look the same and lie at one place.

        They are spelled by digits, in the order of the standings of these pieces. `alike` are their numbers, `chosen`
        the digits chosen so far.
        """
        program, digits = self._at.program, self._actions.digits
        if digits is None:
            body.fault()  # moves without pieces are never alike
            return
        standings = GrowingList(program, body, NUMBER_ITEMS)

        def list_standings(candidate: Code) -> None:
            move = body.held(narrow(load("i64.load", _word_at(alike, candidate))))
            listed = body.variables(NUMBER_ITEMS)
            self._at_decision(
                body, self._standings, lambda of_move: body.add(wasm.write(listed, call(of_move, rows, move)))
            )
            standings.add(tuple(map(Read, listed)))

        body.counted(i32(0), count, list_standings)
        listed = standings.value, Items(NUMBER_ITEMS)
        (order,), _ = called(program, body, subsets, "sorted_rows", listed)
        words = allotted(program, body, plain("i32.mul", count, i32(WORD_BYTES * MAX_RANK_DIGITS)))
        (spelled,), _ = called(
            program,
            body,
            spelling,
            "spell_ranks",
            ((wide(count),), SCALAR),
            ((i64(digits),), SCALAR),
            ((words,), NUMBERS),
        )
        width = body.held(narrow(spelled))
        kept, left, position, _ = self._narrow(body, words, width, count, chosen, length)

        def move_of(rank: Code) -> Code:
            return narrow(load("i64.load", _word_at(alike, narrow(load("i64.load", _word_at(order, rank))))))

        self._number_letters(body, numbers, _Letters(words, width, position), kept, left, move_of)


class _Letters(NamedTuple):
    """A position in words, which are rows of a width."""

    words: Code
    width: Code
    position: Code


def _word_at(array: Code, number: Code) -> Code:
    """The address of a word of an array."""
    return plain("i32.add", array, plain("i32.mul", number, i32(WORD_BYTES)))
