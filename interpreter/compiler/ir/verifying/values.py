"""Problems of single expressions: arguments of operations, type mismatches, unknown cells and tables."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.operations import SIGNATURES
from interpreter.compiler.ir.types import PLACE_DOMAIN, Bool, Int, Opaque, Opt, Ref, Row, Seq, Set, Type, bare, element
from interpreter.compiler.ir.verifying.fitting import (
    combinable,
    comparable,
    fits,
    holds,
    is_number,
    member_of,
    narrowed,
    takes,
)

ASKED = ("define", "sight", "criterion", "hypothesis")
"""The kinds of functions that return a value and can be called in expressions."""


def expression_problems(node: ex.Expr, module: Module) -> Iterator[str]:
    """Problems of an expression itself, not of its parts."""
    match node:
        case ex.Const():
            if not holds(node.type, node.value):
                yield f"is no {node.type}"
        case ex.Local():
            return
        case ex.Data():
            yield from table_problems(node.table, module)
        case ex.Cell():
            yield from _cell(node, module)
        case ex.Slot():
            yield from _slot(node, module)
        case ex.Lookup():
            yield from _lookup(node, module)
        case ex.Op():
            yield from _operation(node)
        case ex.Logic():
            yield from (f"`{node.word}` takes Bool, not {part.type}" for part in node.parts if part.type != Bool())
            yield from _is(node.type, Bool())
            if len(node.parts) < 2:
                yield f"`{node.word}` joins fewer than two parts"
        case ex.Choice():
            yield from _condition(node.condition)
            yield from (f"{part.type} is no {node.type}" for part in (node.then, node.otherwise)
                        if not fits(part.type, node.type))  # fmt: skip
        case ex.Fold():
            yield from _fold(node)
        case ex.Let():
            yield from _fit(node.value.type, node.local.type)
            yield from _fit(node.body.type, node.type)
        case ex.Call():
            yield from _asked(node, module)
        case ex.Check():
            yield from _check(node)
        case ex.Counted():
            yield from _fit(node.value.type, node.type)
            if node.otherwise is not None:
                yield from _condition(node.value)
        case ex.Lambda():
            if not isinstance(node.type, Opaque):
                yield f"a function handed to an operation is no {node.type}"


def _fit(actual: Type, required: Type) -> Iterator[str]:
    if not fits(actual, required):
        yield f"{actual} where {required} belongs"


def _is(actual: Type, required: Type) -> Iterator[str]:
    if actual != required:
        yield f"gives {required}, not {actual}"


def _condition(node: ex.Expr) -> Iterator[str]:
    if node.type != Bool():
        yield f"a condition is Bool, not {node.type}"


# ---------------------------------------------------------------- references to the module


def table_problems(table: ex.Table, module: Module) -> Iterator[str]:
    """Problems of a reference to a table."""
    if table.name not in module.tables:
        yield f"there is no table {table.name}"
    # INVARIANT: a table is one object, compared by identity. Backends print those of the module, by name, so whatever
    # refers to another table of this name would read the wrong content.
    elif module.tables[table.name] is not table:
        yield f"there is another table {table.name}"


def _slot(node: ex.Slot, module: Module) -> Iterator[str]:
    zone = node.zone
    if module.zones.get(zone.name) is not zone:
        yield f"there is no zone {zone.name}, or another one"
    if not isinstance(node.type, Ref) or node.type.domain != PLACE_DOMAIN:
        yield f"{node.type} is no place"
    if not is_number(node.index.type):
        yield f"the number of a place is Int, not {node.index.type}"
    elif isinstance(node.index, ex.Const) and node.index.value not in range(zone.count):
        yield f"{zone.name} has {zone.count} places, and none with number {node.index.value}"


def _cell(node: ex.Cell, module: Module) -> Iterator[str]:
    group = node.group
    if group.name not in module.cells:
        yield f"there is no group of cells {group.name}"
    elif module.cells[group.name] != group:
        yield f"there is another group of cells {group.name}"
    if not narrowed(group.type, node.type):
        yield f"a cell of {group.name} is {group.type}, not {node.type}"
    if not is_number(node.index.type):
        yield f"the number of a cell is Int, not {node.index.type}"
    elif isinstance(node.index, ex.Const) and node.index.value not in range(group.count):
        yield f"{group.name} has {group.count} cells, and none with number {node.index.value}"


def _lookup(node: ex.Lookup, module: Module) -> Iterator[str]:
    table = node.table
    yield from table_problems(table, module)
    if not node.keys:
        yield f"{table.name} is asked without a key"
    # A key that is none gives none. Backends test for it only where the type of the key is `Opt`; elsewhere they would
    # index with what stands for none.
    optional = any(isinstance(key.type, Opt) for key in node.keys)
    for key in node.keys:
        if not is_number(bare(key.type)) and not isinstance(key.type, Set | Bool):
            yield f"a key is Bool, Int, Ref or Set, not {key.type}"
    if optional and not isinstance(node.type, Opt):
        yield f"a key may be none, so the value is no {node.type}"
    missing = table.partial and table.missing is None
    if missing and not isinstance(node.type, Opt):
        yield f"{table.name} has no value for some keys, so it is no {node.type}"
    if not narrowed(table.type, node.type):
        yield f"{table.name} holds {table.type}, not {node.type}"
    # The first row that there is stands for the others of its level.
    content: object = table.content
    for key in node.keys:
        if isinstance(content, tuple | list):
            if isinstance(key, ex.Const) and _whole_number(key.value) and key.value not in range(len(content)):
                yield f"{table.name} has no entry {key.value}"
            content = next((row for row in content if row is not None), ())
        elif isinstance(content, dict):
            content = next((row for row in content.values() if row is not None), {})
        else:
            yield f"{table.name} is asked with too many keys"
            return


def _whole_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _asked(node: ex.Call, module: Module) -> Iterator[str]:
    function = module.functions.get(node.function)
    if function is None:
        yield f"there is no function {node.function}"
        return
    if function.kind not in ASKED:
        yield f"{node.function} is a {function.kind}, which has no value"
    elif function.result is not None:
        yield from _fit(function.result, node.type)
    yield from argument_problems(node.args, function)


def argument_problems(args: tuple[ex.Expr, ...], function: Function) -> Iterator[str]:
    """Problems of the arguments of a function."""
    if len(args) != len(function.params):
        yield f"{function.name} has {len(function.params)} parameters, not {len(args)}"
        return
    for arg, param in zip(args, function.params, strict=True):
        if not fits(arg.type, param.type):
            yield f"{function.name} takes {param.type} as {param.name}, not {arg.type}"


# ---------------------------------------------------------------- operations


def _operation(node: ex.Op) -> Iterator[str]:
    signature = SIGNATURES.get(node.name)
    if signature is None:
        yield f"there is no operation {node.name}"
        return
    words, result = signature
    if words and words[-1].startswith("*"):
        fixed, rest = words[:-1], words[-1][1:]
        if len(node.args) < len(fixed):
            yield f"`{node.name}` takes {len(fixed)} arguments or more, not {len(node.args)}"
            return
        words = (*fixed, *(rest,) * (len(node.args) - len(fixed)))
    if len(node.args) != len(words):
        yield f"`{node.name}` takes {len(words)} arguments, not {len(node.args)}"
        return
    wrong = [(word, arg) for word, arg in zip(words, node.args, strict=True) if not takes(word, arg.type)]
    yield from (f"`{node.name}` takes {word}, not {arg.type}" for word, arg in wrong)
    if not takes(result, node.type):
        yield f"`{node.name}` gives {result}, not {node.type}"
    elif not wrong:
        yield from _agreement(node)


def _agreement(node: ex.Op) -> Iterator[str]:
    """Problems of an operation whose arguments fit individually."""
    match node.name, node.args:
        case (("union" | "both" | "minus"), (first, second)):
            if not combinable(first.type, second.type):
                yield f"`{node.name}` of {first.type} and {second.type}"
            elif not combinable(first.type, node.type):
                yield f"`{node.name}` of {first.type} gives no {node.type}"
        case "eq", (first, second):
            if not comparable(first.type, second.type):
                yield f"{first.type} and {second.type} are never equal"
        case "has", (members, value):
            if isinstance(members.type, Set) and not member_of(value.type, members.type):
                yield f"{members.type} has no members of type {value.type}"
        case "in_list", (value, members):
            if isinstance(members.type, Seq) and not comparable(value.type, members.type.of):
                yield f"{members.type} has no members of type {value.type}"
        case "single", (value,):
            if isinstance(node.type, Set) and not member_of(value.type, node.type):
                yield f"{node.type} has no members of type {value.type}"
        case (("first" | "last" | "nth_member"), (*_, members)):
            if not fits(element(members.type), node.type):
                yield f"a member of {members.type} is no {node.type}"
        case (("contents" | "nth" | "sees_place"), (*_, place)):
            if not isinstance(place.type, Ref) or place.type.domain != PLACE_DOMAIN:
                yield f"{place.type} is no place"
        case (("item" | "nth_of"), _):
            members = next(arg for arg in node.args if isinstance(arg.type, Seq))
            if not narrowed(element(members.type), node.type) and not fits(element(members.type), bare(node.type)):
                yield f"a member of {members.type} is no {node.type}"
        case "part", (row, ex.Const(value=int() as place)):
            if isinstance(row.type, Row) and row.type.of:
                if place not in range(len(row.type.of)):
                    yield f"{row.type} has no part {place}"
                elif not narrowed(row.type.of[place], node.type):
                    yield f"part {place} of {row.type} is no {node.type}"
        case "list", values:
            if isinstance(node.type, Seq):
                of = node.type.of
                yield from (f"{value.type} in {node.type}" for value in values if not fits(value.type, of))
        case _:
            return


# ---------------------------------------------------------------- folds and checks


def loop_problems(loop: ex.Loop) -> Iterator[str]:
    """Problems of one loop."""
    if not isinstance(loop.over.type, Set | Seq):
        yield f"{loop.local.name} cannot go through {loop.over.type}"
    elif not fits(element(loop.over.type), loop.local.type):
        yield f"{loop.local.name} is {loop.local.type}, but goes through {loop.over.type}"
    if loop.where is not None:
        yield from _condition(loop.where)


def _fold(node: ex.Fold) -> Iterator[str]:
    if not node.loops:
        yield f"`{node.word}` without a loop"
        return
    for loop in node.loops:
        yield from loop_problems(loop)
    value, type_ = node.value.type, node.type
    match node.word:
        case "any":
            yield from _condition(node.value)
            yield from _is(type_, Bool())
        case "count":
            if not isinstance(type_, Int):
                yield f"`count` gives Int, not {type_}"
        case "set":
            if not isinstance(type_, Set):
                yield f"`set` gives Set, not {type_}"
            elif not member_of(value, type_):
                yield f"{type_} has no members of type {value}"
        case "sets" | "list":
            if not isinstance(type_, Seq):
                yield f"`{node.word}` gives Seq, not {type_}"
            elif not fits(value, type_.of):
                yield f"{value} in {type_}"
        case "first":
            if not isinstance(type_, Opt) or not fits(value, type_):
                yield f"`first` of {value} gives {value} or none, not {type_}"
        case "highest" | "lowest":
            candidate = node.loops[0].local.type
            if not is_number(value):
                yield f"`{node.word}` of {value}"
            if not isinstance(type_, Opt) or not fits(candidate, type_):
                yield f"`{node.word}` gives {candidate} or none, not {type_}"
        case _:  # of numbers
            if not is_number(value):
                yield f"`{node.word}` of {value}"
            if not isinstance(type_, Int):
                yield f"`{node.word}` gives Int, not {type_}"


def _check(node: ex.Check) -> Iterator[str]:
    value, result = node.value.type, node.type
    core = bare(value)
    match node.word:
        case "need":
            if not isinstance(value, Opt):
                yield f"`need` takes what may be none, not {value}"
            if isinstance(result, Opt) or not narrowed(value, result):
                yield f"`need` of {value} gives no {result}"
            return
        case "in_range":
            if not isinstance(core, Int):
                yield f"`in_range` takes Int, not {value}"
            if len(node.bounds) != 2 or node.bounds[0] > node.bounds[-1]:
                yield f"`in_range` has two bounds, not {node.bounds}"
        case "among" | "one_of":
            if not is_number(core):
                yield f"`{node.word}` takes Int or Ref, not {value}"
        case "subset":
            if not isinstance(core, Set):
                yield f"`subset` takes Set, not {value}"
        case "product" | "divisor":
            if not is_number(value):
                yield f"`{node.word}` takes Int, not {value}"
    if isinstance(value, Opt) and not isinstance(result, Opt):
        yield f"`{node.word}` keeps none, so it gives no {result}"
    elif not fits(core, result):
        yield f"`{node.word}` of {value} gives no {result}"
