"""A program for random games as one C source."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from interpreter.ir import statements as st
from interpreter.ir.expressions import Cell, Expr, Group, Local, walk
from interpreter.ir.module import Function, Module
from interpreter.ir.types import PIECE_DOMAIN, PLACE_DOMAIN, Bool, Opaque, Opt, Ref, Seq, Set
from interpreter.layout.cells import IDLE, MOVES, POINT, RANDOM, Layout
from interpreter.native.constants import Constants
from interpreter.native.context import Names, Program, cells_of
from interpreter.native.decisions import decide
from interpreter.native.expressions import as_type, text
from interpreter.native.forms import SCALAR, Forms, NotInC
from interpreter.native.packings import macros
from interpreter.native.statements import Statements
from interpreter.passes.playouts import Playouts

MOST_IDLE = 10_000
"""The number of turns without a decision that is a fault."""

MOST_DECISIONS = 100_000
LEAST_ROOM = 64
MEMORY = 1 << 24
"""Bytes for the values of one step of a game."""


@dataclass(frozen=True)
class Rules:
    """What C needs to know about a game beside the rules: criteria that are conditions, whether there are teams.

    `attached` are for each piece the cells whose contents may distinguish it from equal ones; `choice_key` gives, for a
    zone and a piece in it, what determines the order in which pieces there are chosen.
    """

    layout: Layout
    attached: Sequence[Sequence[int]]
    conditions: tuple[int, ...]
    teams: bool
    choice_key: Callable[[str, int], tuple[int, ...]]


def source(prepared: Playouts, rules: Rules) -> str:
    """The source. Raises NotInC."""
    return "\n".join(_Source(prepared, rules).lines()) + "\n"


@cache
def _header(name: str) -> str:
    return (files(__package__) / "c" / f"{name}.h").read_text("ascii")


class _Source:
    def __init__(self, prepared: Playouts, rules: Rules) -> None:
        self.prepared, self.rules, self.module = prepared, rules, prepared.module
        self.layout = rules.layout
        forms = Forms()
        constants = Constants(forms)
        forms.set_form(max(1, len(self.layout.pieces)))
        groups = [*_groups(self.module), *_piece_groups(self.layout)]
        self.own = {group.first: group for group in groups if group.own}
        shared = [group for group in groups if not group.own]
        self.program = Program(self.module, self.layout, forms, constants, cells_of(_without(self.module, self.own), shared, forms))
        self.program.cells.fields[f"set_{self.program.pieces}"] = "p"
        self.program.records = sorted(group.first for group in groups if group.type == Opaque("record"))
        self.program.leaving = any(
            isinstance(node, st.Leave) for each in _functions(self.module) for node in st.walk(each.body)
        )
        for number, name in enumerate(self.module.functions):
            self.program.functions[name] = f"f{number}"

    def lines(self) -> Iterator[str]:
        """All parts of the source, in order."""
        functions = [self._function(each) for each in self.module.functions.values()]
        game = self._game()
        program, forms = self.program, self.program.forms
        yield _header("runtime")
        yield _header("sets")
        room = max(LEAST_ROOM, len(self.layout.pieces))
        yield f"enum {{ ROOM = {room}, MOST_IDLE = {MOST_IDLE}, MOST_DECISIONS = {MOST_DECISIONS}, LOGS = {len(program.records)} }};"
        yield f"enum {{ MEMORY = {MEMORY} }};"
        yield "typedef struct { int32_t n; const I *v; } Q;"
        narrow = len(self.layout.pieces) < 1 << 15 and len(self.layout.places) < 1 << 15
        yield f"typedef {'int16_t' if narrow else 'int32_t'} item;"
        yield "typedef struct { int32_t n; item v[ROOM]; } Order;"
        yield from forms.lines
        for one, other in sorted(forms.casts):
            yield f"CAST({one}, {other}, {forms.sets[one]}, {forms.sets[other]})"
        yield _header("sequences")
        yield _header("records")
        if "seen" in program.used:
            yield _header("seen")
        yield from self._state()
        yield _header("shuffles")
        if "pieces" in program.used:
            yield from self._pieces()
        if "lying" in program.used:
            row = forms.row((SCALAR, SCALAR))
            yield f"typedef {row} Lying;\ntypedef {forms.sequence(row)} AllLying;"
            yield _header("lying")
        if "subsets" in program.used:
            yield f"typedef {forms.sequence('Q')} Groups;"
            yield _header("subsets")
        if program.used & {"alike", "in_turn"}:
            yield _header("alike")
        if "in_turn" in program.used:
            yield from self._in_turn()
        yield _header("graphs")
        yield from self._used()
        yield _header("walks")
        yield _header("packings")
        yield from macros(program)
        yield from program.constants.lines
        for each in self.module.functions.values():
            yield f"{self._head(each)};"
        yield from functions
        yield from self._results()
        yield game
        yield f"enum {{ KEPT = {'sizeof(Kept)' if program.leaving else '1'} }};"
        yield _header("play")

    # ------------------------------------------------------------ state

    def _state(self) -> Iterator[str]:
        cells, opening = self.program.cells, self.prepared.opening
        yield "typedef struct {"
        yield "    uint64_t chance;"
        for form, numbers in cells.by_form.items():
            yield f"    {'Order' if form == 'Q' else form} {self._field(form)}[{len(numbers)}];"
        yield from () if "Q" in cells.by_form else ("    Order q[1];",)
        yield "} G;"
        yield "static const G OPENING = {"
        for form, numbers in cells.by_form.items():
            values = ", ".join(self._initial(form, number, opening) for number in numbers)
            yield f"    .{self._field(form)} = {{{values}}},"
        yield "};"

    def _field(self, form: str) -> str:
        return self.program.cells.field_of(form)

    def _initial(self, form: str, number: int, opening: Sequence[Any]) -> str:
        value = opening[number]
        if form == SCALAR:
            return "0" if value is not None and not isinstance(value, int) else _number(value)
        if form == "Q":
            return f"{{{len(value or ())}, {{{', '.join(map(str, value or ())) or 0}}}}}"
        constants = self.program.constants
        if form.startswith("set_"):
            return constants.value(value or 0, Set("", self.program.forms.sets[form[4:]] * 64))
        if form.startswith("opt_") and value is not None:
            return f"{{{constants.value(value, Set('', self.program.forms.sets[form[4:]] * 64))}, true}}"
        if value:
            raise NotInC("a game that begins with a list in a note")
        return "{0}"

    def _pieces(self) -> Iterator[str]:
        layout, cells, form = self.layout, self.program.cells, self.program.pieces
        yield f"enum {{ PIECES = {max(1, len(layout.pieces))}, PLACES = {len(layout.places)} }};"
        yield f"enum {{ PIECE_CELLS = {cells.positions.get(layout.place_cells, 0)} }};"
        yield f"typedef set_{form} set_p;"
        yield f"#define P(name) name##_{form}"
        yield _header("places")
        rows = []
        for place in layout.places:
            order = cells.positions[place.order] if place.order else -1
            filled = "-1"
            if place.filled in cells.positions:
                field = cells.field_of(cells.forms[place.filled])
                filled = f"offsetof(G, {field}[{cells.positions[place.filled]}])"
            flags = f"{int(place.shape == 'one')}, {int(place.shape == 'stack')}"
            bit = max(0, place.bit.bit_length() - 1)
            rows.append(f"{{{cells.positions[place.mask]}, {order}, {filled}, {bit}, {flags}}}")
        yield f"static const Place places[PLACES] = {{{', '.join(rows)}}};"
        kinds = ", ".join(str(piece.kind) for piece in layout.pieces)
        yield f"static const int32_t kinds[PIECES] = {{{kinds or 0}}};"
        starts, attached = [0], []
        for entries in self.rules.attached:
            attached += [f"{{{cells.positions[cell]}}}" for cell in entries]
            starts.append(len(attached))
        yield f"static const Attached attached[{max(1, len(attached))}] = {{{', '.join(attached) or '{0}'}}};"
        yield f"static const int32_t attached_from[PIECES + 1] = {{{', '.join(map(str, starts))}}};"
        yield _header("pieces")

    def _in_turn(self) -> Iterator[str]:
        """The order in which pieces of each zone are chosen."""
        zones = list(dict.fromkeys(place.zone for place in self.layout.places))
        numbers = ", ".join(str(zones.index(place.zone)) for place in self.layout.places)
        yield f"static const int32_t zones[PLACES] = {{{numbers}}};"
        rows = []
        for zone in zones:
            keys = [self.rules.choice_key(zone, piece.number) for piece in self.layout.pieces] if zone else []
            order = {key: number for number, key in enumerate(sorted(set(keys)))}
            rows.append(f"{{{', '.join(str(order[key]) for key in keys) or 0}}}")
        yield f"static const int32_t choice_ranks[{len(zones)}][PIECES] = {{{', '.join(rows)}}};"
        yield _header("in_turn")

    def _results(self) -> Iterator[str]:
        """What is computed of a game that is over."""
        criteria = [numbers[:-1] if self.rules.teams else numbers for numbers in self.prepared.results]
        conditions = sum(1 << number for number in self.rules.conditions)
        yield f"enum {{ SEATS = {len(criteria)}, CRITERIA = {len(criteria[0])}, TEAMS = {int(self.rules.teams)} }};"
        yield f"#define CONDITIONS UINT64_C({conditions})"
        yield _header("results")

    def _used(self) -> Iterator[str]:
        forms = self.program.forms
        for each in sorted(self.program.used):
            function, *those = each.split()
            match function, those:
                case ("reach" | "near" | "path"), [one, other]:
                    yield f"SEARCH_{function.upper()}({one}, {other})"
                case "groups", [one, other]:
                    yield f"SEARCH_GROUPS({one}, {other}, {forms.sequence(f'set_{one}')})"
                case "hanging", [one]:
                    yield f"SEARCH_HANGING({one}, {forms.sequence(f'set_{one}')})"
                case "handfuls", [one]:
                    yield f"SUBSETS_HANDFULS({one}, {forms.sequence(f'set_{one}')})"
                case "picks", [one]:
                    yield f"SUBSETS_PICKS({one})"
                case ("joined" | "seen_over" | "enclosed"), [one]:
                    yield f"SEARCH_{function.upper()}({one})"
                case _:
                    for start, macro in (("members_", "MEMBERS_AS_LIST"), ("as_set_", "LIST_AS_SET"), ("without_", "LIST_WITHOUT")):
                        if function.startswith(start):
                            yield f"{macro}({function.removeprefix(start)})"

    # ------------------------------------------------------------ functions

    def _head(self, node: Function) -> str:
        forms = self.program.forms
        match node.kind:
            case "when":
                result = "bool"
            case "rule" | "quiet rule" | "react":
                result = "void"
            case _:
                assert node.result is not None
                result = forms.form_of(node.result)
        params = "".join(f", {forms.form_of(param.type)} a{number}" for number, param in enumerate(node.params))
        return f"PLAIN {result} {self.program.functions[node.name]}(X *x, G *g{params})"

    def _function(self, node: Function) -> str:
        names = Names(self.program)
        if node.kind == "react":
            tries = " || ".join(f"{self.program.functions[name]}(x, g)" for name in node.calls) or "false"
            body = f"for (int happened = 0; {tries};) if (++happened == {st.MOST_REACTIONS}) fault(x);"
            return f"{self._head(node)} {{ {body} }}"
        for number, param in enumerate(node.params):
            form = self.program.forms.form_of(param.type)
            names.locals[param.name] = f"a{number}", form
        if node.result is not None:
            names.locals["return"] = "", self.program.forms.form_of(node.result)
        statements = Statements(names, when=node.kind == "when")
        if node.kind == "hypothesis":
            body = self._hypothesis(node, statements)
        else:
            body = statements.block(node.body)
        end = "return false;" if node.kind == "when" else "" if node.result is None else "fault(x);"
        declared = " ".join(names.declared)
        return f"{self._head(node)} {{ (void)g; {declared}\n{body} {end} }}"

    def _hypothesis(self, node: Function, statements: Statements) -> str:
        """On a copy of the state; leaving a phase ends it early."""
        *done, last = node.body
        begun, end = statements.block(tuple(done)), statements.block((last,))
        if not self.program.leaving:
            return f"G hypothesis = *g; g = &hypothesis;\n{begun}{end}"
        return (
            "G *hypothesis = allot(x, sizeof(G)); *hypothesis = *g; g = hypothesis; jmp_buf outer; "
            f"memcpy(outer, x->leave, sizeof outer);\nif (!setjmp(x->leave)) {{ {begun} }}\n"
            f"memcpy(x->leave, outer, sizeof outer);\n{end}"
        )

    # ------------------------------------------------------------ the game

    def _game(self) -> str:
        names = Names(self.program)
        statements = Statements(names, lambda inner, node: self._special(inner, node, statements))
        blocks = [
            f"B{number}: poll(x); x->used = 0;\n{statements.block(self.module.blocks[number].body)} fault(x);"
            for number in sorted(self.module.blocks)
        ]
        own = [(f"{self._own_form(group)} {self._own_name(group)}", self._own_opening(group)) for group in self.own.values()]
        counters = [(f"I {name}", "0") for name in ("x_idle", "x_decisions", "x_widest", "x_choices")]
        variables = [*own, *counters, ("uint64_t x_state", "seed * SEED_MULTIPLIER + CHOICE_OFFSET")]
        lines = ["static void game(X *x, uint64_t seed, Results *results, int64_t number) {"]
        if self.program.leaving:
            lines = self._kept(variables) + lines + ["Kept *kept = x->kept; G *g = &kept->state; *g = OPENING;"]
            lines += [f"{{ __typeof__({_name(what)}) opening = {value}; memcpy(&{_name(what)}, &opening, sizeof opening); }}"
                      for what, value in variables]  # fmt: skip
        else:
            lines += ["G state = OPENING, *g = &state;", *[f"{what} = {value};" for what, value in variables]]
        lines += ["(void)g; (void)x_idle; (void)x_state;", "g->chance = seed * SEED_MULTIPLIER + CHANCE_OFFSET;"]
        lines += [*names.declared, *["forget(x);"] * bool(self.program.records)]
        if self.program.leaving:
            cases = " ".join(f"case {number}: goto B{number};" for number in sorted(self._left_for()))
            lines.append(f"if (setjmp(x->leave)) switch (x->block) {{ {cases} default: fault(x); }}")
        return "\n".join([*lines, f"goto B{self.prepared.first};", *blocks, "}"])

    def _kept(self, variables: Sequence[tuple[str, str]]) -> list[str]:
        """Variables that have to survive a jump out of the rules that are running, by the names that they have else."""
        fields = " ".join(f"{what};" for what, _ in variables)
        names = [_name(what) for what, _ in variables]
        return [f"typedef struct {{ G state; {fields} }} Kept;", *[f"#define {name} (kept->{name})" for name in names]]

    def _left_for(self) -> set[int]:
        """The blocks at which the game goes on when running rules are left."""
        return {node.block for each in _functions(self.module) for node in st.walk(each.body) if isinstance(node, st.Leave)}

    def _own_form(self, group: Group) -> str:
        form = self.program.forms.form_of(group.type)
        return "Order" if form == "Q" else form

    def _own_name(self, group: Group) -> str:
        return f"c{group.first}" if group.count == 1 else f"c{group.first}[{group.count}]"

    def _own_opening(self, group: Group) -> str:
        form = self.program.forms.form_of(group.type)
        numbers = range(group.first, group.first + group.count)
        values = [self._initial(form, number, self.prepared.opening) for number in numbers]
        return values[0] if group.count == 1 else f"{{{', '.join(values)}}}"

    def _special(self, names: Names, node: st.Statement, statements: Statements) -> str | None:
        match node:
            case st.Goto(block=int() as block):
                return f"goto B{block};"
            case st.Goto():
                raise NotInC("a jump to a block that is not known")
            case st.Stop():
                return self._end(names)
            case st.Leave(block=block):
                return f"goto B{block};"
            case st.Decide():
                return decide(names, node, statements.block)
            case _:
                return None

    def _end(self, names: Names) -> str:
        """The results, where the game is over."""
        found = []
        criteria = self.prepared.results
        teams = self.rules.teams
        for seat, locals_ in enumerate(criteria):
            scores = locals_[:-1] if teams else locals_
            for number, local in enumerate(scores):
                if isinstance(local.type, Opt):
                    raise NotInC("a criterion that may be none")
                if not isinstance(local.type, Bool) and names.forms.form_of(local.type) != SCALAR:
                    raise NotInC("a criterion that is no number")
                found.append(f"scores[{seat * len(scores) + number}] = {names.read(local)};")
            if teams:
                found.append(f"teams[{seat}] = {as_type(names, locals_[-1], locals_[-1].type)};")
        return (
            "{ int64_t *scores = results->scores + SEATS * CRITERIA * number, *teams = results->teams + SEATS * number; "
            f"(void)teams; {' '.join(found)} results->winners[number] = winners_of(scores, teams); "
            "results->decisions[number] = x_decisions; results->choices[number] = (int64_t)x_choices; "
            "results->widest[number] = x_widest; return; }"
        )


def _name(what: str) -> str:
    """The name that is declared."""
    return what.split()[-1].split("[")[0]


def _number(value: Any) -> str:
    return "NONE" if value is None else str(int(value)) if abs(int(value)) < 1 << 31 else f"INT64_C({int(value)})"


def _functions(module: Module) -> Iterator[Function]:
    yield from module.functions.values()
    yield from module.blocks.values()


def _groups(module: Module) -> Iterator[Group]:
    """The groups of all cells that functions read or change."""
    found: dict[tuple[int, int, bool], Group] = {}
    for each in _functions(module):
        for node in st.walk(each.body):
            for part in _cells(node):
                found[part.group.first, part.group.count, part.group.own] = part.group
    yield from found.values()


def _cells(node: st.Statement) -> Iterator[Cell]:
    waiting: list[Expr] = list(st.expressions(node))
    match node:
        case st.Store(cell=cell) | st.Mix(cell=cell) | st.Draw(cell=cell) | st.Goto(block=Cell() as cell):
            waiting.append(cell)
        case _:
            pass
    for value in waiting:
        for part in walk(value):
            if isinstance(part, Cell):
                yield part


def _piece_groups(layout: Layout) -> Iterator[Group]:
    """The cells that moves of pieces change."""
    pieces = len(layout.pieces)
    for place in layout.places:
        yield Group("contents", place.mask, 1, Set(PIECE_DOMAIN, max(1, pieces)))
        if place.order:
            yield Group("order", place.order, 1, Seq(Ref(PIECE_DOMAIN, pieces)))
    if pieces:
        yield Group("places", layout.place_cells, pieces, Ref(PLACE_DOMAIN, len(layout.places)))


def _without(module: Module, own: dict[int, Group]) -> Module:
    """The module without groups of cells that are local variables, or that random games do not have."""
    apart = {number for group in own.values() for number in range(group.first, group.first + group.count)}
    apart |= {POINT, RANDOM, IDLE, MOVES}
    kept = {
        name: group for name, group in module.cells.items()
        if not apart & set(range(group.first, group.first + group.count))
    }  # fmt: skip
    return Module(module.functions, module.tables, kept, module.zones, module.blocks, module.by_kind)


__all__ = ["Local", "Rules", "source", "text"]
