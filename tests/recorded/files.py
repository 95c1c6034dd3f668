"""The files of recorded games, and what differs when they are played again.

A file has sittings: a line with the table, a line for each game, and a line that counts positions. Messages of faults
stand in lines before the first game that has them; the line of the game refers to them by number.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.recorded.playing import CHECKPOINTS, TOLD, Line, Positions, Tell, play
from tests.recorded.tables import Table, game_at, table_from

DATA = Path(__file__).parent / "data"
SUFFIX = ".txt"
EMPTY = "."
"""Stands for a chain without a checkpoint."""


@dataclass(frozen=True)
class Sitting:
    """The games of one table: their records and, over all of them, how many positions were seen and how often again."""

    table: Table
    lines: tuple[Line, ...]
    seen: int
    different: int
    other_ways: int


def sitting(table: Table, seeds: Iterable[int]) -> Sitting:
    """Play the games of a table."""
    positions, game = Positions(), game_at(table)
    lines = tuple(play(game, table, seed, positions) for seed in seeds)
    return Sitting(table, lines, positions.seen, len(positions.numbers), positions.other_ways)


# ---------------------------------------------------------------- the files


def written(sittings: Iterable[Sitting]) -> Iterator[str]:
    """The lines of a file."""
    faults: dict[str, int] = {}
    for each in sittings:
        yield f"= {json.dumps(each.table.as_data())}"
        for line in each.lines:
            for fault in line.faults:
                if fault not in faults:
                    faults[fault] = len(faults)
                    yield f"! {json.dumps(fault)}"
            numbers = ",".join(str(faults[fault]) for fault in line.faults)
            yield f"{line.seed} {line.decisions} {' '.join(line.digests)} {line.chain or EMPTY} {numbers}".rstrip()
        yield f". {each.seen} {each.different} {each.other_ways}"


def read(path: Path) -> list[Sitting]:
    """The sittings of a file."""
    found: list[Sitting] = []
    faults: list[str] = []
    lines: list[Line] = []
    table: Table | None = None
    for text in path.read_text("utf-8").splitlines():
        mark, _, rest = text.partition(" ")
        if mark == "=":
            table = table_from(json.loads(rest))
            lines = []
        elif mark == "!":
            faults.append(json.loads(rest))
        elif mark == ".":
            assert table is not None
            found.append(Sitting(table, tuple(lines), *map(int, rest.split())))
        else:
            seed, decisions, *digests, chain, numbers = f"{text} ".split(" ")[:9]
            named = tuple(faults[int(number)] for number in numbers.split(",") if number)
            lines.append(Line(int(seed), int(decisions), tuple(digests), chain.removeprefix(EMPTY), named))
    return found


# ---------------------------------------------------------------- playing again


def differences(recorded: Sitting, first: int | None = None) -> list[str]:
    """What is different when the games of a sitting, or its first ones, are played again; a line for each game."""
    wanted = recorded.lines[:first]
    now = sitting(recorded.table, [line.seed for line in wanted])
    found = [
        f"{recorded.table}, seed {old.seed}: {text}"
        for old, new in zip(wanted, now.lines, strict=True)
        if (text := difference(old, new))
    ]
    before, after = ((each.seen, each.different, each.other_ways) for each in (recorded, now))
    if not found and wanted == recorded.lines and before != after:
        found.append(f"{recorded.table}: other positions are equal")
    return found


def difference(old: Line, new: Line) -> str:
    """How two records of a game differ, in words; empty if they do not."""
    if old == new:
        return ""
    digests = zip(TOLD.values(), old.digests, new.digests, strict=True)
    kinds = [kind for kind, before, after in digests if before != after]
    if old.decisions != new.decisions:
        kinds.insert(0, f"number of decisions ({new.decisions} instead of {old.decisions})")
    where = first_difference(old, new) if TOLD["moves"] in kinds else "with the same moves throughout"
    faults = [f"no longer: {text}" for text in old.faults if text not in new.faults]
    faults += [f"new: {text}" for text in new.faults if text not in old.faults]
    return "; ".join([f"different {', '.join(kinds)}, {where}", *faults])


def first_difference(old: Line, new: Line) -> str:
    """Between which decisions the legal moves begin to differ."""
    before = -1
    for ply, one, other in zip(CHECKPOINTS, old.chain, new.chain, strict=False):
        if one != other:
            return f"first at decision {ply}" if before == ply - 1 else f"first after decision {before} up to {ply}"
        before = ply
    return f"first after decision {before}"


def replayed(recorded: Sitting, seed: int, tell: Tell) -> Line:
    """Play one game of a sitting again, after those before it, telling everything that is folded."""
    positions, game = Positions(), game_at(recorded.table)
    for line in recorded.lines:
        if line.seed == seed:
            return play(game, recorded.table, seed, positions, tell)
        play(game, recorded.table, line.seed, positions)
    raise KeyError(seed)
