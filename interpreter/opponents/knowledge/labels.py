"""Labels of the moves of others as shown to a seat, rendered once for moves that look the same."""

from __future__ import annotations

from typing import Any

from dsl import ast
from dsl.types import PieceType, Several, bare
from interpreter.compiler.decisions import Decision, acts_of
from interpreter.engine.sight import known_attributes
from interpreter.opponents.knowledge.histories import Observer
from interpreter.opponents.knowledge.moves import types_of
from interpreter.opponents.knowledge.observation import label_for
from interpreter.runtime.cells import Cells, MoveCode, number_in
from interpreter.runtime.layout import POINT
from interpreter.seat.views.history import is_unnoticed


def label_of_other(observer: Observer, S: Cells, decision: Decision, code: MoveCode) -> str | None:
    """What the seat is shown of a move of another seat; None if it does not notice the decision."""
    if is_unnoticed(decision, S, code):
        return None
    key = _key(observer, S, decision, code)
    if key is None:
        return observer.labels_by_state.label(S, decision, code)
    if key not in observer.labels:
        label = label_for(observer.program, S, code, observer.seat)
        assert label is not None
        observer.labels[key] = label
    return observer.labels[key]


def has_plain_label(observer: Observer, S: Cells, decision: Decision, code: MoveCode) -> bool:
    """True if what the seat is shown of a move follows from its arguments and from where pieces among them lie."""
    return is_unnoticed(decision, S, code) or _key(observer, S, decision, code) is not None


def _key(observer: Observer, S: Cells, decision: Decision, code: MoveCode) -> tuple[Any, ...] | None:
    """What the label of a move depends on: its arguments alone, pieces by what is seen of them; else None."""
    act = (S[POINT], code[0])
    if act not in observer.pieces_in:
        types = types_of(observer.program, decision, code)
        places = tuple([place for place, type_ in enumerate(types, start=1) if isinstance(bare(type_), PieceType)])
        observer.pieces_in[act] = places if _is_plain(observer, decision, code) else None
    places_of_pieces = observer.pieces_in[act]
    if places_of_pieces is None:
        return None
    if not places_of_pieces:
        return (act[0], *code)
    program = observer.program
    values: list[Any] = [act[0], *code]
    for place in places_of_pieces:
        if code[place] is not None:
            piece = number_in(code[place])
            known = known_attributes(program, S, observer.seat, piece)
            values[place + 1] = (program.layout.kind_of(piece), known)
    return tuple(values)


def _is_plain(observer: Observer, decision: Decision, code: MoveCode) -> bool:
    """True if the label of an action follows from its arguments alone, no sets of pieces among them."""
    program = observer.program
    for type_ in types_of(program, decision, code):
        core = bare(type_)
        if isinstance(core, Several) and isinstance(core.element, PieceType):
            return False
    if code[0] < 0 or isinstance(decision.node, ast.Choose):
        return True
    rule = program.model.rules[acts_of(decision.node)[code[0]].name]
    label = rule.declaration.label if isinstance(rule.declaration, ast.Action) else None
    if label is None:
        return True
    return all(isinstance(part, str) or not program.reads(part) for part in label.parts)
