"""Searches in a module: their arrays and worlds are in the memory of an instance of their own."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Mapping, MutableSequence, Sequence
from functools import cache

from interpreter.compiler.machine.forms import WORD_BYTES
from interpreter.compiler.machine.image import Piece
from interpreter.compiler.machine.printing import PAST_BYTES
from interpreter.compiler.machine.routines.kinds import NUMBERS, RecordOf
from interpreter.compiler.machine.searches import CALLS, WORLDS_ADDRESS, records_in, search_module
from interpreter.engine.machine.games import Machine, MachineGame
from interpreter.engine.machine.hosts import NoMachineError

Arrays = Mapping[str, Mapping[str, MutableSequence[int]]]
"""The arrays of a search, by the names of their records and fields."""


class MachineSearch:
    """The search of one decision, in memory of its own: it needs no lock, and play step by step does not disturb it.

    `record` is that of the search, `contents` are what arrays contain at the beginning; all others are 0. There is room
    for a `past` of this many moves. Raises NoMachineError if there is not enough room.
    """

    def __init__(
        self,
        game: MachineGame,
        record: RecordOf,
        worlds: Sequence[Sequence[Piece]],
        lengths: Mapping[str, Mapping[str, int]],
        contents: Mapping[str, Mapping[str, Sequence[int]]],
        past: int = 0,
    ) -> None:
        self._machine = Machine(game)
        instance = self._machine.instance
        instance.link(game.compiled.beside(_binary()))
        records = records_in(record)
        end = game.end + past * game.printed.state.program.state_bytes
        addresses: dict[str, dict[str, int]] = {}
        for part in records:
            addresses[part.name] = {}
            for field, kind in part.fields:
                if kind == NUMBERS:
                    addresses[part.name][field] = end
                    end += WORD_BYTES * lengths[part.name][field]
        words: dict[str, list[int]] = {}
        self._addresses: dict[str, int] = {}
        for part in records:  # those in the record of the search come first
            words[part.name] = [
                self._addresses[kind.name] if isinstance(kind, RecordOf) else addresses[part.name][field]
                for field, kind in part.fields
            ]
            self._addresses[part.name], end = end, end + WORD_BYTES * len(part.fields)
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
        for name, of_fields in words.items():
            instance.write(self._addresses[name], array("q", of_fields).tobytes())
        for name, of_record in contents.items():
            for field, numbers in of_record.items():
                instance.write(addresses[name][field], array("q", numbers).tobytes())
        instance.write(WORLDS_ADDRESS, struct.pack("<Q", starts))
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

    @property
    def fault(self) -> None:
        """The machine engine does not say how a rule failed."""

    def call(self, name: str, *numbers: int) -> int | None:
        """Call a function of the search; None if a rule failed, and then no move is left to take back."""
        return self._machine.call(name, self._addresses[CALLS[name].record.name], *numbers)


@cache
def _binary() -> bytes:
    """The module with the searches."""
    return search_module().binary()
