"""Arithmetic: results that 64 bits cannot hold are faults, division rounds down, and chance is that of the language."""

from __future__ import annotations

from interpreter.compiler.machine.body import Body, i64, wide
from interpreter.compiler.machine.forms import NONE, WORD_BITS
from interpreter.compiler.wasm.instructions import Code, plain

GOLDEN = 0x9E3779B97F4A7C15
FIRST_FACTOR, SECOND_FACTOR = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
MAX_PRODUCT = 10**18
SMALL_FACTOR_LIMIT = 1 << 31


def add(left: Code, right: Code) -> Code:
    """A sum that is known to be small."""
    return plain("i64.add", left, right)


def checked_sum(body: Body, left: Code, right: Code) -> Code:
    """A sum; a fault if it is too large, or by chance none."""
    first, second = body.named((left, right))
    total = body.held(add(first, second))
    carried = plain("i64.and", plain("i64.xor", first, total), plain("i64.xor", second, total))
    body.fault(plain("i32.or", plain("i64.lt_s", carried, i64(0)), plain("i64.eq", total, i64(NONE))))
    return total


def checked_difference(body: Body, left: Code, right: Code) -> Code:
    """A difference; a fault if it is too large, or by chance none."""
    first, second = body.named((left, right))
    difference = body.held(plain("i64.sub", first, second))
    carried = plain("i64.and", plain("i64.xor", first, second), plain("i64.xor", first, difference))
    body.fault(plain("i32.or", plain("i64.lt_s", carried, i64(0)), plain("i64.eq", difference, i64(NONE))))
    return difference


def checked_product(body: Body, left: Code, right: Code) -> Code:
    """A product; a fault if it is too large, or by chance none."""
    first, second = body.named((left, right))
    product = body.held(plain("i64.mul", first, second))
    large = plain(
        "i64.ne",
        plain(
            "i64.shr_u",
            plain("i64.or", add(first, i64(SMALL_FACTOR_LIMIT)), add(second, i64(SMALL_FACTOR_LIMIT))),
            i64(32),
        ),
        i64(0),
    )

    def verify() -> None:
        """A product of large numbers is right if it can be divided again."""
        zero = plain("i64.eqz", first)
        body.when(
            zero,
            lambda: None,
            lambda: body.fault(
                plain(
                    "i32.or",
                    plain("i64.eq", product, i64(NONE)),
                    plain(
                        "i32.or",
                        plain("i32.and", plain("i64.eq", first, i64(-1)), plain("i64.eq", second, i64(NONE))),
                        plain("i64.ne", plain("i64.div_s", product, first), second),
                    ),
                )
            ),
        )

    body.when(large, verify)
    return product


def bounded_product(body: Body, left: Code, right: Code) -> Code:
    """A product; a fault if it is larger than numbers may become."""
    product = checked_product(body, left, right)
    body.fault(outside(product, -MAX_PRODUCT, MAX_PRODUCT))
    return product


def outside(value: Code, low: int, high: int) -> Code:
    """Whether a number is not within bounds."""
    if not -(1 << 63) <= low <= high < 1 << 63 or high - low >= 1 << 63:
        return plain("i32.or", plain("i64.lt_s", value, i64(low)), plain("i64.gt_s", value, i64(high)))
    offset = plain("i64.sub", value, i64(low)) if low else value
    return plain("i64.gt_u", offset, i64(high - low))


def quotient(body: Body, left: Code, right: Code) -> Code:
    """A quotient, rounded down; a fault for a division by 0."""
    first, second = body.named((left, right))
    body.fault(plain("i32.or", plain("i64.eqz", second), plain("i64.eq", first, i64(NONE))))
    truncated = plain("i64.div_s", first, second)
    inexact = plain("i64.ne", plain("i64.rem_s", first, second), i64(0))
    apart = plain("i64.lt_s", plain("i64.xor", first, second), i64(0))
    return plain("i64.sub", truncated, wide(plain("i32.and", inexact, apart)))


def remainder(body: Body, left: Code, right: Code) -> Code:
    """The remainder of that, which has the sign of the divisor; a fault for a division by 0."""
    first, second = body.named((left, right))
    body.fault(plain("i32.or", plain("i64.eqz", second), plain("i64.eq", first, i64(NONE))))
    rest = body.held(plain("i64.rem_s", first, second))
    apart = plain("i64.lt_s", plain("i64.xor", rest, second), i64(0))
    wrong = plain("i32.and", plain("i64.ne", rest, i64(0)), apart)
    return add(rest, plain("i64.mul", wide(wrong), second))


# ---------------------------------------------------------------- chance: interpreter/runtime/chance.py


def mixed(body: Body, state: Code) -> Code:
    """The random word of a state of the generator."""
    for shift, factor in ((30, FIRST_FACTOR), (27, SECOND_FACTOR)):
        (state,) = body.named((state,))
        state = plain("i64.mul", plain("i64.xor", state, plain("i64.shr_u", state, i64(shift))), i64(factor))
    (state,) = body.named((state,))
    return plain("i64.xor", state, plain("i64.shr_u", state, i64(31)))


def mixed_word(word: int) -> int:
    """The same of a number."""
    for shift, factor in ((30, FIRST_FACTOR), (27, SECOND_FACTOR)):
        word = (word ^ word >> shift) * factor & (1 << WORD_BITS) - 1
    return word ^ word >> 31


def high_product(body: Body, word: Code, count: Code) -> Code:
    """The upper half of a product of 128 bits, one factor of which is below 2^32."""
    first, second = body.named((word, count))
    low = plain("i64.shr_u", plain("i64.mul", plain("i64.and", first, i64(0xFFFFFFFF)), second), i64(32))
    return plain("i64.shr_u", add(plain("i64.mul", plain("i64.shr_u", first, i64(32)), second), low), i64(32))
