"""Sets as the bits of words: what is done with all words, with one of them, and with the members in order.

The 81 places of a board of 9 times 9 are two words, and member 70 is bit 6 of the second. Some of this relies on how
the module computes:

- Shifts take their count modulo 64. `1 << 70` is bit 6, which is right for the second word; which word it belongs to is
  another question (`bit`, `_word_of`).
- The number for none is negative, so an unsigned comparison with the number of bits excludes it as well (`has`). - 64
bits without a one have 64 leading zeros, which makes the end of an empty set 0 (`end`). - There is no instruction for
`a & ~b`, so a complement is an `xor` with all ones (`minus`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter.compiler.machine.body import Body, Value, Variables, i32, i64, narrow, negated, read
from interpreter.compiler.machine.forms import NONE, WORD_BITS, Members
from interpreter.compiler.wasm.instructions import I64, Code, Label, Local, Read, plain, select


def constant_set(value: int, words: int) -> Value:
    """A set that is known."""
    return tuple([i64(value >> WORD_BITS * number & (1 << WORD_BITS) - 1) for number in range(words)])


def combined(name: str, left: Value, right: Value) -> Value:
    """An operation on each two words."""
    return tuple([plain(name, *pair) for pair in zip(left, right, strict=True)])


def union(left: Value, right: Value) -> Value:
    """What is in one or the other."""
    return combined("i64.or", left, right)


def both(left: Value, right: Value) -> Value:
    """What is in both."""
    return combined("i64.and", left, right)


def minus(left: Value, right: Value) -> Value:
    """What is in the first only."""
    return tuple(
        [plain("i64.and", first, plain("i64.xor", second, i64(-1))) for first, second in zip(left, right, strict=True)]
    )


def _joined(name: str, parts: Sequence[Code]) -> Code:
    joined = parts[0]
    for part in parts[1:]:
        joined = plain(name, joined, part)
    return joined


def is_empty(members: Value) -> Code:
    """Whether a set has no members, as a condition."""
    return plain("i64.eqz", _joined("i64.or", members))


def equal(left: Value, right: Value) -> Code:
    """Whether two sets of the same words have the same members, as a condition."""
    if len(left) == 1:
        return plain("i64.eq", left[0], right[0])
    return plain("i64.eqz", _joined("i64.or", combined("i64.xor", left, right)))


def size(members: Value) -> Code:
    """The number of members."""
    return _joined("i64.add", [plain("i64.popcnt", word) for word in members])


def resized(body: Body, members: Value, words: int) -> Value:
    """The set with another number of words; members that do not fit are a fault."""
    if len(members) > words:
        body.fault(negated(is_empty(members[words:])))
    return (*members[:words], *[i64(0)] * (words - len(members)))


def has(body: Body, members: Value, member: Code, fits: bool = False) -> Code:
    """Whether a number, which may be none or beyond the set unless it `fits`, is a member, as a condition."""
    (number,) = body.named((member,))
    within = plain("i64.lt_u", number, i64(WORD_BITS * len(members)))
    word = members[0] if len(members) == 1 else _word_of(body, members, number)
    bit = narrow(plain("i64.and", plain("i64.shr_u", word, number), i64(1)))
    return bit if fits else plain("i32.and", bit, within)


def _word_of(body: Body, members: Value, number: Code) -> Code:
    """The word with the bit of a number."""
    place = body.held(narrow(plain("i64.shr_u", number, i64(6))))
    selected = members[0]
    for index, word in enumerate(members[1:], start=1):
        selected = select(plain("i32.eq", place, i32(index)), word, selected)
    return selected


def bit(body: Body, member: Code, words: int, fits: bool = False) -> Value:
    """The set of one number; nothing if it is none or beyond the set, which is not tested for one that `fits`."""
    (number,) = body.named((member,))
    if words == 1:
        shifted = plain("i64.shl", i64(1), number)
        return (shifted if fits else select(plain("i64.lt_u", number, i64(WORD_BITS)), shifted, i64(0)),)
    word, place = body.named((plain("i64.shl", i64(1), number), plain("i64.shr_u", number, i64(6))))
    return tuple([select(plain("i64.eq", place, i64(index)), word, i64(0)) for index in range(words)])


def lowest(body: Body, members: Value) -> Code:
    """The first member of a set that is not empty."""
    if len(members) == 1:
        return plain("i64.ctz", members[0])
    words = body.named(members)
    lowest_member: Code = plain("i64.add", plain("i64.ctz", words[-1]), i64(WORD_BITS * (len(words) - 1)))
    for index in range(len(words) - 2, -1, -1):
        lowest_of_word = plain("i64.ctz", words[index])
        if index:
            lowest_of_word = plain("i64.add", lowest_of_word, i64(WORD_BITS * index))
        lowest_member = select(plain("i64.eqz", words[index]), lowest_member, lowest_of_word)
    return lowest_member


def first(body: Body, members: Value) -> Code:
    """The first member, or none."""
    words = body.named(members)
    return select(is_empty(words), i64(NONE), lowest(body, words))


def last(body: Body, members: Value) -> Code:
    """The last member, or none."""
    words = body.named(members)
    last_member: Code = i64(NONE)
    for index, word in enumerate(words):
        last_of_word = plain("i64.sub", i64(WORD_BITS * index + WORD_BITS - 1), plain("i64.clz", word))
        last_member = select(plain("i64.eqz", word), last_member, last_of_word)
    return last_member


def end(body: Body, members: Value) -> Code:
    """The number after the last member, 0 for an empty set."""
    words = body.named(members)
    end_number: Code = plain("i64.sub", i64(WORD_BITS), plain("i64.clz", words[0]))  # which is 64 for 0
    for index, word in enumerate(words[1:], start=1):
        end_of_word = plain("i64.sub", i64(WORD_BITS * (index + 1)), plain("i64.clz", word))
        end_number = select(plain("i64.eqz", word), end_number, end_of_word)
    return end_number


def shifted(members: Value, by: int, words: int) -> Value:
    """The set with a constant added to each member, in a number of words; members below 0 are left out."""
    apart, bits = divmod(abs(by), WORD_BITS)
    result: list[Code] = []
    for index in range(words):
        if by >= 0:
            nearest, beside = index - apart, index - apart - 1
            near, far = ("i64.shl", bits), ("i64.shr_u", WORD_BITS - bits)
        else:
            nearest, beside = index + apart, index + apart + 1
            near, far = ("i64.shr_u", bits), ("i64.shl", WORD_BITS - bits)
        parts = [
            plain(name, members[place], i64(count)) if count else members[place]
            for place, (name, count) in ((nearest, near), (beside, far))
            if 0 <= place < len(members) and count < WORD_BITS
        ]
        result.append(_joined("i64.or", parts) if parts else i64(0))
    return tuple(result)


def below(body: Body, number: Code, words: int) -> Value:
    """The set of all numbers below one."""
    (count,) = body.named((number,))
    members = []
    for index in range(words):
        rest = plain("i64.sub", count, i64(WORD_BITS * index)) if index else count
        (bits,) = body.named((rest,))
        some: Code = plain("i64.sub", plain("i64.shl", i64(1), bits), i64(1))
        some = select(plain("i64.ge_s", bits, i64(WORD_BITS)), i64(-1), some)
        members.append(select(plain("i64.le_s", bits, i64(0)), i64(0), some))
    return tuple(members)


def each_member(body: Body, members: Value, visit: Callable[[Code, Label, Label], None]) -> None:
    """Statements for each member in ascending order.

    `visit` gets the member and the labels that continue with the next one and end the loop.
    """
    remaining = body.variables(Members(len(members)))
    body.assign(remaining, members)
    member = body.variable(I64)

    def loop(out: Label) -> None:
        def once() -> None:
            _take_lowest(body, remaining, member)
            body.block(lambda following: visit(Read(member), following, out))

        body.repeated(lambda: negated(is_empty(read(remaining))), once)

    body.block(loop)


def _without_lowest(word: Code) -> Code:
    return plain("i64.and", word, plain("i64.sub", word, i64(1)))


def _take_lowest(body: Body, remaining: Variables, member: Local, place: int = 0) -> None:
    """Take the first member out of a set that is not empty, from word number `place` on."""
    word = remaining[place]

    def take() -> None:
        number = plain("i64.ctz", Read(word))
        body.assign((member,), (plain("i64.add", number, i64(WORD_BITS * place)) if place else number,))
        body.assign((word,), (_without_lowest(Read(word)),))

    if place == len(remaining) - 1:
        take()
    else:
        empty = plain("i64.eqz", Read(word))
        body.when(empty, lambda: _take_lowest(body, remaining, member, place + 1), take)


def select_member(body: Body, members: Value, number: Code, width: int) -> Code:
    """Member `number`, counted from 0, of a set with more members than that; all of them are below `width`."""
    place, word = body.variable(I64), body.variable(I64)
    body.assign((place,), (number,))
    if len(members) == 1:
        body.assign((word,), members)
        return _select_bit(body, word, place, width)
    base = body.variable(I64)

    def find(out: Label) -> None:
        for index, following in enumerate(members):
            body.assign((word, base), (following, i64(WORD_BITS * index)))
            if index < len(members) - 1:
                count = body.held(plain("i64.popcnt", Read(word)))
                body.leave(out, plain("i64.lt_s", Read(place), count))
                body.assign((place,), (plain("i64.sub", Read(place), count),))

    body.block(find)
    return plain("i64.add", _select_bit(body, word, place, WORD_BITS), Read(base))


def _select_bit(body: Body, word: Local, place: Local, width: int) -> Code:
    """The place of bit number `place` of a word: halves are counted, so that no branch has to be foreseen."""
    low = body.variable(I64)
    body.assign((low,), (i64(0),))
    step = 1 << max(0, min(width, WORD_BITS) - 1).bit_length() >> 1
    while step:
        part = plain("i64.and", plain("i64.shr_u", Read(word), Read(low)), i64((1 << step) - 1))
        count = body.held(plain("i64.popcnt", part))
        above = body.held(plain("i64.ge_s", Read(place), count))
        body.assign(
            (place, low),
            (
                plain("i64.sub", Read(place), select(above, count, i64(0))),
                plain("i64.add", Read(low), select(above, i64(step), i64(0))),
            ),
        )
        step >>= 1
    return Read(low)
