"""What coverage says about a part of the rules that was not reached."""

from __future__ import annotations

from interpreter.authoring.coverage.report import Missing

WHOLE = {
    "action": "never done",
    "step": "never done",
    "setup": "never done",
    "when": "never happens",
    "phase": "never played",
    "define": "never evaluated",
    "winner": "never evaluated",
    "teams by": "never evaluated",
    "option": "never used",
}
"""Message for a declaration that was never reached, by its kind."""

PARTS = {
    "statement": "never executed",
    "case": "case never taken",
    "criterion": "never needed",
    "value": "never chosen",
}
"""Message for a part with a single branch that was not taken, by its kind."""

BRANCHES = {"held": "never holds", "refused": "never refuses", "holds": "never holds", "fails": "never fails"}


def description(missing: Missing) -> str:
    """Describe what never happens."""
    part = missing.part
    if part is None:
        return WHOLE[missing.subject.kind]
    words = [BRANCHES[word] for word in missing.branches if word in BRANCHES]
    if not words:
        words = [PARTS[part.kind]]
    verdict = words[0] if len(words) == 1 else "never evaluated"
    return f"{verdict}: {part.text}"
