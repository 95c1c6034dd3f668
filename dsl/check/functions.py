"""The functions of the language: their names and what they take and give."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dsl.types import (
    PLAYER,
    TRUTH,
    Contents,
    ListType,
    Number,
    PieceType,
    Several,
    Type,
    bare,
    element_of,
    fits,
    maybe,
    numeric,
)  # fmt: skip

Signature = Callable[[Sequence[Type]], Type | None]


def _seat_to_seat(arguments: Sequence[Type]) -> Type | None:
    return PLAYER if len(arguments) == 1 and fits(arguments[0], PLAYER) else None


def _end(*shapes: str) -> Signature:
    def check(arguments: Sequence[Type]) -> Type | None:
        if len(arguments) == 1 and isinstance(arguments[0], Contents) and arguments[0].shape in shapes:
            return maybe(arguments[0].pieces)
        if len(arguments) == 1 and isinstance(arguments[0], Several) and "row" in shapes:
            return maybe(arguments[0].element)
        return None

    return check


def _first(arguments: Sequence[Type]) -> Type | None:
    if len(arguments) == 2 and numeric(arguments[0]) and isinstance(arguments[1], Several):
        return arguments[1]
    return _end("row")(arguments)


def _nth(arguments: Sequence[Type]) -> Type | None:
    if len(arguments) == 2 and numeric(arguments[0]) and isinstance(arguments[1], Contents | ListType):
        element = element_of(arguments[1])
        if isinstance(arguments[1], Contents) and arguments[1].shape not in ("row", "stack"):
            return None
        return maybe(element) if element else None
    return None


def _size(arguments: Sequence[Type]) -> Type | None:
    if len(arguments) == 1 and numeric(arguments[0]):
        core = bare(arguments[0])
        high = max(abs(core.low), abs(core.high)) if isinstance(core, Number) else 9999
        return Number(0, high)
    return None


def _sees(arguments: Sequence[Type]) -> Type | None:
    good = len(arguments) == 2 and fits(arguments[0], PLAYER) and isinstance(arguments[1], Contents | PieceType)
    return TRUTH if good else None


# name -> (how it is written, signature)
FUNCTIONS: dict[str, tuple[str, Signature]] = {
    "left": ("left(seat): the next seat clockwise", _seat_to_seat),
    "right": ("right(seat): the seat before", _seat_to_seat),
    "first": ("first(row) or first(number, set)", _first),
    "last": ("last(row)", _end("row")),
    "top": ("top(stack)", _end("stack")),
    "bottom": ("bottom(stack)", _end("stack")),
    "nth": ("nth(number, row or stack)", _nth),
    "size": ("size(number): without its sign", _size),
    "sees": ("sees(seat, zone)", _sees),
}
