"""What values of routines are, and what the annotations of a routine say about them."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Mapping
from functools import cache
from types import ModuleType

from dsl.lazy_dataclasses import value_class
from interpreter.compiler.machine.body import Value
from interpreter.compiler.machine.forms import SCALAR, WORD_BYTES, Form, Items
from interpreter.compiler.wasm.instructions import I32, Types


@value_class
class TruthKind:
    """A condition."""

    @property
    def operands(self) -> Types:
        """The types of the operands."""
        return (I32,)


@value_class
class ArrayOf:
    """Values one after the other, as the address of the first."""

    of: ValueKind

    @property
    def operands(self) -> Types:
        """The types of the operands."""
        return (I32,)


@value_class
class RecordOf:
    """A record, as its address."""

    name: str
    fields: tuple[tuple[str, ValueKind], ...]

    @property
    def operands(self) -> Types:
        """The types of the operands."""
        return (I32,)


@value_class
class GameKind:
    """The game that is played: the state of the module."""

    @property
    def operands(self) -> Types:
        """None."""
        return ()


ValueKind = Form | TruthKind | ArrayOf | RecordOf | GameKind
"""What a value of a routine is: a form, or what only routines have."""

TRUTH, GAME = TruthKind(), GameKind()
NUMBERS = ArrayOf(SCALAR)
Typed = tuple[Value, ValueKind]


class UntranslatableError(AssertionError):
    """A routine that is not written in the language of routines: an error in the routine."""


@cache
def source_of(module: ModuleType) -> tuple[Mapping[str, ast.FunctionDef], Mapping[str, ast.ClassDef]]:
    """The functions and records of a module of routines."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(module)))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    return functions, {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def is_none(node: ast.expr) -> bool:
    """Whether an annotation says that there is no value."""
    return isinstance(node, ast.Constant) and node.value is None


def home_of(module: ModuleType, name: str) -> ModuleType:
    """The module that defines what a module calls by a name."""
    return inspect.getmodule(getattr(module, name, None)) or module


def fields_of_record(home: ModuleType, name: str) -> list[tuple[str, ast.expr]] | None:
    """The fields of a record with their annotations, by its module; None if this has no record of this name."""
    record = source_of(home)[1].get(name) if home.__name__.startswith(__package__ or "") else None
    if record is None:
        return None
    return [
        (node.target.id, node.annotation)
        for node in record.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    ]


def bind(module: ModuleType, annotation: ast.expr | None, kind: ValueKind, bound: dict[str, ValueKind]) -> None:
    """Note which kinds the names in an annotation have, given the argument."""
    match annotation, kind:
        case ast.Name(id="Number" | "Truth"), _:
            pass
        case ast.Name(id=name), RecordOf(fields=fields):
            home = home_of(module, name)
            for (_, inner), (_, of) in zip(fields_of_record(home, name) or (), fields, strict=True):
                bind(home, inner, of, bound)
        case ast.Name(id=name), _:
            bound.setdefault(name, kind)
        case ast.Subscript(value=ast.Name(id="Array"), slice=inner), ArrayOf(of=of):
            bind(module, inner, of, bound)
        case ast.Subscript(value=ast.Name(id="Sequence"), slice=inner), Items(of=of):
            bind(module, inner, of, bound)
        case _:
            raise UntranslatableError(f"an argument {kind} for {ast.dump(annotation) if annotation else None}")


def kind_of(module: ModuleType, annotation: ast.expr, bound: Mapping[str, ValueKind]) -> ValueKind:
    """The kind that an annotation means, given those of the names in it. Raises UntranslatableError."""
    match annotation:
        case ast.Name(id="Number"):
            return SCALAR
        case ast.Name(id="Truth"):
            return TRUTH
        case ast.Name(id=name) if name in bound:
            return bound[name]
        case ast.Name(id=name) if (fields := fields_of_record(home := home_of(module, name), name)) is not None:
            return RecordOf(name, tuple([(field, kind_of(home, inner, bound)) for field, inner in fields]))
        case ast.Subscript(value=ast.Name(id="Array"), slice=inner):
            return ArrayOf(kind_of(module, inner, bound))
        case ast.Subscript(value=ast.Name(id="Sequence"), slice=inner):
            of = kind_of(module, inner, bound)
            assert isinstance(of, Form)
            return Items(of)
        case _:
            raise UntranslatableError(f"the annotation {ast.unparse(annotation)}")


def bytes_of(kind: ValueKind) -> int:
    """The memory that a value takes."""
    return WORD_BYTES * len(kind.operands)


def record_of(module: ModuleType, name: str) -> RecordOf:
    """The kind of a record of a module of routines that holds no values of types known only to its user."""
    kind = kind_of(module, ast.Name(name), {})
    assert isinstance(kind, RecordOf)
    return kind
