"""The course of a game as one C function: blocks that jump to each other, from the opening to the results.

Cells that no other function reads are local variables. If rules can jump to another block, these have to survive the
jump and are kept in a structure instead; macros give them the same names.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.ir import statements as st
from interpreter.ir.expressions import Group
from interpreter.ir.module import left_for
from interpreter.ir.types import Bool, Opt
from interpreter.native.context import Names, Program
from interpreter.native.decisions import decide
from interpreter.native.forms import SCALAR, NotInC
from interpreter.native.rules import Rules, bodies
from interpreter.native.state import variable
from interpreter.native.statements import Statements

COUNTERS = ("x_idle", "x_decisions", "x_widest", "x_choices")
MOST_SEATS = 64
"""Winners are the bits of one word."""


def course(program: Program, rules: Rules, own: Sequence[Group]) -> str:
    """The function that plays one game; `own` are the cells that only it reads."""
    names = Names(program)
    statements = Statements(names, lambda _, node: _special(names, node, statements, rules))
    blocks = []
    for number in sorted(rules.module.blocks):
        names.forget()  # they are unique within a block
        body = statements.block(rules.module.blocks[number].body)
        blocks.append(f"B{number}: poll(x); x->used = 0;\n{body} fault(x);")
    variables = [variable(program, rules, group) for group in own]
    variables += [
        *((f"I {name}", "0") for name in COUNTERS),
        ("uint64_t x_state", "seed * SEED_MULTIPLIER + CHOICE_OFFSET"),
    ]
    begin = _kept if program.leaving else _local
    before, opening = begin(variables)
    lines = [*before, "static void game(X *x, uint64_t seed, Results *results, int64_t number) {", *opening]
    lines += ["(void)g; (void)x_idle; (void)x_state;", "g->chance = seed * SEED_MULTIPLIER + CHANCE_OFFSET;"]
    lines += [*names.declared, *["forget(x);"] * bool(program.records)]
    if program.leaving:
        cases = " ".join(f"case {number}: goto B{number};" for number in sorted(left_for(bodies(rules.module))))
        lines.append(f"if (setjmp(x->leave)) switch (x->block) {{ {cases} default: fault(x); }}")
    return "\n".join([*lines, f"goto B{rules.prepared.first};", *blocks, "}"])


Variables = Sequence[tuple[str, str]]
"""Declarations with the values at the beginning of a game."""


def _local(variables: Variables) -> tuple[list[str], list[str]]:
    """State and variables of the function itself: what comes before it, and at its beginning."""
    return [], ["G state = OPENING, *g = &state;", *[f"{what} = {value};" for what, value in variables]]


def _kept(variables: Variables) -> tuple[list[str], list[str]]:
    """The same in memory of the context."""
    fields = " ".join(f"{what};" for what, _ in variables)
    names = [what.split()[-1].split("[")[0] for what, _ in variables]
    before = [f"typedef struct {{ G state; {fields} }} Kept;", *[f"#define {name} (kept->{name})" for name in names]]
    opening = [
        f"{{ __typeof__({name}) opening = {value}; memcpy(&{name}, &opening, sizeof opening); }}"
        for name, (_, value) in zip(names, variables, strict=True)
    ]
    return before, ["Kept *kept = x->kept; G *g = &kept->state; *g = OPENING;", *opening]


def _special(names: Names, node: st.Statement, statements: Statements, rules: Rules) -> str | None:
    match node:
        case st.Goto(block=int() as block) | st.Leave(block=block):
            return f"goto B{block};"
        case st.Goto():
            raise NotInC("a jump to a block that is not known")
        case st.Stop():
            return _end(names, rules)
        case st.Decide():
            return decide(names, node, statements.block)
        case _:
            return None


def _end(names: Names, rules: Rules) -> str:
    """The results of a finished game."""
    found = []
    if len(rules.layout.seats) > MOST_SEATS:
        raise NotInC(f"more than {MOST_SEATS} seats")
    for seat, numbers in enumerate(rules.prepared.results):
        scores = numbers[:-1] if rules.teams else numbers
        for number, local in enumerate(scores):
            if isinstance(local.type, Opt):
                raise NotInC("a criterion that may be none")
            if not isinstance(local.type, Bool) and names.forms.form_of(local.type) != SCALAR:
                raise NotInC("a criterion that is no number")
            found.append(f"scores[{seat * len(scores) + number}] = {names.read(local)};")
        if rules.teams:
            found.append(f"teams[{seat}] = {names.read(numbers[-1])};")
    return (
        "{ int64_t *scores = results->scores + SEATS * CRITERIA * number; "
        f"int64_t *teams = results->teams + SEATS * number; (void)teams; {' '.join(found)} "
        "results->winners[number] = winners_of(scores, teams); results->decisions[number] = x_decisions; "
        "results->choices[number] = x_choices; results->widest[number] = x_widest; return; }"
    )
