"""Searches over graphs as C: their constant data, and the calls of the functions in `c/graphs.h`."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.ir.expressions import Data, Expr, Lambda, Op
from interpreter.ir.types import Set
from interpreter.native.constants import scalar, set_value
from interpreter.native.context import Names
from interpreter.native.expressions import as_form, restore, text
from interpreter.native.forms import NotInC


def graph_call(names: Names, node: Op) -> str:
    """A search as a C expression."""
    printer = SEARCHES.get(node.name)
    if printer is None:
        raise NotInC(f"the search {node.name}")
    return printer(names, node)


def _data(node: Expr) -> Data:
    if not isinstance(node, Data):
        raise NotInC("a graph that is not known before the game")
    return node


def form_of_sets(names: Names, node: Expr) -> str:
    """The suffix of the functions for sets of a type."""
    assert isinstance(node.type, Set)
    return names.forms.set_form(node.type.width)


def _neighbours(names: Names, name: str, content: tuple[int, ...], form: str) -> str:
    """An array with the neighbours of each place."""
    key = f"{name} {form}"
    graphs = names.program.graphs
    if key not in graphs:
        graphs[key] = found = f"N{len(graphs)}"
        words = names.forms.sets[form]
        names.program.constants.array(f"set_{form}", found, [set_value(form, each, words) for each in content])
    return graphs[key]


def links_of(names: Names, node: Expr) -> str:
    """The edges of a graph by place, as adjacency lists: the start for each place, then edge numbers and neighbours."""
    data = _data(node)
    key, graphs = f"{data.table.name} links", names.program.graphs
    if key not in graphs:
        graphs[key] = found = f"N{len(graphs)}"
        links = data.table.content
        starts, edges, others = [0], [], []
        for pairs in links.incidences:
            edges += [edge.bit_length() - 1 for edge, _ in pairs]
            others += [other for _, other in pairs]
            starts.append(len(edges))
        constants = names.program.constants
        for what, values in (("from", starts), ("edges", edges), ("others", others)):
            constants.array("int32_t", f"{found}_{what}", [str(value) for value in values])
        constants.lines.append(
            f"static const Links {found} = {{{links.count}, {found}_from, {found}_edges, {found}_others}};"
        )
    return f"&{graphs[key]}"


def _declared(names: Names, function: str, *forms: str) -> str:
    """The name of a function for sets of some forms, which is declared because it is used."""
    names.program.used.add(" ".join((function, *forms)))
    return "_".join((function, *forms))


def _reach(names: Names, node: Op) -> str:
    links, start, edges = node.args
    function = _declared(names, node.name, form_of_sets(names, node), form_of_sets(names, edges))
    return f"{function}(x, {links_of(names, links)}, {text(names, start)}, {text(names, edges)})"


def _groups(names: Names, node: Op) -> str:
    links, places, edges = node.args
    function = _declared(names, "groups", form_of_sets(names, places), form_of_sets(names, edges))
    names.forms.form_of(node.type)
    return f"{function}(x, {links_of(names, links)}, {text(names, places)}, {text(names, edges)})"


def _path(names: Names, node: Op) -> str:
    links, start, goal, edges = node.args
    inner = names.forms.form_of(node.type).removeprefix("opt_")
    function = _declared(names, "path", inner, form_of_sets(names, edges))
    ends = f"{text(names, start)}, {text(names, goal)}"
    return f"{function}(x, {links_of(names, links)}, {ends}, {text(names, edges)})"


def _hanging(names: Names, node: Op) -> str:
    data, places = _data(node.args[0]), node.args[1]
    form = form_of_sets(names, places)
    table = _neighbours(names, data.table.name, data.table.content, form)
    names.forms.form_of(node.type)
    return f"{_declared(names, 'hanging', form)}(x, {table}, {len(data.table.content)}, {text(names, places)})"


def _joined(names: Names, node: Op) -> str:
    data = _data(node.args[0])
    form = form_of_sets(names, node.args[1])
    content = data.table.content.neighbours
    table = _neighbours(names, data.table.name, content, form)
    sets = ", ".join(as_form(names, arg, f"set_{form}") for arg in node.args[1:])
    return f"{_declared(names, 'joined', form)}(x, {table}, {len(content)}, {sets})"


def _steps_on(names: Names, node: Op) -> str:
    data, place, direction, count = _data(node.args[0]), *node.args[1:]
    key, graphs = f"{data.table.name} steps", names.program.graphs
    content = data.table.content
    if key not in graphs:
        graphs[key] = found = f"N{len(graphs)}"
        names.program.constants.array("I", found, [scalar(value) for row in content for value in row])
    ways = len(content[0]) if content else 0
    args = ", ".join(text(names, arg) for arg in (place, direction, count))
    return f"steps_on(x, {graphs[key]}, {len(content)}, {ways}, {args})"


def _reach_by(names: Names, node: Op) -> str:
    """The places reachable over a relation, whose neighbours of a place are given by an expression."""
    start, linked = node.args
    if not isinstance(linked, Lambda):
        raise NotInC("a relation that is not written where it is searched")
    form = form_of_sets(names, node)
    reached, waiting, place = names.new(), names.new(), names.new()
    (param,) = linked.params
    before = names.locals.get(param.name)
    name = names.bind(param)
    found = as_form(names, linked.body, f"set_{form}")
    restore(names, param, before)
    return (
        f"({{ set_{form} {reached} = bit_{form}({text(names, start)}), {waiting} = {reached}; "
        f"while (!is_empty_{form}({waiting})) {{ poll(x); I {name} = next_{form}(&{waiting}); "
        f"set_{form} {place} = minus_{form}({found}, {reached}); {reached} = union_{form}({reached}, {place}); "
        f"{waiting} = union_{form}({waiting}, {place}); }} {reached}; }})"
    )


def _seen_over(names: Names, node: Op) -> str:
    ways, ends, over = _data(node.args[0]), *node.args[1:]
    form = form_of_sets(names, node)
    key, graphs = f"{ways.table.name} ways {form}", names.program.graphs
    if key not in graphs:
        graphs[key] = found = f"N{len(graphs)}"
        constants, words = names.program.constants, names.forms.sets[form]
        constants.array("int32_t", f"{found}_steps", [str(step) for step, _ in ways.table.content])
        inner = [set_value(form, each, words) for _, each in ways.table.content]
        constants.array(f"set_{form}", f"{found}_inner", inner)
    table, sets = graphs[key], ", ".join(as_form(names, arg, f"set_{form}") for arg in (ends, over))
    count = len(ways.table.content)
    return f"{_declared(names, 'seen_over', form)}({table}_steps, {table}_inner, {count}, {sets})"


def _enclosed(names: Names, node: Op) -> str:
    rays, place, ends, over = _data(node.args[0]), *node.args[1:]
    form = form_of_sets(names, node)
    key, graphs = f"{rays.table.name} rays {form}", names.program.graphs
    if key not in graphs:
        graphs[key] = found = f"N{len(graphs)}"
        constants, words = names.program.constants, names.forms.sets[form]
        starts, sets, firsts = [0], [], []
        for upwards_downwards in rays.table.content:
            for part in upwards_downwards:
                sets += [set_value(form, ray, words) for ray, _ in part]
                firsts += [set_value(form, first, words) for _, first in part]
                starts.append(len(sets))
        constants.array("int32_t", f"{found}_from", [str(start) for start in starts])
        constants.array(f"set_{form}", f"{found}_rays", sets)
        constants.array(f"set_{form}", f"{found}_firsts", firsts)
    table = graphs[key]
    where = f"at(x, {text(names, place)}, {len(rays.table.content)})"
    args = ", ".join(as_form(names, arg, f"set_{form}") for arg in (ends, over))
    return f"{_declared(names, 'enclosed', form)}({table}_from, {table}_rays, {table}_firsts, {where}, {args})"


SEARCHES: dict[str, Callable[[Names, Op], str]] = {
    "reach": _reach, "near": _reach, "groups": _groups, "path": _path, "hanging": _hanging, "joined": _joined,
    "steps_on": _steps_on, "reach_by": _reach_by, "seen_over": _seen_over, "enclosed": _enclosed,
}  # fmt: skip
