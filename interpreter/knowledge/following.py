"""Following an observation: which moves and changes of another history look the same to the seat."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import eq
from typing import Any

from dsl import ast
from dsl.types import PieceType, Several, Type, bare
from interpreter.analysis.resampling import Exchange, with_exchanged
from interpreter.bitset import bits
from interpreter.decisions import Decision
from interpreter.knowledge.histories import Chooser, Impossible, Observer, Ply, drawn_by
from interpreter.knowledge.observation import Entry, Observation, is_over, prompt_of, table_seen
from interpreter.layout.cells import ME, POINT
from interpreter.notation.moves import Listing
from interpreter.notation.words import acts_of, chosen_type
from interpreter.program import Move as Code
from interpreter.program import Program
from interpreter.runtime.primitives import Cells
from interpreter.views.history import is_unnoticed, label_shown
from interpreter.visibility.sight import fully_seen


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Where a history goes on differently from what was observed: `ply` is what happened instead, if anything could.

    `agrees` tells how far it agreed: a larger one is better.
    """

    agrees: tuple[int, int, int]
    entry: Entry | None
    ply: Ply | None = None


def is_complete(observation: Observation, last: Ply) -> bool:
    """True if all that was observed is accounted for after a ply."""
    at_end = last.entry == len(observation.entries) - 1
    return at_end and last.lines == len(observation.entries[last.entry].lines)


def options(observer: Observer, observation: Observation, last: Ply, like: Code | None = None) -> list[Code]:
    """The legal moves after a ply that agree with what was observed next.

    With `like`, only those that look the same as this move, if it is one of them and nobody could have hidden another.
    """
    program, seat, S = observer.program, observer.seat, last.after
    decision, entries = program.decision(S), observation.entries
    assert decision is not None
    legal = program.legal(S)
    noted = last.lines == len(entries[last.entry].lines)
    following = entries[last.entry + 1] if noted and last.entry + 1 < len(entries) else None
    if S[ME] == seat:
        if following is None or following.chosen < 0 or prompt_of(program, S) != following.prompt:
            return []
        return [legal[following.chosen]]
    if noted and observation.tables and not _same_table(observer, observation, last):
        following = None
    if following is not None and (following.chosen >= 0 or following.player != program.layout.seats[S[ME]]):
        following = None
    listing = Listing(program, S, decision.node, legal)
    if like is not None and like in legal and not _may_hide(program, S, decision, like, seat):
        label = None if is_unnoticed(decision, S, like) else label_shown(listing, decision, like, seat)
        return [like] if following is not None and label == following.label else []
    return [
        code
        for code in legal
        if is_unnoticed(decision, S, code)
        or (following is not None and label_shown(listing, decision, code, seat) == following.label)
    ]


def _same_table(observer: Observer, observation: Observation, last: Ply) -> bool:
    return observation.tables[last.entry] == table_seen(observer.program, last.after, observer.seat)


def types_of(program: Program, decision: Decision, code: Code) -> Sequence[Type]:
    """The types of the arguments of a move, or of what is chosen."""
    if code[0] < 0:
        return ()
    if isinstance(decision.node, ast.Choose):
        return (chosen_type(program, decision.node),)
    rule = program.model.rules[acts_of(decision.node)[code[0]].name]
    return [parameter.type for parameter in rule.parameters]


def _may_hide(program: Program, S: Cells, decision: Decision, code: Code, seat: int) -> bool:
    """True if another move could look the same to a seat that watches, as it is not shown all of this one."""
    if decision.node.secretly or decision.at_once:
        return True
    if code[0] >= 0 and isinstance(decision.node, ast.Decide):
        declaration = program.model.rules[acts_of(decision.node)[code[0]].name].declaration
        if any(parameter.secret for parameter in declaration.parameters):
            return True
        label = declaration.label if isinstance(declaration, ast.Action) else None
        if label is not None:
            shown = {part.name for part in label.parts if isinstance(part, ast.Name)}
            if any(parameter.name not in shown for parameter in declaration.parameters):
                return True
    for type_, value in zip(types_of(program, decision, code), code[1:], strict=True):
        core = bare(type_)
        if value is not None and isinstance(core, PieceType) and not fully_seen(program, S, seat, value):
            return True
        if isinstance(core, Several) and isinstance(core.element, PieceType):
            return not all(fully_seen(program, S, seat, piece) for piece in bits(value or 0))
    return False


def with_pieces_exchanged(program: Program, S: Cells, code: Code, exchange: Exchange) -> Code:
    """A move with other pieces, or an equal one if equal pieces are offered once."""
    decision = program.decision(S)
    assert decision is not None
    types = types_of(program, decision, code)
    values = [with_exchanged(type_, value, exchange) for type_, value in zip(types, code[1:], strict=True)]
    found = (code[0], *values)
    legal = program.legal(S)
    if found in legal:
        return found
    wanted = _by_kind(program, types, found)
    return next((other for other in legal if other[0] == code[0] and _by_kind(program, types, other) == wanted), found)


def _by_kind(program: Program, types: Sequence[Type], code: Code) -> tuple[Any, ...]:
    """A move in which equal pieces are equal."""
    kinds = program.runtime.kinds

    def kind(type_: Type, value: Any) -> Any:
        core = bare(type_)
        if value is not None and isinstance(core, PieceType):
            return kinds[value]
        if value and isinstance(core, Several) and isinstance(core.element, PieceType):
            return sorted(kinds[piece] for piece in bits(value))
        return value

    return tuple(kind(type_, value) for type_, value in zip(types, code[1:], strict=True))


def first_ply(observer: Observer, observation: Observation, chance: Chooser) -> Ply | Mismatch:
    """Set the game up."""
    initial = list(observer.program.initial)
    try:
        ply = observer.play(initial, None, chance)
    except Impossible:
        return Mismatch((0, 0, 0), None)
    return _accounted(observation, None, replace(ply, entry=0), begins=True)


def next_ply(
    observer: Observer, observation: Observation, last: Ply, code: Code, alike: int,
    chance: Chooser, like: Ply | None = None,
) -> Ply | Mismatch:  # fmt: skip
    """Make one of the `options`, of which there are `alike`."""
    program, S = observer.program, last.after
    decision = program.decision(S)
    assert decision is not None
    unnoticed = S[ME] != observer.seat and is_unnoticed(decision, S, code)
    try:
        ply = observer.play(S, code, chance, like)
    except Impossible:
        return Mismatch((last.entry, last.lines, -1), None)
    return _accounted(observation, last, replace(ply, alike=alike), begins=not unnoticed)


def _accounted(observation: Observation, last: Ply | None, ply: Ply, begins: bool) -> Ply | Mismatch:
    """The ply with what it accounts for, if the seat observed that."""
    number, done = (-1, 0) if last is None else (last.entry, last.lines)
    if begins:
        number, done = number + 1, 0
    entry = observation.entries[number]
    end = done + len(ply.learnt.lines)
    if ply.learnt.lines != entry.lines[done:end] or end > len(entry.lines):
        common = (Counter(ply.learnt.lines) & Counter(entry.lines[done:])).total()
        same = sum(map(eq, ply.learnt.lines, entry.lines[done:]))
        seen = (Counter(ply.learnt.sightings) & Counter(entry.sightings)).total()
        agrees = number, done, common + same + seen - len(ply.learnt.lines)
        return Mismatch(agrees, entry, replace(ply, entry=number, lines=done))
    return replace(ply, entry=number, lines=end)


def ends_right(observer: Observer, observation: Observation, last: Ply) -> bool:
    """True if the seat could be where the observation ends."""
    S = last.after
    if not is_complete(observation, last) or is_over(S) != observation.over:
        return False
    if observation.tables and not _same_table(observer, observation, last):
        return False
    if S[POINT] >= 0 and S[ME] == observer.seat:
        return prompt_of(observer.program, S) == observation.prompt
    return not observation.prompt


def follow(
    observer: Observer, observation: Observation, history: tuple[Ply, ...], rng: random.Random, most: int = 64
) -> tuple[tuple[Ply, ...], Mismatch | None]:
    """Continue a history at random up to where the observation ends, or cannot be followed any further.

    At most `most` decisions in a row that the seat does not notice.
    """
    silent = 0
    while not ends_right(observer, observation, history[-1]):
        last = history[-1]
        if is_over(last.after):
            return history, Mismatch((last.entry, last.lines, 0), _next_entry(observation, last))
        found = options(observer, observation, last)
        if not found or silent == most:
            return history, Mismatch((last.entry, last.lines, 0), _next_entry(observation, last))
        ply = next_ply(observer, observation, last, rng.choice(found), len(found), drawn_by(rng))
        if isinstance(ply, Mismatch):
            return history, ply
        silent = silent + 1 if (ply.entry, ply.lines) == (last.entry, last.lines) else 0
        history = (*history, ply)
    return history, None


def _next_entry(observation: Observation, last: Ply) -> Entry | None:
    number = last.entry + (last.lines == len(observation.entries[last.entry].lines))
    return observation.entries[number] if number < len(observation.entries) else None
