"""Decisions in play step by step: all legal moves are listed as rows of words, and one is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interpreter.ir import statements as st
from interpreter.ir.expressions import Const, Expr
from interpreter.ir.module import Function
from interpreter.ir.runs import DECLINED
from interpreter.native.context import Names, Program
from interpreter.native.decisions import once
from interpreter.native.expressions import as_form
from interpreter.native.forms import SCALAR, Forms, NotInC
from interpreter.native.statements import Special, Statements
from interpreter.native.words import words_of_form
from interpreter.passes.random_games.decision_inlining import parts_named


@dataclass(frozen=True)
class Rows:
    """How the moves of a decision are stored: words of a row, and for each act the place and C type of its arguments.

    The first word is the number of the act.
    """

    words: int
    acts: Mapping[int, tuple[tuple[int, str], ...]]


def rows_of(forms: Forms, node: Function) -> Rows:
    """The rows of a decision from the function that lists its moves."""
    acts: dict[int, list[str]] = {}
    for each in st.walk(node.body):
        if isinstance(each, st.Emit):
            act, *arguments = each.move
            if not isinstance(act, Const):
                raise NotInC("moves whose action is not known")
            found = [forms.form_of(part.type) for part in arguments]
            known = acts.setdefault(int(act.value), found)
            known[:] = [
                max(pair, key=lambda form: words_of_form(forms, form)) for pair in zip(known, found, strict=True)
            ]
    longest = max((len(found) for found in acts.values()), default=0)
    places, end = [], 1
    for number in range(longest):
        places.append(end)
        end += max(words_of_form(forms, found[number]) for found in acts.values() if number < len(found))
    placed = {act: tuple(zip(places, found, strict=False)) for act, found in acts.items()}
    return Rows(end, {**placed, _act_of((DECLINED,)): ()})


# ---------------------------------------------------------------- listing


def listing(program: Program, node: Function, rows: Rows) -> str:
    """The function that lists the legal moves; it returns how many there are."""
    names = Names(program)

    def row(move: Sequence[Expr]) -> str:
        parts = [(0, SCALAR), *rows.acts[_act_of(move)]]
        made = [(place, form, names.new()) for place, form in parts]
        values = [
            f"{form} {name} = {as_form(names, part, form)};" for (_, form, name), part in zip(made, move, strict=True)
        ]
        stores = [line for place, form, name in made for line in _stored(names.forms, place, form, name)]
        filled = {place + k for place, form in parts for k in range(words_of_form(names.forms, form))}
        stores += [f"row[{place}] = 0;" for place in range(rows.words) if place not in filled]
        new = f"uint64_t *row = new_row(x, n, {rows.words});"
        return f"{{ {' '.join(values)} {new} {' '.join(stores)} n++; }}"

    def special(inner: Names, statement: st.Statement) -> str | None:
        match statement:
            case st.Emit(move=move):
                return row(move)
            case st.EmitDone(any_before=any_before):
                return f"if (n) {row((DECLINED,))}" if any_before else row((DECLINED,))
            case st.IfNoMoves(body=body):
                return f"if (!n) {{ {statements.block(body)} }}"
            case st.Once():
                return once(inner, statement, statements)
            case _:
                return None

    statements: Statements = Statements(names, special)
    groups = {each.group for each in st.walk(node.body) if isinstance(each, st.Once)}
    if groups:
        program.used.add("seen")
    seen = " ".join(f"Seen seen{group} = {{0}};" for group in sorted(groups))
    body = statements.block(node.body)
    declared = " ".join(names.declared)
    return f"{listing_head(node)} {{ I n = 0; {seen} {declared}\n{body} x->count = n; return n; }}"


def listing_head(node: Function) -> str:
    """The declaration of the function that lists the moves of a decision."""
    return f"PLAIN I m{node.number}(X *x, G *g)"


def _act_of(move: Sequence[Expr]) -> int:
    act = move[0]
    assert isinstance(act, Const)
    return int(act.value)


def _stored(forms: Forms, place: int, form: str, name: str) -> list[str]:
    """Statements that store a part of a move in a row."""
    if form == SCALAR:
        return [f"row[{place}] = (uint64_t){name};"]
    kind, _, suffix = form.partition("_")
    there, value = ([f"row[{place}] = {name}.there;"], f"{name}.v") if kind == "opt" else ([], name)
    first = place + len(there)
    return [*there, *[f"row[{first + k}] = word_{suffix}({value}, {k});" for k in range(forms.sets[suffix])]]


# ---------------------------------------------------------------- making moves


def making(program: Program, node: Function, rows: Rows, special: Special) -> str:
    """The function that makes a move; it returns the block with which the game continues."""
    names = Names(program)
    (move,) = node.params
    names.locals["part0"] = "(I)row[0]", SCALAR
    lines = []
    for number in range(max(map(len, rows.acts.values()))):
        variables = names.parts[f"part{number + 1}"] = {}
        for place, form in dict.fromkeys(found[number] for found in rows.acts.values() if number < len(found)):
            variables[form] = name = names.new("p")
            lines.append(f"{form} {name} = {_read(form, place)};")
    statements = Statements(names, special)
    body = statements.block(tuple(parts_named(each, move) for each in node.body))
    return f"{making_head(node)} {{ {' '.join(names.declared)} {' '.join(lines)}\n{body} fault(x); }}"


def making_head(node: Function) -> str:
    """The declaration of the function that makes a move of a decision."""
    return f"PLAIN int a{node.number}(X *x, G *g, const uint64_t *row)"


def _read(form: str, place: int) -> str:
    """A part of a move, read from its row."""
    kind, _, suffix = form.partition("_")
    if form == SCALAR:
        return f"(I)row[{place}]"
    if kind == "opt":
        return f"{{of_words_{suffix}(row + {place + 1}), row[{place}] != 0}}"
    return f"of_words_{suffix}(row + {place})"
