"""The functions of the language: their names, parameters and results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from dsl import types as ty

# ---------------- ranges of numbers that are computed: from the extremes of what they are computed from


def range_of(type_: ty.Type) -> ty.Number:
    """The range of a type of numbers; of those listed in a table it is unknown."""
    core = ty.bare(type_)
    return core if isinstance(core, ty.Number) else ty.ANY_NUMBER


def spanning(ends: Iterable[int]) -> ty.Number:
    """The smallest range with these numbers; beyond the largest numbers it is unknown."""
    bounded = [min(ty.FAR, max(-ty.FAR, end)) for end in ends]
    return ty.Number(min(bounded), max(bounded))


def quotients(dividend: ty.Number, divisor: ty.Number, rounded_up: bool) -> ty.Number:
    """The range of `dividend / divisor`, where `divisor` is not 0."""
    # A divisor near 0 gives the largest quotients, and a range from -3 to 5 has both 1 and -1 inside: with its ends
    # alone, 12 / d would seem to lie between -4 and 2.
    ends = {divisor.low, divisor.high, *(near for near in (-1, 1) if divisor.low <= near <= divisor.high)} - {0}
    return spanning(_quotient(a, b, rounded_up) for a in (dividend.low, dividend.high) for b in ends or {1})


def _quotient(dividend: int, divisor: int, rounded_up: bool) -> int:
    if abs(dividend) >= ty.FAR:  # however large
        return dividend if divisor > 0 else -dividend
    return -(-dividend // divisor) if rounded_up else dividend // divisor


def remainders(dividend: ty.Number, divisor: ty.Number) -> ty.Number:
    """The range of `remainder(dividend, divisor)`, where `divisor` is not 0."""
    # `remainder(seat, 4)` with seat in 0..3 changes nothing, which the range should show.
    if dividend.low >= 0 and dividend.high < divisor.low:
        return dividend
    return spanning((min(0, divisor.low + 1), max(0, divisor.high - 1)))


def larger_ones(first: ty.Number, second: ty.Number) -> ty.Number:
    """The range of the larger of two numbers."""
    return ty.Number(max(first.low, second.low), max(first.high, second.high))


def smaller_ones(first: ty.Number, second: ty.Number) -> ty.Number:
    """The range of the smaller of two numbers."""
    return ty.Number(min(first.low, second.low), min(first.high, second.high))


# ---------------- the functions of the language: their names, parameters and results


HANDFULS, REMAINDER = "handfuls", "remainder"
MEMBERS_IN_ORDER = frozenset({"first", "last", "nth"})
"""Functions that give members of a set in the order of its type."""
Signature = Callable[[Sequence[ty.Type]], ty.Type | None]


def _seat_to_seat(arguments: Sequence[ty.Type]) -> ty.Type | None:
    """A seat, or nobody: next to nobody, or among no seats."""
    if not arguments or len(arguments) > 2 or not ty.fits(arguments[0], ty.PLAYER):
        return None
    if len(arguments) == 2:
        return ty.maybe(ty.PLAYER) if ty.fits(arguments[1], ty.Several(ty.PLAYER)) else None
    return ty.maybe(ty.PLAYER) if isinstance(arguments[0], ty.Maybe) else ty.PLAYER


def _shaped(type_: ty.Type, *shapes: str) -> ty.Type | None:
    """Type of a member of a zone of that shape, or of a set where rows are accepted."""
    if isinstance(type_, ty.Contents):
        return ty.maybe(type_.pieces) if type_.shape in shapes else None
    if isinstance(ty.bare(type_), ty.Several) and "row" in shapes:
        element = ty.element_of(type_)
        return ty.maybe(element) if element is not None else None
    return None


def _end(*shapes: str) -> Signature:
    return lambda arguments: _shaped(arguments[0], *shapes) if len(arguments) == 1 else None


def _first(arguments: Sequence[ty.Type]) -> ty.Type | None:
    if len(arguments) == 2 and ty.numeric(arguments[0]):
        return ty.settled(arguments[1]) if _shaped(arguments[1], "row", "stack") is not None else None
    return _end("row")(arguments)


def _nth(arguments: Sequence[ty.Type]) -> ty.Type | None:
    if len(arguments) == 2 and ty.numeric(arguments[0]):
        return _shaped(arguments[1], "row", "stack")
    return None


def _magnitude(arguments: Sequence[ty.Type]) -> ty.Type | None:
    if len(arguments) == 1 and ty.numeric(arguments[0]):
        core = ty.bare(arguments[0])
        return ty.Number(0, max(abs(core.low), abs(core.high)) if isinstance(core, ty.Number) else ty.FAR)
    return None


def _of_two_numbers(combine: Callable[[ty.Number, ty.Number], ty.Number]) -> Signature:
    def signature(arguments: Sequence[ty.Type]) -> ty.Type | None:
        if len(arguments) != 2 or not all(map(ty.numeric, arguments)):
            return None
        return combine(range_of(arguments[0]), range_of(arguments[1]))

    return signature


def _places(type_: ty.Type) -> ty.Type | None:
    """A set of values of a listed type."""
    core = ty.bare(type_)
    good = isinstance(core, ty.Several) and isinstance(core.element, ty.Listed) and core.element != ty.PLAYER
    return core if good else None


def _reach(arguments: Sequence[ty.Type]) -> ty.Type | None:
    good = len(arguments) == 2 and _places(ty.Several(ty.bare(arguments[0]))) and _places(arguments[1])
    return ty.Several(ty.bare(arguments[0])) if good else None


def _groups(arguments: Sequence[ty.Type]) -> ty.Type | None:
    places = _places(arguments[0]) if len(arguments) == 2 and _places(arguments[1]) else None
    return ty.Several(places) if places else None


def _path(arguments: Sequence[ty.Type]) -> ty.Type | None:
    if (
        len(arguments) != 3
        or ty.bare(arguments[0]) != ty.bare(arguments[1])
        or not _places(ty.Several(ty.bare(arguments[0])))
    ):
        return None
    edges = _places(arguments[2])
    return ty.maybe(edges) if edges else None


def _paths(arguments: Sequence[ty.Type]) -> ty.Type | None:
    return _groups(arguments[:2]) if len(arguments) == 3 and ty.numeric(arguments[2]) else None


def _trails(arguments: Sequence[ty.Type]) -> ty.Type | None:
    edges = _places(arguments[1]) if len(arguments) == 3 and ty.numeric(arguments[2]) else None
    return ty.Several(edges) if edges and _places(arguments[0]) else None


def _packings(arguments: Sequence[ty.Type]) -> ty.Type | None:
    core = ty.bare(arguments[0]) if len(arguments) == 1 else None
    return ty.Several(core) if isinstance(core, ty.Several) and isinstance(core.element, ty.Several) else None


def _near(arguments: Sequence[ty.Type]) -> ty.Type | None:
    return _reach(arguments)


def _place(type_: ty.Type) -> ty.Type | None:
    """The type if it is that of a place: a value of a listed type other than a seat."""
    core = ty.bare(type_)
    return core if isinstance(core, ty.Listed) and core != ty.PLAYER else None


def _beside(arguments: Sequence[ty.Type]) -> ty.Type | None:
    value = _place(arguments[0]) if len(arguments) == 1 else None
    return ty.maybe(value) if isinstance(value, ty.Listed) and not value.numeric and not value.parts else None


def _next(arguments: Sequence[ty.Type]) -> ty.Type | None:
    if len(arguments) == 1:
        return _beside(arguments)
    if len(arguments) not in (2, 3) or (len(arguments) == 3 and not ty.numeric(arguments[2])):
        return None
    place = _place(arguments[0])
    return ty.maybe(place) if place and _place(arguments[1]) else None


def _ray(arguments: Sequence[ty.Type]) -> ty.Type | None:
    place = _place(arguments[0]) if len(arguments) == 2 and _place(arguments[1]) else None
    return ty.Several(place) if place else None


def _between(arguments: Sequence[ty.Type]) -> ty.Type | None:
    place = _place(arguments[0]) if len(arguments) == 2 and ty.bare(arguments[0]) == ty.bare(arguments[1]) else None
    return ty.Several(place) if place else None


def _lines(arguments: Sequence[ty.Type]) -> ty.Type | None:
    places = _places(arguments[0]) if len(arguments) == 2 and ty.numeric(arguments[1]) else None
    return ty.Several(places) if places else None


def _sees(arguments: Sequence[ty.Type]) -> ty.Type | None:
    good = (
        len(arguments) == 2
        and ty.fits(arguments[0], ty.PLAYER)
        and isinstance(ty.bare(arguments[1]), ty.Contents | ty.PieceType)
    )
    return ty.TRUTH if good else None  # a note may have any type: `types/lookup.py` checks that it is one


def _handfuls(arguments: Sequence[ty.Type]) -> ty.Type | None:
    if len(arguments) != 3 or not ty.numeric(arguments[1]) or not ty.numeric(arguments[2]):
        return None
    core = ty.bare(ty.settled(arguments[0]))
    good = isinstance(core, ty.Several) and not isinstance(core.element, ty.Several)
    return ty.Several(core) if good else None


# name -> (signature as written, function that types a call)
FUNCTIONS: dict[str, tuple[str, Signature]] = {
    "left": ("`left(seat)`: the next seat clockwise; `left(seat, seats)`: the next one of these", _seat_to_seat),
    "right": ("`right(seat)`: the previous seat; `right(seat, seats)`: the previous one of these", _seat_to_seat),
    "first": ("`first(row)`, `first(set)` or `first(number, set)`; an unordered zone has no first piece", _first),
    "last": ("`last(row)`, `last(set)` or `last(number, set)`; an unordered zone has no last piece", _first),
    "top": ("`top(stack)`", _end("stack")),
    "bottom": ("`bottom(stack)`", _end("stack")),
    "nth": ("`nth(number, row)`, also of a stack or a set; an unordered zone has no second piece", _nth),
    "magnitude": ("`magnitude(number)`: the number without its sign", _magnitude),
    REMAINDER: (
        f"`{REMAINDER}(number, number)`: the remainder of the first number divided by the second",
        _of_two_numbers(remainders),
    ),
    "larger": ("`larger(number, number)`: of more numbers, `highest … for …`", _of_two_numbers(larger_ones)),
    "smaller": ("`smaller(number, number)`: of more numbers, `lowest … for …`", _of_two_numbers(smaller_ones)),
    "reach": ("`reach(place, edges)`: every place that can be reached", _reach),
    "groups": ("`groups(places, edges)`: the connected groups of places", _groups),
    "path": ("`path(place, place, edges)`: the edges of the shortest path, or none", _path),
    "paths": ("`paths(places, edges, number)`: the paths of at least that many places", _paths),
    "trails": ("`trails(places, edges, number)`: the walks that use at least that many edges, each once", _trails),
    "packings": ("`packings(sets)`: every selection of sets that do not overlap", _packings),
    "near": ("`near(place, edges)`: the places one edge away", _near),
    "next": (
        "`next(value)`, or `next(place, direction)`, `next(place, direction, number)`: the place that many steps on",
        _next,
    ),
    "previous": ("`previous(value)`; for places, `next(place, direction)` with the opposite direction", _beside),
    "ray": ("`ray(place, direction)`: every place in that direction", _ray),
    "between": ("`between(place, place)`: the places between two in a straight line", _between),
    "lines": ("`lines(places, number)`: the straight lines of that many places", _lines),
    HANDFULS: (f"`{HANDFULS}(set, number, number)`: all subsets with that many members", _handfuls),
    "sees": ("`sees(seat, zone)`, `sees(seat, piece)` or `sees(seat, note)`", _sees),
}

OF_NUMBERS = frozenset({"magnitude", "larger", "smaller", REMAINDER})
"""Functions of numbers, which the value of a call is explained by."""

LINKING = frozenset({"reach", "near", "groups", "path", "paths", "trails"})
"""Functions of places and the edges that link them: the places come first, then the edges."""

SEATED = frozenset({"left", "right", "sees"})
"""Functions whose first argument is a seat."""
