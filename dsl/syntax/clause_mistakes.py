"""Common mistakes in saying what each value does: handlers, effects, and branches by value."""

from __future__ import annotations

from dsl.diagnostics import Diagnostic
from dsl.syntax.common_mistakes import NO_KEYWORD, LineForm, first_of, line
from dsl.syntax.stop import Problem

_VALUE = r"(?P<v>[A-Za-z_]\w*(?:\([^()]*\))?)"
_BY_VALUE = "write a step with a clause for each value, `step use(…): …`, and do it with `use({v})`"
_CLAUSE = "write a clause of a step for it, `step use({v}): …`"


def clause_mistake(p: Problem) -> Diagnostic | None:
    """Report a line that says in other words what a value does."""
    return first_of(CLAUSE_LINES, p)


CLAUSE_LINES: tuple[LineForm, ...] = (
    LineForm(
        line(r"(?P<at>on|whenever|trigger|after each|each time) \w+(?:\([^()]*\))?:.*"), "E0112", NO_KEYWORD,
        help="write `when NAME:` with a definition that says when it happens, or do a step where it happens",
    ),
    LineForm(
        line(r"(?P<at>match|switch) \(?(?P<v>[\w.]+(?:\[[^\]]*\])?)\)?\s*:?.*"), "E0112", NO_KEYWORD, help=_BY_VALUE,
    ),
    LineForm(line(rf"(?P<at>case|effect|effect of|ability|power) {_VALUE}\s*:.*"), "E0112", NO_KEYWORD, help=_CLAUSE),
)  # fmt: skip
