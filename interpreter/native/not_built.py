"""Why there is no library, as a value."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.text.visible import visible

LONGEST = 300


@dataclass(frozen=True)
class NotBuilt:
    """There is no library; the reason is one line for people."""

    reason: str

    @classmethod
    def after(cls, what: str, text: str) -> NotBuilt:
        """What failed, with the first line of the message of a program or the system."""
        first = next((line.strip() for line in text.splitlines() if line.strip()), "")
        return cls(visible(f"{what}: {first}"[:LONGEST] if first else what))
