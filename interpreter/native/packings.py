"""Paths, trails and packings as C: calls of the functions in `c/walks.h` and `c/packings.h`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from interpreter.ir.expressions import Expr, Lambda, Local, Op
from interpreter.ir.types import Seq, Set
from interpreter.native.context import Names, Program
from interpreter.native.expressions import as_form, restore, text
from interpreter.native.forms import SCALAR, WORD, NotInC
from interpreter.native.graphs import form_of_sets, links_of

MACROS = {
    "walks": "WALKS({0})",
    "neighbours": "WALK_NEIGHBOURS({0}, {1})",
    "by_place": "WALK_BY_PLACE({0}, {s})",
    "paths_among": "WALK_PATHS({0}, {s})",
    "trails": "WALK_TRAILS({0}, {1}, {t})",
    "groups_by": "WALK_GROUPS_BY({0}, {s})",
    "sum_over": "SUM_OVER({0})",
    "best_packing": "BEST_PACKING({0}, {s})",
    "packings": "ALL_PACKINGS({0}, {s}, {ss})",
    "lines_in": "LINES_IN({0}, {s})",
}
"""The macros that declare functions of sets of some forms, each after those that it needs.

`s` is the type of a sequence of sets of the first form, `ss` that of a sequence of these, `t` that of a sequence of
sets of the second form.
"""


def macros(program: Program) -> Iterator[str]:
    """The macros of the functions that a program uses."""
    used = sorted(each.split() for each in program.used)
    for function, macro in MACROS.items():
        for name, *forms in used:
            if name == function:
                first, last = (program.forms.sequence(f"set_{form}") for form in (forms[0], forms[-1]))
                several = program.forms.sequence(first) if "{ss}" in macro else ""
                yield macro.format(*forms, s=first, ss=several, t=last)


def _declare(names: Names, function: str, *forms: str) -> str:
    """The name of a function for sets of some forms, which is declared because it is used."""
    names.program.used.add(" ".join((function, *forms)))
    return "_".join((function, *forms))


def _sequence(names: Names, node: Expr) -> tuple[str, str]:
    """The form of the sets of a sequence, and the type of the sequence."""
    if not isinstance(node.type, Seq) or not isinstance(node.type.of, Set):
        raise NotInC(f"a search among {node.type}")
    form = names.forms.set_form(node.type.of.width)
    return form, names.forms.sequence(f"set_{form}")


def _applied(names: Names, function: Expr, args: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Declarations of the parameters of a function with the C types and values of its arguments, and its value."""
    if not isinstance(function, Lambda):
        raise NotInC("a function that is not written where it is used")
    befores: list[tuple[Local, tuple[str, str] | None]] = []
    declared = ""
    for param, (form, value) in zip(function.params, args, strict=True):
        befores.append((param, names.locals.get(param.name)))
        declared += f"{form} {names.bind(param, form)} = {value}; "
    body = text(names, function.body)
    for param, before in befores:
        restore(names, param, before)
    return declared, body


# ---------------------------------------------------------------- paths and trails


def _all_paths(names: Names, node: Op) -> str:
    links, places, edges, fewest = node.args
    form, _ = _sequence(names, node)
    among, mark, found = names.new(), names.new(), names.new()
    near = _declare(names, "neighbours", form, form_of_sets(names, edges))
    names.program.used.add(f"walks {form}")
    paths = _declare(names, "paths_among", form)
    return (
        f"({{ size_t {mark} = x->used; set_{form} {among} = {as_form(names, places, f'set_{form}')}; "
        f"set_{form} *{found} = {near}(x, {links_of(names, links)}, {among}, {text(names, edges)}); "
        f"{paths}(x, {mark}, {found}, {among}, {text(names, fewest)}, MOST_PATHS); }})"
    )


def _paths_by(names: Names, node: Op) -> str:
    places, linked, fewest = node.args
    form, _ = _sequence(names, node)
    among, each, mark, found = names.new(), names.new(), names.new(), names.new()
    names.program.used.add(f"walks {form}")
    by_place, paths = _declare(names, "by_place", form), _declare(names, "paths_among", form)
    sequence = names.forms.sequence(f"set_{form}")
    if names.forms.form_of(linked.type) != sequence:
        raise NotInC("a relation between places of two types")
    return (
        f"({{ size_t {mark} = x->used; set_{form} {among} = {as_form(names, places, f'set_{form}')}; "
        f"{sequence} {each} = {text(names, linked)}; set_{form} *{found} = {by_place}(x, {among}, {each}); "
        f"{paths}(x, {mark}, {found}, {among}, {text(names, fewest)}, MOST_PATHS); }})"
    )


def _all_trails(names: Names, node: Op) -> str:
    links, through, edges, fewest = node.args
    form, _ = _sequence(names, node)
    names.program.used.add(f"walks {form}")
    function = _declare(names, "trails", form_of_sets(names, through), form)
    sets = f"{text(names, through)}, {as_form(names, edges, f'set_{form}')}"
    return f"{function}(x, {links_of(names, links)}, {sets}, {text(names, fewest)})"


def _groups_by(names: Names, node: Op) -> str:
    places, linked = node.args
    form, sequence = _sequence(names, node)
    if names.forms.form_of(linked.type) != sequence:
        raise NotInC("a relation between places of two types")
    function = _declare(names, "groups_by", form)
    return f"{function}(x, {as_form(names, places, f'set_{form}')}, {text(names, linked)})"


def _path_by(names: Names, node: Op) -> str:
    """The places of a shortest path over a relation, whose neighbours of a place are an expression."""
    start, goal, linked = node.args
    wanted = names.forms.form_of(node.type)
    form = wanted.removeprefix("opt_")
    if wanted == form:
        raise NotInC("a path of another type")
    first, last, found, mark = names.new(), names.new(), names.new(), names.new()
    queue, before, n, done, place, other, left, seen = (names.new() for _ in range(8))
    room = names.forms.sets[form] * WORD
    declared, near = _applied(names, linked, [(SCALAR, place)])
    assert isinstance(linked, Lambda)
    near = names.forms.converted(near, names.forms.form_of(linked.body.type), f"set_{form}")
    return (
        f"({{ size_t {mark} = x->used; I {first} = {text(names, start)}, {last} = {text(names, goal)}; "
        f"{wanted} {found} = {{bit_{form}(-1), false}}; set_{form} {seen} = bit_{form}({first}); "
        f"I *{queue} = allot(x, sizeof(I) * {room}), *{before} = allot(x, sizeof(I) * {room}), {n} = 0; "
        f"{queue}[{n}++] = at(x, {first}, {room}); "
        f"for (I {done} = 0; {done} < {n}; {done}++) {{ poll(x); I {place} = {queue}[{done}]; "
        f"if ({place} == {last}) {{ {found}.v = bit_{form}({first}); {found}.there = true; "
        f"for (; {place} != {first}; {place} = {before}[{place}]) "
        f"{found}.v = union_{form}({found}.v, bit_{form}({place})); break; }} "
        f"{declared}set_{form} {left} = minus_{form}({near}, {seen}); {seen} = union_{form}({seen}, {left}); "
        f"while (!is_empty_{form}({left})) {{ I {other} = next_{form}(&{left}); {before}[{other}] = {place}; "
        f"{queue}[{n}++] = {other}; }} }} x->used = {mark}; {found}; }})"
    )


def _lines_in(names: Names, node: Op) -> str:
    lines, places = node.args
    form, _ = _sequence(names, node)
    function = _declare(names, "lines_in", form)
    return f"{function}(x, {text(names, lines)}, {as_form(names, places, f'set_{form}')})"


# ---------------------------------------------------------------- packings


def _all_packings(names: Names, node: Op) -> str:
    (sets,) = node.args
    form, sequence = _sequence(names, sets)
    names.forms.sequence(sequence)
    return f"{_declare(names, 'packings', form)}(x, {text(names, sets)})"


def _best_rows(names: Names, node: Op) -> str:
    links, places, edges, fewest, worth = node.args
    form = form_of_sets(names, places)
    among, mates, rows = names.new(), names.new(), names.new()
    near = _declare(names, "neighbours", form, form_of_sets(names, edges))
    sequence = names.forms.sequence(f"set_{form}")
    paths = _declare(names, "paths_among", form)
    listed = (
        f"set_{form} {among} = {text(names, places)}; "
        f"set_{form} *{mates} = {near}(x, {links_of(names, links)}, {among}, {text(names, edges)}); "
        f"{sequence} {rows} = {paths}(x, x->used, {mates}, {among}, greatest(1, {text(names, fewest)}), MOST_WALKS); "
    )
    return _best(names, node, form, listed, rows, mates, worth)


def _best_sets(names: Names, node: Op) -> str:
    sets, worth = node.args
    form, sequence = _sequence(names, sets)
    rows, mates = names.new(), names.new()
    listed = f"{sequence} {rows} = {text(names, sets)}; set_{form} *{mates} = mates_{form}(x, {rows}); "
    return _best(names, node, form, listed, rows, mates, worth)


def _best(names: Names, node: Op, form: str, listed: str, rows: str, mates: str, worth: Expr) -> str:
    """The best choice of listed sets, as a row of the total and the sets chosen."""
    sequence, found_form = names.forms.sequence(f"set_{form}"), names.forms.form_of(node.type)
    if found_form != names.forms.row((SCALAR, sequence)):
        raise NotInC("a choice of sets of another type")
    names.program.used |= {f"walks {form}", f"best_packing {form}"}
    mark, worths, number, inner, row, found = (names.new() for _ in range(6))
    before, declared, value = _worth(names, worth, form, row)
    return (
        f"({{ size_t {mark} = x->used; {listed}I *{worths} = allot(x, sizeof(I) * (size_t){rows}.n); {before}"
        f"for (int32_t {number} = 0; {number} < {rows}.n; {number}++) {{ poll(x); size_t {inner} = x->used; "
        f"set_{form} {row} = {rows}.v[{number}]; {declared}{worths}[{number}] = {value}; x->used = {inner}; }} "
        f"{found_form} {found}; "
        f"{found}.f0 = chosen_{form}(x, {mark}, {mates}, {rows}, {worths}, &{found}.f1); {found}; }})"
    )


def _worth(names: Names, worth: Expr, form: str, row: str) -> tuple[str, str, str]:
    """The worth of a row: statements before the first row, statements for each, and its value."""
    if not isinstance(worth, Op):
        return "", *_applied(names, worth, [(f"set_{form}", row)])
    sums, flags, function = worth.args
    if not isinstance(sums, Op) or not isinstance(flags, Op):
        raise NotInC("an objective that is not written where it is used")
    before, parts, tests = "", [], []
    for each in sums.args:
        added = names.new()
        before += f"Q {added} = {as_form(names, each, 'Q')}; "
        parts.append(f"{_declare(names, 'sum_over', form)}(x, {added}, {row})")
    for each in flags.args:
        those = names.new()
        before += f"set_{form} {those} = {as_form(names, each, f'set_{form}')}; "
        tests.append(f"!is_empty_{form}(both_{form}({those}, {row}))")
    args = [(names.forms.row((SCALAR,) * len(values)), f"{{{', '.join(values) or 0}}}") for values in (parts, tests)]
    return before, *_applied(names, function, args)


SEARCHES: dict[str, Callable[[Names, Op], str]] = {
    "all_paths": _all_paths, "paths_by": _paths_by, "path_by": _path_by, "all_trails": _all_trails,
    "groups_by": _groups_by, "lines_in": _lines_in, "all_packings": _all_packings, "best_rows": _best_rows,
    "best_sets": _best_sets,
}  # fmt: skip
