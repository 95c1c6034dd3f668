"""The best rows of one component, edge by edge: a dynamic program over the state of the frontier.

The method is that of Simpath (Knuth, The Art of Computer Programming 4A, 7.1.4) and frontier-based search (Kawahara,
Inoue, Iwashita, Minato 2017): edges are taken or left one after the other, in an order that keeps few places open at a
time (those with edges still to come). Of all earlier choices, a state keeps what matters for the rest: for each open
place whether it is free, inside a row, or the end of a part of a row, and then the kind of the part (`partial_rows.py`)
and its other end. Of two paths to the same state, the one with the smaller loss is at least as good for every ending.

The smallest example: places 0, 1, 2 with edges 0-1 and 1-2, where rows of two places or more are worth their number of
places. Step 1 takes 0-1 (0 and 1 are the ends of a part, each naming the other) or leaves it. Place 0 has no edge left,
so its slot is freed, and its end is closed: place 1 is now the end of a part whose other end is closed. Step 2 takes
1-2 (1 is inside, 2 is the end, and as it has no edge left the row {0, 1, 2} is complete) or leaves it (the row {0, 1}
is complete, place 2 stays out). A state in between knows whether place 1 is free or such an end, and nothing else.

A state is one number with `bits` bits for each slot; an open place has a slot. The options of an edge depend on the
slots of its two places alone, and changes are the same bits to flip in every state that agrees there, so the options
are computed once for each content of two slots.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from math import log
from typing import NamedTuple

from dsl.lazy_dataclasses import dataclass
from interpreter.runtime.bitset import bits
from interpreter.runtime.graphs.partial_rows import Kinds
from interpreter.runtime.graphs.vertex_order import narrow_order

FREE = 0  # not in a row yet
INSIDE = 1  # two edges taken
END = 2  # lowest code of the end of a part of a row: END + kind * (slots + 1) + slot of the other end

GROWTH = 3  # factor by which the number of states may grow in the next attempt


class Event(NamedTuple):
    """A change to one part of a row, for tracking which row a place is in.

    The slots of ends that disappear and of ends that are created, the places added, whether the row is complete, and a
    place of the part.
    """

    ends: int
    ends_then: int
    places: int
    complete: bool
    place: int


@dataclass(frozen=True)
class Option:
    """One option of a step.

    The bits to flip, the loss, whether the edge is taken, the places that stay out of all rows, and the events.
    """

    flips: int
    loss: int
    takes_edge: bool
    idle: int
    events: tuple[Event, ...]


@dataclass(frozen=True)
class EdgeStep:
    """An edge: its places and their slots, and (place, slot) of those that have no edge left after it."""

    places: tuple[int, int]
    slots: tuple[int, int]
    leaving: tuple[tuple[int, int], ...]


class Frontier:
    """The steps through one component, and the options of each."""

    def __init__(self, neighbours: Sequence[int], places: int, kinds: Kinds) -> None:
        self.kinds = kinds
        self.steps, self.slots = _steps(neighbours, places)
        self.width = 1 + max(self.slots.values())
        self.bits = (END + kinds.limit * (self.width + 1)).bit_length()
        slot_mask = (1 << self.bits) - 1
        # INVARIANT: the options of a step depend on the state only through the bits of `masks[number]`; `tables` and
        # `details` are keyed by these bits.
        self.masks = [
            slot_mask << a * self.bits | slot_mask << b * self.bits for a, b in (step.slots for step in self.steps)
        ]
        self.tables: list[dict[int, tuple[tuple[int, int], ...]]] = [{} for _ in self.steps]
        self.details: list[dict[int, list[Option]]] = [{} for _ in self.steps]

    def layers(self) -> list[dict[int, int]]:
        """The states before each step and after the last, each with the least loss of any path to it.

        States that have lost more than the best rows lose may be missing: the bound on the loss is raised from zero
        until rows are found, each time far enough that about `GROWTH` times as many states are reached.
        """
        previous_bound, bound, size, growth = 0, 0, 1, 0.0
        while True:
            layers, cut = self._within(bound)
            if layers[-1]:
                return layers
            met = sum(map(len, layers))
            if bound:
                growth = log(met / size) / (bound - previous_bound)
            previous_bound, size = bound, met
            bound = max(cut, bound + (int(log(GROWTH) / growth) if growth else bound))

    def _within(self, bound: int) -> tuple[list[dict[int, int]], int]:
        """The layers within a bound on the loss, and the least loss above it that was met."""
        cut = self.kinds.total
        layer = {0: 0}
        layers = [layer]
        for number, mask in enumerate(self.masks):
            table = self.tables[number]
            following: dict[int, int] = {}
            loss_of = following.get
            for state, lost in layer.items():
                key = state & mask
                changes = table.get(key)
                if changes is None:
                    changes = self._changes(number, key)
                for flips, loss in changes:
                    # INVARIANT: no option has a loss below 0 (`partial_rows.py`), so a state above the bound leads to
                    # no row within it.
                    loss += lost
                    if loss > bound:
                        if loss < cut:
                            cut = loss
                        continue
                    state_then = state ^ flips
                    loss_then = loss_of(state_then)
                    if loss_then is None or loss < loss_then:
                        following[state_then] = loss
            layer = following
            layers.append(layer)
        return layers, cut

    def _changes(self, number: int, key: int) -> tuple[tuple[int, int], ...]:
        least: dict[int, int] = {}
        for option in self.options(number, key):
            if option.loss < least.get(option.flips, option.loss + 1):
                least[option.flips] = option.loss
        changes = self.tables[number][key] = tuple(least.items())
        return changes

    def options(self, number: int, key: int) -> list[Option]:
        """The options of a step, given the part of the state that concerns its two places."""
        options = self.details[number].get(key)
        if options is None:
            options = self.details[number][key] = _Local(self, self.steps[number], key).options()
        return options


def _steps(neighbours: Sequence[int], places: int) -> tuple[list[EdgeStep], dict[int, int]]:
    """The edges in the order of the places they lead to, and the slots of the places."""
    order = narrow_order(neighbours, places)
    turn = {place: number for number, place in enumerate(order)}
    edges_left = {place: (neighbours[place] & places).bit_count() for place in order}
    slots: dict[int, int] = {}
    idle: list[int] = []
    width = 0
    steps = []
    for place in order:
        if not idle:
            idle.append(width)
            width += 1
        slots[place] = min(idle)
        idle.remove(slots[place])
        earlier = [neighbour for neighbour in bits(neighbours[place] & places) if turn[neighbour] < turn[place]]
        for neighbour in sorted(earlier, key=lambda place: (edges_left[place], turn[place])):
            edges_left[neighbour] -= 1
            edges_left[place] -= 1
            leaving = tuple([(end, slots[end]) for end in (neighbour, place) if not edges_left[end]])
            idle += [slot for _, slot in leaving]
            steps.append(EdgeStep((neighbour, place), (slots[neighbour], slots[place]), leaving))
    return steps, slots


class _Local:
    """The options of one step, computed on the slots of its places and of the other ends of their parts."""

    def __init__(self, frontier: Frontier, step: EdgeStep, key: int) -> None:
        self.kinds = frontier.kinds
        self.none = frontier.width  # the slot of an end that is closed
        self.bits = frontier.bits
        self.step = step
        slot_mask = (1 << self.bits) - 1
        self.codes = {slot: key >> slot * self.bits & slot_mask for slot in step.slots}
        # INVARIANT: the two ends of a part name each other and have the same kind, so the code of the other end, which
        # `key` does not contain, follows from that of this one.
        for slot in step.slots:
            if self.codes[slot] >= END:
                kind, mate = self._end(self.codes[slot])
                self.codes.setdefault(mate, self._code(kind, slot))

    def _code(self, kind: int, mate: int) -> int:
        return END + kind * (self.none + 1) + mate

    def _end(self, code: int) -> tuple[int, int]:
        return divmod(code - END, self.none + 1)

    def options(self) -> list[Option]:
        drafts = [_Draft(dict(self.codes), 0, False), *self._with_edge()]
        for place, slot in self.step.leaving:
            drafts = [closed for draft in drafts for closed in self._closed(draft, place, slot)]
        return [
            Option(self._flips(draft.slots), draft.loss, draft.takes_edge, draft.idle, tuple(draft.events))
            for draft in drafts
        ]

    def _flips(self, codes_then: dict[int, int]) -> int:
        flips = 0
        for slot, code in self.codes.items():
            if slot != self.none:  # a closed end has no bits in the state
                flips |= (code ^ codes_then[slot]) << slot * self.bits
        return flips

    def _with_edge(self) -> list[_Draft]:
        """Take the edge, if that is possible."""
        first, second = (self.codes[slot] for slot in self.step.slots)
        if INSIDE in (first, second):
            return []
        if first == second == FREE:
            return self._begin()
        if FREE in (first, second):
            return self._extend()
        return self._merge()

    def _begin(self) -> list[_Draft]:
        (first, second), (a, b) = self.step.places, self.step.slots
        drafts = []
        for first_kind, loss in self.kinds.alone(first):
            for second_kind, more in self.kinds.alone(second):
                part = self.kinds.joined(first_kind, second_kind)
                if part:
                    draft = _Draft(dict(self.codes), loss + more + part[1], True)
                    draft.slots[a], draft.slots[b] = self._code(part[0], b), self._code(part[0], a)
                    draft.events.append(Event(0, 1 << a | 1 << b, 1 << first | 1 << second, False, first))
                    drafts.append(draft)
        return drafts

    def _extend(self) -> list[_Draft]:
        ends = (0, 1) if self.codes[self.step.slots[0]] != FREE else (1, 0)
        old, new = (self.step.slots[number] for number in ends)
        place = self.step.places[ends[1]]
        kind, mate = self._end(self.codes[old])
        drafts = []
        for alone, loss in self.kinds.alone(place):
            part = self.kinds.joined(kind, alone)
            if part:
                draft = _Draft(dict(self.codes), loss + part[1], True)
                draft.slots[old] = INSIDE
                draft.slots[new], draft.slots[mate] = self._code(part[0], mate), self._code(part[0], new)
                draft.events.append(Event(1 << old, 1 << new, 1 << place, False, place))
                drafts.append(draft)
        return drafts

    def _merge(self) -> list[_Draft]:
        a, b = self.step.slots
        (kind, mate), (second_kind, partner) = self._end(self.codes[a]), self._end(self.codes[b])
        part = self.kinds.joined(kind, second_kind)
        if mate == b or part is None:  # an edge that closes a cycle adds no place to the row
            return []
        draft = _Draft(dict(self.codes), part[1], True)
        draft.slots[a] = draft.slots[b] = INSIDE
        complete = mate == partner == self.none
        if complete:
            lost = self.kinds.complete(part[0])
            if lost is None:
                return []
            draft.loss += lost
        else:
            draft.slots[mate], draft.slots[partner] = self._code(part[0], partner), self._code(part[0], mate)
        draft.events.append(Event(1 << a | 1 << b, 0, 0, complete, self.step.places[0]))
        return [draft]

    def _closed(self, draft: _Draft, place: int, slot: int) -> list[_Draft]:
        """Close a place that has no edge left: its slot is freed."""
        code = draft.slots[slot]
        draft.slots[slot] = FREE
        if code == INSIDE:
            return [draft]
        if code == FREE:
            return [*self._alone(draft, place), draft.without(place, self.kinds.most[place])]
        kind, mate = self._end(code)
        complete = mate == self.none
        if complete:
            lost = self.kinds.complete(kind)
            if lost is None:
                return []
            draft.loss += lost
        else:
            draft.slots[mate] = self._code(kind, self.none)
        draft.events.append(Event(1 << slot, 0, 0, complete, place))
        return [draft]

    def _alone(self, draft: _Draft, place: int) -> list[_Draft]:
        """Make rows of this place alone, where one place is enough."""
        drafts = []
        for kind, loss in self.kinds.alone(place):
            lost = self.kinds.complete(kind)
            if lost is not None:
                single = _Draft(
                    dict(draft.slots), draft.loss + loss + lost, draft.takes_edge, draft.idle, list(draft.events)
                )
                single.events.append(Event(0, 0, 1 << place, True, place))
                drafts.append(single)
        return drafts


@dataclass
class _Draft:
    """An option under construction."""

    slots: dict[int, int]
    loss: int
    takes_edge: bool
    idle: int = 0
    events: list[Event] = field(default_factory=list)

    def without(self, place: int, loss: int) -> _Draft:
        """Return the option with a place that stays out of all rows."""
        self.idle |= 1 << place
        self.loss += loss
        return self
