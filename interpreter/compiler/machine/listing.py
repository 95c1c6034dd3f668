"""Legal moves as rows in memory: those of a decision that cannot count them, and those shown in play step by step."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from itertools import accumulate

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Const, Expr
from interpreter.compiler.ir.module import Function as Rule
from interpreter.compiler.ir.runs import DECLINED
from interpreter.compiler.machine.body import Body, i32, i64
from interpreter.compiler.machine.forms import (
    SCALAR,
    WORD_BYTES,
    Form,
    UnprintableError,
    bytes_of,
    form_of,
    holds_lists,
)
from interpreter.compiler.machine.positions import hashes_of
from interpreter.compiler.machine.program import Program
from interpreter.compiler.machine.scope import INITIAL_LIST_ROOM, Scope, allot, grown
from interpreter.compiler.machine.statements import Statements
from interpreter.compiler.wasm.instructions import I32, Code, Label, Local, Read, call, load, plain, store, write
from interpreter.compiler.wasm.modules import Function


class Rows:
    """Rows of one size, one after the other, in memory of one step; it is doubled when it is full."""

    def __init__(self, scope: Scope, size: int) -> None:
        self.scope, self.size = scope, size
        self.count, self.room, self.first = (scope.body.variable(I32) for _ in range(3))
        first = allot(scope, i32(INITIAL_LIST_ROOM * size))
        scope.body.assign((self.count, self.room, self.first), (i32(0), i32(INITIAL_LIST_ROOM), first))

    def address(self, number: Code) -> Code:
        """The address of a row."""
        return plain("i32.add", Read(self.first), plain("i32.mul", number, i32(self.size)))

    def added(self) -> Code:
        """The address of a new row."""
        body = self.scope.body
        body.when(plain("i32.eq", Read(self.count), Read(self.room)), self._double)
        address = body.held(self.address(Read(self.count)))
        body.assign((self.count,), (plain("i32.add", Read(self.count), i32(1)),))
        return address

    def _double(self) -> None:
        more = call(grown(self.scope.program), Read(self.first), Read(self.room), i32(self.size))
        self.scope.body.add(write((self.first, self.room), more))


class Listing(Statements):
    """The moves of a decision while they are listed. `seen` are the values of each group that have occurred."""

    rows: Rows

    def __init__(self, scope: Statements, moves: st.Block) -> None:
        super().__init__(scope.program, scope.body)
        self.locals, self.parts = scope.locals, scope.parts
        groups = sorted({node.group for node in st.walk(moves) if isinstance(node, st.Once)})
        self.seen = {group: Rows(self, 2 * WORD_BYTES) for group in groups}

    @abstractmethod
    def add(self, move: Sequence[Expr]) -> None:
        """Add a row for a move."""

    def control(self, node: st.Statement) -> None:
        """Emitted moves, and what depends on there being some."""
        match node:
            case st.Emit():
                self.add(node.move)
            case st.EmitDone():
                if node.any_before:
                    self.body.when(Read(self.rows.count), lambda: self.add((DECLINED,)))
                else:
                    self.add((DECLINED,))
            case st.IfNoMoves():
                self.body.when(plain("i32.eqz", Read(self.rows.count)), lambda: self.block(node.body))
            case st.Once():
                self._once(node)
            case _:
                super().control(node)

    def _once(self, node: st.Once) -> None:
        """What depends on whether values have occurred before: their hashes are looked for among all others."""
        body, seen = self.body, self.seen[node.group]
        hashes = body.named(hashes_of(self, node.values))
        listed = body.variable(I32)
        body.assign((listed,), (i32(0),))

        def among(out: Label) -> None:
            def compare(number: Code) -> None:
                address = body.held(seen.address(number))
                equal = [
                    plain("i64.eq", load("i64.load", address, WORD_BYTES * word), hashes[word]) for word in range(2)
                ]
                body.assign((listed,), (plain("i32.and", *equal),))
                body.leave(out, Read(listed))

            body.counted(i32(0), Read(seen.count), compare)

        body.block(among)

        def first() -> None:
            address = seen.added()
            for word, number in enumerate(hashes):
                body.add(store("i64.store", address, number, WORD_BYTES * word))
            self.block(node.body)

        body.when(Read(listed), lambda: self.block(node.otherwise), first)


class PartsListing(Listing):
    """The parts of moves that vary, each by its form, for a decision whose moves cannot be counted."""

    def __init__(self, scope: Statements, node: st.Decide) -> None:
        super().__init__(scope, node.moves)
        emitted = [statement.move for statement in st.walk(node.moves) if isinstance(statement, st.Emit)]
        self.offsets: list[dict[Form, int]] = []
        end = 0
        for place in range(len(node.names)):
            forms = dict.fromkeys(form_of(move[place].type) for move in emitted if place < len(move)) or {SCALAR: None}
            self.offsets.append({})
            for form in forms:
                self.offsets[-1][form] = end
                end += bytes_of(form)
        self.rows = Rows(self, end)

    def add(self, move: Sequence[Expr]) -> None:
        """See `Listing.add`."""
        # The values come first: computing them takes memory, too, and rows have to stay together.
        parts = [
            (offsets[form_of(part.type)], form_of(part.type), self.body.named(self.value(part)))
            for offsets, part in zip(self.offsets, move, strict=False)
        ]
        address = self.rows.added()
        for offset, form, value in parts:
            self.stored(form, address, offset, value)

    def read_row(self, number: Code) -> list[dict[Form, tuple[Local, ...]]]:
        """Variables with the parts of a move."""
        address = self.body.held(self.rows.address(number))
        variables: list[dict[Form, tuple[Local, ...]]] = []
        for offsets in self.offsets:
            variables.append({})
            for form, offset in offsets.items():
                variables[-1][form] = self.body.variables(form)
                self.body.assign(variables[-1][form], self.loaded(form, address, offset))
        return variables


# ---------------------------------------------------------------- play step by step


@dataclass(frozen=True)
class RowFormat:
    """The rows of a decision: the size of each, and by act the forms of its arguments, which follow its number."""

    size: int
    arguments: Mapping[int, Sequence[Form]]

    @property
    def holds_lists(self) -> bool:
        """Whether the rows hold the addresses of lists."""
        return any(holds_lists(form) for forms in self.arguments.values() for form in forms)


def act_of(move: Sequence[Expr]) -> int:
    """The number of the act of a move. Raises UnprintableError."""
    if not isinstance(move[0], Const):
        raise UnprintableError("moves whose action is not known")
    return int(move[0].value)


def row_format(rule: Rule) -> RowFormat:
    """The rows of a decision, from the function that lists its moves. Raises UnprintableError."""
    arguments: dict[int, list[Form]] = {act_of((DECLINED,)): []}
    for node in st.walk(rule.body):
        if isinstance(node, st.Emit):
            forms = [form_of(part.type) for part in node.move[1:]]
            pairs = zip(arguments.get(act_of(node.move), forms), forms, strict=True)
            arguments[act_of(node.move)] = [max(pair, key=bytes_of) for pair in pairs]
    return RowFormat(WORD_BYTES + max(sum(map(bytes_of, forms)) for forms in arguments.values()), arguments)


class MoveListing(Listing):
    """Whole moves, as they are shown."""

    def __init__(self, scope: Statements, moves: st.Block, format_: RowFormat) -> None:
        super().__init__(scope, moves)
        self.format, self.rows = format_, Rows(self, format_.size)

    def add(self, move: Sequence[Expr]) -> None:
        """See `Listing.add`."""
        act = act_of(move)
        forms = self.format.arguments[act]
        values = [self.body.named(self.as_form(part, form)) for part, form in zip(move[1:], forms, strict=True)]
        address = self.rows.added()
        self.body.add(store("i64.store", address, i64(act)))
        starts = accumulate([WORD_BYTES, *map(bytes_of, forms)])
        for form, start, value in zip(forms, starts, values, strict=False):
            self.stored(form, address, start, value)


class _Moves(Statements):
    """The function that lists legal moves."""


def listing_name(decision: int) -> str:
    """The name of the function that lists the legal moves of a decision."""
    return f"moves {decision}"


def define_listing(program: Program, rule: Rule, format_: RowFormat) -> Function:
    """The function that lists the legal moves of a decision, and gives the address of the first row."""
    function = program.module.function(listing_name(rule.number), (), (I32,))
    scope = _Moves(program, Body(function))
    listing = MoveListing(scope, rule.body, format_)
    listing.block(rule.body)
    scope.body.give((Read(listing.rows.first),))
    function.body = tuple(scope.body.statements)
    return function
