"""Conditions on the members of a set as filters: the set of members that satisfy a condition.

`for c in Cell where slot[c] is empty` asks every cell in turn. The layout keeps the set of cells with a piece, so `Cell
- slot filled` gives the same cells with one operation on two numbers. Other conditions, and what they become:

    {a1..g6} where column[c] = n and slot[c] is empty   →  Hcolumn[n] - slot filled         from values to members
    slot filled where slot[c] has a RED piece           →  with_kind(9, slot filled, RED)   one search for all cells
    pieces where next[c, north] in goals                →  pieces & shift(goals, -8)        all steps at once
    cards where c = lead                                →  cards & {lead}

A condition becomes a filter only if each part of it does; `and`, `or`, `not` and `… if … else …` of the parts are then
operations on their sets. A filter is evaluated once for all members, so conditions that have an effect are left to the
caller (`narrowing.py`), which knows what is tested before them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir.module import Module, named
from interpreter.compiler.ir.types import BOOL, Int, Opt, Ref, Set, Type, bare
from interpreter.compiler.passes.facts.traversal import simple
from interpreter.compiler.passes.places.preimages import among, held_in, leading_into, touching
from interpreter.compiler.passes.simplifying.constant_conditions import by_value, holding
from interpreter.compiler.passes.simplifying.folding_operations import operation
from interpreter.runtime.cells import StoredValue


# INVARIANT: a filter decides rightly about every member of the filtered set. About other values of the domain it may
# say anything: constant conditions are evaluated for members only (`by_value`), as tables have no entry for a cell that
# this game does not have. Whoever uses a filter has to intersect it with the set (`applied`).
@dataclass(frozen=True, slots=True)
class Filter:
    """The `members`, or all `others`; with a `zone` those at whose place in it a piece of this kind lies."""

    members: ex.Expr
    others: bool = False
    zone: ex.Zone | None = None

    @property
    def opposite(self) -> Filter:
        """The complement."""
        return Filter(self.members, not self.others, self.zone)


@dataclass(frozen=True, slots=True)
class Members:
    """The set that is filtered, whose members are bound to a local."""

    local: ex.Local
    over: ex.Expr
    module: Module

    @property
    def type(self) -> Set:
        """The type of the set."""
        assert isinstance(self.over.type, Set)
        return self.over.type

    def set(self, bits: int) -> ex.Const:
        """A constant set of members."""
        return ex.Const(self.type, bits)

    @property
    def every(self) -> ex.Const:
        """The whole domain."""
        return self.set((1 << self.type.width) - 1)


def filter_for(condition: ex.Expr, members: Members) -> Filter | None:
    """The filter for a condition; None if there is none. Its evaluation must not have an effect."""
    local = members.local
    if isinstance(condition, ex.Const):
        return Filter(members.set(0), condition.value)
    if not ex.mentions(condition, local):
        return Filter(ex.Choice(members.type, condition, members.every, members.set(0)))
    match condition:
        case ex.Op(name="not", args=(operand,)):
            matching = filter_for(operand, members)
            return None if matching is None else matching.opposite
        case ex.Logic(word=word, parts=parts):
            return _joined(parts, members, word == "or") or _constant(condition, members)
        case ex.Let(local=bound, value=value, body=body) if not ex.mentions(value, local):
            matching = filter_for(body, members)
            return matching and Filter(
                ex.Let(matching.members.type, bound, value, matching.members), matching.others, matching.zone
            )
        case ex.Op(name="has", args=(subset, ex.Local(name=name))) if name == local.name:
            return None if ex.mentions(subset, local) or not _same_domain(subset, members) else Filter(subset)
        case ex.Op(name="has", args=(subset, value)) if not ex.mentions(subset, local):
            return _constant(condition, members) or _leading(subset, value, members)
        case ex.Op(name="is_empty", args=(operand,)):
            return _constant(condition, members) or _filled(operand, members) or _of_places(operand, members)
        case ex.Op(name="is_none", args=(ex.Op(name="first", args=(operand,)),)):
            return _constant(condition, members) or _filled(operand, members) or _of_places(operand, members)
        case ex.Op(name="eq", args=(first, second)):
            return _constant(condition, members) or _equal(first, second, members)
        case ex.Op(name="in_list", args=(value, ex.Op(name="list", args=items))) if items:
            matching = _constant(condition, members)
            equal = [] if matching is not None else [ex.Op(BOOL, "eq", (value, item)) for item in items]
            return matching or _joined(equal, members, True)
        case _:
            return _constant(condition, members)


def _same_domain(subset: ex.Expr, members: Members) -> bool:
    return isinstance(subset.type, Set) and subset.type.domain == members.type.domain


def _constant(condition: ex.Expr, members: Members) -> Filter | None:
    holding_members = holding(condition, members.local, members.over)
    return None if holding_members is None else Filter(members.set(holding_members))


def _leading(subset: ex.Expr, value: ex.Expr, members: Members) -> Filter | None:
    leading_members = leading_into(subset, value, members.local, members.over)
    return None if leading_members is None else Filter(leading_members)


# ---------------------------------------------------------------- combining filters


def combined(name: str, first: ex.Expr, second: ex.Expr, members: Members) -> ex.Expr:
    """`both`, `union` or `minus` of two sets."""
    if first == second:
        return members.set(0) if name == "minus" else first
    if name != "minus" and _all_or_none(first, members):
        first, second = second, first
    if isinstance(second, ex.Choice) and _all_or_none(second, members):
        with_all = {"both": first, "union": members.every, "minus": members.set(0)}[name]
        with_none = members.set(0) if name == "both" else first
        return ex.Choice(members.type, second.condition, with_all, with_none, second.source)
    return operation(ex.Op(members.type, name, (first, second)))


def _all_or_none(node: ex.Expr, members: Members) -> bool:
    """Whether a set is the whole domain or empty, depending on a condition without the member."""
    return isinstance(node, ex.Choice) and node.then == members.every and node.otherwise == members.set(0)


def depends(matching: Filter, members: Members) -> bool:
    """Whether a condition without the member decides between all members and none."""
    return _all_or_none(matching.members, members)


def intersected(first: Filter, second: Filter, members: Members) -> Filter:
    """The intersection of two filters."""
    if first.others and second.others:
        return Filter(combined("union", _plain(first, members), _plain(second, members), members), True)
    if first.others:
        first, second = second, first
    name = "minus" if second.others else "both"
    return Filter(combined(name, _plain(first, members), _plain(second, members), members))


def _plain(matching: Filter, members: Members) -> ex.Expr:
    """The members that pass a filter as a plain set."""
    if matching.zone is None:
        return matching.members
    # With nothing to look among, the search takes all filled places: right as well, only slower.
    over = None if isinstance(members.over, ex.Const) or not _cheap(members.over) else members.over
    return with_kind(matching, over, members)


def _cheap(node: ex.Expr) -> bool:
    """Whether a set is cheap enough to be computed twice."""
    return simple(node) or (isinstance(node, ex.Lookup) and all(map(simple, node.keys)))


# `others` and `zone` put off work until it is known what the filter meets: `over - members` is one operation where the
# complement would be two, and a search for pieces of a kind looks only at the members that passed all other filters.
def applied(matching: Filter, over: ex.Expr, members: Members) -> ex.Expr:
    """The members of a subset of the filtered set that pass a filter."""
    if matching.zone is not None and not matching.others:
        return with_kind(matching, over, members)
    subset = _plain(matching, members)
    if isinstance(over, ex.Const) and not isinstance(subset, ex.Const):
        subset = among(subset, over.value)
    return combined("minus" if matching.others else "both", over, subset, members)


def _joined(parts: Sequence[ex.Expr], members: Members, any_of: bool) -> Filter | None:
    """The members that satisfy all conditions, or any; conditions without the member are tested first."""
    apart, result = list[ex.Expr](), None
    for part in _flat(parts, "or" if any_of else "and"):
        if not isinstance(part, ex.Const) and not ex.mentions(part, members.local):
            apart.append(part)
            continue
        matching = filter_for(part, members)
        if matching is None:
            return None
        matching = matching.opposite if any_of else matching
        # De Morgan: `or` is the complement of the intersection of the complements, so that one function combines all.
        result = matching if result is None else intersected(result, matching, members)
    if result is None:
        return None
    result = result.opposite if any_of else result
    if apart:
        condition = apart[0] if len(apart) == 1 else ex.Logic(BOOL, "or" if any_of else "and", tuple(apart))
        sure = members.every if any_of is not result.others else members.set(0)
        plain = _plain(result, members)
        ends = (sure, plain) if any_of else (plain, sure)
        result = Filter(ex.Choice(members.type, condition, *ends), result.others)
    return result


def _flat(parts: Sequence[ex.Expr], word: str) -> Iterator[ex.Expr]:
    for part in parts:
        if isinstance(part, ex.Logic) and part.word == word:
            yield from _flat(part.parts, word)
        else:
            yield part


# ---------------------------------------------------------------- places


def _filled(contents: ex.Expr, members: Members) -> Filter | None:
    """`zone[x] is not empty`, `zone[x] is king`: the members at whose place there is a piece, or one of a kind."""
    kind: ex.Expr | None = None
    if isinstance(contents, ex.Op) and contents.name == "both":
        contents, kind = contents.args
        if not isinstance(contents, ex.Cell):
            contents, kind = kind, contents
    if not isinstance(contents, ex.Cell):
        return None
    zone = members.module.zones.get(contents.group.name)
    if zone is None or zone.contents is not contents.group or zone.filled is None:
        return None
    step = step_of(zone, contents.index, members.local)
    if step is None or zone.filled.type != members.type:
        return None
    if kind is None:
        return Filter(filled_cell(zone), True)
    if isinstance(step, ex.Table) or ex.mentions(kind, members.local):
        return None
    return Filter(kind, True, zone)


def filled_cell(zone: ex.Zone) -> ex.Cell:
    """The cell with the indices of the filled places of a zone."""
    assert zone.filled is not None
    return ex.Cell(zone.filled.type, zone.filled, ex.number(0))


def step_of(zone: ex.Zone, position: ex.Expr, local: ex.Local) -> int | ex.Table | None:
    """How the position of a place is computed from its index, a local: by adding a number, or by a table.

    None if it is not the position of that place.
    """
    positions = zone.positions
    match position:
        case ex.Local(name=name) if name == local.name and positions is None:
            return 0
        case ex.Lookup(table=table, keys=(ex.Local(name=name),)) if name == local.name and table is positions:
            return table
        case ex.Op(name="add", args=(ex.Local(name=name), ex.Const(value=int() as step))) if name == local.name:
            content = {} if positions is None else positions.content
            return step if content and all(index + step == place for index, place in content.items()) else None
        case _:
            return None


def with_kind(matching: Filter, among: ex.Expr | None, members: Members) -> ex.Expr:
    """The indices of a zone, optionally `among` some, at whose place a piece of a kind lies."""
    assert matching.zone is not None
    zone, filled = matching.zone, filled_cell(matching.zone)
    first = 0 if zone.positions is None else next(place - index for index, place in zone.positions.content.items())
    if among is None:
        among = filled
    elif not _inside(among, filled):
        among = combined("both", among, filled, members)
    return ex.Op(members.type, "with_kind", (ex.number(zone.contents.first + first), among, matching.members))


def _inside(node: ex.Expr, filled: ex.Cell) -> bool:
    """Whether a set is sure to be a subset of the filled places."""
    match node:
        case ex.Cell():
            return node == filled
        case ex.Op(name="both"):
            return any(_inside(arg, filled) for arg in node.args)
        case ex.Op(name="minus"):
            return _inside(node.args[0], filled)
        case ex.Op(name="with_kind"):
            return _inside(node.args[1], filled)
        case _:
            return False


def _of_places(node: ex.Expr, members: Members) -> Filter | None:
    """The members whose sets of places are subsets of a set, or disjoint from it."""
    match node:
        case ex.Op(name="minus", args=(places, subset)) if not ex.mentions(subset, members.local):
            matching_members = held_in(places, subset, members.local, members.over)
            return None if matching_members is None else Filter(matching_members)
        case ex.Op(name="both", args=(first, second)):
            places, subset = (first, second) if ex.mentions(first, members.local) else (second, first)
            matching_members = (
                None if ex.mentions(subset, members.local) else touching(places, subset, members.local, members.over)
            )
            return None if matching_members is None else Filter(matching_members, True)
        case _:
            return None


# ---------------------------------------------------------------- equality


def _equal(first: ex.Expr, second: ex.Expr, members: Members) -> Filter | None:
    """The members that equal a value, or whose attribute does."""
    if ex.mentions(first, members.local):
        first, second = second, first
    if ex.mentions(first, members.local):
        return None
    value, tested = first, second
    # A value outside the domain, such as `c = n + 1` for the last c, equals no member but would set a bit in the set.
    if isinstance(tested, ex.Local):
        return Filter(ex.Op(members.type, "single", (value,))) if _can_be_member(value, members) else None
    if not isinstance(bare(value.type), Ref | Int):
        return None
    members_by_value = by_value(tested, members.local, members.over)
    return None if members_by_value is None else _looked_up(members_by_value, tested, value, members)


def _can_be_member(value: ex.Expr, members: Members) -> bool:
    """Whether a value is sure to be within the domain of a set."""
    core, type_ = bare(value.type), members.type
    if isinstance(core, Int):
        return core.low >= 0 and core.high < type_.width
    return isinstance(core, Ref) and core.domain == type_.domain and core.width <= type_.width


def _looked_up(
    members_by_value: dict[StoredValue, int], tested: ex.Expr, value: ex.Expr, members: Members
) -> Filter | None:
    """The members for which a constant expression equals a value that is not constant."""
    # `owner[c] is taker` holds for cells without an owner if the taker is nobody: none equals none. A table has no
    # entry for none, so these members are chosen by a condition of their own, for which the value is evaluated a second
    # time.
    without, core = members_by_value.pop(None, 0), bare(value.type)
    table = _table(members_by_value, tested, core, members)
    if not isinstance(value.type, Opt):
        return Filter(ex.Lookup(members.type, table, (value,)))
    if without and not simple(value):
        return None
    subset = ex.Lookup(Opt(members.type), table, (value,))
    present = ex.Op(members.type, "or_empty", (subset,))
    if not without:
        return Filter(present)
    absent = ex.Op(BOOL, "is_none", (value,))
    return Filter(ex.Choice(members.type, absent, members.set(without), present))


def _table(members_by_value: dict[StoredValue, int], tested: ex.Expr, key: Type, members: Members) -> ex.Table:
    """The table from values to members, shared between equal ones."""
    tables, type_ = members.module.tables, members.type
    content: dict[StoredValue, int] | tuple[int, ...] = members_by_value
    width = key.width if isinstance(key, Ref) else key.high + 1 if isinstance(key, Int) and key.low >= 0 else 0
    # A tuple is one indexed read in both engines, so it may have up to three empty sets for each that has members.
    if width <= 4 * len(members_by_value) and all(value in range(width) for value in members_by_value):
        content = tuple(members_by_value.get(value, 0) for value in range(width))
    column = tested.table.name if isinstance(tested, ex.Lookup) else ""
    name, more = named("H", column), 0
    while name in tables and (tables[name].content != content or tables[name].type != type_):
        more += 1
        name = named("H", column, more)
    return tables.setdefault(name, ex.Table(name, content, type_, isinstance(content, dict), 0))
