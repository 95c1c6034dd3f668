"""Suppression of cascading errors: diagnostics that only follow from another one.

That is a condition reported as never holding because it compares with none something that never is none.
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
