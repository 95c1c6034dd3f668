"""Conditions on the members of a set as filters: the set of members that satisfy a condition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir.expressions import (
    Cell,
    Choice,
    Const,
    Expr,
    Let,
    Local,
    Logic,
    Lookup,
    Op,
    Table,
    Zone,
    mentions,
    number,
)
from interpreter.compiler.ir.module import Module
from interpreter.compiler.ir.naming import named
from interpreter.compiler.ir.types import BOOL, Int, Opt, Ref, Set, Type, bare
from interpreter.compiler.passes.facts.traversal import simple
from interpreter.compiler.passes.places.preimages import among, held_in, leading_into, touching
from interpreter.compiler.passes.simplifying.constant_conditions import by_value, holding
from interpreter.compiler.passes.simplifying.folding_operations import operation


@dataclass(frozen=True, slots=True)
class Filter:
    """The members of `those`, or all `others`; with `lying` those at whose place a piece of this kind lies."""

    those: Expr
    others: bool = False
    lying: Zone | None = None

    @property
    def opposite(self) -> Filter:
        """The complement."""
        return Filter(self.those, not self.others, self.lying)


@dataclass(frozen=True, slots=True)
class Members:
    """The set that is filtered, whose members are bound to a local."""

    local: Local
    over: Expr
    module: Module

    @property
    def type(self) -> Set:
        """The type of the set."""
        assert isinstance(self.over.type, Set)
        return self.over.type

    def set(self, bits: int) -> Const:
        """A constant set of members."""
        return Const(self.type, bits)

    @property
    def every(self) -> Const:
        """The whole domain."""
        return self.set((1 << self.type.width) - 1)


def filter_for(condition: Expr, members: Members) -> Filter | None:
    """The filter for a condition; None if there is none. Its evaluation must not have an effect."""
    local = members.local
    if isinstance(condition, Const):
        return Filter(members.set(0), condition.value)
    if not mentions(condition, local):
        return Filter(Choice(members.type, condition, members.every, members.set(0)))
    match condition:
        case Op(name="not", args=(inner,)):
            found = filter_for(inner, members)
            return None if found is None else found.opposite
        case Logic(word=word, parts=parts):
            return _joined(parts, members, word == "or") or _constant(condition, members)
        case Choice():
            return _constant(condition, members) or _of_two(condition, members)
        case Let(local=bound, value=value, body=body) if not mentions(value, local):
            found = filter_for(body, members)
            return found and Filter(Let(found.those.type, bound, value, found.those), found.others, found.lying)
        case Op(name="has", args=(those, Local(name=name))) if name == local.name:
            return None if mentions(those, local) or not _same_domain(those, members) else Filter(those)
        case Op(name="has", args=(those, value)) if not mentions(those, local):
            return _constant(condition, members) or _leading(those, value, members)
        case Op(name="is_empty", args=(inner,)):
            return _constant(condition, members) or _filled(inner, members) or _of_places(inner, members)
        case Op(name="is_none", args=(Op(name="first", args=(inner,)),)):
            return _constant(condition, members) or _filled(inner, members) or _of_places(inner, members)
        case Op(name="eq", args=(one, other)):
            return _constant(condition, members) or _equal(one, other, members)
        case Op(name="in_list", args=(value, Op(name="list", args=items))) if items:
            found = _constant(condition, members)
            equal = [] if found is not None else [Op(BOOL, "eq", (value, item)) for item in items]
            return found or _joined(equal, members, True)
        case _:
            return _constant(condition, members)


def _same_domain(those: Expr, members: Members) -> bool:
    return isinstance(those.type, Set) and those.type.domain == members.type.domain


def _constant(condition: Expr, members: Members) -> Filter | None:
    found = holding(condition, members.local, members.over)
    return None if found is None else Filter(members.set(found))


def _leading(those: Expr, value: Expr, members: Members) -> Filter | None:
    found = leading_into(those, value, members.local, members.over)
    return None if found is None else Filter(found)


# ---------------------------------------------------------------- combining filters


def combined(name: str, one: Expr, other: Expr, members: Members) -> Expr:
    """`both`, `union` or `minus` of two sets."""
    if one == other:
        return members.set(0) if name == "minus" else one
    if name != "minus" and _all_or_none(one, members):
        one, other = other, one
    if isinstance(other, Choice) and _all_or_none(other, members):
        with_all = {"both": one, "union": members.every, "minus": members.set(0)}[name]
        with_none = members.set(0) if name == "both" else one
        return Choice(members.type, other.condition, with_all, with_none, other.source)
    return operation(Op(members.type, name, (one, other)))


def _all_or_none(node: Expr, members: Members) -> bool:
    """Whether a set is the whole domain or empty, depending on a condition without the member."""
    return isinstance(node, Choice) and node.then == members.every and node.otherwise == members.set(0)


def depends(matching: Filter, members: Members) -> bool:
    """Whether a condition without the member decides between all members and none."""
    return _all_or_none(matching.those, members)


def intersected(one: Filter, other: Filter, members: Members) -> Filter:
    """The intersection of two filters."""
    if one.others and other.others:
        return Filter(combined("union", _plain(one, members), _plain(other, members), members), True)
    if one.others:
        one, other = other, one
    name = "minus" if other.others else "both"
    return Filter(combined(name, _plain(one, members), _plain(other, members), members))


def _plain(matching: Filter, members: Members) -> Expr:
    """The members that pass a filter as a plain set."""
    if matching.lying is None:
        return matching.those
    over = None if isinstance(members.over, Const) or not _cheap(members.over) else members.over
    return with_kind(matching, over, members)


def _cheap(node: Expr) -> bool:
    """Whether a set is cheap enough to be computed twice."""
    return simple(node) or (isinstance(node, Lookup) and all(map(simple, node.keys)))


def applied(matching: Filter, over: Expr, members: Members) -> Expr:
    """The members of a subset of the filtered set that pass a filter."""
    if matching.lying is not None and not matching.others:
        return with_kind(matching, over, members)
    those = _plain(matching, members)
    if isinstance(over, Const) and not isinstance(those, Const):
        those = among(those, over.value)
    return combined("minus" if matching.others else "both", over, those, members)


def _joined(parts: Sequence[Expr], members: Members, any_of: bool) -> Filter | None:
    """The members that satisfy all conditions, or any; conditions without the member are tested first."""
    apart, result = list[Expr](), None
    for part in _flat(parts, "or" if any_of else "and"):
        if not isinstance(part, Const) and not mentions(part, members.local):
            apart.append(part)
            continue
        found = filter_for(part, members)
        if found is None:
            return None
        found = found.opposite if any_of else found
        result = found if result is None else intersected(result, found, members)
    if result is None:
        return None
    result = result.opposite if any_of else result
    if apart:
        condition = apart[0] if len(apart) == 1 else Logic(BOOL, "or" if any_of else "and", tuple(apart))
        sure = members.every if any_of is not result.others else members.set(0)
        plain = _plain(result, members)
        ends = (sure, plain) if any_of else (plain, sure)
        result = Filter(Choice(members.type, condition, *ends), result.others)
    return result


def _flat(parts: Sequence[Expr], word: str) -> Iterator[Expr]:
    for part in parts:
        if isinstance(part, Logic) and part.word == word:
            yield from _flat(part.parts, word)
        else:
            yield part


def _of_two(node: Choice, members: Members) -> Filter | None:
    """The filter for a choice between two conditions."""
    then, otherwise = filter_for(node.then, members), filter_for(node.otherwise, members)
    if then is None or otherwise is None:
        return None
    if not mentions(node.condition, members.local):
        values = (_value(then, members), _value(otherwise, members))
        return Filter(Choice(members.type, node.condition, *values, node.source))
    condition = filter_for(node.condition, members)
    if condition is None or not _cheap(_plain(condition, members)):
        return None
    yes, no = intersected(condition, then, members), intersected(condition.opposite, otherwise, members)
    return intersected(yes.opposite, no.opposite, members).opposite


def _value(matching: Filter, members: Members) -> Expr:
    plain = _plain(matching, members)
    return combined("minus", members.every, plain, members) if matching.others else plain


# ---------------------------------------------------------------- places


def _filled(contents: Expr, members: Members) -> Filter | None:
    """`zone[x] is not empty`, `zone[x] is king`: the members at whose place there is a piece, or one of a kind."""
    kind: Expr | None = None
    if isinstance(contents, Op) and contents.name == "both":
        contents, kind = contents.args
        if not isinstance(contents, Cell):
            contents, kind = kind, contents
    if not isinstance(contents, Cell):
        return None
    zone = members.module.zones.get(contents.group.name)
    if zone is None or zone.contents is not contents.group or zone.filled is None:
        return None
    step = step_of(zone, contents.index, members.local)
    if step is None or zone.filled.type != members.type:
        return None
    if kind is None:
        return Filter(filled_cell(zone), True)
    if isinstance(step, Table) or mentions(kind, members.local):
        return None
    return Filter(kind, True, zone)


def filled_cell(zone: Zone) -> Cell:
    """The cell with the indices of the filled places of a zone."""
    assert zone.filled is not None
    return Cell(zone.filled.type, zone.filled, number(0))


def step_of(zone: Zone, position: Expr, local: Local) -> int | Table | None:
    """How the position of a place is computed from its index, a local: by adding a number, or by a table.

    None if it is not the position of that place.
    """
    positions = zone.positions
    match position:
        case Local(name=name) if name == local.name and positions is None:
            return 0
        case Lookup(table=table, keys=(Local(name=name),)) if name == local.name and table is positions:
            return table
        case Op(name="add", args=(Local(name=name), Const(value=int() as step))) if name == local.name:
            content = {} if positions is None else positions.content
            return step if content and all(index + step == place for index, place in content.items()) else None
        case _:
            return None


def with_kind(matching: Filter, among: Expr | None, members: Members) -> Expr:
    """The indices of a zone, optionally `among` some, at whose place a piece of a kind lies."""
    assert matching.lying is not None
    zone, filled = matching.lying, filled_cell(matching.lying)
    first = 0 if zone.positions is None else next(place - index for index, place in zone.positions.content.items())
    if among is None:
        among = filled
    elif not _inside(among, filled):
        among = combined("both", among, filled, members)
    return Op(members.type, "with_kind", (number(zone.contents.first + first), among, matching.those))


def _inside(node: Expr, filled: Cell) -> bool:
    """Whether a set is sure to be a subset of the filled places."""
    match node:
        case Cell():
            return node == filled
        case Op(name="both"):
            return any(_inside(arg, filled) for arg in node.args)
        case Op(name="minus"):
            return _inside(node.args[0], filled)
        case Op(name="with_kind"):
            return _inside(node.args[1], filled)
        case _:
            return False


def _of_places(node: Expr, members: Members) -> Filter | None:
    """The members whose sets of places are subsets of a set, or disjoint from it."""
    match node:
        case Op(name="minus", args=(places, those)) if not mentions(those, members.local):
            found = held_in(places, those, members.local, members.over)
            return None if found is None else Filter(found)
        case Op(name="both", args=(one, other)):
            places, those = (one, other) if mentions(one, members.local) else (other, one)
            found = None if mentions(those, members.local) else touching(places, those, members.local, members.over)
            return None if found is None else Filter(found, True)
        case _:
            return None


# ---------------------------------------------------------------- equality


def _equal(one: Expr, other: Expr, members: Members) -> Filter | None:
    """The members that equal a value, or whose attribute does."""
    if mentions(one, members.local):
        one, other = other, one
    if mentions(one, members.local):
        return None
    wanted, own = one, other
    if isinstance(own, Local):
        return Filter(Op(members.type, "single", (wanted,))) if _can_be_member(wanted, members) else None
    if not isinstance(bare(wanted.type), Ref | Int):
        return None
    found = by_value(own, members.local, members.over)
    return None if found is None else _looked_up(found, own, wanted, members)


def _can_be_member(value: Expr, members: Members) -> bool:
    """Whether a value is sure to be within the domain of a set."""
    core, type_ = bare(value.type), members.type
    if isinstance(core, Int):
        return core.low >= 0 and core.high < type_.width
    return isinstance(core, Ref) and core.domain == type_.domain and core.width <= type_.width


def _looked_up(found: dict[Any, int], own: Expr, wanted: Expr, members: Members) -> Filter | None:
    """The members for which a constant expression equals a value that is not constant."""
    without, core = found.pop(None, 0), bare(wanted.type)
    table = _table(found, own, core, members)
    if not isinstance(wanted.type, Opt):
        return Filter(Lookup(members.type, table, (wanted,)))
    if without and not simple(wanted):
        return None
    those = Lookup(Opt(members.type), table, (wanted,))
    there = Op(members.type, "or_empty", (those,))
    if not without:
        return Filter(there)
    absent = Op(BOOL, "is_none", (wanted,))
    return Filter(Choice(members.type, absent, members.set(without), there))


def _table(found: dict[Any, int], own: Expr, key: Type, members: Members) -> Table:
    """The table from values to members, shared between equal ones."""
    tables, type_ = members.module.tables, members.type
    known: Any = found
    width = key.width if isinstance(key, Ref) else key.high + 1 if isinstance(key, Int) and key.low >= 0 else 0
    if width <= 4 * len(found) and all(value in range(width) for value in found):
        known = tuple(found.get(value, 0) for value in range(width))
    column = own.table.name if isinstance(own, Lookup) else ""
    name, more = named("H", column), 0
    while name in tables and (tables[name].content != known or tables[name].type != type_):
        more += 1
        name = named("H", column, more)
    return tables.setdefault(name, Table(name, known, type_, isinstance(known, dict), 0))
