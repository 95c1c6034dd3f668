"""The body of a function while it is printed: statements are added to it, values are operands without side effects.

An expression may need statements before its value is known, such as a loop that counts. `Body` is where they go;
`Body.inside` collects those of a block, a loop or a branch. The values of expressions are trees of instructions that
only read; what they read is not changed until they have been used, since expressions do not change a state and each
variable of a loop is read inside of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from interpreter.compiler.machine.forms import Form
from interpreter.compiler.wasm.instructions import (
    I32,
    I64,
    Block,
    Branch,
    Code,
    Constant,
    If,
    Label,
    Local,
    Read,
    Return,
    ValueType,
    plain,
    write,
)
from interpreter.compiler.wasm.modules import Function

Value = tuple[Code, ...]
Variables = tuple[Local, ...]


def i64(value: int) -> Constant:
    """A number of 64 bits."""
    return Constant(value, I64)


def i32(value: int) -> Constant:
    """A number of 32 bits."""
    return Constant(value, I32)


def read(variables: Sequence[Local]) -> Value:
    """The value in some variables."""
    return tuple([Read(variable) for variable in variables])


def narrow(value: Code) -> Code:
    """A number of 64 bits that is known to be small, as an address or condition."""
    if isinstance(value, Constant):
        return i32(value.value)
    return plain("i32.wrap_i64", value)


def wide(value: Code) -> Code:
    """A number of 32 bits, from 0, as one of 64."""
    if isinstance(value, Constant):
        return i64(value.value)
    return plain("i64.extend_i32_u", value)


def negated(condition: Code) -> Code:
    """Whether a condition does not hold."""
    return plain("i32.eqz", condition)


class Body:
    """The function that is being printed, and the statements of the block that is open in it."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.statements: list[Code] = []

    # ------------------------------------------------------------ variables

    def variable(self, type_: ValueType, name: str = "") -> Local:
        """A new variable."""
        return self.function.local(type_, name)

    def variables(self, form: Form, name: str = "") -> Variables:
        """New variables for a value."""
        return tuple([self.variable(type_, name) for type_ in form.operands])

    def assign(self, variables: Sequence[Local], value: Value) -> None:
        """Assign a value; it may depend on the variables themselves."""
        self.add(write(variables, *value))

    def named(self, value: Value) -> Value:
        """The value, computed once: constants and variables as they are, anything else in new variables."""
        operands: list[Code] = []
        for part in value:
            # A global may change before its value is used, as the end of memory does with every list.
            if isinstance(part, Constant) or (isinstance(part, Read) and isinstance(part.variable, Local)):
                operands.append(part)
            else:
                (type_,) = part.results
                variable = self.variable(type_)
                self.add(write((variable,), part))
                operands.append(Read(variable))
        return tuple(operands)

    def held(self, value: Code) -> Code:
        """A single operand, computed once."""
        return self.named((value,))[0]

    # ------------------------------------------------------------ statements

    def add(self, *codes: Code) -> None:
        """Add statements."""
        self.statements += codes

    @contextmanager
    def inside(self) -> Iterator[list[Code]]:
        """Collect the statements that are added, instead of adding them here."""
        enclosing, self.statements = self.statements, []
        yield self.statements
        self.statements = enclosing

    def when(self, condition: Code, then: Callable[[], None], otherwise: Callable[[], None] | None = None) -> None:
        """Statements that depend on a condition."""
        with self.inside() as first:
            then()
        second: list[Code] = []
        if otherwise is not None:
            with self.inside() as second:
                otherwise()
        if first or second:
            if not first:
                condition, first, second = negated(condition), second, []
            self.add(If(condition, tuple(first), tuple(second), ()))

    def block(self, fill: Callable[[Label], None]) -> None:
        """Statements that a branch to the label ends."""
        label = Label()
        with self.inside() as statements:
            fill(label)
        self.add(Block(label, tuple(statements), ()))

    def loop(self, fill: Callable[[Label], None]) -> None:
        """Statements that a branch to the label begins again."""
        label = Label()
        with self.inside() as statements:
            fill(label)
        self.add(Block(label, tuple(statements), (), loop=True))

    def counted(self, low: Code, high: Code, visit: Callable[[Code], None], step: int = 1) -> None:
        """Statements for each number of 32 bits from `low` up to, but not including, `high`, or for one in `step`."""
        number, end = self.variable(I32), self.held(high)
        self.add(write((number,), low))

        def once() -> None:
            visit(Read(number))
            self.add(write((number,), plain("i32.add", Read(number), i32(step))))

        self.repeated(lambda: plain("i32.lt_s", Read(number), end), once)

    def repeated(self, test: Callable[[], Code], visit: Callable[[], None]) -> None:
        """Statements as long as a condition holds, which is tested before.

        It is written twice, so that a loop is one branch: back to its beginning.
        """

        def once(start: Label) -> None:
            visit()
            self.leave(start, test())

        self.when(test(), lambda: self.loop(once))

    def leave(self, label: Label, condition: Code | None = None) -> None:
        """A branch."""
        self.add(Branch(label, condition))

    def fault(self, condition: Code | None = None) -> None:
        """End the game in a fault, if a condition holds."""
        trap = plain("unreachable")
        self.add(trap if condition is None else If(condition, (trap,), (), ()))

    def give(self, value: Value) -> None:
        """Leave the function with a value."""
        self.add(Return(value))
