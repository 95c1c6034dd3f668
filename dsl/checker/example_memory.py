"""What the checker found out about examples, for the next check of the same game after a change.

Examples are most of the text of a game, and what they mean does not depend on what is done inside rules. So an example
without any diagnostic is not checked again as long as its text is the same and the rules look the same from outside
(`_interface`): its types and referents are entered into the tables of the new model, under its new numbers, with the
symbols that have the names now.

INVARIANT: the tables, and what counts as used, are those that a check of the example would have left. What cannot be
entered so is checked: all examples of rules with errors or with clauses, and those that bind names, unless their tree
is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import replace
from typing import Literal, NamedTuple

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model
from dsl.symbols import Symbol
from dsl.text.span import Source
from dsl.types import Type


class Address(NamedTuple):
    """How a symbol is found in another model: by its name in a table; `position` is that among values of a name."""

    table: Literal["globals", "values", "families", "rules"]
    name: str
    position: int = 0


Referent = Address | Symbol
"""Where to find a symbol, or a symbol that belongs to no model."""


@dataclass(frozen=True)
class CheckedExample:
    """The entries of an example in the tables of a model, by the numbers of its nodes there.

    `binds` means that some referents are bound in the example itself.
    """

    example: ast.Example
    types: dict[int, Type]
    attribute_of: dict[int, str]
    refers: dict[int, Referent]
    used: frozenset[Address]
    binds: bool


@dataclass(frozen=True)
class Interface:
    """What the meaning of examples depends on: the declarations without their insides, and the board."""

    nodes: tuple[ast.Node, ...]
    board: Source | None


@dataclass(eq=False)
class ExampleMemory:
    """The examples of one game, by their text, as they were checked last. Threads may share it."""

    latest: tuple[Interface, dict[str, CheckedExample]] | None = None


class Recall:
    """What is remembered while the examples of a model are checked; `used` are the declarations that are used."""

    def __init__(self, memory: ExampleMemory, model: Model, used: set[int]) -> None:
        self.memory, self.model, self.used = memory, model, used
        self.interface = Interface(tuple(_outside(model)), model.board.source if model.board is not None else None)
        latest = memory.latest
        self._known = latest[1] if latest is not None and latest[0] == self.interface else {}
        self._checked: dict[str, CheckedExample] = {}
        self._found: dict[Address, Symbol] = {}

    def keep(self) -> None:
        """Remember the examples for the next check."""
        self.memory.latest = self.interface, self._checked

    def enter(self, example: ast.Example) -> bool:
        """Enter what is known of an example into the tables; False if nothing is."""
        text = example.span.text
        checked = self._known.get(text)
        if checked is None or (checked.binds and checked.example is not example):
            return False
        self._checked[text] = checked
        moved = example.number - checked.example.number
        for number, referent in checked.refers.items():
            self.model.refers[number + moved] = self._symbol(referent)
        self.model.types.update({number + moved: type_ for number, type_ in checked.types.items()})
        self.model.attribute_of.update({number + moved: name for number, name in checked.attribute_of.items()})
        for address in checked.used:
            declaration = self._symbol(address).node
            assert declaration is not None
            self.used.add(declaration.number)
        return True

    def learn(self, example: ast.Example, used: Set[int]) -> None:
        """Remember an example that was checked just now; `used` are the declarations that it uses."""
        model = self.model
        numbers = [node.number for node in example.walk()]
        symbols = {number: model.refers[number] for number in numbers if number in model.refers}
        refers = {number: self._referent(symbol) for number, symbol in symbols.items()}
        addresses = [
            (referent, symbol.node.number) for referent, symbol in zip(refers.values(), symbols.values(), strict=True)
            if isinstance(referent, Address) and symbol.node is not None
        ]  # fmt: skip
        if not used <= {number for _, number in addresses}:
            return
        self._checked[example.span.text] = CheckedExample(
            example, {number: model.types[number] for number in numbers if number in model.types},
            {number: model.attribute_of[number] for number in numbers if number in model.attribute_of}, refers,
            frozenset(address for address, number in addresses if number in used),
            any(isinstance(referent, Symbol) and referent.node is not None for referent in refers.values()),
        )  # fmt: skip

    def _referent(self, symbol: Symbol) -> Referent:
        model, name = self.model, symbol.name
        if model.globals.get(name) is symbol:
            return Address("globals", name)
        if model.rules.get(name) is symbol:
            return Address("rules", name)
        for index, value in enumerate(model.values.get(name, ())):
            if value is symbol:
                return Address("values", name, index)
        for index, family in enumerate(model.families.get(name, ())):
            if family is symbol:
                return Address("families", name, index)
        return symbol

    def _symbol(self, referent: Referent) -> Symbol:
        if isinstance(referent, Symbol):
            return referent
        symbol = self._found.get(referent)
        if symbol is None:
            symbol = self._found[referent] = self._lookup(referent)
        return symbol

    def _lookup(self, address: Address) -> Symbol:
        match address.table:
            case "globals":
                return self.model.globals[address.name]
            case "rules":
                return self.model.rules[address.name]
            case "values":
                return self.model.values[address.name][address.position]
            case "families":
                return self.model.families[address.name][address.position]


def _outside(model: Model) -> Iterator[ast.Node]:
    """The declarations of the rules, without what is done inside them."""
    yield from (model.file.header, *model.file.options)
    for part in model.file.parts:
        for node in part.declarations:
            match node:
                case ast.Example() | ast.Names() | ast.Table():
                    pass
                case ast.Action() | ast.Step():
                    yield replace(node, body=(), requires=())
                case ast.When():
                    yield replace(node, body=())
                case ast.Phase():
                    yield _phase(node)
                case _:
                    yield node


def _phase(node: ast.Phase) -> ast.Phase:
    return replace(node, body=(), phases=tuple(map(_phase, node.phases)))
