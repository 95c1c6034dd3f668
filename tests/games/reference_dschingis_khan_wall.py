"""The board of Dschingis Khan and its wall in plain Python, written from the rulebook and not from the rules file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

BOARD = json.loads((Path(__file__).parents[2] / "games" / "boards" / "dschingis_khan.json").read_text(encoding="utf-8"))
TOWERS = {tower["id"]: tower for tower in BOARD["towers"]}
LINES = {line["id"]: line for line in BOARD["lines"]}
VILLAGES = [village["id"] for village in BOARD["villages"]]
AT_TOWER = {tower: [name for name, line in LINES.items() if tower in line["ends"]] for tower in TOWERS}
AT_VILLAGE = {
    village: [name for name, line in LINES.items() if village in (line["left"], line["right"])] for village in VILLAGES
}


def other_village(line: str, village: str) -> str:
    left, right = LINES[line]["left"], LINES[line]["right"]
    return str(right if village == left else left)


def other_end(line: str, tower: str) -> str:
    start, end = LINES[line]["ends"]
    return str(end if tower == start else start)


def course_of_start(straight: bool) -> list[str]:
    """The towers of the initial wall from west to east: along the drawn line, or straight from one red tower on."""
    rows = {tower: data["at"][1] for tower, data in TOWERS.items()}
    (row,) = {rows[tower] for tower, data in TOWERS.items() if data["red"]}
    drawn = [name for name, line in LINES.items() if line["start_wall"]]
    level = [name for name, line in LINES.items() if {rows[tower] for tower in line["ends"]} == {row}]
    lines = level if straight else drawn
    towers = [tower for tower, data in TOWERS.items() if data["red"] and data["border"] == "west"]
    while lines:
        line = next(line for line in lines if towers[-1] in LINES[line]["ends"])
        lines.remove(line)
        towers.append(other_end(line, towers[-1]))
    return towers


def lines_along(towers: Sequence[str]) -> list[str]:
    """The lines between towers that follow one another."""
    return [next(line for line in AT_TOWER[a] if other_end(line, a) == b) for a, b in pairwise(towers)]


class Wall:
    """What stands on the lines, and the course of the main wall."""

    def __init__(self, straight: bool) -> None:
        self.main = course_of_start(straight)
        self.piece = dict.fromkeys(lines_along(self.main), "open")

    def touched(self, tower: str) -> bool:
        return any(line in self.piece for line in AT_TOWER[tower])

    def way_to_main(self, tower: str, without: str) -> list[str]:
        """Towers from the main wall out to this one, over standing pieces but one."""
        came: dict[str, str] = {tower: ""}
        todo = [tower]
        for here in todo:
            if here in self.main:
                way = [here]
                while came[way[-1]]:
                    way.append(came[way[-1]])
                return way
            for line in AT_TOWER[here]:
                there = other_end(line, here)
                if line in self.piece and line != without and there not in came:
                    came[there] = here
                    todo.append(there)
        raise AssertionError(f"{tower} hangs on nothing")

    def is_end(self, tower: str, any_rim: bool) -> bool:
        return TOWERS[tower]["border"] in (("west", "east", "north", "south") if any_rim else ("west", "east"))

    def rings_branches(self, line: str) -> bool:
        start, end = LINES[line]["ends"]
        if not (self.touched(start) and self.touched(end)):
            return False
        return self.way_to_main(start, line)[0] == self.way_to_main(end, line)[0]

    def place(self, line: str, any_rim: bool) -> list[str]:
        """Put an open piece on a line; gives the lines whose pieces go because of that."""
        start, end = LINES[line]["ends"]
        both = self.touched(start) and self.touched(end)
        new_tower = end if self.touched(start) else start
        self.piece[line] = "open"
        if both:
            first, second = self.way_to_main(start, line), self.way_to_main(end, line)
            if first[0] == second[0]:
                return self._remove([line])
            if self.main.index(first[0]) > self.main.index(second[0]):
                first, second = second, first
            p, q = self.main.index(first[0]), self.main.index(second[0])
            new, old = first + second[::-1], self.main[p : q + 1]
            return self._decide(new, old, self.main[:p] + new + self.main[q + 1 :])
        if self.is_end(new_tower, any_rim):
            way = self.way_to_main(new_tower, "")
            fork = self.main.index(way[0])
            if self._contests_first(new_tower, fork, any_rim):
                return self._decide(way, self.main[: fork + 1], way[::-1] + self.main[fork + 1 :])
            return self._decide(way, self.main[fork:], self.main[:fork] + way)
        return []

    def _contests_first(self, tower: str, fork: int, any_rim: bool) -> bool:
        """Whether a new end contests the first end of the main wall."""
        if not any_rim:
            return bool(TOWERS[tower]["border"] == "west")
        to_first, to_last = fork, len(self.main) - 1 - fork
        if to_first != to_last:
            return to_first < to_last
        side, first, last = (TOWERS[name]["end_side"] for name in (tower, self.main[0], self.main[-1]))
        return not (last == side and first != side)

    def _decide(self, new: list[str], old: list[str], main: list[str]) -> list[str]:
        if len(new) > len(old):
            self.main = main
            return self._remove(lines_along(old))
        return self._remove(lines_along(new))

    def _remove(self, gone: list[str]) -> list[str]:
        for line in gone:
            del self.piece[line]
        held, todo = {self.main[0]}, [self.main[0]]
        for here in todo:
            for line in AT_TOWER[here]:
                there = other_end(line, here)
                if line in self.piece and there not in held:
                    held.add(there)
                    todo.append(there)
        loose = [line for line in self.piece if not held & set(LINES[line]["ends"])]
        for line in loose:
            del self.piece[line]
        return gone + loose

    def mongolia(self) -> set[str]:
        """The villages left of the main wall, seen from its first end."""
        course = set(lines_along(self.main))
        first = lines_along(self.main[:2])[0]
        begin = str(LINES[first]["left" if LINES[first]["ends"][0] == self.main[0] else "right"])
        found, todo = {begin}, [begin]
        for here in todo:
            for line in AT_VILLAGE[here]:
                there = other_village(line, here)
                if line not in course and there not in found:
                    found.add(there)
                    todo.append(there)
        return found
