"""Games of the library beside the same rules in plain Python, where no other program is at hand that plays them."""

from __future__ import annotations

import random
from itertools import cycle

import regelwerk

# ---------------------------------------------------------------- surakarta

Point = tuple[int, int]


def circuit(line: int) -> list[tuple[Point, int]]:
    """The points along a circuit of the board, each with the number of the straight line that it lies on."""
    other = 5 - line
    lines = [
        [(step, line) for step in range(6)],
        [(other, step) for step in range(6)],
        [(5 - step, other) for step in range(6)],
        [(line, 5 - step) for step in range(6)],
    ]
    return [(point, number) for number, points in enumerate(lines) for point in points]


def taken(own: set[Point], foes: set[Point], start: Point) -> set[Point]:
    found = set()
    for line in (1, 2):
        for track in (circuit(line), circuit(line)[::-1]):
            for begin, (point, _) in enumerate(track):
                if point != start:
                    continue
                loops = 0
                for step in range(1, 25):
                    (before, straight), (here, following) = track[(begin + step - 1) % 24], track[(begin + step) % 24]
                    loops += straight != following
                    assert straight != following or abs(before[0] - here[0]) + abs(before[1] - here[1]) == 1
                    if here in foes and loops:
                        found.add(here)
                    if here in foes or (here in own and here != start):
                        break
    return found


def name(point: Point) -> str:
    return f"{'abcdef'[point[0]]}{point[1] + 1}"


def test_surakarta() -> None:
    rng, state, captures = random.Random(3), regelwerk.load("surakarta").start(), 0
    while not state.over:
        seat = state.player
        men = {
            side: {(ord(x[0]) - ord("a"), int(x[1]) - 1) for x in state.evaluate(f"on of {side}")}
            for side in ("black", "white")
        }
        foes = men["white" if seat == "black" else "black"]
        theirs = {f"take({name(x)}, {name(y)})" for x in men[str(seat)] for y in taken(men[str(seat)], foes, x)}
        ours = {move.notation for move in state.legal_moves if move.name == "take"}
        assert ours == theirs
        captures += len(ours)
        state.push(rng.choice(state.legal_moves))
    assert captures > 20


# ---------------------------------------------------------------- bao

ENDS = {0: 1, 1: 1, 6: -1, 7: -1}
"""The holes at whose captures a player does not choose the way: it leads from this end of the row."""


class Bao:
    """The holes of each player: the front row from the left, then the back row from the right."""

    def __init__(self) -> None:
        self.holes = [[2] * 16, [2] * 16]

    def captures(self, player: int, hole: int, seeds: int) -> bool:
        return hole < 8 and seeds > 0 and self.holes[1 - player][7 - hole] > 0

    def moves(self, player: int) -> tuple[str, set[tuple[int, int]]]:
        own = self.holes[player]
        both = [(hole, way) for hole in range(16) for way in (1, -1)]
        capturing = {
            (hole, way) for hole, way in both
            if 2 <= own[hole] <= 15
            and self.captures(player, (hole + way * own[hole]) % 16, own[(hole + way * own[hole]) % 16])
        }  # fmt: skip
        if capturing:
            return "capture", capturing
        row = range(8) if max(own[:8]) > 1 else range(8, 16)
        return "sow", {(hole, way) for hole, way in both if hole in row and own[hole] > 1}

    def play(self, player: int, hole: int, way: int, capturing: bool) -> None:
        own, facing = self.holes[player], self.holes[1 - player]
        seeds, own[hole] = own[hole], 0
        for _ in range(201):
            while seeds:
                hole = (hole + way) % 16
                own[hole] += 1
                seeds -= 1
            if capturing and self.captures(player, hole, own[hole] - 1):
                seeds, facing[7 - hole] = facing[7 - hole], 0
                way = ENDS.get(hole, way)
                hole = -1 if way > 0 else 8
            elif own[hole] > 1:
                seeds, own[hole] = own[hole], 0
            else:
                return


def test_bao(long_run: bool) -> None:
    rules = regelwerk.load("bao")
    for seed in range(50 if long_run else 4):
        rng, state, board = random.Random(seed), rules.start(), Bao()
        for player in cycle((0, 1)):
            for number, side in enumerate(("south", "north")):
                counts = [state.evaluate(f"count pit[cell({side}, nth({hole}, Hole))]") for hole in range(1, 17)]
                assert board.holes[number] == counts, seed
            if state.over:
                break
            kind, moves = board.moves(player)
            theirs = {f"{kind}({hole + 1}, {'ahead' if way > 0 else 'back'})": (hole, way) for hole, way in moves}
            assert theirs.keys() == {move.notation for move in state.legal_moves}
            chosen = rng.choice(sorted(theirs))
            state.push(chosen)
            board.play(player, *theirs[chosen], kind == "capture")


# ---------------------------------------------------------------- sprouts


def test_sprouts_end_after_three_lines_for_each_spot_at_most() -> None:
    for begun in (1, 2, 3, 4):
        rules = regelwerk.load("sprouts", options={"begun": begun})
        for seed in range(3):
            rng, state = random.Random(seed), rules.start()
            while not state.over:
                state.push(rng.choice(state.legal_moves))
            assert state.evaluate("count spots") - begun <= 3 * begun - 1
            assert all(state.evaluate(f"lines_at[{spot}]") <= 3 for spot in state.evaluate("spots"))
