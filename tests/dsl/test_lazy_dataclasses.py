"""Dataclasses that compile their methods at first use behave as those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
from collections.abc import Callable, Hashable
from dataclasses import FrozenInstanceError, field, fields
from itertools import product
from threading import Barrier, Thread
from typing import Any, ClassVar

import pytest

from dsl.lazy_dataclasses import dataclass, lazy_dataclass, node_class, value_class

Decorator = Callable[..., Any]
BOTH = pytest.mark.parametrize("decorator", [dataclasses.dataclass, lazy_dataclass], ids=["standard library", "lazy"])
COMBINATIONS = [
    dict(zip(("frozen", "slots", "eq", "unsafe_hash", "order", "repr"), values, strict=True))
    for values in product([False, True], repeat=6)
    if not (values[4] and not values[2])  # an order needs `==`
]


@dataclass(frozen=True, slots=True)
class Frozen:
    """At the top level of the module, where `pickle` finds it."""

    name: str
    count: int = 0


@value_class
class Value:
    """The same, frozen for mypy only."""

    name: str
    count: int = 0


def point(decorator: Decorator, **options: bool) -> Any:
    """A class with fields of all kinds."""

    class Point:
        """A point."""

        unit: ClassVar[str] = "mm"
        x: int
        y: int = 0
        label: str = field(default="", compare=False)
        hidden: object = field(default=None, repr=False, compare=False)
        seen: list[int] = field(default_factory=list, hash=False)

        def norm(self) -> int:
            return abs(self.x) + abs(self.y)

    return decorator(**options)(Point)


def outcome(action: Callable[[], object]) -> object:
    """What an action returns, or the type of its error."""
    try:
        return action()
    except (TypeError, AttributeError, ValueError) as error:
        return type(error)


@pytest.mark.parametrize("options", COMBINATIONS, ids=lambda options: "-".join(filter(options.get, options)) or "none")
def test_every_combination_of_options_behaves_alike(options: dict[str, bool]) -> None:
    def behaviour(decorator: Decorator) -> list[object]:
        class_ = point(decorator, **options)
        one, same, larger = class_(1, 2, "a"), class_(1, 2, label="b"), class_(1, 3, seen=[4])
        actions: list[Callable[[], object]] = [
            lambda: one == same,
            lambda: one != larger,
            lambda: one == (1, 2),
            lambda: (hash(one) == hash(same)) if options["frozen"] or options["unsafe_hash"] else hash(one) and None,
            lambda: one < larger,
            lambda: one <= same,
            lambda: one > larger,
            lambda: one >= 3,
            lambda: repr(larger).rpartition(".")[2] if options["repr"] else type(one).__repr__ is object.__repr__,
            lambda: setattr(one, "x", 5),
            lambda: setattr(one, "nowhere", 5) if not options["slots"] else None,
            lambda: delattr(one, "y"),
            lambda: hasattr(one, "__dict__"),
            lambda: (one.x, one.y, one.seen, one.norm(), one.unit),
            lambda: dataclasses.asdict(larger),
            lambda: vars(dataclasses.replace(larger, y=7)) if not options["slots"] else None,
            lambda: copy.deepcopy(larger).seen,
            lambda: [item.name for item in fields(class_)],
            lambda: class_.__match_args__,
            lambda: isinstance(one, Hashable),
            lambda: class_(),
            lambda: class_(1, 2, "", None, [], 6),
            lambda: class_(1, z=2),
            lambda: str(inspect.signature(class_)),
            lambda: class_.__init__.__qualname__.rpartition(".")[2],
        ]
        return [outcome(action) for action in actions]

    assert behaviour(lazy_dataclass) == behaviour(dataclasses.dataclass)


@BOTH
def test_methods_that_a_class_defines_remain(decorator: Decorator) -> None:
    @decorator(frozen=True)
    class Own:
        x: int

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 3

    assert repr(Own(1)) == "own"
    assert Own(1) == Own(2)
    assert hash(Own(1)) == 3


@BOTH
@pytest.mark.parametrize("slots", [False, True])
def test_subclasses_take_the_fields_of_their_bases_first(decorator: Decorator, slots: bool) -> None:
    @decorator(frozen=True, slots=slots)
    class Base:
        x: int
        y: int = 1

    @decorator(frozen=True, slots=slots)
    class Derived(Base):
        z: int = 2
        y: int = 5

    class Plain(Derived):
        pass

    assert Derived(7) != Base(7, 5)
    assert (Derived(7).x, Derived(7).y, Derived(7).z) == (7, 5, 2)
    assert Derived(7, 5, 2) == Derived(7)
    assert Plain(7) != Derived(7)
    assert repr(Plain(7)).endswith("Plain(x=7, y=5, z=2)")
    match Derived(1, 2, 3):
        case Derived(x, y, z):
            assert (x, y, z) == (1, 2, 3)


@BOTH
def test_what_is_left_to_post_init(decorator: Decorator) -> None:
    @decorator(slots=True)
    class Sum:
        parts: list[int]
        total: int = field(init=False)
        calls: int = field(default=1, init=False)
        notes: list[str] = field(default_factory=list, init=False)

        def __post_init__(self) -> None:
            self.total = sum(self.parts)

    added = Sum([1, 2])
    assert (added.total, added.calls, added.notes) == (3, 1, [])
    with pytest.raises(TypeError):
        Sum([1], 2)


@BOTH
def test_fields_by_name_only(decorator: Decorator) -> None:
    @decorator(kw_only=True)
    class Node:
        kind: str = "node"
        span: int

    assert Node(span=1) == Node(kind="node", span=1)
    with pytest.raises(TypeError):
        Node("node", 1)


@BOTH
def test_a_value_that_contains_itself_has_a_text(decorator: Decorator) -> None:
    @decorator()
    class Loop:
        inner: Any = None

    loop = Loop()
    loop.inner = loop
    assert repr(loop).endswith("Loop(inner=...)")


@pytest.mark.parametrize("class_", [Frozen, Value])
def test_copies_and_pickles(class_: type[Any]) -> None:
    value = class_("a", 3)
    assert copy.copy(value) == copy.deepcopy(value) == pickle.loads(pickle.dumps(value)) == value


def test_a_pickle_can_be_read_before_any_object_is_made() -> None:
    program = (
        "import pickle, sys\n"
        "read = pickle.load(sys.stdin.buffer)\n"
        "assert read == read and hash(read) and read.count == 3\n"
        "print(read)"
    )
    done = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(Frozen("a", 3)), capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode().strip() == "Frozen(name='a', count=3)"


def test_nodes_are_frozen_by_the_type_checker_and_compared_by_their_base() -> None:
    class Base:
        def __eq__(self, other: object) -> bool:
            return type(self) is type(other)

        __hash__ = None  # type: ignore[assignment]

    @node_class
    class Leaf(Base):
        number: int

    assert Leaf(number=1) == Leaf(number=2)
    with pytest.raises(TypeError):
        Leaf(1)  # type: ignore[misc]


def test_a_method_is_compiled_at_its_first_call_and_only_there() -> None:
    @dataclass(frozen=True)
    class Pair:
        left: int
        right: int

    def compiled() -> set[str]:
        return {name for name in ("__init__", "__eq__", "__hash__") if inspect.isfunction(vars(Pair)[name])}

    assert compiled() == set()
    pair = Pair(1, 2)
    assert compiled() == {"__init__"}
    assert pair == Pair(1, 2)
    assert compiled() == {"__init__", "__eq__"}
    assert len({pair, Pair(1, 2)}) == 1
    assert compiled() == {"__init__", "__eq__", "__hash__"}


def test_threads_may_make_the_first_objects_at_once() -> None:
    for _ in range(50):

        @dataclass(frozen=True, slots=True)
        class Shared:
            x: int
            y: list[int] = field(default_factory=list)

        barrier, made = Barrier(4), []

        def make(barrier: Barrier = barrier, made: list[Any] = made, class_: Any = Shared) -> None:
            barrier.wait()
            made.append(class_(1))

        threads = [Thread(target=make) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert made == [Shared(1)] * 4


def test_assignment_to_a_frozen_object_is_refused() -> None:
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'count'"):
        Frozen("a").count = 3  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'count'"):
        del Frozen("a").count
