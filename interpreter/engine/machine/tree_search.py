"""Tree search in a module: its arrays and worlds are in the memory of an instance of its own."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Mapping, MutableSequence, Sequence

from interpreter.compiler.machine.forms import WORD_BYTES
from interpreter.compiler.machine.image import Piece
from interpreter.compiler.machine.printing import PAST_BYTES
from interpreter.compiler.machine.routines.kinds import NUMBERS
from interpreter.compiler.machine.searching import RECORDS
from interpreter.engine.machine.games import Machine, MachineGame
from interpreter.engine.machine.hosts import NoMachineError

Arrays = Mapping[str, Mapping[str, MutableSequence[int]]]
"""The arrays of a search, by the names of their records and fields."""


class MachineTreeSearch:
    """The search of one decision, in memory of its own: it needs no lock, and play step by step does not disturb it.

    `contents` are what arrays contain at the beginning; all others are 0. Raises NoMachineError if there is no room.
    """

    def __init__(
        self,
        game: MachineGame,
        worlds: Sequence[Sequence[Piece]],
        lengths: Mapping[str, Mapping[str, int]],
        contents: Mapping[str, Mapping[str, Sequence[int]]],
    ) -> None:
        self._machine = Machine(game)
        places, instance = game.printed.places.search, self._machine.instance
        end = game.end
        addresses: dict[str, dict[str, int]] = {}
        for record in RECORDS:
            addresses[record.name] = {}
            for field, kind in record.fields:
                if kind == NUMBERS:
                    addresses[record.name][field] = end
                    end += WORD_BYTES * lengths[record.name][field]
        blobs = [piece for world in worlds for piece in world]
        starts, parts = end, end + WORD_BYTES * (len(worlds) + 1)
        end = parts + 3 * WORD_BYTES * len(blobs) + sum(len(content) + WORD_BYTES for _, content in blobs)
        if end - game.end > PAST_BYTES:
            raise NoMachineError("there is no room for so many worlds")
        instance.call("reach", end)
        self.arrays: Arrays = {
            name: {field: instance.view(address, lengths[name][field]) for field, address in of_record.items()}
            for name, of_record in addresses.items()
        }
        for record in RECORDS:
            for place, (field, _) in enumerate(record.fields):
                if field in addresses[record.name]:
                    address = places.records[record.name] + WORD_BYTES * place
                    instance.write(address, struct.pack("<Q", addresses[record.name][field]))
        for name, of_record in contents.items():
            for field, numbers in of_record.items():
                instance.write(addresses[name][field], array("q", numbers).tobytes())
        instance.write(places.worlds, struct.pack("<Q", starts))
        self._write_worlds(worlds, starts, parts)

    def _write_worlds(self, worlds: Sequence[Sequence[Piece]], starts: int, parts: int) -> None:
        """The lists of what has to be set for each world, and behind them what it is set to."""
        instance = self._machine.instance
        part = parts
        source = parts + 3 * WORD_BYTES * sum(map(len, worlds))
        for number, world in enumerate(worlds):
            instance.write(starts + WORD_BYTES * number, struct.pack("<Q", part))
            for address, content in world:
                instance.write(part, struct.pack("<3Q", address, source, len(content)))
                instance.write(source, content)
                part += 3 * WORD_BYTES
                source += -(-len(content) // WORD_BYTES) * WORD_BYTES
        instance.write(starts + WORD_BYTES * len(worlds), struct.pack("<Q", part))

    def begin(self, only: int) -> None:
        """Make the root."""
        self._machine.call("search_begin", only)

    def run(self, target: int) -> bool | None:
        """Iterate until there are `target` iterations in all; whether nothing is left, None if a rule failed."""
        settled = self._machine.call("search_run", target)
        return None if settled is None else bool(settled)

    def abandon(self) -> None:
        """Count the iteration in which a rule failed."""
        self._machine.call("search_abandon")

    def line(self, number: int) -> int:
        """Write the expected continuation of a move at the root; its length, 0 if a rule fails."""
        return self._machine.call("search_line", number) or 0
