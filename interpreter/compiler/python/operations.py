"""Operations as Python source, in the fastest form that the types of the arguments allow.

The types say what a general run-time function would have to find out: whether a value may be none, may be negative, or
is a constant. `c in filled` becomes

    filled >> c & 1                       a member of a domain: less than half the time of a call
    filled & 16                           a constant member
    contains(filled, c)                   c may be none, or a number below 0

and the smaller of two simple numbers `a if a <= b else b`, which takes less than a fifth of the time of `min(a, b)`
(CPython 3.11). Conditions are printed with their negation in mind, as `not a < b` is one operation more than `a >= b`,
and know whether only their truth matters (`At.truth`): `filled & 16` is as good as `filled & 16 != 0` in an `if`, not
as a value that is stored.

INVARIANT: each printer returns the precedence of what it printed, and asks for the one that it needs of its operands,
so that brackets are where they must be and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.compiler.ir.expressions import Const, Expr, Fold, Op
from interpreter.compiler.ir.operations import READING
from interpreter.compiler.ir.types import Bool, Opt, Seq, Set
from interpreter.compiler.python.sets import all_but, difference, intersection, shift
from interpreter.compiler.python.text import (
    AND,
    ATOM,
    BOTH,
    CHOICE,
    COMPARE,
    EITHER,
    LAMBDA,
    NOT,
    OR,
    PLUS,
    PRINTERS,
    SHIFT,
    SIGN,
    TIMES,
    At,
    Printed,
    commas,
    form,
    is_non_negative,
    item,
    iterable,
    number_of,
    parenthesised,
    presence_test,
    sequence,
    simple,
    storable,
    text,
    texts,
)

INFIX = {
    "add": ("+", PLUS, PLUS, PLUS), "sub": ("-", PLUS, PLUS, TIMES), "mul": ("*", TIMES, TIMES, SIGN),
    "div": ("//", TIMES, TIMES, SIGN), "mod": ("%", TIMES, TIMES, SIGN), "union": ("|", EITHER, EITHER, EITHER),
}  # fmt: skip
"""Infix operators with their precedence and the precedence that their operands need."""

ORDER = {"lt": ("<", ">="), "le": ("<=", ">"), "gt": (">", "<="), "ge": (">=", "<")}
"""Comparison operators, each with its negation."""

FUNCTIONS = {
    name: name
    for name in (
        "contents", "nth", "before", "same_pieces", "nth_member", "steps_on", "lines_in", "reach", "near", "groups",
        "hanging", "path", "all_paths", "best_rows", "best_sets", "distinct", "fully_seen", "by_standing", "singles",
        "alike", "in_turn", "picks", "handfuls", "lying", "sees_piece", "sees_place", "sees_note", "over", "winners",
        "moves", "player", "abs", "seen_over", "enclosed", "reach_by", "groups_by", "path_by", "paths_by", "all_trails",
    )
} | {"objective": "Objective", "replayed": "branch_packing", "nth_of": "nth_set", "last": "highest_member"}  # fmt: skip
"""The operations that are run-time functions."""

STATELESS = frozenset({"same_pieces"})
"""The functions in `READING` that do not take the state: it is read for their arguments."""

LOCATED = frozenset({"all_paths", "paths_by", "all_trails", "best_rows", "best_sets", "handfuls"})
"""The functions that take the number of the node that calls them."""


def operation(node: Op, at: At) -> Printed:
    """The source of an operation."""
    name = node.name
    if name in INFIX:
        sign, strength, left, right = INFIX[name]
        first, second = node.args
        if name == "add" and isinstance(second, Const) and second.value < 0:
            sign, second = "-", Const(second.type, -second.value)
        return f"{text(first, left, at.value)} {sign} {text(second, right, at.value)}", strength
    if name in TESTS:
        return TESTS[name](node, at, True)
    if name in FORMS:
        return FORMS[name](node, at)
    if name in FUNCTIONS:
        return _called(node, at)
    supported = ", ".join(sorted({*INFIX, *TESTS, *FORMS, *FUNCTIONS}))
    raise AssertionError(f"there is no Python for the operation {name}, only for {supported}")


def _called(node: Op, at: At) -> Printed:
    args = texts(node.args, at)
    if node.name in ("singles", "alike", "in_turn"):
        args[0] = iterable(node.args[0], LAMBDA, at.value)
    elif node.name == "same_pieces":
        args[0] = sequence(node.args[0], LAMBDA, at.value)
    elif node.name == "objective":
        args[:2] = [storable(part, CHOICE, at) for part in node.args[:2]]
    if node.name in READING and node.name not in STATELESS:
        args.insert(0, "S")
    if node.name in LOCATED:
        args.append(str(number_of(node.source)))
    return f"{FUNCTIONS[node.name]}({', '.join(args)})", ATOM


# ---------------------------------------------------------------- conditions and their negations


def _not(node: Op, at: At, positive: bool) -> Printed:
    (operand,) = node.args
    if isinstance(operand, Op) and operand.name in TESTS:
        return TESTS[operand.name](operand, at, not positive)
    return truth(operand, at, not positive)


def truth(node: Expr, at: At, positive: bool) -> Printed:
    """The source of a condition or of its negation."""
    if positive:
        return form(node, at)
    return f"not {text(node, NOT, at.condition)}", NOT


def _ordered(node: Op, at: At, positive: bool) -> Printed:
    first, second = (text(arg, EITHER, at.value) for arg in node.args)
    return f"{first} {ORDER[node.name][0 if positive else 1]} {second}", COMPARE


def _equal(node: Op, at: At, positive: bool) -> Printed:
    first, second = node.args
    if isinstance(first, Const):
        first, second = second, first
    if isinstance(second, Const):
        if second.value is None:
            return _none(Op(node.type, "is_none", (first,)), at, positive)
        if isinstance(first.type, Bool) and isinstance(second.type, Bool):
            return _not(Op(node.type, "not", (first,)), at, positive != bool(second.value))
        if isinstance(first.type, Set) and second.value == 0:
            return filled(first, at, not positive)
    return f"{storable(first, EITHER, at)} {'==' if positive else '!='} {storable(second, EITHER, at)}", COMPARE


def _none(node: Op, at: At, positive: bool) -> Printed:
    if isinstance(node.args[0], Const):
        return str((node.args[0].value is None) is positive), ATOM
    return f"{text(node.args[0], EITHER, at.value)} is {'' if positive else 'not '}None", COMPARE


def _empty(node: Op, at: At, positive: bool) -> Printed:
    return filled(node.args[0], at, not positive)


def filled(members: Expr, at: At, positive: bool) -> Printed:
    """The test whether a set or sequence has members, or none."""
    if not at.truth and isinstance(members.type, Seq):
        return (f"bool({text(members)})", ATOM) if positive else (f"not {text(members, NOT)}", NOT)
    if not at.truth:
        return f"{text(members, EITHER, at)} {'!=' if positive else '=='} 0", COMPARE
    others = all_but(members)
    if others is not None:
        return f"{text(others[1], EITHER, at.value)} {'!=' if positive else '=='} {others[0]}", COMPARE
    return form(members, at.value) if positive else (f"not {text(members, NOT, at.value)}", NOT)


def _has(node: Op, at: At, positive: bool) -> Printed:
    members, value = node.args
    if isinstance(value, Const):
        bit = 0 if value.value is None or value.value < 0 else 1 << value.value
        return filled(Op(members.type, "both", (members, Const(members.type, bit))), at, positive)
    if is_non_negative(value) and not isinstance(value.type, Opt):
        return _member(members, text(value, PLUS, at.value), at, positive)
    held = presence_test(value, at) if is_non_negative(value) and simple(members) and at.truth else None
    if held is None:
        test_text: Printed = f"contains({', '.join(texts(node.args, at))})", ATOM
    else:
        test, present = held
        test_text = f"{test} and {parenthesised(_member(members, parenthesised(present, PLUS), at, True), AND)}", AND
    return test_text if positive else (f"not {parenthesised(test_text, NOT)}", NOT)


def _member(members: Expr, value: str, at: At, positive: bool) -> Printed:
    bit = f"{text(members, SHIFT, at.value)} >> {value} & 1"
    if not at.truth:
        return f"{bit} == {1 if positive else 0}", COMPARE
    return (bit, BOTH) if positive else (f"not {bit}", NOT)


def _in_list(node: Op, at: At, positive: bool) -> Printed:
    value, members = node.args
    if (
        isinstance(members, Op)
        and members.name == "span"
        and not isinstance(value.type, Opt)
        and all(map(simple, members.args))
    ):
        low, high = (text(end, EITHER, at.value) for end in members.args)
        test_text = f"{low} <= {text(value, EITHER, at.value)} <= {high}"
        return (test_text, COMPARE) if positive else (f"not {test_text}", NOT)
    sign = "in" if positive else "not in"
    return f"{text(value, EITHER, at.value)} {sign} {sequence(members, EITHER, at)}", COMPARE


TESTS: dict[str, Callable[[Op, At, bool], Printed]] = {
    "not": _not, "eq": _equal, "is_none": _none, "is_empty": _empty, "has": _has, "in_list": _in_list,
    **dict.fromkeys(ORDER, _ordered),
}  # fmt: skip

# ---------------------------------------------------------------- numbers and sets


def _negative(node: Op, at: At) -> Printed:
    return f"-{text(node.args[0], SIGN, at.value)}", SIGN


def _to_int(node: Op, at: At) -> Printed:
    return f"1 if {text(node.args[0], OR, at.condition)} else 0", CHOICE


def _extreme(node: Op, at: At) -> Printed:
    operands = [text(arg, EITHER, at.value) for arg in node.args]
    if len(operands) == 1:
        return form(node.args[0], at.value)
    if len(operands) == 2 and all(map(simple, node.args)):
        return (
            f"{operands[0]} if {operands[0]} {'<=' if node.name == 'least' else '>='} {operands[1]} else {operands[1]}",
            CHOICE,
        )
    return f"{'min' if node.name == 'least' else 'max'}({', '.join(operands)})", ATOM


def _single(node: Op, at: At) -> Printed:
    (value,) = node.args
    if isinstance(value, Const):
        return str(0 if value.value is None else 1 << value.value), ATOM
    if not isinstance(value.type, Opt):
        return f"1 << {text(value, PLUS, at.value)}", SHIFT
    held = presence_test(value, at)
    if held is None:
        return f"as_set(({text(value, CHOICE, at.value)},))", ATOM
    test, present = held
    return f"1 << {parenthesised(present, PLUS)} if {test} else 0", CHOICE


def _or_empty(node: Op, at: At) -> Printed:
    return f"{text(node.args[0], OR, at.value)} or {'()' if isinstance(node.type, Seq) else '0'}", OR


def _size(node: Op, at: At) -> Printed:
    return f"{item(node.args[0], at)}.bit_count()", ATOM


def _end(node: Op, at: At) -> Printed:
    return f"{item(node.args[0], at)}.bit_length()", ATOM


def _joined(node: Op, at: At) -> Printed:
    joining, *sets = texts(node.args, at)
    return f"{joining}.joined({', '.join(sets)})", ATOM


def _first(node: Op, at: At) -> Printed:
    held = presence_test(node, at)
    if held is None:
        return f"lowest({text(node.args[0], LAMBDA, at.value)})", ATOM
    test, present = held
    return f"{parenthesised(present, OR)} if {test} else None", CHOICE


def _lowest(node: Op, at: At) -> Printed:
    (members,) = node.args
    if not simple(members):
        return f"lowest({text(members, LAMBDA, at.value)})", ATOM
    members_text = text(members, SIGN, at.value)
    return f"({members_text} & -{members_text}).bit_length() - 1", PLUS


# ---------------------------------------------------------------- sequences


def _list(node: Op, at: At) -> Printed:
    return commas([text(arg, CHOICE, at.value) for arg in node.args]), ATOM


def _span(node: Op, at: At) -> Printed:
    low, high = node.args
    end = str(high.value + 1) if isinstance(high, Const) else f"{text(high, PLUS, at.value)} + 1"
    return f"range({text(low, LAMBDA, at.value)}, {end})", ATOM


def _length(node: Op, at: At) -> Printed:
    return f"len({sequence(node.args[0], LAMBDA, at)})", ATOM


def _take(node: Op, at: At) -> Printed:
    members, count = node.args
    limit = text(count, LAMBDA, at.value)
    if isinstance(count, Const):
        limit = str(max(0, count.value))
    elif not is_non_negative(count):
        limit = f"max(0, {limit})"
    return f"{sequence(members, ATOM, at)}[:{limit}]", ATOM


def _as_set(node: Op, at: At) -> Printed:
    (members,) = node.args
    if isinstance(members, Fold) and members.word == "list":
        return form(Fold(node.type, "set", members.loops, members.value, node.source), at)
    if (
        isinstance(members, Op)
        and members.name == "list"
        and not any(isinstance(arg.type, Opt) for arg in members.args)
    ):
        singles = [text(Op(node.type, "single", (arg,)), EITHER, at) for arg in members.args]
        return " | ".join(singles) or "0", EITHER if len(singles) > 1 else SHIFT
    return f"as_set({iterable(members, LAMBDA, at)})", ATOM


def _item(node: Op, at: At) -> Printed:
    members, position = node.args
    return f"{sequence(members, ATOM, at)}[{text(position, LAMBDA, at.value)}]", ATOM


def _with_kind(node: Op, at: At) -> Printed:
    first, filled, kind = texts(node.args, at)
    return f"places_with(S, {filled}, {first}, {kind})", ATOM


def _reversed(node: Op, at: At) -> Printed:
    return f"{sequence(node.args[0], ATOM, at)}[::-1]", ATOM


def _behind(node: Op, at: At) -> Printed:
    members, count = node.args
    return f"{sequence(members, ATOM, at)}[{text(count, LAMBDA, at.value)}:]", ATOM


def _without_last(node: Op, at: At) -> Printed:
    members, count = node.args
    return f"{sequence(members, ATOM, at)}[:-{text(count, SIGN, at.value)}]", ATOM


def _from_end(node: Op, at: At) -> Printed:
    members, count = node.args
    position = str(-1 - count.value) if isinstance(count, Const) else f"-1 - {text(count, TIMES, at.value)}"
    return f"{sequence(members, ATOM, at)}[{position}]", ATOM


def _appended(node: Op, at: At) -> Printed:
    parts = []
    for members in node.args:
        if isinstance(members, Op) and members.name == "list":
            parts += texts(members.args, at)
        else:
            parts.append(f"*{sequence(members, EITHER, at)}")
    return commas(parts), ATOM


def _left_out(node: Op, at: At) -> Printed:
    members, gone = node.args
    return f"left_out({text(members, LAMBDA, at.value)}, {text(gone, LAMBDA, at.value)})", ATOM


def _packings(node: Op, at: At) -> Printed:
    return f"tuple({iterable(node, LAMBDA, at)})", ATOM


# ---------------------------------------------------------------- positions


def _key(node: Op, at: At) -> Printed:
    return commas([storable(part, CHOICE, at) for part in node.args]), ATOM


def _recorded(node: Op, at: At) -> Printed:
    return f"{item(node.args[0], at)}.with_one_more({text(node.args[1], LAMBDA, at.value)})", ATOM


def _times(node: Op, at: At) -> Printed:
    return f"{item(node.args[0], at)}.times({text(node.args[1], LAMBDA, at.value)})", ATOM


FORMS: dict[str, Callable[[Op, At], Printed]] = {
    "neg": _negative, "to_int": _to_int, "least": _extreme, "greatest": _extreme, "single": _single,
    "or_empty": _or_empty, "size": _size, "end": _end, "first": _first, "lowest": _lowest, "list": _list, "row": _list,
    "span": _span,
    "length": _length, "take": _take, "as_set": _as_set, "item": _item, "part": _item, "select": _item,
    "all_packings": _packings, "with_kind": _with_kind, "both": intersection, "minus": difference, "shift": shift,
    "joined": _joined, "reversed": _reversed,
    "behind": _behind, "without_last": _without_last, "from_end": _from_end, "appended": _appended,
    "left_out": _left_out, "key": _key, "recorded": _recorded, "times": _times,
}  # fmt: skip

PRINTERS[Op] = operation
