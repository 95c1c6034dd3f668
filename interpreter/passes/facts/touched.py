"""Which cells functions read and write, with those that they call."""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter.ir import statements as st
from interpreter.ir.expressions import Ask, Cell, Expr, Op, walk
from interpreter.ir.module import Function, Module
from interpreter.ir.operations import READING

ANYTHING = frozenset({"offered", "sees_piece", "sees_place", "sees_note", "over", "winners", "moves", "player"})
"""The operations that may read any cell."""

PLACES = "places of pieces"
"""The name of the group with the place of each piece."""


@dataclass
class Touched:
    """The names of the groups of cells that statements read and write; `everything`: they may read any cell."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    everything: bool = False
    calls: set[str] = field(default_factory=set)

    def add(self, other: Touched) -> None:
        """What others touch as well."""
        self.reads |= other.reads
        self.writes |= other.writes
        self.everything = self.everything or other.everything


def cells_of_zones(module: Module) -> frozenset[str]:
    """The groups of cells that change where pieces move, and are read where it is asked how they lie."""
    zones = [zone for name, zone in module.zones.items() if name not in module.by_kind]
    groups = [group for zone in zones for group in (zone.contents, zone.order, zone.filled) if group is not None]
    return frozenset({PLACES, *[group.name for group in groups]})


class Touching:
    """What the functions of a module touch, each looked at once."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.of_zones = cells_of_zones(module)
        self.bodies: dict[str, Touched] = {}
        self.known: dict[str, Touched] = {}

    def function(self, name: str) -> Touched:
        """What a function touches, with those that it calls, itself possibly among them."""
        if name not in self.known:
            found, waiting, seen = Touched(), [name], {name}
            while waiting:
                one = self._body(waiting.pop())
                found.add(one)
                supposed = {call for call in one.calls - seen if self.module.functions[call].kind == "hypothesis"}
                for call in supposed:
                    found.add(self._unchanging(call))
                waiting += one.calls - seen - supposed
                seen |= one.calls
            self.known[name] = found
        return self.known[name]

    def _unchanging(self, name: str) -> Touched:
        """What a hypothesis touches for those who ask it: it works on a copy."""
        found = self.function(name)
        return Touched(found.reads, set(), found.everything)

    def _body(self, name: str) -> Touched:
        """What a function touches itself, and which ones it calls."""
        if name not in self.bodies:
            function = self.module.functions[name]
            found = self.bodies[name] = Touched(calls={*called_by(function)})
            for node in st.walk(function.body):
                self._own(node, found)
        return self.bodies[name]

    def body(self, function: Function) -> Touched:
        """What a function touches; it may be a block."""
        return self.block(function.body, called_by(function))

    def block(self, block: st.Block, calls: tuple[str, ...] = ()) -> Touched:
        """What statements touch, with the functions that they call."""
        found = Touched()
        for node in st.walk(block):
            self._own(node, found)
        self._called(found, calls)
        return found

    def expression(self, node: Expr) -> Touched:
        """What an expression reads."""
        found = Touched()
        self._read(node, found)
        self._called(found)
        return found

    def statement(self, node: st.Statement) -> Touched:
        """What a statement touches itself, without those inside it."""
        found = Touched()
        self._own(node, found)
        self._called(found)
        return found

    def _called(self, found: Touched, calls: tuple[str, ...] = ()) -> None:
        for name in (*calls, *found.calls):
            supposed = self.module.functions[name].kind == "hypothesis"
            found.add(self._unchanging(name) if supposed else self.function(name))

    def _own(self, node: st.Statement, found: Touched) -> None:
        for part in st.expressions(node):
            self._read(part, found)
        match node:
            case st.Store(cell=cell) | st.Draw(cell=cell):
                found.writes.add(cell.group.name)
            case st.Mix(cell=cell):
                found.writes.add(cell.group.name)
                found.reads.add(cell.group.name)
            case _ if type(node) in st.MOVING:
                found.writes |= self.of_zones
                found.reads |= self.of_zones
            case st.Perform(function=name) | st.React(function=name):
                found.calls.add(name)
            case st.Goto(block=Cell() as cell):
                found.reads.add(cell.group.name)
            case st.Suspend(chosen=Cell() as cell):
                found.writes.add(cell.group.name)
            case _:
                pass

    def _read(self, node: Expr, found: Touched) -> None:
        for each in walk(node):
            match each:
                case Cell():
                    found.reads.add(each.group.name)
                case Ask():
                    found.calls.add(each.function)
                case Op(name="same_pieces"):
                    pass
                case Op(name=name) if name in READING:
                    found.everything = found.everything or name in ANYTHING
                    found.reads |= self.of_zones
                case _:
                    pass


def called_by(function: Function) -> tuple[str, ...]:
    """The functions that a function calls as a whole, not in one of its statements."""
    return function.calls if function.kind == "react" else ()
