"""What a search plays a game with, printed into the module of the game: moves, random games, the keys of legal moves.

The searches themselves are in a module of their own (`searches.py`), which is the same for all games.

A search with hidden information plays in many states that its seat cannot tell apart. What it learns about a move in
one of them must count for the same move in the others, where the card that the move plays has another number. Moves
therefore have keys, which depend on the decision, the seat, the act, and the kinds of pieces in its arguments. Each
move has two:

    own       what the seat that makes it knows of it
    public    what the others see of it: without secret arguments, and `UNNOTICED` if they see nothing at all

Moves with equal pieces at different places still have the same keys; these are made different (`move_keys`).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate

from interpreter.compiler.ir.runs import DECLINED
from interpreter.compiler.machine.body import Body, i32, i64, narrow
from interpreter.compiler.machine.course import ResultPlaces
from interpreter.compiler.machine.forms import NONE, SCALAR, WORD_BYTES, Form, Members, bytes_of
from interpreter.compiler.machine.listing import RowFormat, act_of
from interpreter.compiler.machine.numbers import mixed
from interpreter.compiler.machine.positions import FIRST_OFFSET, SECOND_OFFSET, absorb
from interpreter.compiler.machine.program import Program
from interpreter.compiler.machine.routines import move_keys
from interpreter.compiler.machine.routines.kinds import NUMBERS, Typed
from interpreter.compiler.machine.routines.language import KEY_MASK
from interpreter.compiler.machine.routines.move_keys import AS_OWN
from interpreter.compiler.machine.routines.translation import called
from interpreter.compiler.machine.sets import each_member
from interpreter.compiler.machine.statements import Statements
from interpreter.compiler.privacy import Argument, MovePrivacy, Pieces
from interpreter.compiler.wasm import instructions as wasm
from interpreter.compiler.wasm.instructions import I32, I64, Callee, Code, Read, Types, call, load, plain, select, store
from interpreter.runtime.layout import ME

UNNOTICED = -1
"""The key of a move that others do not notice."""

DECLINING = act_of((DECLINED,))

PLAYED = "play {}"
"""The names under which the functions are exported."""

PLAY: Mapping[str, tuple[Types, Types]] = {
    "draw_chance": ((I64,), ()),
    "make": ((I64,), ()),
    "push": ((I64,), ()),
    "pop": ((), ()),
    "play_on": ((I64, I64), ()),
    "is_over": ((), (I32,)),
    "move_count": ((), (I64,)),
    "acting": ((), (I64,)),
    "is_at_once": ((), (I32,)),
    "is_several": ((), (I32,)),
    "offer": ((I32, I32), (I64,)),
    "hash": ((), ()),
    "first_hash": ((), (I64,)),
    "second_hash": ((), (I64,)),
    "score_now": ((), ()),
    "is_scored": ((), (I32,)),
    "winners": ((), (I64,)),
    "score": ((I64,), (I64,)),
}
"""The functions that a search plays with (`Game` in `routines/language.py`), with their operands and results."""


class Playing:
    """Prints these functions; `block_points` are the decisions that blocks wait for, by their place."""

    def __init__(
        self, program: Program, results: int, key: int, of_result: ResultPlaces,
        privacy: Mapping[int, MovePrivacy], formats: Mapping[int, RowFormat], block_points: Sequence[int],
    ) -> None:  # fmt: skip
        self.program, self.results, self.key, self.of_result = program, results, key, of_result
        self.privacy, self.formats, self.block_points = privacy, formats, block_points

    def define(
        self,
        listings: Mapping[int, Callee],
        go_on: Callable[[Body, Code], None],
        play_on: Callable[[Body, Code, Code], None],
        draw: Callable[[Body, Code], None],
    ) -> None:
        """Print all of them.

        `go_on` adds statements that make the move with a number, `play_on` those that play at random from a seed to a
        horizon, `draw` those that let chance follow from a seed.
        """
        program, of_result = self.program, self.of_result
        for name, exported in (("pop", "pop"), ("hash", "hash"), ("score_now", "score")):
            program.module.exports[PLAYED.format(name)] = program.module.exports[exported]
        self._play("draw_chance", lambda body: draw(body, Read(body.function.locals[0])))
        self._play("make", lambda body: go_on(body, Read(body.function.locals[0])))
        self._play("play_on", lambda body: play_on(body, *map(Read, body.function.locals)))
        self._play("is_over", lambda body: body.give((plain("i64.lt_s", self._block(), i64(0)),)))
        self._play("move_count", lambda body: body.give((self._word(program.count),)))
        self._play("acting", lambda body: body.give((self._word(program.cells[ME]),)))
        self._play("is_at_once", lambda body: self._give_flag(body, "at_once"))
        self._play("is_several", lambda body: self._give_flag(body, "several"))
        self._play("is_scored", lambda body: body.give((narrow(self._result(of_result.scored)),)))
        self._play("winners", lambda body: body.give((self._result(of_result.winners),)))
        self._play("score", self._give_score)
        self._play("first_hash", lambda body: body.give((self._word(self.key),)))
        self._play("second_hash", lambda body: body.give((self._word(self.key + WORD_BYTES),)))
        offers = {point: self._offer_at(point, listing) for point, listing in listings.items()}
        self._play("offer", lambda body: self._offer(body, offers))

    # ------------------------------------------------------------ playing the game

    def _play(self, name: str, fill: Callable[[Body], None]) -> None:
        """One of the functions of `PLAY`."""
        function = self.program.module.function(PLAYED.format(name), *PLAY[name], exported=True)
        body = Body(function)
        fill(body)
        function.body = tuple(body.statements)

    def _word(self, address: int) -> Code:
        return load("i64.load", i32(0), address)

    def _block(self) -> Code:
        return self._word(self.program.block)

    def _result(self, place: int) -> Code:
        return self._word(self.results + place)

    def _give_score(self, body: Body) -> None:
        place = plain("i32.mul", narrow(Read(body.function.locals[0])), i32(WORD_BYTES))
        body.give((load("i64.load", place, self.results),))

    def _give_flag(self, body: Body, name: str) -> None:
        """Whether something holds of the pending decision."""
        flags = [getattr(self.privacy[point], name) if point in self.privacy else False for point in self.block_points]
        table = self.program.data.place(bytes(flags))
        body.give((load("i32.load8_u", narrow(self._block()), table),))

    # ------------------------------------------------------------ keys of moves

    def _offer(self, body: Body, offers: Mapping[int, Callee]) -> None:
        """List the legal moves and their keys; they are as many as have been counted."""
        program = self.program
        body.add(wasm.write((program.top,), Read(program.bounds.scratch)))
        body.add(store("i32.store", i32(0), i32(0), program.listed))
        own, public = map(Read, body.function.locals)
        none = wasm.Label()
        labels = {point: wasm.Label() for point in offers}
        targets = [labels.get(point, none) for point in self.block_points]
        codes: list[Code] = [wasm.Switch((*targets, none), load("i32.load", i32(0), program.block))]
        for point, callee in offers.items():
            keys = call(callee, own, public)
            codes = [wasm.Block(labels[point], tuple(codes), ()), keys, wasm.Return((self._word(program.count),))]
        body.add(wasm.Block(none, tuple(codes), ()))
        body.give((i64(0),))

    def _offer_at(self, point: int, listing: Callee) -> Callee:
        """The function that writes the keys of the moves of a decision."""
        program, privacy, format_ = self.program, self.privacy[point], self.formats[point]
        function = program.module.function(f"offer {point}", (I32, I32), ())
        body = Body(function)
        scope = Statements(program, body)
        own, public = map(Read, function.locals)
        rows = body.held(call(listing))
        count = body.held(self._word(program.count))
        seat = self._word(program.cells[ME])
        begin = body.held(mixed(body, plain("i64.xor", i64(FIRST_OFFSET + point), seat)))

        def key_of_row(number: Code) -> None:
            row = body.held(plain("i32.add", rows, plain("i32.mul", number, i32(format_.size))))
            act = body.held(load("i64.load", row))
            offset = body.held(plain("i32.mul", number, i32(WORD_BYTES)))
            key, masked = _Hash(body, begin), _Hash(body, plain("i64.xor", begin, i64(SECOND_OFFSET)))
            public_key = body.variable(I64)
            hidden = privacy.hidden
            body.assign((public_key,), (i64(AS_OWN),))
            for value in (key, masked):
                value.mix(act)
            for number_of_act, forms in format_.arguments.items():
                arguments = privacy.arguments(number_of_act, len(forms))
                secret = any(argument.secret for argument in arguments)

                def mix_arguments(
                    forms: Sequence[Form] = forms, arguments: Sequence[Argument] = arguments, secret: bool = secret
                ) -> None:
                    starts = accumulate([WORD_BYTES, *map(bytes_of, forms)])
                    for argument, form, start in zip(arguments, forms, starts, strict=False):
                        value = body.named(scope.loaded(form, row, start))
                        of_seats = (key,) if argument.secret or not secret else (key, masked)
                        for hashed in of_seats:
                            self._mix(scope, hashed, argument, form, value)
                    if secret:
                        body.assign((public_key,), (masked.value(),))

                if number_of_act != DECLINING and forms:
                    body.when(plain("i64.eq", act, i64(number_of_act)), mix_arguments)
            declined = plain("i64.eq", act, i64(DECLINING))
            if hidden:
                body.when(declined, lambda: None, lambda: body.assign((public_key,), (masked.value(),)))
            if privacy.secretly:
                unnoticed = i32(1) if privacy.at_once else declined
                body.assign((public_key,), (select(unnoticed, i64(UNNOTICED), Read(public_key)),))
            body.add(store("i64.store", plain("i32.add", own, offset), key.value()))
            body.add(store("i64.store", plain("i32.add", public, offset), Read(public_key)))

        body.counted(i32(0), narrow(count), key_of_row)
        arrays: list[Typed] = [((address,), NUMBERS) for address in (own, public, rows)]
        width: Typed = (i64(format_.size // WORD_BYTES),), SCALAR
        called(program, body, move_keys, "distinguish", *arrays, width, ((count,), SCALAR))
        function.body = tuple(body.statements)
        return function.callee

    def _mix(self, scope: Statements, hashed: _Hash, argument: Argument, form: Form, value: Sequence[Code]) -> None:
        """Let a hash depend on an argument, in which pieces count by their kind."""
        body, pieces = scope.body, self.program.layout.pieces
        if not pieces or argument.pieces is Pieces.NONE:
            absorb(scope, form, tuple(value), hashed.first, hashed.second)
            return
        kinds = self.program.data.place(struct.pack(f"<{len(pieces)}q", *[piece.kind for piece in pieces]))

        def kind_of_piece(piece: Code) -> Code:
            return load("i64.load", plain("i32.mul", narrow(piece), i32(WORD_BYTES)), kinds)

        if argument.pieces is Pieces.ONE and form == SCALAR:
            (piece,) = value
            kind = body.variable(I64)
            body.assign((kind,), (i64(NONE),))
            body.when(plain("i64.ge_s", piece, i64(0)), lambda: body.assign((kind,), (kind_of_piece(piece),)))
            hashed.mix(Read(kind))
        elif argument.pieces is Pieces.SET and isinstance(form, Members):
            total = body.variable(I64)
            body.assign((total,), (i64(0),))

            def add_piece(piece: Code, following: object, out: object) -> None:
                kind = body.held(mixed(body, plain("i64.add", kind_of_piece(piece), i64(1))))
                body.assign((total,), (plain("i64.add", Read(total), kind),))

            each_member(body, tuple(value), add_piece)
            hashed.mix(Read(total))
        else:
            absorb(scope, form, tuple(value), hashed.first, hashed.second)


class _Hash:
    """A hash of some values while a function is printed."""

    def __init__(self, body: Body, begin: Code) -> None:
        self.body = body
        self.first, self.second = body.variable(I64), body.variable(I64)
        body.assign((self.first, self.second), (begin, i64(SECOND_OFFSET)))

    def mix(self, word: Code) -> None:
        """Let it depend on a number."""
        body = self.body
        body.assign((self.first,), (mixed(body, plain("i64.xor", Read(self.first), word)),))

    def value(self) -> Code:
        """A key from 0 on."""
        word = plain("i64.xor", Read(self.first), plain("i64.mul", Read(self.second), i64(0x9E3779B9)))
        return plain("i64.and", self.body.held(mixed(self.body, word)), i64(KEY_MASK))
