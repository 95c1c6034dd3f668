"""Decisions of random games as C: moves are counted and one of them selected, or they are listed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from interpreter.ir import statements as st
from interpreter.ir.expressions import Expr, both
from interpreter.ir.runs import DECLINED, Run, runs_of
from interpreter.ir.types import Opt, Row, Set, Type
from interpreter.native.context import Names
from interpreter.native.expressions import as_form, condition, restore, text
from interpreter.native.forms import SCALAR, NotInC, is_scalar
from interpreter.native.sets import set_form
from interpreter.native.statements import Statements


class Parts:
    """The parts of the moves of a decision: for each, a variable of every C type that it has in some move."""

    def __init__(self, names: Names, node: st.Decide, emitted: Sequence[Sequence[Expr]]) -> None:
        self.names, self.locals = names, node.names
        self.forms: list[dict[str, str]] = []
        for place in range(len(node.names)):
            kinds = {names.forms.form_of(move[place].type): "" for move in emitted if place < len(move)}
            self.forms.append(kinds or {SCALAR: ""})
        for kinds in self.forms:
            for form in kinds:
                kinds[form] = name = names.new("p")
                names.declared.append(f"{form} {name} = {{0}};")

    @contextmanager
    def bound(self) -> Iterator[None]:
        """Bind the locals of the parts to their variables, for the duration of the block.

        A decision that follows in the same block of the rules has locals of the same names.
        """
        before = self.names.parts
        own = {local.name: kinds for local, kinds in zip(self.locals, self.forms, strict=True)}
        self.names.parts = before | own
        yield
        self.names.parts = before

    def assigned(self, move: Sequence[Expr]) -> str:
        """Statements that assign the parts of a move."""
        found = []
        for kinds, part in zip(self.forms, move, strict=False):
            form = self.names.forms.form_of(part.type)
            found.append(f"{kinds[form]} = {text(self.names, part)};")
        return " ".join(found)


def decide(names: Names, node: st.Decide, block: Callable[[st.Block], str]) -> str:
    """A decision: choose one of the moves at random, make it and continue."""
    emitted = [each.move for each in st.walk(node.moves) if isinstance(each, st.Emit)]
    parts = Parts(names, node, emitted)
    runs = runs_of(node.moves)
    if runs is None:
        before, count, chosen = _listed(names, node, parts)
    else:
        before, count, chosen = _counted(names, parts, *runs, block)
    with parts.bound():
        made = block(node.made)
    otherwise = block(node.otherwise)
    number = names.new("n")
    head = f"{before} I {number} = {count};"
    return (
        f"{{ {head} if (!{number}) {{ {otherwise} }} else {{ if (x_decisions >= MOST_DECISIONS) fault(x); "
        f"x_choices += (uint64_t){number}; if (x_widest < {number}) x_widest = {number}; x_decisions++; x_idle = 0; "
        f"x_state += GOLDEN; I k = {number} == 1 ? 0 : chosen(x_state, {number}); {chosen} {made} }} }}"
    )


def _counted(
    names: Names, parts: Parts, before: st.Block, runs: list[Run], block: Callable[[st.Block], str]
) -> tuple[str, str, str]:
    lines = [block(before)]
    ends: list[str] = []
    chosen: list[str] = []
    for run in runs:
        count, selected = _run(names, run, parts, lines)
        end = names.new("n")
        last = ends[-1] if ends else "0"
        match run.after:
            case "some":
                count = f"{last} + ({last} > 0)"
            case "none":
                count = f"{last} ? {last} : {count}"
            case "any":
                count = f"{last} + {count}"
        lines.append(f"I {end} = {count};")
        chosen.append(f"if (k < {end}) {{ k -= {last}; {selected} }}")
        ends.append(end)
    return " ".join(lines), ends[-1] if ends else "0", " else ".join(chosen)


def _run(names: Names, run: Run, parts: Parts, lines: list[str]) -> tuple[str, str]:
    """The number of moves of a run, and the statements that assign the parts of move number k."""
    tested = condition(names, both(list(run.conditions))) if run.conditions else ""
    if run.loop is None:
        return (f"(I)({tested})" if tested else "1"), parts.assigned(run.move)
    assert isinstance(run.loop.over.type, Set)
    form = set_form(names, run.loop.over)
    if run.alternatives:
        return _alternatives(names, run, parts, lines, form, tested)
    name = names.new()
    value = as_form(names, run.loop.over, f"set_{form}")
    lines.append(f"set_{form} {name} = {f'({tested}) ? {value} : bit_{form}(-1)' if tested else value};")
    before = names.locals.get(run.loop.local.name)
    member = names.bind(run.loop.local, SCALAR)
    assigned = parts.assigned(run.move)
    restore(names, run.loop.local, before)
    return f"size_{form}({name})", f"I {member} = select_{form}({name}, k); (void){member}; {assigned}"


def _alternatives(names: Names, run: Run, parts: Parts, lines: list[str], form: str, tested: str) -> tuple[str, str]:
    assert run.loop is not None
    name, count = names.new(), len(run.alternatives)
    sets = ", ".join(as_form(names, those, f"set_{form}") for those, _ in run.alternatives)
    lines.append(f"set_{form} {name}[{count}] = {{{sets}}};")
    sizes = " + ".join(f"size_{form}({name}[{number}])" for number in range(count))
    before = names.locals.get(run.loop.local.name)
    member, way = names.bind(run.loop.local, SCALAR), names.new()
    cases = " ".join(
        f"case {number}: {parts.assigned(move)} break;" for number, (_, move) in enumerate(run.alternatives)
    )
    restore(names, run.loop.local, before)
    selected = (
        f"I {way} = 0, {member} = select_way_{form}({name}, {count}, k, &{way}); (void){member}; "
        f"switch ({way}) {{ {cases} }}"
    )
    return (f"(({tested}) ? {sizes} : 0)" if tested else f"({sizes})"), selected


# ---------------------------------------------------------------- lists of moves


def _listed(names: Names, node: st.Decide, parts: Parts) -> tuple[str, str, str]:
    """Moves as rows in the memory for moves."""
    fields = [(form, variable) for kinds in parts.forms for form, variable in kinds.items()]
    row = names.forms.row(tuple(form for form, _ in fields))
    count = names.new("n")
    place = {variable: number for number, (_, variable) in enumerate(fields)}

    def stored(move: Sequence[Expr]) -> str:
        size = f"sizeof({row}) * (size_t)({count} + 1)"
        found = [f"if ({size} > x->room) make_room(x, {size});"] if fields else []
        target = f"(({row} *)x->moves)[{count}]"
        values = []
        for kinds, part in zip(parts.forms, move, strict=False):
            form = names.forms.form_of(part.type)
            values.append((place[kinds[form]], text(names, part)))
        names_of = [(number, names.new(), value) for number, value in values]
        found += [f"{fields[number][0]} {name} = {value};" for number, name, value in names_of]
        if len(values) < len(fields):  # the rest is read, though not used
            found.append(f"{target} = ({row}){{0}};")
        found += [f"{target}.f{number} = {name};" for number, name, _ in names_of]
        return f"{{ {' '.join(found)} {count}++; }}"

    def special(inner: Names, statement: st.Statement) -> str | None:
        match statement:
            case st.Emit(move=move):
                return stored(move)
            case st.EmitDone():
                return f"if ({count}) {stored([DECLINED][: len(parts.forms)])}"
            case st.IfNoMoves(body=body):
                return f"if (!{count}) {{ {listing.block(body)} }}"
            case st.Once():
                return once(inner, statement, listing)
            case _:
                return None

    listing = Statements(names, special)
    groups = {each.group for each in st.walk(node.moves) if isinstance(each, st.Once)}
    seen = " ".join(f"Seen seen{group} = {{0}};" for group in sorted(groups))
    if groups:
        names.program.used.add("seen")
    before = f"I {count} = 0; {seen} {listing.block(node.moves)}"
    chosen = " ".join(f"{variable} = (({row} *)x->moves)[k].f{number};" for variable, number in place.items())
    return before, count, chosen


def once(names: Names, node: st.Once, listing: Statements) -> str:
    """Moves offered once. Values are compared as words, because padding in a structure is undefined."""
    declared, words, key = [], [], names.new()
    for value in node.values:
        form, name = names.forms.form_of(value.type), names.new()
        declared.append(f"{form} {name} = {text(names, value)};")
        words += _words(names, name, value.type)
    test = f"is_new(x, &seen{node.group}, {key}, sizeof {key})"
    otherwise = f" else {{ {listing.block(node.otherwise)} }}" if node.otherwise else ""
    return (
        f"{{ {' '.join(declared)} uint64_t {key}[] = {{{', '.join(words) or 0}}}; "
        f"if ({test}) {{ {listing.block(node.body)} }}{otherwise} }}"
    )


def _words(names: Names, value: str, type_: Type) -> list[str]:
    """A value as words, equal for equal values."""
    if is_scalar(type_):
        return [f"(uint64_t){value}"]
    match type_:
        case Set(width=width):
            form = names.forms.set_form(width)
            return [f"word_{form}({value}, {number})" for number in range(names.forms.sets[form])]
        case Opt(of=inner):
            there = f"{value}.there"
            return [f"(uint64_t){there}", *[f"{there} ? {word} : 0" for word in _words(names, f"{value}.v", inner)]]
        case Row(of=parts):
            return [word for number, part in enumerate(parts) for word in _words(names, f"{value}.f{number}", part)]
        case _:
            raise NotInC(f"moves that are offered once for each {type_}")
