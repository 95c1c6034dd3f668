"""Backtracking through the frontier's states to best choices of rows that meet given constraints."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.runtime.bitset import bits
from interpreter.runtime.graphs.frontier import INSIDE, Event, Frontier, Option
from interpreter.runtime.graphs.objective import Sums

# A state, the slots of the open ends of the target row, sums over its places where they matter, and its places.
SearchState = tuple[int, int, Sums, int]


class Backtracking:
    """The states on optimal paths through the frontier; traversing them again finds choices that meet constraints.

    The layers of the frontier tell what the best rows are worth, not which of several best choices comes first in
    order. To find it, questions are asked, such as: is there a best choice with the row {1, 2, 3} whose next row begins
    with place 4? `choice` answers one of them by a depth-first search through the states that lie on optimal paths. The
    row that the question is about is the *target row*.

    For each part it is guessed whether it will be in the target row; in the end these parts must form one row. `used`
    are the places in rows of any best choice, `loss` is the loss of best choices.

    Where rows may be worth nothing, best choices may contain such rows, which do not count. Then states are also
    distinguished by the sums over the places of the target row, to ensure that it is worth something.
    """

    def __init__(self, frontier: Frontier, layers: list[dict[int, int]]) -> None:
        self.frontier = frontier
        self.layers = layers
        self.loss = layers[-1][0]
        self.optimal, self.used = _optimal_states(frontier, layers)
        self.complete_mark = 1 << frontier.width + 1  # in place of slots: the target row is complete
        self.worthless = frontier.kinds.guesses.lowest <= 0
        self.begins: dict[int, int] = {}
        self.ends: dict[int, int] = {}
        for number, step in enumerate(frontier.steps):
            for place in step.places:
                self.begins.setdefault(place, number)
                self.ends[place] = number

    def choice(self, rows: Sequence[int], inside: int = 0, outside: int = 0, some: int = 0) -> list[int] | None:
        """Find a best choice with all of `rows`; its rows are in order. None if there is none.

        If `some` is not empty, there is a row with all places of `inside`, at least one of `some`, and none of
        `outside`, to which the places of `rows` belong.
        """
        constraints = _Constraints(self, rows, inside, outside, some)
        steps = self.frontier.steps
        # INVARIANT: whether a search state leads to a choice depends on the layer, the state of the frontier, the
        # marks, the sums, and whether the target row has a place of `some` by now; not on the rest of its places. What
        # failed once fails always.
        dead: set[tuple[int, int, int, Sums, bool]] = set()
        trail: list[tuple[Option, SearchState]] = []
        current: SearchState = (0, 0 if some else self.complete_mark, (), 0)
        branches = [constraints.continuations(0, current)]
        while len(trail) < len(steps):
            if branches[-1]:
                option, current = branches[-1].pop()
                if (len(trail), *current[:3], current[3] & some != 0) not in dead:
                    trail.append((option, current))
                    branches.append(constraints.continuations(len(trail), current) if len(trail) < len(steps) else [])
            elif trail:
                branches.pop()
                _, current = trail.pop()
                dead.add((len(trail), *current[:3], current[3] & some != 0))
            else:
                return None
        return self._rows([option for option, _ in trail])

    def _rows(self, options: Sequence[Option]) -> list[int]:
        """The rows that are worth something, assembled from the edges taken."""
        parts: list[int] = []
        for step, option in zip(self.frontier.steps, options, strict=True):
            new = [event.places for event in option.events if event.places and not event.ends_then]
            if option.takes_edge:
                first, second = step.places
                edge = 1 << first | 1 << second
                new.append(edge | sum([part for part in parts if part & edge]))
                parts = [part for part in parts if not part & edge]
            parts += new
        worth = self.frontier.kinds.worth
        return sorted([row for row in parts if not self.worthless or worth(row) > 0], key=bits)


class _Constraints:
    """The constraints of one search, and the continuations that satisfy them."""

    def __init__(self, states: Backtracking, rows: Sequence[int], inside: int, outside: int, some: int) -> None:
        self.states = states
        self.some = some
        self.rows = rows
        self.inside = inside
        self.outside = outside
        self.needed = inside | sum(rows)
        self.owner = {place: number for number, row in enumerate(rows, 1) for place in bits(row)}

    def continuations(self, number: int, current: SearchState) -> list[tuple[Option, SearchState]]:
        """The options of the step with this number that the constraints allow, each with the next search state."""
        states, frontier = self.states, self.states.frontier
        state, marks, _, row = current
        first_owner, second_owner = (self.owner.get(place, 0) for place in frontier.steps[number].places)
        loss_so_far, optimal = states.layers[number][state], states.optimal[number + 1]
        continuations = []
        for option in frontier.options(number, state & frontier.masks[number]):
            then = state ^ option.flips
            if (
                optimal.get(then) != loss_so_far + option.loss
                or option.idle & self.needed
                or (option.takes_edge and first_owner != second_owner)
            ):
                continue
            if self.rows and not all(self._is_whole(number, then, event) for event in option.events if event.complete):
                continue
            for marks_then, more in self._marked(option.events, marks):
                row_then = row | more
                if marks_then == states.complete_mark:
                    if marks != states.complete_mark and not self._is_target(row_then):
                        continue
                elif number == len(frontier.steps) - 1:
                    continue
                carries_sums = states.worthless and marks_then != states.complete_mark
                sums_then = frontier.kinds.worth.sums_of(row_then) if carries_sums else ()
                continuations.append((option, (then, marks_then, sums_then, row_then)))
        return continuations

    def _is_target(self, row: int) -> bool:
        """True if a complete row can be the target row."""
        return row & self.some != 0 and (not self.states.worthless or self.states.frontier.kinds.worth(row) > 0)

    def _is_whole(self, number: int, then: int, event: Event) -> bool:
        """True if a row, when completed, includes all places of the settled row it belongs to."""
        owner = self.owner.get(event.place, 0)
        if not owner:
            return True
        states, frontier = self.states, self.states.frontier
        slot_mask = (1 << frontier.bits) - 1
        return all(
            states.ends[place] <= number
            or (states.begins[place] <= number and then >> frontier.slots[place] * frontier.bits & slot_mask == INSIDE)
            for place in bits(self.rows[owner - 1])
        )

    def _marked(self, events: Sequence[Event], marks: int) -> list[tuple[int, int]]:
        """Continue the target row through these events: the slots of its open ends, and the places it gains.

        Several parts may be in the row while it is open; when one of them is complete, no other may be open.
        Continuations that put more into the row come last and are tried first, so that its parts meet sooner.
        """
        complete_mark = self.states.complete_mark
        progress = [(marks, 0)]
        for event in events:
            later = []
            for now, row in progress:
                open_ends = now & event.ends
                if not open_ends and not event.places & self.inside:
                    later.append((now, row))  # this belongs to another row
                if open_ends == event.ends and now != complete_mark and not event.places & self.outside:
                    now_then = now ^ event.ends | event.ends_then
                    if not event.complete:
                        later.append((now_then, row | event.places))
                    elif not now_then:
                        later.append((complete_mark, row | event.places))
            progress = later
        return progress


def _optimal_states(frontier: Frontier, layers: list[dict[int, int]]) -> tuple[list[dict[int, int]], int]:
    """The states on optimal paths in each layer, and the places in their rows.

    From the last layer back: a state is on such a path if an option leads from it, without losing more than the best
    choices do, to one of the next layer that is.
    """
    optimal = layers[-1]
    optimal_layers = [optimal]
    used = 0
    for number in reversed(range(len(frontier.masks))):
        mask, table = frontier.masks[number], frontier.tables[number]
        reached = optimal.get
        optimal = {}
        changes = set()
        for state, lost in layers[number].items():
            key = state & mask
            for flips, loss in table[key]:
                if reached(state ^ flips) == lost + loss:
                    optimal[state] = lost
                    changes.add((key, flips, loss))
        for key, flips, loss in changes:
            for option in frontier.options(number, key):
                if (option.flips, option.loss) == (flips, loss):
                    for event in option.events:
                        used |= event.places
        optimal_layers.append(optimal)
    return optimal_layers[::-1], used
