"""The context in which a program is printed as C: its types, constants and cells, and the names in a function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from interpreter.ir.expressions import Cell, Expr, Group, Local
from interpreter.ir.module import Module
from interpreter.ir.types import Opaque, Row, Seq, Type
from interpreter.layout.cells import Layout
from interpreter.native.constants import Constants
from interpreter.native.forms import SCALAR, Forms, NotInC, has_lists

FIELDS = {SCALAR: "s", "Q": "q"}
"""The fields of the state by the C type of their cells; sets of pieces are in `p`."""

MOST_LISTS = 16
"""Maximum number of cells with sequences that are not of numbers; `c/runtime.h` has room for them."""


@dataclass
class Cells:
    """Where cells are in the state: for each C type an array of its cells, in ascending order."""

    forms: dict[int, str] = field(default_factory=dict)
    positions: dict[int, int] = field(default_factory=dict)
    by_form: dict[str, list[int]] = field(default_factory=dict)
    fields: dict[str, str] = field(default_factory=dict)

    def field_of(self, form: str) -> str:
        """The field with the cells of a C type."""
        return self.fields.setdefault(form, FIELDS.get(form, f"m{len(self.fields)}"))


@dataclass
class Program:
    """A program being printed.

    `keeping`: for play step by step, where all cells are in the state, including those of pieces; sequences in them are
    kept until the state goes back to before they were stored. `memories` are the fields for values that are remembered
    until pieces move.
    """

    module: Module
    layout: Layout
    forms: Forms
    constants: Constants
    cells: Cells
    functions: dict[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    graphs: dict[str, str] = field(default_factory=dict)
    records: list[int] = field(default_factory=list)
    record_types: dict[int, Row] = field(default_factory=dict)
    lists: list[int] = field(default_factory=list)
    leaving: bool = False
    keeping: bool = False
    memories: list[str] = field(default_factory=list)

    def used_of(self, function: str) -> str:
        """The name of a function of sets of one form, which is declared because it is used."""
        self.used.add(function)
        return function

    @property
    def pieces(self) -> str:
        """The form of sets of pieces."""
        return self.forms.set_form(len(self.layout.pieces))


@dataclass
class Names:
    """The names of one function: `locals` with the C types of those that are declared, by name.

    `parts` are the locals with the parts of moves, each with its variables by C type, since moves differ in the types
    of their parts; `records` are the cells that locals with recorded positions were read from.
    """

    program: Program
    locals: dict[str, tuple[str, str]] = field(default_factory=dict)
    parts: dict[str, dict[str, str]] = field(default_factory=dict)
    records: dict[str, int] = field(default_factory=dict)
    declared: list[str] = field(default_factory=list)
    fresh: int = 0

    @property
    def forms(self) -> Forms:
        """The C types of the program."""
        return self.program.forms

    def new(self, prefix: str = "t") -> str:
        """A unique name."""
        self.fresh += 1
        return f"{prefix}{self.fresh}"

    def forget(self) -> None:
        """Begin a block, whose locals are independent of earlier ones."""
        self.locals, self.parts, self.records = {}, {}, {}

    def bind(self, local: Local, form: str | None = None) -> str:
        """A C variable for a local, declared by the caller; an inner one hides an outer one of the same name."""
        name = self.new("v")
        self.locals[local.name] = name, form or self.forms.form_of(local.type)
        return name

    def declare(self, local: Local) -> tuple[str, str]:
        """The C variable, declared at the beginning of the function, of a local that statements assign."""
        if local.name not in self.locals:
            name = self.bind(local)
            self.declared.append(f"{self.locals[local.name][1]} {name} = {{0}};")
        return self.locals[local.name]

    def read(self, local: Local) -> str:
        """A local as a value of its type."""
        wanted = self.forms.form_of(local.type)
        kinds = self.parts.get(local.name)
        if kinds is not None:
            form = wanted if wanted in kinds else next(iter(kinds))
            if form != wanted and len(kinds) > 1:  # another variable may be the one that was assigned
                raise NotInC(f"moves of several types, one of them {local.type}")
            return self.forms.converted(kinds[form], form, wanted)
        if local.name not in self.locals:
            self.declare(local)
        name, form = self.locals[local.name]
        return self.forms.converted(name, form, wanted)

    def list_number(self, group: Group) -> int:
        """The number of a cell with a sequence that is not of numbers; it is a local variable of the game."""
        lists = self.program.lists
        if group.count != 1:
            raise NotInC(f"cells of the type {group.type}")
        if group.first not in lists:
            if len(lists) == MOST_LISTS:
                raise NotInC(f"more than {MOST_LISTS} lists at once")
            lists.append(group.first)
        return lists.index(group.first)

    def kept(self, group: Group) -> bool:
        """True if the sequences in cells of the state are kept."""
        if not group.own and not self.program.keeping:
            raise NotInC(f"cells of the type {group.type}")
        return not group.own

    def note_record(self, local: Local, value: Expr) -> None:
        """Remember which cell a local with recorded positions was read from."""
        if isinstance(value, Cell) and isinstance(value.type, Opaque):
            self.records[local.name] = value.group.first

    def cell(self, cell: Cell, index: str | None) -> str:
        """A cell as something that can be read and assigned; `index` is its number within its group, if it varies."""
        return cell_text(self, cell.group, index)


def cell_text(names: Names, group: Group, index: str | None) -> str:
    """A cell of a group."""
    checked = "0" if index is None else index if index.isdigit() else f"at(x, {index}, {group.count})"
    if index is not None and index.isdigit() and int(index) >= group.count:
        raise NotInC("a cell beyond its group")
    if group.own:
        found = f"c{group.first}"
        return found if group.count == 1 else f"{found}[{checked}]"
    cells = names.program.cells
    form, position = cells.forms[group.first], cells.positions[group.first]
    place = str(position + int(checked)) if checked.isdigit() else f"{position} + {checked}"
    return f"g->{cells.field_of(form)}[{place}]"


def form_of_cell(names: Names, group: Group) -> str:
    """The C type of a cell of a group: cells have room for one sequence, but not for sequences inside of values."""
    if has_lists(group.type.of if isinstance(group.type, Seq) else group.type):
        raise NotInC(f"cells of the type {group.type}")
    return names.forms.form_of(group.type)


def cells_of(module: Module, groups: Sequence[Group], forms: Forms) -> Cells:
    """Lay out the cells of the state that are not local variables."""
    found = Cells()
    types: dict[int, Type] = {}
    for group in (*module.cells.values(), *groups):
        form = forms.form_of(group.type)
        for number in range(group.first, group.first + group.count):
            if found.forms.setdefault(number, form) != form:
                raise NotInC(f"a cell that holds {types[number]} and {group.type}")
            types[number] = group.type
    for number in sorted(found.forms):
        same = found.by_form.setdefault(found.forms[number], [])
        found.positions[number] = len(same)
        same.append(number)
    return found
