"""A program for random games as one C source, preceded by the run-time functions it needs."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.ir import statements as st
from interpreter.ir.expressions import Fold, Group, Op
from interpreter.ir.module import Function, left_for
from interpreter.ir.types import Opaque
from interpreter.layout.cells import Layout
from interpreter.native.constants import Constants
from interpreter.native.context import Names, Program, cells_of
from interpreter.native.course import course
from interpreter.native.expressions import PRINTERS
from interpreter.native.folds import fold
from interpreter.native.forms import SCALAR, Forms
from interpreter.native.kept_values import is_kept, keeping
from interpreter.native.operations import operation
from interpreter.native.packings import macros
from interpreter.native.pieces import in_turn, pieces
from interpreter.native.rules import Rules, bodies, header
from interpreter.native.state import check_size, groups_of, opening, piece_groups, shared_cells, state
from interpreter.native.statements import Statements

PRINTERS.update({Op: operation, Fold: fold})

MOST_IDLE = 10_000
"""The number of turns without a decision that is a fault."""

MOST_DECISIONS = 100_000
LEAST_ROOM = 64
"""The length that lists in cells may have, or more if there are more pieces."""

MEMORY = 1 << 24
"""Bytes for the values of one step of a game."""


def source(rules: Rules) -> str:
    """The random games of prepared rules as C. Raises NotInC."""
    groups = [*groups_of(rules.module), *piece_groups(rules.layout)]
    own = {group.first: group for group in groups if group.own}
    program = program_of(rules, groups, own)
    room = room_for(rules)
    check_size(program, own.values(), room)
    functions = [function(program, each) for each in rules.module.functions.values()]
    game = course(program, rules, list(own.values()))
    return "\n".join(_lines(program, rules, functions, game, room)) + "\n"


def room_for(rules: Rules) -> int:
    """The length that lists in cells may have."""
    return max(LEAST_ROOM, len(rules.layout.pieces))


def program_of(rules: Rules, groups: list[Group], own: dict[int, Group]) -> Program:
    """The context of a program before it is printed; `own` are the cells that are not in the state."""
    forms = Forms()
    forms.set_form(max(1, len(rules.layout.pieces)))
    cells = cells_of(shared_cells(rules.module, own), [group for group in groups if not group.own], forms)
    program = Program(rules.module, rules.layout, forms, Constants(forms), cells)
    cells.fields[f"set_{program.pieces}"] = "p"
    program.records = sorted(group.first for group in groups if group.type == Opaque("record"))
    program.leaving = bool(left_for(bodies(rules.module)))
    program.functions = {name: f"f{number}" for number, name in enumerate(rules.module.functions)}
    return program


def _lines(program: Program, rules: Rules, functions: list[str], game: str, room: int) -> Iterator[str]:
    """All parts of the source, in order."""
    yield from before_functions(program, rules, room, [*state(program), *opening(program, rules)])
    yield from [f"{head(program, each)};" for each in rules.module.functions.values()]
    yield from functions
    yield from results(rules.layout, len(rules.prepared.results[0]) - rules.teams, rules)
    yield game
    yield f"enum {{ KEPT = {'sizeof(Kept)' if program.leaving else '1'} }};"
    yield header("play")


def before_functions(program: Program, rules: Rules, room: int, state_lines: list[str]) -> Iterator[str]:
    """The run-time functions, types and constants that the printed functions use, with the declaration of the state."""
    forms, used = program.forms, program.used
    yield header("runtime")
    yield header("sets")
    yield f"enum {{ ROOM = {room}, MEMORY = {MEMORY} }};"
    yield f"enum {{ MOST_IDLE = {MOST_IDLE}, MOST_DECISIONS = {MOST_DECISIONS}, LOGS = {len(program.records)} }};"
    yield "typedef struct { int32_t n; const I *v; } Q;"
    narrow = max(len(rules.layout.pieces), len(rules.layout.places)) < 1 << 15
    yield f"typedef {'int16_t' if narrow else 'int32_t'} item;"
    yield "typedef struct { int32_t n; item v[ROOM]; } Order;"
    yield from forms.lines
    yield from [f"CAST({one}, {to}, {forms.sets[one]}, {forms.sets[to]})" for one, to in sorted(forms.casts)]
    yield header("sequences")
    yield header("records")
    yield from [header("seen")] * ("seen" in used)
    yield from state_lines
    yield header("copies")
    yield header("shuffles")
    if "pieces" in used:
        yield from pieces(program, rules)
    if "lying" in used:
        row = forms.row((SCALAR, SCALAR))
        yield f"typedef {row} Lying;\ntypedef {forms.sequence(row)} AllLying;"
        yield header("lying")
    if "subsets" in used:
        yield f"typedef {forms.sequence('Q')} Groups;"
        yield header("subsets")
    yield from [header("alike")] * bool(used & {"alike", "in_turn"})
    if "in_turn" in used:
        yield from in_turn(rules)
    yield header("graphs")
    yield from _instances(program)
    yield header("walks")
    yield header("packings")
    yield from macros(program)
    yield from program.constants.lines


def results(layout: Layout, criteria: int, rules: Rules) -> Iterator[str]:
    """The values computed for a finished game."""
    conditions = sum(1 << number for number in rules.conditions)
    yield f"enum {{ SEATS = {len(layout.seats)}, CRITERIA = {criteria}, TEAMS = {int(rules.teams)} }};"
    yield f"#define CONDITIONS UINT64_C({conditions})"
    yield header("results")


LISTS = (("members_", "MEMBERS_AS_LIST"), ("as_set_", "LIST_AS_SET"), ("without_", "LIST_WITHOUT"))
"""The beginnings of the names of functions between sets and lists, with the macros that define them."""


def _instances(program: Program) -> Iterator[str]:
    """The functions that are used for sets of certain forms."""
    forms = program.forms
    for each in sorted(program.used):
        function, *those = each.split()
        match function, those:
            case (("reach" | "near" | "path"), [one, other]):
                yield f"SEARCH_{function.upper()}({one}, {other})"
            case "groups", [one, other]:
                yield f"SEARCH_GROUPS({one}, {other}, {forms.sequence(f'set_{one}')})"
            case "hanging", [one]:
                yield f"SEARCH_HANGING({one}, {forms.sequence(f'set_{one}')})"
            case "handfuls", [one]:
                yield f"SUBSETS_HANDFULS({one}, {forms.sequence(f'set_{one}')})"
            case "picks", [one]:
                yield f"SUBSETS_PICKS({one})"
            case (("joined" | "seen_over" | "enclosed"), [one]):
                yield f"SEARCH_{function.upper()}({one})"
            case _:
                for start, macro in LISTS:
                    if function.startswith(start):
                        yield f"{macro}({function.removeprefix(start)})"


# ---------------------------------------------------------------- functions


def head(program: Program, node: Function) -> str:
    """The declaration of a function of the rules."""
    match node.kind:
        case "when":
            result = "bool"
        case "rule" | "quiet rule" | "react":
            result = "void"
        case _:
            assert node.result is not None
            result = program.forms.form_of(node.result)
    params = "".join(f", {program.forms.form_of(param.type)} a{number}" for number, param in enumerate(node.params))
    return f"PLAIN {result} {program.functions[node.name]}(X *x, G *g{params})"


def function(program: Program, node: Function) -> str:
    """A function of the rules."""
    begun = head(program, node)
    if node.kind == "react":
        tries = " || ".join(f"{program.functions[name]}(x, g)" for name in node.calls) or "false"
        return f"{begun} {{ for (int happened = 0; {tries};) if (++happened == {st.MOST_REACTIONS}) fault(x); }}"
    names = Names(program)
    for number, param in enumerate(node.params):
        names.locals[param.name] = f"a{number}", program.forms.form_of(param.type)
    if node.result is not None:
        names.locals["return"] = "", program.forms.form_of(node.result)
    statements = Statements(names, when=node.kind == "when")
    hypothesis = node.kind == "hypothesis"
    body = _hypothesis(node, statements, program.leaving) if hypothesis else statements.block(node.body)
    end = "return false;" if node.kind == "when" else "" if node.result is None else "fault(x);"
    rest = f"{{ (void)g; {' '.join(names.declared)}\n{body} {end} }}"
    if not is_kept(program, node):
        return f"{begun} {rest}"
    name = program.functions[node.name]
    anew = begun.replace(f" {name}(", f" {name}_anew(")
    return f"{anew} {rest}\n{keeping(program, node, begun, f'{name}_anew')}"


def _hypothesis(node: Function, statements: Statements, leaving: bool) -> str:
    """On a copy of the state; leaving a phase ends it early."""
    *done, last = node.body
    begun, end = statements.block(tuple(done)), statements.block((last,))
    if not leaving:
        return f"G hypothesis; copy_cells(&hypothesis, g); g = &hypothesis;\n{begun}{end}"
    return (
        "G *hypothesis = allot(x, sizeof(G)); copy_cells(hypothesis, g); g = hypothesis; jmp_buf outer; "
        f"memcpy(outer, x->leave, sizeof outer);\nif (!setjmp(x->leave)) {{ {begun} }}\n"
        f"memcpy(x->leave, outer, sizeof outer);\n{end}"
    )
