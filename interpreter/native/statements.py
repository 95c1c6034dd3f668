"""Statements as C."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.ir import statements as st
from interpreter.ir.expressions import Call, Cell, Const, Expr, Fold, Loop, Op, children
from interpreter.ir.operations import READING
from interpreter.ir.types import Row, Seq, Set, element
from interpreter.native.constants import scalar
from interpreter.native.context import Names, form_of_cell
from interpreter.native.expressions import as_form, as_type, cell_place, condition, restore, text
from interpreter.native.folds import through
from interpreter.native.forms import SCALAR, NotInC
from interpreter.native.sequences import listed

Special = Callable[["Names", st.Statement], str | None]


class Statements:
    """Prints the statements of one function; `special` prints those that are special in it."""

    def __init__(self, names: Names, special: Special | None = None, when: bool = False) -> None:
        self.names, self.special, self.when = names, special, when
        self.loops: list[str] = []

    def block(self, block: st.Block) -> str:
        """Statements."""
        return " ".join(map(self.statement, block))

    def statement(self, node: st.Statement) -> str:
        """One statement with its nested statements."""
        found = self.special(self.names, node) if self.special is not None else None
        return self._usual(node) + "\n" if found is None else found + "\n"

    def _usual(self, node: st.Statement) -> str:
        names = self.names
        match node:
            case st.Assign():
                name, form = names.declare(node.local)
                names.note_record(node.local, node.value)
                return f"{name} = {as_form(names, node.value, form)};"
            case st.Store():
                return self._store(node.cell, node.value)
            case st.If():
                tested = f"if ({condition(names, node.condition)}) {{ {self.block(node.then)} }}"
                return f"{tested} else {{ {self.block(node.otherwise)} }}" if node.otherwise else tested
            case st.For():
                return self._for(node)
            case st.Repeat():
                count, out = names.new(), names.new("b")
                times = text(names, node.times)
                body = self._inside(node.body, out)
                head = f"for (I {count} = {times}; {count} > 0; {count}--)"
                return f"{{ {head} {{ poll(x); {body} {out}_next:; }} {out}:; }}"
            case st.Break():
                return f"goto {self.loops[-1]};"
            case st.Continue():
                return f"goto {self.loops[-1]}_next;"
            case st.Overfull():
                return "fault(x);"
            case st.Mix():
                return f"shuffle_order(g, &{cell_place(names, node.cell)});"
            case st.Draw():
                return self._draw(node)
            case st.Perform():
                return self._perform(node)
            case st.React():
                return f"{names.program.functions[node.function]}(x, g);"
            case st.Leave():
                return f"leave(x, {node.block});"
            case st.Return():
                return self._return(node)
            case st.Idle(reset=True):
                return "x_idle = 0;"
            case st.Idle():
                return "if (++x_idle > MOST_IDLE) fault(x);"
            case st.Mark() | st.Reason() | st.Announce() | st.Count():
                return ";"
            case st.MoveSet() | st.MoveSome() | st.Insert() | st.Shuffle():
                return self._move(node)
            case _:
                raise NotInC(f"a statement of the kind {type(node).__name__} where nobody decides")

    def _inside(self, block: st.Block, out: str) -> str:
        self.loops.append(out)
        body = self.block(block)
        self.loops.pop()
        return body

    # ------------------------------------------------------------ changes

    def _store(self, cell: Cell, value: Expr) -> str:
        names = self.names
        form, place = form_of_cell(names, cell.group), cell_place(names, cell)
        if form == "Q":
            match value:
                case Op(name="without_last", args=(those, Const(value=int() as count))) if those == cell:
                    order = names.new()
                    return f"{{ Order *{order} = &{place}; {order}->n = (int32_t)greatest(0, {order}->n - {count}); }}"
                case _:
                    return f"store_order(x, &{place}, {self._sequence(value)});"
        found = names.new()
        if isinstance(cell.group.type, Seq):
            size = f"sizeof {found}.v[0] * (size_t){found}.n"
            keep = "keep_items(x" if names.kept(cell.group) else f"keep_list(x, {names.list_number(cell.group)}"
            items = f"{keep}, {found}.v, {size})"
            return f"{{ {form} {found} = {as_form(names, value, form)}; {place} = ({form}){{{found}.n, {items}}}; }}"
        return f"{{ {form} {found} = {as_form(names, value, form)}; {place} = {found}; }}"

    def _sequence(self, value: Expr) -> str:
        return listed(self.names, value) if isinstance(value.type, Set | Seq) else text(self.names, value)

    def _draw(self, node: st.Draw) -> str:
        names = self.names
        values, place = node.table.content[0], cell_place(names, node.cell)
        if form_of_cell(names, node.cell.group) != SCALAR:
            raise NotInC("dice whose faces are not numbers or names")
        if not values:
            return "fault(x);"
        drawn = f"below(&g->chance, {len(values)})"
        if all(isinstance(value, int) for value in values) and list(values) == list(
            range(values[0], values[0] + len(values))
        ):
            return f"{place} = {drawn} + {scalar(values[0])};"
        program, key = names.program, f"{node.table.name} faces"
        if key not in program.graphs:
            program.graphs[key] = found = f"N{len(program.graphs)}"
            program.constants.array(SCALAR, found, [scalar(value) for value in values])
        return f"{place} = {program.graphs[key]}[{drawn}];"

    def _move(self, node: st.Statement) -> str:
        names = self.names
        names.program.used.add("pieces")
        pieces = f"set_{names.program.pieces}"
        match node:
            case st.MoveSet():
                flags = f"{_truth(node.bottom)}, {_truth(node.crowded)}"
                return f"move_set(x, g, {as_form(names, node.pieces, pieces)}, {text(names, node.target)}, {flags});"
            case st.MoveSome():
                ends = f"{text(names, node.origin)}, {text(names, node.target)}, {_truth(node.bottom)}"
                if node.kind is None:
                    return f"move_some(x, g, {text(names, node.count)}, {ends});"
                return f"move_kind(x, g, {text(names, node.count)}, {as_form(names, node.kind, pieces)}, {ends});"
            case st.Insert():
                parts = ", ".join(text(names, part) for part in (node.piece, node.target, node.anchor))
                return f"insert(x, g, {parts}, {_truth(node.after)});"
            case _:
                assert isinstance(node, st.Shuffle)
                return f"shuffle(x, g, {text(names, node.place)});"

    # ------------------------------------------------------------ calls

    def _perform(self, node: st.Perform) -> str:
        names = self.names
        function = names.program.module.functions[node.function]
        args = [as_type(names, arg, param.type) for arg, param in zip(node.args, function.params, strict=True)]
        return f"{names.program.functions[node.function]}({', '.join(['x', 'g', *args])});"

    def _return(self, node: st.Return) -> str:
        if self.when:
            nothing = isinstance(node.value, Const) and node.value.value is None
            return f"return {_truth(not nothing)};"
        return f"return {self.returned(node.value)};"

    def returned(self, value: Expr) -> str:
        """A value in the form of the result of the function."""
        return as_form(self.names, value, self.names.locals["return"][1])

    # ------------------------------------------------------------ loops

    def _for(self, node: st.For) -> str:
        names = self.names
        out = names.new("b")
        loops = node.loops
        unsteady = any(loop.where is not None and _reads(loop.where) for loop in loops)
        several = len(loops) > 1
        if _changes(node.body) and (several or unsteady):
            loop = loops[0]
            if several:
                return self._of_rows(node, out)
            if isinstance(loop.over.type, Set):
                found: Expr = Fold(loop.over.type, "set", loops, loop.local)
            else:
                found = Fold(loop.over.type, "list", loops, loop.local)
            loops = (Loop(loop.local, found),)
        body = through(names, loops, lambda: f"{{ {self._inside(node.body, out)} }} {out}_next:;")
        return f"{{ {body} {out}:; }}"

    def _of_rows(self, node: st.For, out: str) -> str:
        """A loop over combinations, all of which are computed first."""
        names = self.names
        locals_ = [loop.local for loop in node.loops]
        types = tuple(element(loop.over.type) for loop in node.loops)
        row = Op(Row(types), "row", tuple(locals_))
        found = Fold(Seq(Row(types)), "list", node.loops, row)
        form, items, number = names.forms.form_of(found.type), names.new(), names.new()
        value = text(names, found)
        befores = [(local, names.locals.get(local.name)) for local in locals_]
        forms = [names.forms.form_of(type_) for type_ in types]
        parts = [
            f"{part} {names.bind(local, part)} = {items}.v[{number}].f{place};"
            for place, (local, part) in enumerate(zip(locals_, forms, strict=True))
        ]
        body = self._inside(node.body, out)
        for local, before in befores:
            restore(names, local, before)
        head = f"{form} {items} = {value}; for (int32_t {number} = 0; {number} < {items}.n; {number}++)"
        return f"{{ {head} {{ {' '.join(parts)} {{ {body} }} {out}_next:; }} {out}:; }}"


def _truth(value: bool) -> str:
    return "true" if value else "false"


CHANGING = (st.Store, st.MoveSet, st.MoveSome, st.Insert, st.Shuffle, st.Mix, st.Draw, st.Perform, st.React)


def _changes(block: st.Block) -> bool:
    """True if statements may change the state."""
    return any(isinstance(node, CHANGING) for node in st.walk(block))


def _reads(node: Expr) -> bool:
    """True if an expression depends on the state."""
    if isinstance(node, Cell | Call) or (isinstance(node, Op) and node.name in READING):
        return True
    return any(map(_reads, children(node)))
