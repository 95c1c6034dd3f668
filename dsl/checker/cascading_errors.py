"""Suppression of cascading errors: diagnostics that only follow from another one.

That is a condition reported as never holding because it compares with none something that never is none: `if score[me]
is none: …` gives E0343, and from that follows that the branch is never reached (E0503) or the action never possible
(E0504). Both are true, but who corrects the first is rid of the other.

Most cascades never begin: what was reported has the type `UNKNOWN`, which fits everything, and the strict stages run
only on a model without errors. E0343 is a warning, so here both are found in one run.
"""

from __future__ import annotations

from dsl.checker.context import Context
from dsl.diagnostics import Diagnostic

NEVER_NONE, NEVER_HOLDS = "E0343", frozenset({"E0503", "E0504"})


def without_cascading(context: Context) -> list[Diagnostic]:
    """Return the diagnostics without the cascading ones."""
    never_none = [diagnostic.span for diagnostic in context.diagnostics if diagnostic.code == NEVER_NONE]
    return [
        diagnostic
        for diagnostic in context.diagnostics
        if diagnostic.code not in NEVER_HOLDS or not any(span.is_inside(diagnostic.span) for span in never_none)
    ]
