"""Which row comes first among all best choices of rows."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.graphs.frontier import Event, Frontier
from interpreter.graphs.links import members
from interpreter.graphs.worth import Sums

# Slots of the open ends of the row asked for, sums over its places where they matter: what places it may have so far.
Beginnings = dict[tuple[int, Sums], list[int]]


def first_row(frontier: Frontier) -> tuple[int, int]:
    """The worth of the best rows, and the row that comes first in all best choices; (0, 0) if none is worth anything.

    Only states on the way of a best choice are gone through again, with a guess which parts will be in the row asked
    for: these must be one row in the end. Of two beginnings of it in the same state, the one whose list of members
    comes first is as good for every ending, unless the other is a beginning of that list: then both are kept.

    Where rows may be worth nothing, best choices may have such rows, which are not asked for. There beginnings are
    compared, before they are complete, only if their sums are the same, so that their rows are worth the same.
    """
    layers = frontier.layers()
    kinds = frontier.kinds
    total = (kinds.total - layers[-1][0]) // kinds.scale
    if not total:
        return 0, 0
    kept, used = _on_the_way(frontier, layers)
    compared = kinds.guesses.lowest > 0
    first = used & -used if compared else 0
    done = 1 << frontier.width + 1
    beginnings: dict[int, Beginnings] = {0: {(0, ()): [0]}}
    for number, mask in enumerate(frontier.masks):
        following: dict[int, Beginnings] = {}
        lost, wanted = layers[number], kept[number + 1]
        for state, rows in beginnings.items():
            for option in frontier.options(number, state & mask):
                then = state ^ option.flips
                if wanted.get(then) != lost[state] + option.loss:
                    continue
                into = following.setdefault(then, {})
                for (marks, sums), sets in rows.items():
                    for marks_then, more in _marked(option.events, marks, done):
                        if first & option.fresh & ~more:
                            continue
                        found = [row | more for row in sets]
                        sums_then: Sums = ()
                        if marks_then != done:
                            sums_then = sums if compared else _added(sums, kinds.worth.sums_of(more))
                        elif marks != done and not compared:
                            found = [row for row in found if kinds.worth(row) > 0]
                        _keep(into.setdefault((marks_then, sums_then), []), found)
        beginnings = following
    return total, min(beginnings[0][done, ()], key=members)


def _added(sums: Sums, more: Sums) -> Sums:
    return tuple([a + b for a, b in zip(sums, more, strict=True)]) if sums else more


def _on_the_way(frontier: Frontier, layers: list[dict[int, int]]) -> tuple[list[dict[int, int]], int]:
    """The states through which best choices lead, in each layer, and the places used on these ways."""
    kept = layers[-1]
    found = [kept]
    used = 0
    for number in reversed(range(len(frontier.masks))):
        mask, table = frontier.masks[number], frontier.tables[number]
        reached = kept.get
        kept = {}
        taken = set()
        for state, lost in layers[number].items():
            key = state & mask
            for flips, loss in table[key]:
                if reached(state ^ flips) == lost + loss:
                    kept[state] = lost
                    taken.add((key, flips, loss))
        for key, flips, loss in sorted(taken):
            for option in frontier.options(number, key):
                if (option.flips, option.loss) == (flips, loss):
                    used |= option.fresh
        found.append(kept)
    return found[::-1], used


def _marked(events: Sequence[Event], marks: int, done: int) -> list[tuple[int, int]]:
    """The ways the row can go on through these events: its open ends, and the places that come into it.

    Several parts may be in the row while it is open; when one of them is complete, no other may be open.
    """
    ways = [(marks, 0)]
    for event in events:
        later = []
        for now, row in ways:
            inside = now & event.ends
            if not inside:
                later.append((now, row))  # this is of another row
            if inside == event.ends and now != done:
                now = now ^ event.ends | event.ends_then
                if not event.complete:
                    later.append((now, row | event.places))
                elif not now:
                    later.append((done, row | event.places))
        ways = later
    return ways


def _keep(rows: list[int], more: list[int]) -> None:
    """Add sets of places that may become the first row, without those that cannot come first any more."""
    for row in more:
        if not any(_settled(each, row) for each in rows):
            rows[:] = [each for each in rows if not _settled(row, each)]
            rows.append(row)


def _settled(one: int, other: int) -> bool:
    """Whether `one` comes before `other` whatever places come into both."""
    differing = one ^ other
    low = differing & -differing
    return not low or (one & low != 0 and other > low)
