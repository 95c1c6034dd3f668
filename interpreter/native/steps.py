"""A game as one C source to be played step by step: its rules as functions of the state, for c/steps.h.

The cells of the state are those of Python one by one; only the counters of chance results, turns without a decision and
legal moves are kept apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from interpreter.ir import statements as st
from interpreter.ir.expressions import NOTHING, Group
from interpreter.ir.module import Function, Module
from interpreter.ir.types import Opt, Ref, Type
from interpreter.layout.cells import ME
from interpreter.native.context import Cells, Names, Program
from interpreter.native.expressions import cell_place
from interpreter.native.forms import SCALAR, Forms, NotInC
from interpreter.native.listing import Rows, listing, listing_head, making, making_head, rows_of
from interpreter.native.rules import Rules, header
from interpreter.native.source import before_functions, function, head, program_of, results, room_for
from interpreter.native.state import check_size, groups_of, piece_groups, state
from interpreter.native.statements import Statements
from interpreter.native.words import given_words, taken_words

MOST_SEATS = 64
"""Winners are the bits of one word."""


STEP_BY_STEP = ("#define x_idle (g->idle)", "#define MOVED(x, g) ((g)->lying = ++(x)->arrangements)")
"""Functions of the rules in play step by step: turns without a decision are counted in the state."""


@dataclass(frozen=True)
class Steps:
    """A game step by step: its C source, and how its cells, records and moves are laid out.

    `records` are the types of recorded positions by cell, `rows` the moves by decision.
    """

    source: str
    cells: Cells
    forms: Forms
    records: Mapping[int, Type]
    rows: Mapping[int, Rows]


def steps(rules: Rules) -> Steps:
    """The rules of a game, prepared for play step by step, as C. Raises NotInC."""
    module = rules.module
    groups = [*groups_of(module), *piece_groups(rules.layout), _acting(module, len(rules.layout.seats))]
    program = program_of(rules, groups, {})
    program.keeping = True
    room = room_for(rules)
    check_size(program, (), room)
    if len(rules.layout.seats) > MOST_SEATS:
        raise NotInC(f"more than {MOST_SEATS} seats")
    rows = {each.number: rows_of(program.forms, each) for each in _of_kind(module, "moves")}
    printed = list(_functions(program, rows))
    criteria = sorted(_of_kind(module, "criterion"), key=lambda each: each.number)
    team = criteria.pop() if rules.teams else None
    visiting = list(_visiting(program))
    declared = [*state(program, " I point, idle; uint64_t lying;"), *STEP_BY_STEP]
    lines = [
        *before_functions(program, rules, room, declared), header("rows"), _sizes(program), *_heads(program), *printed,
        *results(rules.layout, len(criteria), rules), *_evaluating(program, criteria, team), *visiting,
        *_dispatching(program, rows), header("steps"),
    ]  # fmt: skip
    return Steps("\n".join(lines) + "\n", program.cells, program.forms, dict(program.record_types), rows)


def _acting(module: Module, seats: int) -> Group:
    """The cell with the acting seat."""
    return next((each for each in module.cells.values() if each.first == ME), Group("me", ME, 1, Ref("Player", seats)))


def _of_kind(module: Module, kind: str) -> list[Function]:
    return [each for each in module.functions.values() if each.kind == kind]


# ---------------------------------------------------------------- functions


def _functions(program: Program, rows: Mapping[int, Rows]) -> Iterator[str]:
    for each in program.module.functions.values():
        match each.kind:
            case "moves":
                yield listing(program, each, rows[each.number])
            case "apply":
                yield making(program, each, rows[each.number], jump)
            case _:
                yield function(program, each)
    for each in program.module.blocks.values():
        names = Names(program)
        body = Statements(names, jump).block(each.body)
        yield f"{_block_head(each)} {{ (void)g; {' '.join(names.declared)}\n{body} fault(x); }}"


def _block_head(node: Function) -> str:
    return f"PLAIN int b{node.number}(X *x, G *g)"


def _sizes(program: Program) -> str:
    memories = f"typedef struct {{ {' '.join(program.memories)} I nothing; }} Memories;"
    return f"{memories}\nenum {{ BLOCKS = {max(program.module.blocks) + 1}, LEAVING = {int(program.leaving)} }};"


def _heads(program: Program) -> Iterator[str]:
    """The declarations of all functions."""
    for each in program.module.functions.values():
        match each.kind:
            case "moves":
                yield f"{listing_head(each)};"
            case "apply":
                yield f"{making_head(each)};"
            case _:
                yield f"{head(program, each)};"


def jump(names: Names, node: st.Statement) -> str | None:
    """A jump in a function that returns the next block, or -1 if the game waits or is over."""
    match node:
        case st.Goto(block=int() as block) | st.Leave(block=block):
            return f"return {block};"
        case st.Goto(block=cell):
            assert not isinstance(cell, int)
            return f"return (int)at(x, {cell_place(names, cell)}, BLOCKS);"
        case st.Stop(point=point):
            return f"g->point = {point}; x->count = 0; return -1;"
        case st.Suspend(point=point):
            nothing = ""
            if node.chosen is not None:
                nothing = Statements(names).statement(st.Store(node.chosen, NOTHING))
            return f"if (m{point}(x, g)) {{ g->point = {point}; return -1; }} {nothing} return {node.otherwise};"
        case _:
            return None


# ---------------------------------------------------------------- game-specific functions


def _dispatching(program: Program, rows: Mapping[int, Rows]) -> Iterator[str]:
    """Functions that select a block or decision by its number."""
    blocks = program.module.blocks
    records = [str(program.cells.positions[first]) for first in program.records]
    yield f"static const int32_t records_in[LOGS + 1] = {{{', '.join(records) or 0}}};"
    cases = " ".join(f"case {number}: return b{number}(x, g);" for number in sorted(blocks))
    yield f"static int go_to(X *x, G *g, int block) {{ switch (block) {{ {cases} default: fault(x); }} }}"
    cases = " ".join(f"case {number}: return a{number}(x, g, row);" for number in sorted(rows))
    head = "static int make(X *x, G *g, const uint64_t *row)"
    yield f"{head} {{ switch (g->point) {{ {cases} default: fault(x); }} }}"
    cases = " ".join(f"case {number}: return m{number}(x, g);" for number in sorted(rows))
    yield f"static I list_moves(X *x, G *g) {{ switch (g->point) {{ {cases} default: return x->count = 0; }} }}"
    cases = " ".join(f"case {number}: return {found.words};" for number, found in sorted(rows.items()))
    yield f"INLINE I words_of_row(I point) {{ switch (point) {{ {cases} default: return 0; }} }}"


def _evaluating(program: Program, criteria: list[Function], team: Function | None) -> Iterator[str]:
    """The function that evaluates the criteria, and the team, of each seat."""
    me = f"g->s[{program.cells.positions[ME]}]"
    lines = []
    for number, each in enumerate(criteria):
        if isinstance(each.result, Opt):
            raise NotInC("a criterion that may be none")
        assert each.result is not None
        if program.forms.form_of(each.result) != SCALAR:
            raise NotInC("a criterion that is no number")
        lines.append(f"scores[CRITERIA * seat + {number}] = {program.functions[each.name]}(x, g);")
    if team is not None:
        lines.append(f"teams[seat] = {program.functions[team.name]}(x, g);")
    yield f"#define ACTING(g) ((g)->s[{program.cells.positions[ME]}])"
    yield (
        "static void evaluate(X *x, G *g, int64_t *scores, int64_t *teams) { (void)teams; "
        f"I acting = {me}; for (int seat = 0; seat < SEATS; seat++) {{ {me} = seat; {' '.join(lines)} }} "
        f"{me} = acting; }}"
    )


def _visiting(program: Program) -> Iterator[str]:
    """Functions that pass all cells on as words, that take them from words, and that keep the sequences in them."""
    given, taken, kept = [], [], []
    for form, numbers in program.cells.by_form.items():
        field = f"g->{program.cells.field_of(form)}[k]"
        loop = f"for (int k = 0; k < {len(numbers)}; k++)"
        if form == "Q":
            given.append(
                f"{loop} {{ sink(to, (uint64_t){field}.n); "
                f"for (int i = 0; i < {field}.n; i++) sink(to, (uint64_t){field}.v[i]); }}"
            )
            taken.append(
                f"{loop} {{ {field}.n = (int32_t)next_length(from, ROOM); "
                f"for (int i = 0; i < {field}.n; i++) {field}.v[i] = (item)next_word(from); }}"
            )
            continue
        given.append(f"{loop} {{ {given_words(program.forms, form, field)} }}")
        taken.append(f"{loop} {{ {taken_words(program.forms, form, field)} }}")
        if program.forms.parts.get(form, ("", ()))[0] == "sequence":
            kept.append(f"{loop} {field}.v = keep_items(x, {field}.v, sizeof {field}.v[0] * (size_t){field}.n);")
    yield f"INLINE void each_word(const G *g, void (*sink)(void *, uint64_t), void *to) {{ {' '.join(given)} }}"
    yield f"static void take_cells(X *x, G *g, Words *from) {{ {' '.join(taken)} }}"
    yield f"static void keep_lists(X *x, G *g) {{ (void)x; (void)g; {' '.join(kept)} }}"
