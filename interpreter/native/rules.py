"""The facts about a game that is printed as C."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from interpreter.ir.module import Function, Module
from interpreter.ir.statements import Block
from interpreter.layout.cells import Layout
from interpreter.passes.playouts import Playouts


@dataclass(frozen=True)
class Rules:
    """The rules prepared for random games, and what C needs to know beside them.

    `conditions` are the numbers of the criteria that are conditions, `teams` is whether there are teams. `attached` are
    for each piece the cells whose contents may distinguish it from equal ones; `choice_key` gives, for a zone and a
    piece in it, what determines the order in which pieces there are chosen.
    """

    prepared: Playouts
    layout: Layout
    attached: Sequence[Sequence[int]]
    conditions: tuple[int, ...]
    teams: bool
    choice_key: Callable[[str, int], tuple[int, ...]]

    @property
    def module(self) -> Module:
        """The rules in intermediate form."""
        return self.prepared.module


def bodies(module: Module) -> Iterator[Block]:
    """The statements of all functions and blocks."""
    return (each.body for each in functions_of(module))


def functions_of(module: Module) -> Iterator[Function]:
    """All functions and blocks."""
    yield from module.functions.values()
    yield from module.blocks.values()


@cache
def header(name: str) -> str:
    """A part of the run-time library in C."""
    return (files(__package__) / "c" / f"{name}.h").read_text("ascii")
