"""What a host of modules has to do: Wasmtime, or the browser that Python itself runs in."""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import Protocol

from interpreter.compiler.machine.forms import WORD_BITS


class NoMachineError(Exception):
    """The machine engine cannot play; the reason is a sentence for people."""


class TrappedError(Exception):
    """A call ended in a fault, or took too long."""


class Instance(Protocol):
    """A module with a memory of its own. Only one thread at a time may use it."""

    def call(self, name: str, *arguments: int) -> int:
        """Call an exported function; its result, if any, as a signed number. Raises TrappedError."""

    def link(self, compiled: Compiled) -> None:
        """Let functions of another module be called, too, which imports memory and functions from this one."""

    def read(self, address: int, size: int) -> bytes:
        """What is in memory."""

    def write(self, address: int, content: bytes) -> None:
        """Change memory."""

    def view(self, address: int, count: int) -> MutableSequence[int]:
        """Signed words of memory, as they are at the moment."""


class Compiled(Protocol):
    """A module in machine code, which several instances share."""

    def instance(self) -> Instance:
        """A new instance. Raises NoMachineError if there is no memory for it."""

    def beside(self, binary: bytes) -> Compiled:
        """Another module that can be linked to instances of this one; it is kept."""


def signed(word: int) -> int:
    """A word as the signed number that functions take."""
    return word - (1 << WORD_BITS) if word >> WORD_BITS - 1 else word
