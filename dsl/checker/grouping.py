"""Grouping of diagnostics: those with the same cause become one diagnostic with several spans.

The problem: a note declared `0..9` and used as a seat in twenty places gives twenty errors at correct lines and none at
the wrong one. The idea: every stage records as `Cause` which declaration a diagnostic disagrees with and, for a type,
which one its use expects. If many uses of a declaration disagree with it in the same way, the declaration is the likely
mistake; it is reported once, with the uses as further spans.

INVARIANT: grouping loses no span: every diagnostic is itself in the result or one of the `other_spans` of one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import assert_never

from dsl.checker.context import spelt
from dsl.diagnostics import Cause, Diagnostic, Label, Replacement
from dsl.model import Model
from dsl.text.span import Span

_PROPOSED = re.compile(r"`(\w+)`")
MIN_DISAGREEING_USES = 3
"""Number of diagnostics that make a declaration suspect, if at least a third of its uses have one."""
SUSPECT = ("declared", "missing")
VERY_MANY = 4
"""Number of diagnostics of one code that make it suspect, however often it is used."""


def grouped(diagnostics: Sequence[Diagnostic], model: Model) -> list[Diagnostic]:
    """Merge diagnostics that share a cause.

    An undeclared name is reported once, however often it is used; so is a secret, for each way of
    revealing it. Names that hide the same name are reported at its
    declaration. Uses that disagree with a declaration become one diagnostic if their messages agree; if many of its
    uses do, the declaration is probably wrong, and they are merged whatever their messages.
    """
    uses = Counter(symbol.name for symbol in model.refers.values())
    main_source = model.file.span.source
    ordered = sorted(diagnostics, key=lambda found: found.span.source is not main_source)
    suspects = _suspects(ordered, uses)
    together: dict[object, list[int]] = {}
    for index, diagnostic in enumerate(ordered):
        together.setdefault(_key(diagnostic, suspects.get(index)) or index, []).append(index)
    merged = [_as_one([ordered[index] for index in group], suspects.get(group[0])) for group in together.values()]
    return [_misspelt_where_declared(diagnostic, model, uses) for diagnostic in merged]


def _misspelt_where_declared(diagnostic: Diagnostic, model: Model, uses: Counter[str]) -> Diagnostic:
    """Explain an unknown name used in several places by a declaration that is probably misspelt: similar and unused."""
    cause = next(iter(diagnostic.causes), None)
    if cause is None or cause.kind != "unknown" or not diagnostic.other_spans:
        return diagnostic
    for name in _PROPOSED.findall(diagnostic.helps[0] if diagnostic.helps else ""):
        symbol = model.globals.get(name)
        if symbol is not None and symbol.node is not None and not uses[name]:
            at = spelt(symbol.node, name)
            labels = (*diagnostic.labels, Label(at, f"or is `{cause.name}` misspelt here? `{name}` is never used"))
            return replace(diagnostic, labels=labels, replacements=(Replacement(at, cause.name),))
    return diagnostic


def _suspects(diagnostics: Sequence[Diagnostic], uses: Counter[str]) -> dict[int, Cause]:
    """Find the declarations that are probably wrong, by the indices of the diagnostics they explain; likeliest first.

    The uses of a wrong declaration agree among themselves on the type it should have.
    """
    unexplained = {
        index: diagnostic
        for index, diagnostic in enumerate(diagnostics)
        if any(c.kind in SUSPECT for c in diagnostic.causes)
    }
    # The most frequent cause first, and what it explains no longer counts for the others: a diagnostic often names two
    # declarations, the two sides of a comparison, and the one with which more uses disagree is to blame.
    explained: dict[int, Cause] = {}
    while unexplained:
        counts = Counter(
            cause
            for diagnostic in unexplained.values()
            for cause in dict.fromkeys(diagnostic.causes)
            if _explains(cause)
        )
        cause = next((cause for cause, times in counts.most_common() if _suspect(times, uses[cause.name])), None)
        if cause is None:
            break
        alike = {cause, replace(cause, instead="")}
        explained |= {
            index: cause for index, diagnostic in unexplained.items() if not alike.isdisjoint(diagnostic.causes)
        }
        unexplained = {index: diagnostic for index, diagnostic in unexplained.items() if index not in explained}
    same = Counter(
        (diagnostic.code, cause) for diagnostic in unexplained.values() for cause in dict.fromkeys(diagnostic.causes)
    )
    for index, diagnostic in unexplained.items():
        often = [
            cause for cause in diagnostic.causes if cause.kind in SUSPECT and same[diagnostic.code, cause] >= VERY_MANY
        ]
        if often:
            cause = max(often, key=lambda cause: same[diagnostic.code, cause])
            explained[index] = replace(cause, instead=f"{cause.instead} {diagnostic.code}")
    return explained


def _explains(cause: Cause) -> bool:
    """True if a cause is specific enough to explain diagnostics with several codes."""
    return cause.kind == "missing" or (cause.kind == "declared" and bool(cause.instead))


def _suspect(times: int, uses: int) -> bool:
    """True if a declaration is probably wrong: many of its uses disagree with it, or all of them."""
    return (times >= MIN_DISAGREEING_USES and 3 * times >= uses) or (times >= 2 and 0 < uses <= times)


def _key(diagnostic: Diagnostic, suspect: Cause | None) -> object:
    """The key shared by diagnostics that are merged; None for one that stays separate."""
    if suspect is not None or not diagnostic.causes:
        return suspect
    cause = diagnostic.causes[0]
    match cause.kind:
        case "declared":
            return (diagnostic.code, cause, diagnostic.message, diagnostic.helps)
        case "secret":
            return (diagnostic.code, cause, diagnostic.severity, diagnostic.helps)
        case "unknown" | "hidden" | "missing":
            return cause
        case _:
            assert_never(cause.kind)


def _as_one(group: Sequence[Diagnostic], suspect: Cause | None) -> Diagnostic:
    first, *others = group
    cause = suspect or next(iter(first.causes), None)
    if not others or cause is None:
        return first
    if cause.kind == "hidden" and cause.span is not None:
        message = f"{len(group)} other names `{cause.name}` would hide this `{cause.name}`"
        helps = ("choose another name here, or on all those lines",)
        return Diagnostic(first.code, first.severity, message, cause.span, (), helps, (), _spans(group))
    labels = first.labels
    if suspect is not None and suspect.span is not None and suspect.span != first.span:
        labels = (*labels, Label(suspect.span, f"{len(group)} uses disagree with this"))
    return replace(first, labels=labels, replacements=(), other_spans=_spans(others, first.span))


def _spans(diagnostics: Iterable[Diagnostic], reported: Span | None = None) -> tuple[Span, ...]:
    """Spans of the diagnostics, without duplicates and without the one that is reported already."""
    return tuple(span for span in dict.fromkeys(diagnostic.span for diagnostic in diagnostics) if span != reported)
