"""All objects that can be reached from one: by attributes, closures, frames, bound objects and whatever else it holds.

Classes and modules are left to themselves, as they are the same for every game; what modules of ours keep in variables
is followed from `module_variables`.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from types import BuiltinFunctionType, FrameType, FunctionType, GeneratorType, MethodType, ModuleType
from typing import Any

OURS = ("regelwerk", "interpreter", "dsl")


def reachable(*roots: object) -> Iterator[object]:
    """Everything reachable, each object once; of a frame its local variables and the frames around it."""
    seen: set[int] = set()
    waiting: list[Any] = list(roots)
    kept = []  # objects made for this walk, so that no other one gets the same identity
    while waiting:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, ModuleType | type):
            continue
        seen.add(id(each))
        kept.append(each)
        yield each
        waiting += inside(each)


def inside(each: object) -> list[Any]:
    """What an object holds."""
    match each:
        case FrameType():
            return [each.f_back, *each.f_locals.values()]
        case GeneratorType():
            return [each.gi_frame, *gc.get_referents(each)]
        case FunctionType():
            cells = [cell.cell_contents for cell in each.__closure__ or () if has_contents(cell)]
            return [*cells, each.__defaults__, each.__kwdefaults__, each.__dict__]
        case MethodType():
            return [each.__self__, each.__func__]
        case BuiltinFunctionType():
            return [each.__self__]
        case _:
            return gc.get_referents(each)


def has_contents(cell: Any) -> bool:
    """True if a closure's cell has been given a value."""
    try:
        cell.cell_contents  # noqa: B018 - asking is the only way to know
    except ValueError:
        return False
    return True


def module_variables() -> list[object]:
    """What modules of ours keep in variables, such as caches."""
    mine = [module for name, module in list(sys.modules.items()) if name.split(".")[0] in OURS]
    return [value for module in mine for value in vars(module).values() if not isinstance(value, FunctionType)]
