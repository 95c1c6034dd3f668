"""Exact values of games of perfect information without chance, for one seat or two: retrograde analysis.

All positions that can be reached are visited once, by their keys, and results are carried back from the ends. A seat
can force a result in its own position if one move leads to where it can, and in a position of the other seat if all
moves do. With two matches, of which one or two are taken, and who takes the last one loses:

    0 matches left: over, lost for who took the last one
    1 match left:   the only move leads there: lost for who decides
    2 matches left: taking one leads to 1 match, which is lost for the other: won for who decides

Positions may come again, so values are not computed along a search: a position whose value is still open when nothing
more can be forced is one in which play goes on for ever, and nobody gets anything.

The method is that of endgame tables (Thompson: Retrograde Analysis of Certain Endgames, ICCA Journal 1986).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.search_states import Begun, SearchState
from interpreter.environments.returns import Returns, returns_of_criteria
from interpreter.runtime.ranking import leaders, ranks_of
from interpreter.solving.limits import Limits

OVER = 2
"""The owner of a position in which the game is over."""

NEVER = -1
"""The distance of what is not forced."""


@dataclass(frozen=True, eq=False)
class Positions:
    """The positions of a game, numbered in the order in which they were first visited; 0 is the beginning.

    `owner` is the seat that decides, or OVER, `value` what the first seat gets where the game is over, else 0. The
    moves of position n are `first[n]` to `first[n + 1]`, in the order of legal moves; `next` is where each leads.
    """

    owner: bytearray
    value: array[float]
    first: array[int]
    next: array[int]

    def moves(self, position: int) -> Sequence[int]:
        """Where the legal moves of a position lead."""
        return self.next[self.first[position] : self.first[position + 1]]


def reachable_positions(begun: SearchState[Begun], returns: Returns, limits: Limits) -> Positions:
    """All positions that can be reached from one, depth first. Raises TooLargeError, PlayError if a rule fails."""
    numbers = {begun.key(): 0}
    owner, value = bytearray([OVER if begun.over else begun.seat]), array("d", [_value(begun, returns)])
    origins, targets = array("L"), array("L")
    # The line from the beginning: its positions, how many moves of each have been tried, and how many it has.
    path = [0] if not begun.over else []
    tried, counts = [0], [begun.move_count]
    while path:
        if tried[-1] == counts[-1]:
            del path[-1], tried[-1], counts[-1]
            if path:
                begun.pop()
            continue
        begun.push(tried[-1])
        tried[-1] += 1
        key = begun.key()
        number = numbers.get(key)
        origins.append(path[-1])
        if number is not None:
            targets.append(number)
            begun.pop()
            continue
        number = numbers[key] = len(numbers)
        limits.check(number + 1)
        targets.append(number)
        is_over = begun.over
        owner.append(OVER if is_over else begun.seat)
        value.append(_value(begun, returns))
        if is_over:
            begun.pop()
        else:
            path.append(number)
            tried.append(0)
            counts.append(begun.move_count)
    first, order = _grouped(origins, len(numbers))
    return Positions(owner, value, first, array("L", [targets[edge] for edge in order]))


def _value(state: SearchState[Begun], returns: Returns) -> float:
    """What the first seat gets in a position in which the game is over; 0 in others."""
    if not state.over:
        return 0.0
    program, scores = state.game.program, state.scores()
    # The machine engine gives no scores where a criterion fails; Python repeats it and says how it failed.
    criteria = program.criteria_of_all(state.export().cells) if scores is None else scores
    sides = [(seat,) for seat in range(len(state.seats))]
    winners = leaders(ranks_of(criteria, program.conditions))
    return returns_of_criteria(program, criteria, sides, winners, returns)[0]


def _grouped(keys: array[int], groups: int) -> tuple[array[int], array[int]]:
    """A counting sort: where the entries of each key begin in the order, and the numbers of entries in that order."""
    first = array("L", bytes(array("L").itemsize * (groups + 1)))
    for key in keys:
        first[key + 1] += 1
    for group in range(groups):
        first[group + 1] += first[group]
    next_place, order = array("L", first), array("L", bytes(keys.itemsize * len(keys)))
    for number, key in enumerate(keys):
        order[next_place[key]] = number
        next_place[key] += 1
    return first, order


# ---------------------------------------------------------------- values


@dataclass(frozen=True, eq=False)
class Values:
    """What the first seat gets in each position if both play well, and after how many decisions.

    A `distance` of NEVER means that nobody can force an end; then nobody gets anything.
    """

    value: array[float]
    distance: array[int]

    def best(self, positions: Positions, position: int) -> int | None:
        """The number of a best move: to the nearest end, or the farthest if it is lost. None if the game is over."""
        moves, target = positions.moves(position), self.value[position]
        if not moves:
            return None
        is_lost = target < 0 if positions.owner[position] == 0 else target > 0

        def sort_key(move: int) -> tuple[bool, bool, int]:
            distance = self.distance[moves[move]]
            return self.value[moves[move]] != target, distance == NEVER, -distance if is_lost else distance

        return min(range(len(moves)), key=sort_key)


def values_of(positions: Positions) -> Values:
    """The values of all positions."""
    count = len(positions.owner)
    origins = array("L", [0]) * len(positions.next)
    for position in range(count):
        for edge in range(positions.first[position], positions.first[position + 1]):
            origins[edge] = position
    first, order = _grouped(positions.next, count)
    moves_into = _MovesInto(positions, first, array("L", [origins[edge] for edge in order]))
    value, distance = array("d", bytes(8 * count)), array("l", [NEVER]) * count
    over = [position for position in range(count) if positions.owner[position] == OVER]
    results = sorted({positions.value[position] for position in over})
    won = [(0, result) for result in reversed(results) if result > 0]
    lost = [(1, result) for result in results if result < 0]
    # INVARIANT: each seat's results come from the best to the worst, so the first that a seat can force stays.
    for seat, result in won + lost:
        ends = [end for end in over if _is_as_good(positions.value[end], result, seat)]
        for position, decisions in moves_into.forced(seat, ends).items():
            if not value[position]:
                value[position], distance[position] = result, decisions
    for seat in (0, 1):
        # A draw: one of the two can force an end that is no loss.
        ends = [end for end in over if _is_as_good(positions.value[end], 0.0, seat)]
        for position, decisions in moves_into.forced(seat, ends).items():
            if not value[position] and distance[position] == NEVER:
                distance[position] = decisions
    return Values(value, distance)


def _is_as_good(value: float, result: float, seat: int) -> bool:
    """True if a seat likes a value as much as a result, both as what the first seat gets."""
    return value >= result if seat == 0 else value <= result


@dataclass(frozen=True, eq=False)
class _MovesInto:
    """The moves that lead to each position: those into position n are `first[n]` to `first[n + 1]`, from `origins`."""

    positions: Positions
    first: array[int]
    origins: array[int]

    def forced(self, seat: int, ends: Sequence[int]) -> dict[int, int]:
        """The positions in which a seat can force one of some ends, and after how many decisions at most.

        A position of the seat is in as soon as one of its moves leads to one that is, a position of the other when all
        of its moves do: their number is counted down. Breadth first, so the first distance is the right one for both.
        """
        owner, first = self.positions.owner, self.positions.first
        reached, open_moves = dict.fromkeys(ends, 0), dict[int, int]()
        front = list(ends)
        while front:
            new_front = []
            for position in front:
                decisions = reached[position] + 1
                for origin in self.origins[self.first[position] : self.first[position + 1]]:
                    if origin in reached:
                        continue
                    if owner[origin] != seat:
                        still_open = open_moves.get(origin, first[origin + 1] - first[origin]) - 1
                        open_moves[origin] = still_open
                        if still_open:
                            continue
                    reached[origin] = decisions
                    new_front.append(origin)
            front = new_front
        return reached
