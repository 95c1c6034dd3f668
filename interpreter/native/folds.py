"""Loops and folds as C."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter.ir.expressions import TRUE, Expr, Fold, Let, Loop, Op, conjuncts
from interpreter.ir.types import Bool, Seq, Set
from interpreter.native.context import Names
from interpreter.native.expressions import as_form, condition, index_text, restore, text
from interpreter.native.forms import SCALAR, NotInC, is_scalar
from interpreter.native.sets import set_form, single


def through(names: Names, loops: Sequence[Loop], body: Callable[[], str]) -> str:
    """Nested loops as a statement; `body` prints what is executed for each combination."""
    loop, *rest = loops
    before = names.locals.get(loop.local.name)
    over = loop.over
    head: Callable[[str], str]
    if isinstance(over.type, Set):
        form = set_form(names, over)
        left, those = names.new(), text(names, over)
        name = names.bind(loop.local, SCALAR)
        head = (
            f"for (set_{form} {left} = {those}; !is_empty_{form}({left});) {{ I {name} = next_{form}(&{left}); "
        ).__add__
    elif isinstance(over, Op) and over.name == "span":
        low, high = (index_text(names, end) for end in over.args)
        last = names.new()
        name = names.bind(loop.local, SCALAR)
        head = f"for (I {name} = {low}, {last} = {high}; {name} <= {last}; {name}++) {{ ".__add__
    else:
        form, items, number = names.forms.form_of(over.type), names.new(), names.new()
        those = text(names, over)
        assert isinstance(over.type, Seq)
        item = names.forms.form_of(over.type.of)
        name = names.bind(loop.local, item)
        head = (
            f"{{ {form} {items} = {those}; for (int32_t {number} = 0; {number} < {items}.n; {number}++) "
            f"{{ {item} {name} = {items}.v[{number}]; "
        ).__add__
    inner = under(names, conjuncts(loop.where), lambda: through(names, rest, body) if rest else body())
    restore(names, loop.local, before)
    nested = isinstance(over.type, Seq) and not (isinstance(over, Op) and over.name == "span")
    return "poll(x); " + head(inner + " }" + (" }" if nested else ""))


def under(names: Names, parts: Sequence[Expr], body: Callable[[], str]) -> str:
    """A statement executed if all of some conditions hold."""
    if not parts:
        return body()
    first, *rest = parts
    if isinstance(first, Let):
        form = names.forms.form_of(first.local.type)
        value = as_form(names, first.value, form)
        before = names.locals.get(first.local.name)
        name = names.bind(first.local)
        inner = under(names, [*conjuncts(first.body), *rest], body)
        restore(names, first.local, before)
        return f"{{ {form} {name} = {value}; {inner} }}"
    tested = condition(names, first)
    return f"if ({tested}) {{ {under(names, rest, body)} }}"


def fold(names: Names, node: Fold) -> str:
    """A fold as a C expression."""
    first = node.loops[0]
    whole = len(node.loops) == 1 and first.where is None
    if whole and isinstance(first.over.type, Set):
        form = set_form(names, first.over)
        if node.word == "any" and node.value == TRUE:
            return f"(!is_empty_{form}({text(names, first.over)}))"
        if node.word == "count" and node.value == TRUE:
            return f"size_{form}({text(names, first.over)})"
        if node.word == "set" and node.value == first.local:
            return as_form(names, first.over, names.forms.form_of(node.type))
    printer = FOLDS.get(node.word)
    if printer is None:
        raise NotInC(f"the reduction {node.word}")
    return printer(names, node)


def _any(names: Names, node: Fold) -> str:
    found, out = names.new(), names.new("e")
    loops = through(
        names, node.loops, lambda: under(names, conjuncts(node.value), lambda: f"{found} = true; goto {out};")
    )
    return f"({{ __label__ {out}; bool {found} = false; {loops} {out}: {found}; }})"


def _count(names: Names, node: Fold) -> str:
    found = names.new()
    wanted = conjuncts(node.value) if isinstance(node.value.type, Bool) else []
    loops = through(names, node.loops, lambda: under(names, wanted, lambda: f"{found}++;"))
    return f"({{ I {found} = 0; {loops} {found}; }})"


def _sum(names: Names, node: Fold) -> str:
    found = names.new()
    loops = through(names, node.loops, lambda: f"{found} = add(x, {found}, {text(names, node.value)});")
    return f"({{ I {found} = 0; {loops} {found}; }})"


def _extreme(names: Names, node: Fold) -> str:
    found, some, value = names.new(), names.new(), names.new()
    sign = ">" if node.word == "max" else "<"
    loops = through(
        names,
        node.loops,
        lambda: (
            f"I {value} = {text(names, node.value)}; "
            f"if (!{some} || {value} {sign} {found}) {{ {found} = {value}; {some} = true; }}"
        ),
    )
    return f"({{ I {found} = 0; bool {some} = false; {loops} {found}; }})"


def _best(names: Names, node: Fold) -> str:
    """The first loop variable whose value is the highest or lowest."""
    found, some, value, best = names.new(), names.new(), names.new(), names.new()
    sign = ">" if node.word == "highest" else "<"
    local = node.loops[0].local
    form = names.forms.form_of(node.type)
    nothing = "NONE" if form == SCALAR else "{0}"
    loops = through(
        names,
        node.loops,
        lambda: (
            f"I {value} = {text(names, node.value)}; if (!{some} || {value} {sign} {best}) "
            f"{{ {found} = {as_form(names, local, form)}; {best} = {value}; {some} = true; }}"
        ),
    )
    return f"({{ {form} {found} = {nothing}; I {best} = 0; bool {some} = false; {loops} {found}; }})"


def _set(names: Names, node: Fold) -> str:
    form, found = set_form(names, node), names.new()

    def joined() -> str:
        return f"{found} = union_{form}({found}, {single(names, form, node.value)});"

    loops = through(names, node.loops, joined)
    return f"({{ set_{form} {found} = bit_{form}(-1); {loops} {found}; }})"


def _list(names: Names, node: Fold) -> str:
    """All values in order; `sets`: without duplicates."""
    assert isinstance(node.type, Seq)
    form = names.forms.form_of(node.type.of)
    sequence = names.forms.sequence(form)
    found, items, room, value = names.new(), names.new(), names.new(), names.new()
    once = ""
    if node.word == "sets":
        if is_scalar(node.type.of):
            test = f"{items}[k] == {value}"
        elif isinstance(node.type.of, Set):
            test = f"equal_{names.forms.set_form(node.type.of.width)}({items}[k], {value})"
        else:
            raise NotInC(f"different values of {node.type.of}")
        once = f"bool again = false; for (int32_t k = 0; k < {found} && !again; k++) again = {test}; if (!again) "

    def appended() -> str:
        return (
            f"{form} {value} = {as_form(names, node.value, form)}; {once}{{ if ({found} == {room}) {{ "
            f"{room} = {room} ? 2 * {room} : 16; {items} = longer(x, {items}, {found}, {room}, sizeof({form})); }} "
            f"{items}[{found}++] = {value}; }}"
        )

    loops = through(names, node.loops, appended)
    return f"({{ int32_t {found} = 0, {room} = 0; {form} *{items} = 0; {loops} ({sequence}){{{found}, {items}}}; }})"


def _first(names: Names, node: Fold) -> str:
    form, found, out = names.forms.form_of(node.type), names.new(), names.new("e")
    nothing = "NONE" if form == SCALAR else "{0}"
    loops = through(names, node.loops, lambda: f"{found} = {as_form(names, node.value, form)}; goto {out};")
    return f"({{ __label__ {out}; {form} {found} = {nothing}; {loops} {out}: {found}; }})"


FOLDS: dict[str, Callable[[Names, Fold], str]] = {
    "any": _any, "count": _count, "sum": _sum, "max": _extreme, "min": _extreme, "highest": _best, "lowest": _best,
    "set": _set, "sets": _list, "list": _list, "first": _first,
}  # fmt: skip
