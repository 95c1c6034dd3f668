"""Chance in printed games: numbers drawn from the state of the generator, and shuffles."""

from __future__ import annotations

from interpreter.machine import numbers
from interpreter.machine.body import Body, i32, i64, narrow, wide
from interpreter.machine.forms import WORD_BYTES
from interpreter.machine.program import Program
from interpreter.wasm.instructions import I32, I64, Callee, Label, Read, call, load, plain, store


def below(program: Program) -> Callee:
    """The function that draws a number below another one: interpreter/runtime/chance.py."""

    def fill(body: Body) -> None:
        (count,) = (Read(local) for local in body.function.locals)
        state = body.variable(I64)
        body.assign((state,), (load("i64.load", i32(0), program.chance),))

        def once(again: Label) -> None:
            body.assign((state,), (numbers.add(Read(state), i64(numbers.GOLDEN)),))
            word = body.one(numbers.mixed(body, Read(state)))
            low = body.one(plain("i64.mul", word, count))

            def compare() -> None:
                """The limit, below which a word is drawn again, takes a division; it is below `count`."""
                limit = plain("i64.rem_u", plain("i64.sub", i64(0), count), count)
                body.leave(again, plain("i64.lt_u", low, limit))

            body.when(plain("i64.lt_u", low, count), compare)
            body.add(store("i64.store", i32(0), Read(state), program.chance))
            body.give((numbers.high_product(body, word, count),))

        body.loop(once)
        body.fault()

    return program.helper("below", (), (I64,), (I64,), fill)


def shuffle_order(program: Program) -> Callee:
    """The function that shuffles the sequence in the cell at an address."""
    drawn = below(program)

    def fill(body: Body) -> None:
        address = Read(body.function.locals[0])
        last = body.variable(I32)
        body.assign((last,), (plain("i32.sub", load("i32.load", address), i32(1)),))

        def swap() -> None:
            other = body.one(narrow(call(drawn, wide(plain("i32.add", Read(last), i32(1))))))
            first = body.one(plain("i32.add", address, plain("i32.mul", Read(last), i32(2))))
            second = body.one(plain("i32.add", address, plain("i32.mul", other, i32(2))))
            item = body.one(load("i32.load16_u", first, WORD_BYTES))
            body.add(store("i32.store16", first, load("i32.load16_u", second, WORD_BYTES), WORD_BYTES))
            body.add(store("i32.store16", second, item, WORD_BYTES))
            body.assign((last,), (plain("i32.sub", Read(last), i32(1)),))

        body.repeated(lambda: plain("i32.gt_s", Read(last), i32(0)), swap)

    return program.helper("shuffle_order", (), (I32,), (), fill)
