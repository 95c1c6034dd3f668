"""Records of what passes did, or why they could not, for authors of rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from dsl import ast
from dsl.lazy_dataclasses import dataclass

COURSE_OF_PLAY = "the course of play"
"""The subject of records about the whole game."""


@dataclass(frozen=True)
class PassRecord:
    """A pass that was applied to a subject (a rule, definition or decision), or the reason why it was not.

    `name` is that of the pass, `source` the node of the rules concerned.
    """

    name: str
    subject: str
    source: ast.Node | None
    applied: bool
    reason: str


@dataclass
class PassRecords:
    """The records of all passes over a module, in chronological order; `off` are the passes switched off."""

    entries: list[PassRecord] = field(default_factory=list)
    off: frozenset[str] = frozenset()

    def applied(self, name: str, subject: str, source: ast.Node | None, reason: str = "") -> None:
        """Record that a pass was applied; `reason` may say how."""
        self.entries.append(PassRecord(name, subject, source, True, reason))

    def refused(self, name: str, subject: str, source: ast.Node | None, reason: str) -> None:
        """Record the reason why a pass could not be applied."""
        self.entries.append(PassRecord(name, subject, source, False, reason))


@dataclass(frozen=True)
class Finding:
    """The records about one subject: for each pass its first success and its first reason for a failure."""

    subject: str
    source: ast.Node | None
    records: tuple[PassRecord, ...]


def findings(records: Iterable[PassRecord]) -> list[Finding]:
    """The records by subject, in the order of the rules; subjects without a location come last."""
    results_by_subject: dict[str, dict[tuple[str, bool], PassRecord]] = {}
    sources: dict[str, ast.Node] = {}
    for record in records:
        results_by_subject.setdefault(record.subject, {}).setdefault((record.name, record.applied), record)
        if record.source is not None:
            sources.setdefault(record.subject, record.source)

    def position(finding: Finding) -> tuple[bool, str, int]:
        if finding.source is None:
            return True, "", 0
        return False, finding.source.span.source.name, finding.source.span.start

    listed = [
        Finding(subject, sources.get(subject), _in_order(results)) for subject, results in results_by_subject.items()
    ]
    return sorted(listed, key=position)


def _in_order(records: dict[tuple[str, bool], PassRecord]) -> tuple[PassRecord, ...]:
    """The records of one subject, grouped by pass, successes first."""
    passes = dict.fromkeys(name for name, _ in records)
    return tuple([records[key] for name in passes for key in ((name, True), (name, False)) if key in records])
