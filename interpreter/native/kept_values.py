"""Memoised definitions that depend only on their arguments: their values fill tables as games are played.

Several threads may fill a table at the same time: an entry is marked only once it is written, and all of them write
the same. A call that ends in a fault keeps nothing.
"""

from __future__ import annotations

from math import prod

from interpreter.ir.module import Function
from interpreter.ir.types import Bool, Int, Opt, Ref, Set, Type
from interpreter.native.context import Program
from interpreter.native.forms import SCALAR

MOST_ENTRIES = 1 << 14
WIDEST_SET = 12


def is_kept(program: Program, node: Function) -> bool:
    """True if the values of a definition are kept: there are few, and each is a number or a set."""
    if not node.constant or not node.params or node.result is None:
        return False
    form = program.forms.form_of(node.result)
    counts = [_count(param.type) for param in node.params]
    if form != SCALAR and not form.startswith("set_"):
        return False
    return all(counts) and prod(counts) <= MOST_ENTRIES


def _count(type_: Type) -> int:
    """The number of values of a type, including none; 0 if there are too many."""
    match type_:
        case Bool():
            return 2
        case Ref(width=width):
            return width
        case Int(low=low, high=high):
            return high - low + 1 if high - low < MOST_ENTRIES else 0
        case Set(width=width):
            return 1 << width if width <= WIDEST_SET else 0
        case Opt(of=Bool() | Ref() | Int() as inner):
            return _count(inner) + 1 if _count(inner) else 0
        case _:
            return 0


def keeping(program: Program, node: Function, head: str, name: str) -> str:
    """The function with this head, which looks up its value or stores what the function `name` computes."""
    assert node.result is not None
    form = program.forms.form_of(node.result)
    places, tests = [], []
    for number, param in enumerate(node.params):
        count = _count(param.type)
        places.append((f"k{number}", count))
        tests.append(f"I k{number} = {_place(param.type, f'a{number}', count)};")
    found = ""
    for place, count in places:
        found = f"({found}) * {count} + {place}" if found else place
    inside = " && ".join(f"(uint64_t){place} < {count}" for place, count in places)
    size = prod(count for _, count in places)
    arguments = "".join(f", a{number}" for number in range(len(node.params)))
    return (
        f"{head} {{ static {form} values[{size}]; static uint8_t known[{size}]; {' '.join(tests)} "
        f"if (!({inside})) return {name}(x, g{arguments}); "
        f"I place = {found}; if (__builtin_expect(!__atomic_load_n(&known[place], __ATOMIC_ACQUIRE), 0)) {{ "
        f"{form} value = {name}(x, g{arguments}); values[place] = value; "
        "__atomic_store_n(&known[place], 1, __ATOMIC_RELEASE); return value; } return values[place]; }"
    )


def _place(type_: Type, value: str, count: int) -> str:
    """The number of a value among those of its type; none comes last."""
    match type_:
        case Opt(of=inner):
            return f"{value} == NONE ? {count - 1} : {_place(inner, value, count)}"
        case Int(low=low):
            return f"{value} - {low}" if low >= 0 else f"{value} + {-low}"
        case _:
            return f"(I){value}"
