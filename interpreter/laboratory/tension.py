"""How exciting a game was; being written."""

from __future__ import annotations

from interpreter.laboratory.records import Course


def lead_changes(course: Course) -> float | None:
    """Being written."""
    return None


lead = settled = uncertainty = drama = decisiveness = lead_changes
