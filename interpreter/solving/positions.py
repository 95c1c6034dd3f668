"""Exact values of games of perfect information without chance, for one seat or two: retrograde analysis.

All positions that can be reached are visited once, by their keys, and what the seats get at the ends is carried back: a
seat forces a result where one of its moves leads to a position where it does, or all moves of the other do. Positions
may be repeated: where neither forces anything better, play goes on for ever, and nobody gets anything.

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
    """The positions of a game, from number 0 on: who decides, what the first seat gets if it is over, and the moves.

    `first[n]` to `first[n + 1]` are the moves of position n, in the order of legal moves; `next` is where they lead.
    """

    owner: bytearray
    value: array[float]
    first: array[int]
    next: array[int]

    def moves(self, position: int) -> Sequence[int]:
        """Where the legal moves of a position lead."""
        return self.next[self.first[position] : self.first[position + 1]]


def explore(begun: SearchState[Begun], returns: Returns, limits: Limits) -> Positions:
    """Visit all positions that can be reached. Raises TooLargeError, PlayError if a rule fails."""
    numbers = {begun.key(): 0}
    owner, value = bytearray([OVER if begun.over else begun.seat]), array("d", [_value(begun, returns)])
    origins, targets = array("L"), array("L")
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
    # Where a criterion fails, Python says how.
    criteria = program.criteria_of_all(state.export().cells) if scores is None else scores
    sides = [(seat,) for seat in range(len(state.seats))]
    winners = leaders(ranks_of(criteria, program.conditions))
    return returns_of_criteria(program, criteria, sides, winners, returns)[0]


def _grouped(keys: array[int], groups: int) -> tuple[array[int], array[int]]:
    """The numbers of entries by their keys, in their order: where each group begins, and the numbers."""
    first = array("L", bytes(array("L").itemsize * (groups + 1)))
    for key in keys:
        first[key + 1] += 1
    for group in range(groups):
        first[group + 1] += first[group]
    places, order = array("L", first), array("L", bytes(keys.itemsize * len(keys)))
    for number, key in enumerate(keys):
        order[places[key]] = number
        places[key] += 1
    return first, order


# ---------------------------------------------------------------- values


@dataclass(frozen=True, eq=False)
class Values:
    """What the first seat gets in each position if both play well, and after how many decisions, or NEVER.

    NEVER: nobody forces an end, and nobody gets anything.
    """

    value: array[float]
    distance: array[int]

    def best(self, positions: Positions, position: int) -> int | None:
        """The number of a best move: the nearest end, or the farthest if that is a loss; None if the game is over."""
        moves, target = positions.moves(position), self.value[position]
        if not moves:
            return None
        is_lost = target < 0 if positions.owner[position] == 0 else target > 0

        def standing(move: int) -> tuple[bool, bool, int]:
            distance = self.distance[moves[move]]
            return self.value[moves[move]] != target, distance == NEVER, -distance if is_lost else distance

        return min(range(len(moves)), key=standing)


def values_of(positions: Positions) -> Values:
    """The values of all positions."""
    count = len(positions.owner)
    origins = array("L", [0]) * len(positions.next)
    for position in range(count):
        for edge in range(positions.first[position], positions.first[position + 1]):
            origins[edge] = position
    into, order = _grouped(positions.next, count)
    back = _Back(positions, into, array("L", [origins[edge] for edge in order]))
    value, distance = array("d", bytes(8 * count)), array("l", [NEVER]) * count
    over = [position for position in range(count) if positions.owner[position] == OVER]
    results = sorted({positions.value[position] for position in over})
    # Better results of the first seat come first, then those of the second: the first that is forced counts.
    for seat, wanted in [(0, one) for one in reversed(results) if one > 0] + [(1, one) for one in results if one < 0]:
        reached = back.forced(seat, [end for end in over if _is_as_good(positions.value[end], wanted, seat)])
        for position, decisions in reached.items():
            if not value[position]:
                value[position], distance[position] = wanted, decisions
    for seat in (0, 1):
        # A draw: one of the two forces an end that is no loss.
        ends = [end for end in over if _is_as_good(positions.value[end], 0.0, seat)]
        for position, decisions in back.forced(seat, ends).items():
            if not value[position] and distance[position] == NEVER:
                distance[position] = decisions
    return Values(value, distance)


def _is_as_good(value: float, wanted: float, seat: int) -> bool:
    return value >= wanted if seat == 0 else value <= wanted


@dataclass(frozen=True, eq=False)
class _Back:
    """Positions with the moves that lead to each: `first[n]` to `first[n + 1]` are those into position n."""

    positions: Positions
    first: array[int]
    origins: array[int]

    def forced(self, seat: int, ends: Sequence[int]) -> dict[int, int]:
        """The positions in which a seat can force one of some ends, and after how many decisions at most."""
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
                        left = open_moves.get(origin, first[origin + 1] - first[origin]) - 1
                        open_moves[origin] = left
                        if left:
                            continue
                    reached[origin] = decisions
                    new_front.append(origin)
            front = new_front
        return reached
