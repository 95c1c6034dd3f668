"""Chance in printed games: numbers drawn from the state of the generator, and shuffles."""

from __future__ import annotations

from interpreter.compiler.machine import numbers
from interpreter.compiler.machine.body import Body, i32, i64, narrow, wide
from interpreter.compiler.machine.forms import WORD_BYTES
from interpreter.compiler.machine.program import Program
from interpreter.compiler.wasm.instructions import I32, I64, Callee, Code, Label, Local, Read, load, plain, store


def below(program: Program) -> Callee:
    """The function that draws a number below another one: interpreter/runtime/chance.py."""

    def fill(body: Body) -> None:
        (count,) = (Read(local) for local in body.function.locals)
        state = body.variable(I64, "state")
        body.assign((state,), (load("i64.load", i32(0), program.chance),))
        drawn = _drawn(body, state, count)
        body.add(store("i64.store", i32(0), Read(state), program.chance))
        body.give((drawn,))

    return program.helper("below", (), (I64,), (I64,), fill)


def _drawn(body: Body, state: Local, count: Code) -> Code:
    """A number below another one, drawn from the state of the generator in a variable."""
    word = body.variable(I64, "word")

    def once(start: Label) -> None:
        body.assign((state,), (numbers.add(Read(state), i64(numbers.GOLDEN)),))
        body.assign((word,), (numbers.mixed(body, Read(state)),))
        low = body.held(plain("i64.mul", Read(word), count))

        def compare() -> None:
            """The limit, below which a word is drawn again, takes a division; it is below `count`."""
            limit = plain("i64.rem_u", plain("i64.sub", i64(0), count), count)
            body.leave(start, plain("i64.lt_u", low, limit))

        body.when(plain("i64.lt_u", low, count), compare)

    body.loop(once)
    return numbers.high_product(body, Read(word), count)


def shuffle_order(program: Program) -> Callee:
    """The function that shuffles the sequence in the cell at an address; it keeps the generator in a variable."""

    def fill(body: Body) -> None:
        address = Read(body.function.locals[0])
        last, state = body.variable(I32, "last"), body.variable(I64, "state")
        body.assign((last,), (plain("i32.sub", load("i32.load", address), i32(1)),))
        body.assign((state,), (load("i64.load", i32(0), program.chance),))

        def swap() -> None:
            count = body.held(wide(plain("i32.add", Read(last), i32(1))))
            partner = body.held(narrow(_drawn(body, state, count)))
            first = body.held(plain("i32.add", address, plain("i32.mul", Read(last), i32(2))))
            second = body.held(plain("i32.add", address, plain("i32.mul", partner, i32(2))))
            item = body.held(load("i32.load16_u", first, WORD_BYTES))
            body.add(store("i32.store16", first, load("i32.load16_u", second, WORD_BYTES), WORD_BYTES))
            body.add(store("i32.store16", second, item, WORD_BYTES))
            body.assign((last,), (plain("i32.sub", Read(last), i32(1)),))

        body.repeated(lambda: plain("i32.gt_s", Read(last), i32(0)), swap)
        body.add(store("i64.store", i32(0), Read(state), program.chance))

    return program.helper("shuffle_order", (), (I32,), (), fill)
