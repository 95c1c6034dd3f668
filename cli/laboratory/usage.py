"""What the games of a run used of the rules: actions, steps, `when`s, and the cases of definitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from cli.laboratory.report import Report
from cli.statistics import Figure, share
from interpreter.coverage.subjects import Subject, subjects

WHOLE = ("action", "step", "when", "phase")
"""Declarations that are used as a whole."""


@dataclass(frozen=True)
class Usage:
    """A part of the rules, and the share of the games that used it."""

    kind: str
    text: str
    location: str
    games: Figure


def usage_of(report: Report) -> tuple[Usage, ...]:
    """The usage of all parts in the order of the rules; empty if the course of no game is known."""
    courses = [record.course for record in report.records if record.course is not None]
    if not courses:
        return ()
    taken = Counter(branch for course in courses for branch in course.branches)

    def used(kind: str, text: str, location: str, branch: int) -> Usage:
        games = taken[branch]
        return Usage(kind, text, location, share([1.0] * games + [0.0] * (len(courses) - games)))

    return tuple(
        used(*part) for subject in subjects(report.setting.game.rules.model) for part in _parts(subject)
    )  # fmt: skip


def _parts(subject: Subject) -> Iterator[tuple[str, str, str, int]]:
    """The kind, name, location and branch of everything that is counted of a declaration."""
    if subject.kind in WHOLE:
        yield subject.kind, subject.name, subject.span.location, subject.branch
    cases = [part for part in subject.parts if part.kind == "case"]
    for part in cases if len(cases) > 1 else ():
        yield "case", part.text, part.span.location, part.branches["reached"]
