"""Expressions as Python source.

A `let` inside a comprehension becomes one more loop of it, `for x in [value]`. Elsewhere `(x := value) is ... or body`
binds its name and evaluates to `body`: no value is `...`, so the first part is always false. Where Python allows no
`:=`, in the iterable of a comprehension, the name is the parameter of a lambda.

Precedence is that of Python: a printer is told what is around it, and puts parentheses only where they are needed,
as people read this source, too.
"""

from __future__ import annotations

from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir.types import Bool, Opt, Set
from interpreter.compiler.python.operations import filled
from interpreter.compiler.python.text import (
    AND,
    ATOM,
    CHOICE,
    EITHER,
    FIXED,
    HELD,
    LAMBDA,
    OR,
    PLUS,
    PRINTERS,
    SIGN,
    VALUE,
    At,
    Printed,
    form,
    identifier,
    item,
    iterable,
    members,
    number_of,
    parenthesised,
    presence_test,
    simple,
    storable,
    text,
    texts,
)


def expression(node: ex.Expr) -> str:
    """The source of an expression that can be part of any other."""
    return text(node, ATOM)


def _lambda(params: tuple[ex.Local, ...], body: ex.Expr, at: At) -> str:
    names = " ".join(["lambda", ", ".join(map(identifier, params))]).strip()
    return f"{names}: {text(body, CHOICE, at.value)}"


def cell_number(cell: ex.Cell, at: At = VALUE) -> str:
    """The number of a cell in the state."""
    return moved(cell.group.first, cell.index, at)


def moved(first: int, index: ex.Expr, at: At = VALUE) -> str:
    """The sum of a number and an offset, with the precedence of a sum."""
    first, index = _apart(first, index)
    if isinstance(index, ex.Const):
        return str(first + index.value)
    offset = text(index, PLUS, at.value)
    return f"{first} + {offset}" if first > 0 else f"{offset} - {-first}" if first else offset


def _apart(first: int, index: ex.Expr) -> tuple[int, ex.Expr]:
    """A number and an offset, with the constant part of the number moved into the offset."""
    while isinstance(index, ex.Op) and index.name == "add":
        rest, more = index.args
        if not isinstance(more, ex.Const):
            break
        index, first = rest, first + more.value
    return first, index


def _const(node: ex.Const, at: At) -> Printed:
    literal = repr(node.value)
    return literal, SIGN if literal.startswith("-") else ATOM


def _data(node: ex.Data, at: At) -> Printed:
    return node.table.name, ATOM


def _local(node: ex.Local, at: At) -> Printed:
    return identifier(node), ATOM


def _cell(node: ex.Cell, at: At) -> Printed:
    return cell_text(node, at), ATOM


def cell_text(node: ex.Cell, at: At = VALUE) -> str:
    """A cell of the state."""
    return f"S[{cell_number(node, at)}]"


def _slot(node: ex.Slot, at: At) -> Printed:
    number = moved(node.zone.first, node.index, at)
    return number, ATOM if number.isdigit() else PLUS


def _lookup(node: ex.Lookup, at: At) -> Printed:
    table, key = node.table.name, node.keys[-1]
    for index in node.keys[:-1]:
        table += f"[{text(index, LAMBDA, at.value)}]"
    key_text = text(key, LAMBDA, at.value)
    if isinstance(key, ex.Const) and key.value is None:
        return "None", ATOM
    if isinstance(key, ex.Const) or not isinstance(key.type, Opt):
        return _entry(node, table, key_text), ATOM
    held = presence_test(key, at) if len(node.keys) == 1 else None
    if held is not None:
        test, key_present = held
        return f"{_entry(node, table, parenthesised(key_present, LAMBDA))} if {test} else None", CHOICE
    if node.table.partial:
        return f"(lambda {HELD}: None if {HELD} is None else {_entry(node, table, HELD)})({key_text})", ATOM
    return f"attribute({table}, {key_text})", ATOM


def _entry(node: ex.Lookup, table: str, key: str) -> str:
    return f"{table}.get({key}, {node.table.missing})" if node.table.partial else f"{table}[{key}]"


def _logic(node: ex.Logic, at: At) -> Printed:
    strength = AND if node.word == "and" else OR
    return f" {node.word} ".join([text(part, strength, at) for part in node.parts]), strength


def _choice(node: ex.Choice, at: At) -> Printed:
    condition = text(node.condition, OR, at.condition)
    return f"{text(node.then, OR, at)} if {condition} else {text(node.otherwise, CHOICE, at)}", CHOICE


def _let(node: ex.Let, at: At) -> Printed:
    name, value = identifier(node.local), text(node.value, CHOICE, at.value)
    if at.fixed:
        return f"(lambda {name}: {text(node.body, CHOICE, at)})({value})", ATOM
    return f"({name} := {value}) is ... or {text(node.body, OR, at)}", OR


def _ask(node: ex.Call, at: At) -> Printed:
    return f"{node.function}({', '.join(['S', *texts(node.args, at)])})", ATOM


def _counted(node: ex.Counted, at: At) -> Printed:
    function = "branch_value" if node.otherwise is None else "branch_condition"
    return f"{function}({node.branch}, {text(node.value, LAMBDA, at)})", ATOM


def _function(node: ex.Lambda, at: At) -> Printed:
    return _lambda(node.params, node.body, at), LAMBDA


def _check(node: ex.Check, at: At) -> Printed:
    value = node.value
    if isinstance(value, ex.Const):
        return fault(node, text(value)), ATOM
    if node.word == "need":
        held = presence_test(value, at)
        if held is not None:
            return f"{parenthesised(held[1], OR)} if {held[0]} else {fault(node, 'None')}", CHOICE
    if node.word == "in_range" and not isinstance(value.type, Opt) and (simple(value) or not at.fixed):
        value_text = text(value, EITHER, at.value) if simple(value) else HELD
        first = value_text if simple(value) else f"({HELD} := {text(value, CHOICE, at.value)})"
        return f"{value_text} if {node.bounds[0]} <= {first} <= {node.bounds[1]} else {fault(node, value_text)}", CHOICE
    return fault(node, text(value, LAMBDA, at.value), at), ATOM


def fault(node: ex.Check, value: str, at: At = VALUE) -> str:
    """The call that returns a value or raises a fault."""
    where = number_of(node.source)
    match node.word:
        case "need":
            return f"need({value}, {where})"
        case "in_range":
            return f"in_range({value}, {node.bounds[0]}, {node.bounds[1]}, {where})"
        case "among":
            return f"among({value}, {node.bounds}, {where})"
        case "subset":
            return f"subset({value}, {sum(1 << bound for bound in node.bounds)}, {where})"
        case "one_of":
            return f"one_of({value}, {members(node.bounds)}, {node.domain!r}, {where})"
        case "divisor":
            return f"divisor({value}, {where})"
        case "product":
            assert isinstance(node.value, ex.Op)
            return f"product({', '.join(texts(node.value.args, at))}, {where})"


# ---------------------------------------------------------------- folds


def _fold(node: ex.Fold, at: At) -> Printed:
    first = node.loops[0]
    unconditional = len(node.loops) == 1 and first.where is None  # there is no condition
    match node.word:
        case "any" if unconditional and node.value == ex.TRUE and isinstance(first.over.type, Set):
            return filled(first.over, at, True)
        case "any":
            return f"any(True {_loops(node.loops, node.value, at)})", ATOM
        case "count" if unconditional and node.value == ex.TRUE and isinstance(first.over.type, Set):
            return f"{item(first.over, at)}.bit_count()", ATOM
        case "count":
            return f"len([{identifier(first.local)} {_loops(node.loops, counted(node), at)}])", ATOM
        case "sum":
            return f"sum([{_items(node, at)}])", ATOM
        case "max" | "min":
            some = unconditional and isinstance(first.over, ex.Const) and first.over.value
            return f"{node.word}([{_items(node, at)}]{'' if some else ', default=0'})", ATOM
        case "highest" | "lowest":
            candidates = iterable(first.over, LAMBDA, at)
            if not unconditional:
                candidates = f"({identifier(first.local)} {_loops(node.loops, ex.TRUE, at)})"
            function = "max" if node.word == "highest" else "min"
            return f"{function}({candidates}, key={_lambda((first.local,), node.value, at)}, default=None)", ATOM
        case "set" if unconditional and distinct(node):
            return form(first.over, at.value)
        case "set" if (places := places_of(node)) is not None:
            args = text(first.over, LAMBDA, at.value), str(places[0]), text(places[1], LAMBDA, at.value)
            return f"places_with(S, {', '.join(args)})", ATOM
        case "set" if distinct(node):
            return f"sum([1 << {_items(node, at)}])", ATOM
        case "set":
            return f"as_set([{_items(node, at)}])", ATOM
        case "sets":
            return f"tuple(dict.fromkeys([{_items(node, at)}]))", ATOM
        case "list":
            return f"[{_items(node, at)}]", ATOM
        case "first":
            return f"next(({_items(node, at)}), None)", ATOM


def counted(node: ex.Fold) -> ex.Expr:
    """The condition under which a combination is counted."""
    return node.value if isinstance(node.value.type, Bool) else ex.TRUE


def distinct(node: ex.Fold) -> bool:
    """Whether a fold selects members of a set."""
    return len(node.loops) == 1 and node.value == node.loops[0].local and isinstance(node.loops[0].over.type, Set)


def places_of(node: ex.Fold) -> tuple[int, ex.Expr] | None:
    """For a fold that selects the places where one of some pieces lies: the cell of place 0, and these pieces."""
    local, where = node.loops[0].local, node.loops[0].where
    match where:
        case ex.Op(
            name="not", args=(ex.Op(name="is_empty", args=(ex.Op(name="both", args=(ex.Cell() as cell, kind)),)),)
        ):
            first, index = _apart(cell.group.first, cell.index)
            if distinct(node) and index == local and not ex.mentions(kind, local) and not ex.may_fail(kind):
                return first, kind
            return None
        case _:
            return None


def _items(node: ex.Fold, at: At) -> str:
    value, lets = node.value, ""
    while isinstance(value, ex.Let):
        lets, value = lets + _bound(value), value.body
    item_text = storable(value, CHOICE, at) if node.word == "sets" else text(value, CHOICE, at.value)
    return f"{item_text} {_loops(node.loops, ex.TRUE, at)}{lets}"


def _loops(loops: tuple[ex.Loop, ...], condition: ex.Expr, at: At) -> str:
    """The nested loops of a comprehension, with a condition in the innermost."""
    clauses = ""
    for loop in loops:
        clauses += f" for {identifier(loop.local)} in {iterable(loop.over, OR, FIXED)}{_filters(loop.where, at)}"
    return (clauses + _filters(condition, at)).lstrip()


def _filters(condition: ex.Expr | None, at: At) -> str:
    clauses = ""
    for part in ex.conjuncts(condition):
        clauses += _bound(part) + _filters(part.body, at) if isinstance(part, ex.Let) else f" if {_test(part, at)}"
    return clauses


def _test(node: ex.Expr, at: At) -> str:
    return text(node, OR, at.condition)


def _bound(node: ex.Let) -> str:
    return f" for {identifier(node.local)} in [{text(node.value, CHOICE, FIXED)}]"


PRINTERS.update({
    ex.Const: _const, ex.Data: _data, ex.Local: _local, ex.Cell: _cell, ex.Slot: _slot, ex.Lookup: _lookup,
    ex.Logic: _logic, ex.Choice: _choice, ex.Fold: _fold, ex.Let: _let, ex.Call: _ask, ex.Check: _check,
    ex.Counted: _counted, ex.Lambda: _function,
})  # fmt: skip
