"""What `check --accept` has written into a variant: which examples are replaced or removed, and how."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import ndiff
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.save_paths import short
from dsl.text.nouns import counted

if TYPE_CHECKING:
    from interpreter.examples.accepting import Accepted


def lines_of(target: Path, found: Sequence[Accepted]) -> Iterator[str]:
    """How many examples are replaced and removed; then each, with its cause and with its lines before and after."""
    replaced = sum(one.replaces for one in found)
    yield f"{short(target.absolute())}: {counted(replaced, 'example')} replaced, {len(found) - replaced} removed"
    for one in found:
        yield f'{_verb(one)} "{one.title}", broken by {one.cause}'
        yield f"  {one.reason}"
        for line in ndiff(one.before, one.after):
            if line.startswith(("-", "+")):
                yield f"  {line}"
    yield ""


def document(accepted: Accepted) -> dict[str, Any]:
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
