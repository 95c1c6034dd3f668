"""Keys of the legal moves of a decision: equal for moves that a seat cannot tell apart in different worlds."""

from __future__ import annotations

from interpreter.compiler.machine.routines.language import Array, Number, numbers, scrambled

AS_OWN = -2
"""The key for the others before it is computed from that of the deciding seat, as they learn the same."""

AS_OWN_OFFSET = 0x3C6EF372FE94F82B


def distinguish(own: Array[Number], public: Array[Number], rows: Array[Number], width: Number, count: Number) -> None:
    """Let moves with equal keys have different ones: they differ only in equal pieces at different places.

    `rows` are the moves as they are listed, of `width` words. Then the keys for the others follow.
    """
    size = 2
    while size < 2 * count:
        size = size * 2
    places = numbers(size)
    repeated = numbers(count)
    for place in range(count):
        slot = scrambled(own[place]) & size - 1
        while places[slot] and own[places[slot] - 1] != own[place]:
            slot = slot + 1 & size - 1
        if places[slot]:
            repeated[places[slot] - 1] = 1
            repeated[place] = 1
        else:
            places[slot] = place + 1
    for place in range(count):
        if repeated[place]:
            for word in range(width):
                own[place] = scrambled(own[place] ^ rows[place * width + word])
        if public[place] == AS_OWN:
            public[place] = scrambled(own[place] ^ AS_OWN_OFFSET)
