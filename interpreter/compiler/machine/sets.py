"""Sets as the bits of words: what is done with all words, with one of them, and with the members in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter.compiler.machine.body import Body, Value, Variables, i32, i64, narrow, negated, read
from interpreter.compiler.machine.forms import NONE, WORD_BITS, Members
from interpreter.compiler.wasm.instructions import I64, Code, Label, Local, Read, plain, select


def constant_set(value: int, words: int) -> Value:
    """A set that is known."""
    return tuple([i64(value >> WORD_BITS * number & (1 << WORD_BITS) - 1) for number in range(words)])


def combined(name: str, one: Value, other: Value) -> Value:
    """An operation on each two words."""
    return tuple([plain(name, *pair) for pair in zip(one, other, strict=True)])


def union(one: Value, other: Value) -> Value:
    """What is in one or the other."""
    return combined("i64.or", one, other)


def both(one: Value, other: Value) -> Value:
    """What is in both."""
    return combined("i64.and", one, other)


def minus(one: Value, other: Value) -> Value:
    """What is in the first only."""
    return tuple(
        [plain("i64.and", first, plain("i64.xor", second, i64(-1))) for first, second in zip(one, other, strict=True)]
    )


def _joined(name: str, parts: Sequence[Code]) -> Code:
    found = parts[0]
    for part in parts[1:]:
        found = plain(name, found, part)
    return found


def is_empty(those: Value) -> Code:
    """Whether a set has no members, as a condition."""
    return plain("i64.eqz", _joined("i64.or", those))


def equal(one: Value, other: Value) -> Code:
    """Whether two sets of the same words have the same members, as a condition."""
    if len(one) == 1:
        return plain("i64.eq", one[0], other[0])
    return plain("i64.eqz", _joined("i64.or", combined("i64.xor", one, other)))


def size(those: Value) -> Code:
    """The number of members."""
    return _joined("i64.add", [plain("i64.popcnt", word) for word in those])


def resized(body: Body, those: Value, words: int) -> Value:
    """The set with another number of words; members that do not fit are a fault."""
    if len(those) > words:
        body.fault(negated(is_empty(those[words:])))
    return (*those[:words], *[i64(0)] * (words - len(those)))


def has(body: Body, those: Value, member: Code, fits: bool = False) -> Code:
    """Whether a number, which may be none or beyond the set unless it `fits`, is a member, as a condition."""
    (number,) = body.named((member,))
    within = plain("i64.lt_u", number, i64(WORD_BITS * len(those)))
    word = those[0] if len(those) == 1 else _word_of(body, those, number)
    bit = narrow(plain("i64.and", plain("i64.shr_u", word, number), i64(1)))
    return bit if fits else plain("i32.and", bit, within)


def _word_of(body: Body, those: Value, number: Code) -> Code:
    """The word with the bit of a number."""
    place = body.one(narrow(plain("i64.shr_u", number, i64(6))))
    found = those[0]
    for index, word in enumerate(those[1:], start=1):
        found = select(plain("i32.eq", place, i32(index)), word, found)
    return found


def bit(body: Body, member: Code, words: int, fits: bool = False) -> Value:
    """The set of one number; nothing if it is none or beyond the set, which is not tested for one that `fits`."""
    (number,) = body.named((member,))
    if words == 1:
        here = plain("i64.shl", i64(1), number)
        return (here if fits else select(plain("i64.lt_u", number, i64(WORD_BITS)), here, i64(0)),)
    one, place = body.named((plain("i64.shl", i64(1), number), plain("i64.shr_u", number, i64(6))))
    return tuple([select(plain("i64.eq", place, i64(index)), one, i64(0)) for index in range(words)])


def lowest(body: Body, those: Value) -> Code:
    """The first member of a set that is not empty."""
    if len(those) == 1:
        return plain("i64.ctz", those[0])
    words = body.named(those)
    found: Code = plain("i64.add", plain("i64.ctz", words[-1]), i64(WORD_BITS * (len(words) - 1)))
    for index in range(len(words) - 2, -1, -1):
        here = plain("i64.ctz", words[index])
        if index:
            here = plain("i64.add", here, i64(WORD_BITS * index))
        found = select(plain("i64.eqz", words[index]), found, here)
    return found


def first(body: Body, those: Value) -> Code:
    """The first member, or none."""
    words = body.named(those)
    return select(is_empty(words), i64(NONE), lowest(body, words))


def last(body: Body, those: Value) -> Code:
    """The last member, or none."""
    words = body.named(those)
    found: Code = i64(NONE)
    for index, word in enumerate(words):
        here = plain("i64.sub", i64(WORD_BITS * index + WORD_BITS - 1), plain("i64.clz", word))
        found = select(plain("i64.eqz", word), found, here)
    return found


def end(body: Body, those: Value) -> Code:
    """The number after the last member, 0 for an empty set."""
    words = body.named(those)
    found: Code = plain("i64.sub", i64(WORD_BITS), plain("i64.clz", words[0]))  # which is 64 for 0
    for index, word in enumerate(words[1:], start=1):
        here = plain("i64.sub", i64(WORD_BITS * (index + 1)), plain("i64.clz", word))
        found = select(plain("i64.eqz", word), found, here)
    return found


def shifted(those: Value, by: int, words: int) -> Value:
    """The set with a constant added to each member, in a number of words; members below 0 are left out."""
    apart, bits = divmod(abs(by), WORD_BITS)
    found: list[Code] = []
    for index in range(words):
        if by >= 0:
            here, beside = index - apart, index - apart - 1
            near, far = ("i64.shl", bits), ("i64.shr_u", WORD_BITS - bits)
        else:
            here, beside = index + apart, index + apart + 1
            near, far = ("i64.shr_u", bits), ("i64.shl", WORD_BITS - bits)
        parts = [
            plain(name, those[place], i64(count)) if count else those[place]
            for place, (name, count) in ((here, near), (beside, far))
            if 0 <= place < len(those) and count < WORD_BITS
        ]
        found.append(_joined("i64.or", parts) if parts else i64(0))
    return tuple(found)


def below(body: Body, number: Code, words: int) -> Value:
    """The set of all numbers below one."""
    (count,) = body.named((number,))
    found = []
    for index in range(words):
        rest = plain("i64.sub", count, i64(WORD_BITS * index)) if index else count
        (left,) = body.named((rest,))
        some: Code = plain("i64.sub", plain("i64.shl", i64(1), left), i64(1))
        some = select(plain("i64.ge_s", left, i64(WORD_BITS)), i64(-1), some)
        found.append(select(plain("i64.le_s", left, i64(0)), i64(0), some))
    return tuple(found)


def each(body: Body, those: Value, visit: Callable[[Code, Label, Label], None]) -> None:
    """Statements for each member in ascending order.

    `visit` gets the member and the labels that continue with the next one and end the loop.
    """
    left = body.variables(Members(len(those)))
    body.assign(left, those)
    member = body.variable(I64)

    def whole(out: Label) -> None:
        def once() -> None:
            _take_lowest(body, left, member)
            body.block(lambda following: visit(Read(member), following, out))

        body.repeated(lambda: negated(is_empty(read(left))), once)

    body.block(whole)


def _without_lowest(word: Code) -> Code:
    return plain("i64.and", word, plain("i64.sub", word, i64(1)))


def _take_lowest(body: Body, left: Variables, member: Local, place: int = 0) -> None:
    """Take the first member out of a set that is not empty, from word number `place` on."""
    word = left[place]

    def take() -> None:
        number = plain("i64.ctz", Read(word))
        body.assign((member,), (plain("i64.add", number, i64(WORD_BITS * place)) if place else number,))
        body.assign((word,), (_without_lowest(Read(word)),))

    if place == len(left) - 1:
        take()
    else:
        empty = plain("i64.eqz", Read(word))
        body.when(empty, lambda: _take_lowest(body, left, member, place + 1), take)


def select_member(body: Body, those: Value, number: Code, width: int) -> Code:
    """Member `number`, counted from 0, of a set with more members than that; all of them are below `width`."""
    place, word = body.variable(I64), body.variable(I64)
    body.assign((place,), (number,))
    if len(those) == 1:
        body.assign((word,), those)
        return _select_bit(body, word, place, width)
    base = body.variable(I64)

    def find(out: Label) -> None:
        for index, following in enumerate(those):
            body.assign((word, base), (following, i64(WORD_BITS * index)))
            if index < len(those) - 1:
                count = body.one(plain("i64.popcnt", Read(word)))
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
        count = body.one(plain("i64.popcnt", part))
        above = body.one(plain("i64.ge_s", Read(place), count))
        body.assign(
            (place, low),
            (
                plain("i64.sub", Read(place), select(above, count, i64(0))),
                plain("i64.add", Read(low), select(above, i64(step), i64(0))),
            ),
        )
        step >>= 1
    return Read(low)
