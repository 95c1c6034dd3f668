"""Dataclasses that compile their methods when these are first called.

The standard library compiles five functions when a dataclass is defined, each with `exec`: 0.3 to 0.8 ms per class. The
packages define more than 500 dataclasses, of which a process uses a fraction (`check` makes objects of 100), and of
those mostly `__init__` alone. Compiling all of them took half of the time of `import regelwerk`.

The fields remain those of the standard library, so `fields`, `replace`, `asdict` and `match` know such a class as they
know any dataclass. To mypy, `dataclass` is the one of the standard library.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, field, fields
from dataclasses import dataclass as dataclass
from functools import cache, partial
from reprlib import recursive_repr
from types import CodeType, FunctionType, MemberDescriptorType
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

T = TypeVar("T")

COMPARISONS = {"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}


def lazy_dataclass(
    class_: type[T] | None = None,
    /,
    *,
    repr: bool = True,
    eq: bool = True,
    order: bool = False,
    unsafe_hash: bool = False,
    frozen: bool = False,
    kw_only: bool = False,
    slots: bool = False,
    weakref_slot: bool = False,
) -> Any:
    """The decorator `dataclass` at run time. Its options mean what they mean in the standard library.

    `InitVar` is not supported. A subclass of a frozen class that is not a dataclass itself is frozen as a whole.
    """
    if class_ is None:
        return partial(
            lazy_dataclass,
            repr=repr,
            eq=eq,
            order=order,
            unsafe_hash=unsafe_hash,
            frozen=frozen,
            kw_only=kw_only,
            slots=slots,
            weakref_slot=weakref_slot,
        )
    class_.__doc__ = class_.__doc__ or ""  # else the library computes the signature, 0.3 ms a class
    with_fields = dataclasses.dataclass(
        init=False, repr=False, eq=False, kw_only=kw_only, slots=slots, weakref_slot=weakref_slot
    )
    result: Any = with_fields(class_)  # another class if it has slots
    own_names = frozenset(vars(result))
    if "__init__" not in own_names:
        result.__init__ = _Uncompiled(result, partial(_init, frozen=frozen))
    if repr and "__repr__" not in own_names:
        result.__repr__ = _repr
    if eq and "__eq__" not in own_names:
        result.__eq__ = _Uncompiled(result, partial(_comparison, name="__eq__", symbol="=="))
    # In a class that defines `__eq__` but not `__hash__`, the latter is None.
    if (eq or unsafe_hash) and vars(result).get("__hash__") is None:
        result.__hash__ = _Uncompiled(result, _hash) if frozen or unsafe_hash else None
    if order:
        for name, symbol in COMPARISONS.items():
            setattr(result, name, _Uncompiled(result, partial(_comparison, name=name, symbol=symbol)))
    if frozen:
        result.__setattr__, result.__delattr__ = _refuse_assignment, _refuse_deletion
        if slots and "__getstate__" not in own_names:
            result.__getstate__, result.__setstate__ = _state, _restore
    return result


if not TYPE_CHECKING:
    dataclass = lazy_dataclass


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value_class(class_: type[T]) -> type[T]:
    """A dataclass of which very many objects are made and that nothing changes: mypy sees to that.

    `frozen=True` does so at run time, where it doubles the time to make an object.
    """
    return dataclass(slots=True, unsafe_hash=True)(class_)


@dataclass_transform(eq_default=False, frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def node_class(class_: type[T]) -> type[T]:
    """A dataclass like a value class, whose fields are given by name and whose `==` and `repr` are inherited."""
    return dataclass(slots=True, kw_only=True, eq=False, repr=False)(class_)


class _Uncompiled:
    """In a class, in place of a method: compiles the method and takes its place when the method is first looked up.

    Python looks methods up in the class for calls of every kind, such as `==` and calling the class itself, so nobody
    else can see that a method was not there. Two threads may both compile it; either result is right.
    """

    __slots__ = ("owner", "write")

    def __init__(self, owner: type, write: Callable[[type], FunctionType]) -> None:
        self.owner, self.write = owner, write

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        function = self.write(self.owner)
        setattr(self.owner, function.__name__, function)
        return function.__get__(instance, owner)


def _compiled(
    owner: type, head: str, lines: Iterable[str], names: dict[str, object], field_names: Sequence[str]
) -> FunctionType:
    """Compile a method in which these names are known, and the fields are called by number: `_0`, `_1`.

    Compiling takes 0.1 ms. Most methods differ from others only in the names of fields: they share what is compiled.
    """
    body = "".join(f"\n  {line}" for line in lines) or "\n  pass"
    scope: dict[str, Any] = {"__name__": owner.__module__}
    exec(_code(f"def write({', '.join(names)}):\n def {head}:{body}\n return {head.partition('(')[0]}"), scope)
    function: FunctionType = scope["write"](**names)
    function.__qualname__ = f"{owner.__qualname__}.{function.__name__}"
    name_of = {f"_{number}": name for number, name in enumerate(field_names)}
    code = function.__code__
    function.__code__ = code.replace(
        co_filename=f"<dataclass {owner.__qualname__}>",
        co_qualname=function.__qualname__,
        co_varnames=tuple(name_of.get(name, name) for name in code.co_varnames),
        co_names=tuple(name_of.get(name, name) for name in code.co_names),
        co_consts=tuple(name_of.get(value, value) if isinstance(value, str) else value for value in code.co_consts),
    )
    if function.__kwdefaults__:
        function.__kwdefaults__ = {name_of[name]: value for name, value in function.__kwdefaults__.items()}
    return function


@cache
def _code(source: str) -> CodeType:
    return compile(source, "<dataclass>", "exec")


def _init(owner: type, frozen: bool) -> FunctionType:
    """`__init__`: takes the fields, those by position first, and stores them."""
    names: dict[str, object] = {"_FACTORY": _FACTORY, "_store": object.__setattr__}
    parameters: dict[bool, list[str]] = {False: [], True: []}
    lines: list[str] = []
    annotations: dict[str, Any] = {}
    for number, item in enumerate(fields(owner)):
        name = parameter = value = f"_{number}"
        if item.default is not MISSING:
            names[default := f"_default{name}"] = item.default
            parameter, value = f"{name}={default}", name if item.init else default
        elif item.default_factory is not MISSING:
            names[factory := f"_make{name}"] = item.default_factory
            parameter = f"{name}=_FACTORY"
            value = f"{factory}() if {name} is _FACTORY else {name}" if item.init else f"{factory}()"
        elif not item.init:
            continue  # left to `__post_init__`
        if item.init:
            parameters[bool(item.kw_only)].append(parameter)
            annotations[item.name] = item.type
        lines.append(_stored(owner, item, name, value, names) if frozen else f"self.{name} = {value}")
    if hasattr(owner, "__post_init__"):
        lines.append("self.__post_init__()")
    by_name = ["*", *parameters[True]] if parameters[True] else []
    head = f"__init__({', '.join(['self', *parameters[False], *by_name])})"
    function = _compiled(owner, head, lines, names, [item.name for item in fields(owner)])
    function.__annotations__ = {**annotations, "return": None}
    return function


def _stored(owner: type, item: Field[Any], name: str, value: str, names: dict[str, object]) -> str:
    """Store a field of a frozen class; through its slot, where there is one, as that takes half the time."""
    slot = getattr(owner, item.name, None)
    if not isinstance(slot, MemberDescriptorType):
        return f"_store(self, {name!r}, {value})"
    names[f"_store{name}"] = slot.__set__
    return f"_store{name}(self, {value})"


def _comparison(owner: type, name: str, symbol: str) -> FunctionType:
    """A comparison of all fields that count, as a tuple, with those of an object of the same class."""
    compared = [item.name for item in fields(owner) if item.compare]
    return _compiled(
        owner,
        f"{name}(self, other)",
        [
            "if other.__class__ is self.__class__:",
            f" return {_tuple('self', compared)} {symbol} {_tuple('other', compared)}",
            "return NotImplemented",
        ],
        {},
        compared,
    )


def _hash(owner: type) -> FunctionType:
    """`__hash__` of all fields that count, as a tuple."""
    hashed = [item.name for item in fields(owner) if (item.compare if item.hash is None else item.hash)]
    return _compiled(owner, "__hash__(self)", [f"return hash({_tuple('self', hashed)})"], {}, hashed)


def _tuple(variable: str, names: Sequence[str]) -> str:
    return f"({''.join(f'{variable}._{number}, ' for number in range(len(names)))})"


@recursive_repr()
def _repr(self: Any) -> str:
    values = ", ".join(f"{item.name}={getattr(self, item.name)!r}" for item in fields(self) if item.repr)
    return f"{type(self).__qualname__}({values})"


def _refuse_assignment(self: object, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deletion(self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    """For copies and pickles of a frozen class with slots."""
    return [getattr(self, item.name) for item in fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for item, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, item.name, value)


class _Factory:
    """Default of a parameter whose value is made for each object."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY = _Factory()
