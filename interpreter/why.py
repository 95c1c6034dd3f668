"""Why a move is legal or not: every requirement with the values in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dsl import ast
from dsl.check.handfuls import is_handfuls, taken_from
from dsl.symbols import LocalSymbol, RuleSymbol
from dsl.types import PieceType, Several, bare
from interpreter.compile.layout import ME, POINT
from interpreter.compile.program import Program
from interpreter.explain import constant
from interpreter.faults import RuntimeFault
from interpreter.looking import Looking, Names
from interpreter.runtime import Cells
from interpreter.wording import Move, acts_of, exact_words, split_arguments, text_words, value_words


@dataclass(frozen=True)
class Reason:
    """One requirement.

    `text` is its reason in the author's words with the values filled in, `values` are those of the parts of its
    condition, `place` is `file:line:column`.
    """

    text: str
    holds: bool
    values: tuple[tuple[str, str], ...]
    place: str
    cites: tuple[str, ...]
    node: ast.Require = field(repr=False, compare=False)


@dataclass(frozen=True)
class Why:
    """Whether a move would be legal now, in one line, and requirement by requirement."""

    legal: bool
    headline: str
    reasons: tuple[Reason, ...]

    def lines(self) -> list[str]:
        """The answer as lines of text."""
        found = [self.headline]
        for reason in self.reasons:
            values = ", ".join(f"{text} = {value}" for text, value in reason.values)
            cites = f" [{' '.join(reason.cites)}]" if reason.cites else ""
            sign = "holds" if reason.holds else "fails"
            found.append(f"  {sign}: {reason.text}{cites}")
            if values:
                found.append(f"         {values}")
            found.append(f"         {reason.place}")
        return found


def why_move(
    program: Program, S: Cells, legal_moves: Sequence[Move], name: str, arguments: Mapping[str, object]
) -> Why:
    """See `State.why`."""
    if S[POINT] < 0:
        return Why(False, "the game is over: nothing is possible any more", ())
    notation = name
    if arguments:
        rule = program.model.rules.get(name)
        order = [parameter.name for parameter in rule.parameters] if rule else list(arguments)
        unknown = [argument for argument in arguments if argument not in order]
        if unknown:
            return Why(False, f"`{name}` has no parameter `{unknown[0]}`; it has {', '.join(order) or 'none'}", ())
        notation = f"{name}({', '.join(str(arguments[key]) for key in order if key in arguments)})"
    head, _, rest = notation.partition("(")
    head = head.strip()
    wanted = notation.replace(" ", "")
    legal = next((move for move in legal_moves if move.notation.replace(" ", "") == wanted), None)
    rule = program.model.rules.get(head)
    if rule is None or not rule.is_action:
        if legal is not None:
            return Why(True, f"`{notation}` is legal: {legal.label}", ())
        actions = [n for n, r in program.model.rules.items() if r.is_action]
        return Why(False, f"there is no such move as `{notation}`; actions are {', '.join(actions)}", ())
    return _why_action(program, S, rule, notation, split_arguments(rest.rstrip().removesuffix(")")), legal is not None)


def _why_action(program: Program, S: Cells, rule: RuleSymbol, notation: str, texts: list[str], legal: bool) -> Why:
    values: list[Any] = []
    for parameter, text in zip(rule.parameters, texts, strict=False):
        core = bare(parameter.type)
        if isinstance(core, Several):
            value = _set_of(program, S, rule, values, core, text)
        else:
            value = _value_of(program, S, parameter, text)
        if value is None:
            return Why(False, f"`{text}` is no value for `{parameter.name}` of `{rule.name}` here", ())
        values.append(value[0])
    if len(values) < len(rule.parameters) or len(texts) > len(rule.parameters):
        names = ", ".join(parameter.name for parameter in rule.parameters)
        return Why(False, f"`{rule.name}` takes ({names})", ())
    reasons = tuple(requirements_of(program, S, rule, values, S[ME]))
    decision = program.decision(S)
    offered = decision is not None and any(act.name == rule.name for act in acts_of(decision.node))
    failing = [reason for reason in reasons if not reason.holds]
    if legal:
        return Why(True, f"`{notation}` is legal", reasons)
    if failing:
        return Why(False, f"`{notation}` is not legal: {failing[0].text}", reasons)
    if not offered and decision is not None:
        cites = f" [{' '.join(decision.node.cites)}]" if decision.node.cites else ""
        asked = " ".join(decision.node.span.text.split())
        return Why(False, f"`{rule.name}` is not asked for now: the rule is `{asked}`{cites}", reasons)
    return Why(
        False, f"`{notation}` is not offered here: another move comes first, or its arguments are fixed", reasons
    )


def _value_of(program: Program, S: Cells, parameter: LocalSymbol, text: str) -> tuple[Any] | None:
    """The value a text names for a parameter, in a tuple; None if there is none."""
    core = bare(parameter.type)
    if isinstance(core, PieceType):
        for piece in program.layout.members(core):
            names = (
                value_words(program, S, core, piece, S[ME]),
                exact_words(program, S, core, piece, S[ME], True),
            )
            if text.replace(" ", "") in (name.replace(" ", "") for name in names):
                return (piece,)
        return None
    try:
        members = program.layout.members(core)
    except AssertionError:
        return None
    for value in members:
        if program.layout.name_of(core, value).replace(" ", "") == text.replace(" ", ""):
            return (value,)
    return (int(text),) if text.lstrip("-").isdigit() and bare(core).__class__.__name__ == "Number" else None


def _set_of(
    program: Program, S: Cells, rule: RuleSymbol, values: list[Any], type_: Several, text: str
) -> tuple[Any] | None:
    """The set a list between brackets names; of equal pieces those that can be chosen are meant first."""
    inside = text.strip()
    if inside[:1] + inside[-1:] not in ("[]", "{}"):
        return None
    found, offered = 0, offered_to(program, S, rule, len(values), values)
    for item in split_arguments(inside[1:-1]):
        wanted = item.replace(" ", "")
        left = [member for member in program.layout.members(type_.element) if not found >> member & 1]
        named = [
            member for member in left
            if any(
                wanted == exact_words(program, S, type_.element, member, S[ME], exact).replace(" ", "")
                for exact in (False, True)
            )
        ]  # fmt: skip
        if not named:
            return None
        found |= 1 << min(named, key=lambda member: (not offered >> member & 1, member))
    return (found,)


def offered_to(program: Program, S: Cells, rule: RuleSymbol, place: int, values: Sequence[Any] = ()) -> int:
    """What the handfuls of a parameter are taken from; empty if it is no such parameter or rests on unknown ones."""
    domain = rule.declaration.parameters[place].domain
    env = {parameter: constant(value) for parameter, value in zip(rule.parameters, values, strict=False)}
    missing = [parameter for parameter in rule.parameters if parameter not in env]
    if domain is None or not is_handfuls(domain):
        return 0
    if any(program.points.mentions(domain, parameter) for parameter in missing):
        return 0
    try:
        return int(program.evaluate(program.points.mask(taken_from(domain), env), S))
    except RuntimeFault:
        return 0


def requirements_of(
    program: Program, S: Cells, rule: RuleSymbol, values: Sequence[Any], seat: int | None
) -> list[Reason]:
    """Every requirement of an action with these arguments, as a seat (None: the eye that sees all) may know it."""
    looking, names = Looking(program, seat), Names.of(rule.parameters, values)
    found: list[Reason] = []
    for requirement in program.points.requirements(rule, names.env):
        node, inner = requirement.require, Names(requirement.env, names.known)
        cites = node.cites or rule.declaration.cites
        try:
            holds = bool(program.evaluate(program.text("value", node.condition, inner.env), S, **inner.known))
        except RuntimeFault as fault:
            found.append(Reason(fault.message, False, (), node.span.place, cites, node))
            continue
        text = " ".join(node.condition.span.text.split())
        if not holds:
            text = text_words(program, S, node.reason, inner.env, inner.known, seat)
        found.append(Reason(text, holds, looking.parts(node.condition, inner, S), node.span.place, cites, node))
    return found
