"""What expressions of the intermediate representation mean, worked out as simply as possible."""

from __future__ import annotations

from typing import Any

from interpreter.compiler.ir.expressions import (
    Call,
    Cell,
    Check,
    Choice,
    Const,
    Counted,
    Data,
    Expr,
    Fold,
    Lambda,
    Let,
    Local,
    Logic,
    Lookup,
    Op,
    Slot,
)
from interpreter.compiler.ir.types import Bool, Set
from interpreter.runtime.bitset import bits


class Fault(Exception):
    """What a check says of a value."""


def value(node: Expr, names: dict[str, Any], S: list[Any]) -> Any:
    """The value of an expression; `names` are those of locals, and functions that can be asked."""
    match node:
        case Const():
            return node.value
        case Data():
            return node.table.content
        case Local():
            return names[node.name]
        case Cell():
            return S[node.group.first + value(node.index, names, S)]
        case Slot():
            return node.zone.first + value(node.index, names, S)
        case Lookup():
            found: Any = node.table.content
            for key in [value(key, names, S) for key in node.keys]:
                if key is None:
                    return None
                missing = node.table.partial and isinstance(found, dict) and key not in found
                found = node.table.missing if missing else found[key]
            return found
        case Op():
            return _operation(node, [value(arg, names, S) for arg in node.args])
        case Logic():
            results = (bool(value(part, names, S)) for part in node.parts)
            return all(results) if node.word == "and" else any(results)
        case Choice():
            return value(node.then if value(node.condition, names, S) else node.otherwise, names, S)
        case Fold():
            return _fold(node, names, S)
        case Let():
            return value(node.body, {**names, node.local.name: value(node.value, names, S)}, S)
        case Call():
            return names[node.function](S, *[value(arg, names, S) for arg in node.args])
        case Check():
            return _checked(node, value(node.value, names, S))
        case Counted():
            return value(node.value, names, S)
        case Lambda():
            return lambda *args: value(
                node.body, {**names, **{p.name: arg for p, arg in zip(node.params, args, strict=True)}}, S
            )


def _members(found: Any, node: Expr) -> list[Any]:
    return bits(found) if isinstance(node.type, Set) else list(found)


def _checked(node: Check, found: Any) -> Any:
    low, *_, high = node.bounds or (0, 0)
    ok = {
        "need": found is not None,
        "in_range": found is None or node.word != "in_range" or low <= found <= high,
        "among": found is None or found in node.bounds,
        "one_of": found is None or found in node.bounds,
        "subset": node.word != "subset" or set(bits(found)) <= set(node.bounds),
        "divisor": node.word != "divisor" or found != 0,
        "product": node.word != "product" or abs(found) <= 10**18,
    }[node.word]
    if not ok:
        raise Fault(node.word, node.source.number if node.source else -1)
    return found


def _operation(node: Op, args: list[Any]) -> Any:
    a, b = (*args, None, None)[:2]
    if node.name in ("div", "mod") and b == 0:
        raise Fault("zero", -1)  # which rules exclude by a check, but not random expressions
    match node.name:
        case "add":
            return a + b
        case "sub":
            return a - b
        case "mul":
            return a * b
        case "div":
            return a // b
        case "mod":
            return a % b
        case "neg":
            return -a
        case "abs":
            return abs(a)
        case "lt":
            return a < b
        case "le":
            return a <= b
        case "gt":
            return a > b
        case "ge":
            return a >= b
        case "least":
            return min(args)
        case "greatest":
            return max(args)
        case "not":
            return not a
        case "eq":
            return (tuple(a) == tuple(b)) if isinstance(a, tuple | list) else a == b and (a is None) == (b is None)
        case "is_none":
            return a is None
        case "to_int":
            return int(a)
        case "union":
            return a | b
        case "both":
            return a & b
        case "minus":
            return sum(1 << x for x in bits(a) if x not in bits(b))
        case "single":
            return 0 if a is None else 1 << a
        case "or_empty":
            return (0 if isinstance(node.type, Set) else ()) if a is None else a
        case "has":
            return b in bits(a)
        case "is_empty":
            return not a
        case "size":
            return len(bits(a))
        case "first":
            return bits(a)[0] if a else None
        case "lowest":
            return bits(a)[0]
        case "shift":
            moved = sum(1 << each + b for each in bits(a) if each + b >= 0)
            assert isinstance(node.type, Set)
            return moved & (1 << node.type.width) - 1
        case "last":
            return bits(a)[-1] if a else None
        case "end":
            return bits(a)[-1] + 1 if a else 0
        case "nth_member":
            return bits(b)[a - 1] if 1 <= a <= len(bits(b)) else None
        case "select":
            return bits(a)[b]
        case "list" | "row":
            return tuple(args)
        case "span":
            return tuple(range(a, b + 1))
        case "in_list":
            return any(a == each and (a is None) == (each is None) for each in b)
        case "length":
            return len(_members(a, node.args[0]))
        case "take":
            return tuple(_members(a, node.args[0])[: max(0, b)])
        case "as_set":
            return sum(1 << each for each in {each for each in a if each is not None})
        case "nth_of":
            return b[-1] if a == -1 and b else b[a - 1] if 1 <= a <= len(b) else None
        case "item" | "part":
            return a[b]
        case "from_end":
            return a[-1 - b]
        case "reversed":
            return tuple(reversed(a))
        case "behind":
            return tuple(a[b:])
        case "without_last":
            return tuple(a[: len(a) - b])
        case "appended":
            return (*a, *b)
        case "left_out":
            return tuple(each for each in a if each not in bits(b))
        case "lines_in":
            return tuple(line for line in a if line & b == line)
        case "hanging":
            return tuple(_components(a, b))
        case "steps_on":
            return _steps_on(*args)
        case other:
            raise AssertionError(other)


def _components(neighbours: Any, places: int) -> Any:
    left = bits(places)
    while left:
        group = [left[0]]
        for place in group:
            group += [other for other in left if neighbours[place] >> other & 1 and other not in group]
        yield sum(1 << place for place in group)
        left = [place for place in left if place not in group]


def _steps_on(steps: Any, place: int | None, way: int, count: int) -> int | None:
    for _ in range(count):
        place = None if place is None else steps[place][way]
    return place


def _combinations(node: Fold, names: dict[str, Any], S: list[Any], level: int = 0) -> Any:
    if level == len(node.loops):
        yield names
        return
    loop = node.loops[level]
    for each in _members(value(loop.over, names, S), loop.over):
        inner = {**names, loop.local.name: each}
        if loop.where is None or value(loop.where, inner, S):
            yield from _combinations(node, inner, S, level + 1)


def _fold(node: Fold, names: dict[str, Any], S: list[Any]) -> Any:
    first = node.loops[0].local.name
    found = ((inner[first], value(node.value, inner, S)) for inner in _combinations(node, names, S))
    match node.word:
        case "any":
            return any(each for _, each in found)
        case "count" if not isinstance(node.value.type, Bool):
            return len(list(_combinations(node, names, S)))
        case "count":
            return sum(1 for _, each in found if each)
        case "first":
            return next((each for _, each in found), None)
        case "sum":
            return sum(each for _, each in found)
        case "max":
            return max((each for _, each in found), default=0)
        case "min":
            return min((each for _, each in found), default=0)
        case "set":
            return sum(1 << each for each in {each for _, each in found if each is not None})
        case "sets":
            return tuple(dict.fromkeys(each for _, each in found))
        case "list":
            return [each for _, each in found]
        case "highest":
            return max(found, key=lambda pair: pair[1], default=(None, 0))[0]
        case "lowest":
            return min(found, key=lambda pair: pair[1], default=(None, 0))[0]
