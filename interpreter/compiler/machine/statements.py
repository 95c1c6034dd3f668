"""Statements: changes of the state, branches and loops.

A loop visits the members that its sets and conditions gave before it began, as the language says. `for each c in Cell
where mark[c] is empty: move 1 from box to mark[c]` must not ask again after the first move. So a loop whose body
changes the state and whose conditions read it collects its values first (`_for`), and several loops at once collect
rows of them. Everywhere else the loop runs on the set itself, which is a copy of the cell in variables of the function.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Call, Cell, Expr, Fold, FoldKind, Loop, Op, children
from interpreter.compiler.ir.operations import READING
from interpreter.compiler.ir.types import COUNT, Row, Seq, Set, element
from interpreter.compiler.machine import pieces, sequences
from interpreter.compiler.machine.body import Body, i32, i64, narrow
from interpreter.compiler.machine.chance import below, shuffle_order
from interpreter.compiler.machine.expressions import Expressions
from interpreter.compiler.machine.folds import through
from interpreter.compiler.machine.forms import NUMBER_ITEMS, SCALAR, WORD_BYTES, UnprintableError, bytes_of, form_of
from interpreter.compiler.machine.program import Program
from interpreter.compiler.machine.scope import form_of_cell
from interpreter.compiler.wasm.instructions import I64, Code, Label, Read, call, load, plain

FIRST_DESTINATION = 2
"""The result of a rule that was left for block 0; smaller ones say whether a reaction has fired."""


class Statements(Expressions):
    """A function whose statements are printed. What ends a block or decides is printed by subclasses."""

    def __init__(self, program: Program, body: Body) -> None:
        super().__init__(program, body)
        self.loops: list[tuple[Label, Label]] = []

    def block(self, block: st.Block) -> None:
        """Statements. Raises UnprintableError."""
        for node in block:
            self.statement(node)

    def control(self, node: st.Statement) -> None:
        """A statement that only some functions have. Raises UnprintableError."""
        raise UnprintableError(f"a statement of the kind {type(node).__name__} here")

    def statement(self, node: st.Statement) -> None:
        """One statement with those inside. Raises UnprintableError."""
        body = self.body
        match node:
            case st.Assign():
                value = self.as_type(node.value, node.local.type)
                if node.local.name not in self.locals:
                    self.bind(node.local)
                body.assign(self.locals[node.local.name][0], value)
                self.note_record(node.local, node.value)
            case st.Store():
                form = form_of_cell(node.cell.group)
                if form != NUMBER_ITEMS or not sequences.changed_in_place(self, node.cell, node.value):
                    self.store(node.cell, self.index(node.cell), self.as_form(node.value, form))
            case st.If():
                body.when(
                    self.condition(node.condition), lambda: self.block(node.then), lambda: self.block(node.otherwise)
                )
            case st.For():
                self._for(node)
            case st.Repeat():
                self._repeat(node)
            case st.Break():
                body.leave(self.loops[-1][1])
            case st.Continue():
                body.leave(self.loops[-1][0])
            case st.Overfull():
                body.fault()
            case st.Mix():
                place = self.address_of(node.cell, self.index(node.cell))
                body.add(call(shuffle_order(self.program), place))
            case st.Draw():
                self._draw(node)
            case st.DrawItem():
                drawn = call(below(self.program), self.number(Op(COUNT, "length", (node.items,))))
                self.store(node.cell, self.index(node.cell), (drawn,))
            case st.Perform():
                function = self.program.rules.functions[node.function]
                args = [
                    part
                    for arg, param in zip(node.args, function.params, strict=True)
                    for part in self.as_type(arg, param.type)
                ]
                self._performed(node.function, args)
            case st.React():
                self._performed(node.function, [])
            case st.MoveSet():
                moved = self.as_form(node.pieces, pieces.form_of_pieces(self.program.layout))
                target, flags = self.number(node.target), (i32(node.bottom), i32(node.crowded))
                body.add(call(pieces.move_set(self.program), *moved, target, *flags))
            case st.MoveSome():
                form = pieces.form_of_pieces(self.program.layout)
                kind = () if node.kind is None else self.as_form(node.kind, form)
                ends = self.number(node.origin), self.number(node.target)
                function_ = pieces.move_some(self.program, node.kind is not None)
                body.add(call(function_, self.number(node.count), *kind, *ends, i32(node.bottom)))
            case st.Insert():
                three = (self.number(part) for part in (node.piece, node.target, node.anchor))
                body.add(call(pieces.insert(self.program), *three, i32(node.after)))
            case st.Shuffle():
                body.add(call(pieces.shuffle(self.program), self.number(node.place)))
            case st.Mark() | st.Reason() | st.Announce() | st.Count():
                pass
            case _:
                self.control(node)

    def leave_rules(self, destination: Code) -> None:
        """Leave all running rules; `destination` is the block at which the game continues, plus FIRST_DESTINATION."""
        raise UnprintableError("leaving rules here")

    def _performed(self, name: str, args: Sequence[Code]) -> None:
        # There are no exceptions in a module. A rule that may end a phase, or perform one that does, returns the block
        # at which the game continues, and each caller passes that on; the others pay nothing for it.
        performed = call(self.program.functions[name].callee, *args)
        if name not in self.program.leaving:
            self.body.add(performed)
            return
        destination = self.body.held(performed)
        self.body.when(destination, lambda: self.leave_rules(destination))

    def _inside(self, block: st.Block, following: Label, out: Label) -> None:
        self.loops.append((following, out))
        self.block(block)
        self.loops.pop()

    def _draw(self, node: st.Draw) -> None:
        values = node.table.content[0]
        if form_of_cell(node.cell.group) != SCALAR:
            raise UnprintableError("dice whose faces are not numbers or names")
        if not values:
            self.body.fault()
            return
        drawn = self.body.held(call(below(self.program), i64(len(values))))
        if all(isinstance(value, int) for value in values) and list(values) == list(
            range(values[0], values[0] + len(values))
        ):
            face: Code = plain("i64.add", drawn, i64(values[0]))
        else:
            faces = self.program.data.values(values, COUNT)
            face = load("i64.load", plain("i32.mul", narrow(drawn), i32(WORD_BYTES)), faces)
        self.store(node.cell, self.index(node.cell), (face,))

    def _repeat(self, node: st.Repeat) -> None:
        body = self.body
        remaining = body.variable(I64)
        body.assign((remaining,), (self.number(node.times),))

        def loop(out: Label) -> None:
            def once(start: Label) -> None:
                body.leave(out, plain("i64.le_s", Read(remaining), i64(0)))
                body.assign((remaining,), (plain("i64.sub", Read(remaining), i64(1)),))
                body.block(lambda following: self._inside(node.body, following, out))
                body.leave(start)

            body.loop(once)

        body.block(loop)

    def _for(self, node: st.For) -> None:
        loops: Sequence[Loop] = node.loops
        unsteady = any(loop.where is not None and _reads(loop.where) for loop in loops)
        if _changes(node.body) and (len(loops) > 1 or unsteady):
            loop = loops[0]
            if len(loops) > 1:
                self._for_rows(node)
                return
            word: FoldKind = "set" if isinstance(loop.over.type, Set) else "list"
            loops = (Loop(loop.local, Fold(loop.over.type, word, (loop,), loop.local)),)
        self.body.block(lambda out: through(self, loops, lambda following: self._inside(node.body, following, out)))

    def _for_rows(self, node: st.For) -> None:
        """A loop over combinations, all of which are computed first."""
        body = self.body
        locals_ = [loop.local for loop in node.loops]
        types = tuple([element(loop.over.type) for loop in node.loops])
        listed = Fold(Seq(Row(types)), "list", node.loops, Op(Row(types), "row", tuple(locals_)))
        count, items = body.named(self.value(listed))
        form = form_of(Row(types))
        befores = [self.locals.get(local.name) for local in locals_]
        variables = [self.bind(local, form_of(type_)) for local, type_ in zip(locals_, types, strict=True)]
        flat = tuple([variable for parts in variables for variable in parts])

        def go_over(out: Label) -> None:
            def once(number: Code) -> None:
                address = plain("i32.add", items, plain("i32.mul", number, i32(bytes_of(form))))
                body.assign(flat, self.loaded(form, address, 0))
                body.block(lambda following: self._inside(node.body, following, out))

            body.counted(i32(0), count, once)

        body.block(go_over)
        for local, previous in zip(locals_, befores, strict=True):
            self.restore(local, previous)


def _changes(block: st.Block) -> bool:
    """True if statements may change the state."""
    return any(isinstance(node, st.Changing) for node in st.walk(block))


def _reads(node: Expr) -> bool:
    """True if an expression depends on the state."""
    if isinstance(node, Cell | Call) or (isinstance(node, Op) and node.name in READING):
        return True
    return any(map(_reads, children(node)))
