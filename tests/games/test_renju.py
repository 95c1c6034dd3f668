"""What black may not do in renju, beside the same rules written over lists of lines instead of rays."""

from __future__ import annotations

import random
from itertools import pairwise

import regelwerk

SIZE = 15
Point = tuple[int, int]
Stones = frozenset[Point]
WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))


def _lines(length: int, way: Point) -> list[tuple[Point, ...]]:
    return [
        tuple((column + step * way[0], row + step * way[1]) for step in range(length))
        for column in range(SIZE)
        for row in range(SIZE)
        if 0 <= column + (length - 1) * way[0] < SIZE and 0 <= row + (length - 1) * way[1] < SIZE
    ]


FIVES = {way: _lines(5, way) for way in WAYS}


def is_exact(line: tuple[Point, ...], way: Point, black: Stones) -> bool:
    """Whether five in a row are no part of a longer row."""
    before = line[0][0] - way[0], line[0][1] - way[1]
    after = line[-1][0] + way[0], line[-1][1] + way[1]
    return before not in black and after not in black


def fours(black: Stones, white: Stones, point: Point, way: Point) -> dict[Stones, set[Point]]:
    """Each four stones with a point that make exactly five, by the points that do."""
    found: dict[Stones, set[Point]] = {}
    for line in FIVES[way]:
        empty = [place for place in line if place not in black]
        if point in line and len(empty) == 1 and empty[0] not in white and is_exact(line, way, black | {empty[0]}):
            found.setdefault(frozenset(line) & black, set()).add(empty[0])
    return found


def is_forbidden(black: Stones, white: Stones, point: Point, depth: int = 6) -> bool:
    more = black | {point}
    rows = [line for way in WAYS for line in FIVES[way] if point in line and more.issuperset(line)]
    steps = {way: [line for line in rows if line in FIVES[way]] for way in WAYS}
    if any(len(in_way) == 1 for in_way in steps.values()):
        return False
    if rows:
        return True
    if sum(len(fours(more, white, point, way)) for way in WAYS) > 1:
        return True
    if depth == 0:
        return False
    threes = 0
    for way in WAYS:
        if fours(more, white, point, way):
            continue
        near = {place for line in FIVES[way] if point in line for place in line} - more - white
        threes += any(
            any(
                len(ends) == 2 and point in stones and _is_whole(stones, way)
                for stones, ends in fours(more | {place}, white, place, way).items()
            )
            and not is_forbidden(more, white, place, depth - 1)
            for place in near
        )
    return threes > 1


def _is_whole(stones: Stones, way: Point) -> bool:
    """Whether there is no gap between stones of a line."""
    ordered = sorted(stones)
    return all((b[0] - a[0], b[1] - a[1]) in (way, (-way[0], -way[1])) for a, b in pairwise(ordered))


def name(point: Point) -> str:
    return f"{'abcdefghijklmno'[point[0]]}{point[1] + 1}"


def test_black_may_not_do_what_the_rules_say(long_run: bool) -> None:
    rules = regelwerk.load("gomoku", variants=["renju"])
    forbidden = 0
    for seed in range(60 if long_run else 1):
        rng = random.Random(seed)
        area = [(column, row) for column in range(4, 12) for row in range(4, 12)]
        chosen = rng.sample(area, 26)
        black, white = frozenset(chosen[:19]), frozenset(chosen[19:])
        if any(black.issuperset(line) for way in WAYS for line in FIVES[way]):
            continue
        sides = {"black": black, "white": white}
        stones = " and ".join(f"stone of {side} is {{{', '.join(map(name, sides[side]))}}}" for side in sides)
        state = rules.start(given=f"given {stones}\nwhen phase placing")
        ours = {move.arguments["x"] for move in state.legal_moves}
        empty = {(column, row) for column in range(SIZE) for row in range(SIZE)} - black - white
        theirs = {name(point) for point in empty if not is_forbidden(black, white, point)}
        assert ours == theirs, stones
        forbidden += len(empty) - len(theirs)
    assert forbidden > 0
