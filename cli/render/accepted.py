"""The changes that `check --accept` has made to a variant: which examples are replaced or removed, and how."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import ndiff
from typing import TYPE_CHECKING

from dsl.text.files import JsonObject
from dsl.text.nouns import counted

if TYPE_CHECKING:
    from interpreter.authoring.examples.accepting import Accepted


def lines_of(variant: str, accepted: Sequence[Accepted]) -> Iterator[str]:
    """How many examples of a variant are replaced and removed; then each, with its cause, before and after."""
    replaced = sum(example.replaces for example in accepted)
    yield f"{variant}: {counted(replaced, 'example')} replaced, {len(accepted) - replaced} removed"
    for example in accepted:
        yield f'{_verb(example)} "{example.title}", broken by {example.cause}'
        yield f"  {example.reason}"
        for line in ndiff(example.before, example.after):
            if line.startswith(("-", "+")):
                yield f"  {line}"
    yield ""


def document(accepted: Accepted) -> JsonObject:
    """One example as plain data."""
    return {
        "example": accepted.title,
        "change": _verb(accepted),
        "cause": accepted.cause,
        "location": accepted.location,
        "reason": accepted.reason,
        "before": list(accepted.before),
        "after": list(accepted.after),
    }


def _verb(accepted: Accepted) -> str:
    return "replaced" if accepted.replaces else "removed"
